"""Every rule of the form of records, kept and broken: what is read, what is refused, where, and what to do."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

import variant_engine as ve
from tests.records import PACK, PLAY, changed_rules, codes, example, foster, hash_of, replayed
from tests.strategies import random_end
from variant_engine.record import About, Lookup, RecordError, check, deal_record, read, record_of, replay, tidy, write
from variant_engine.record.build import german
from variant_engine.record.model import new_tag
from variant_engine.record.proof import Secret, commit_text
from variant_engine.record.replay import french
from variant_engine.record.tags import KNOWN_TAGS

UNFINISHED = "1. A CA HJ\n2. A ^D9 +40D DQ\n"


def refused(text: str) -> str:
    """The first problem of a text, as people read it."""
    try:
        found = [problem for played in check(read(text, "x.p66")) for problem in played.problems]
    except RecordError as error:
        found = list(error.diagnostics)
    assert found, "nothing is wrong"
    return str(RecordError(list(found)[:1]))


# ---- what is read -------------------------------------------------------------------------------------------------


def test_the_example() -> None:
    text = example()
    played = replayed(text)
    assert played.problems == ()
    assert played.end is not None
    result = played.end.result
    assert result is not None
    assert (result.winner, result.game_points, result.reason, result.card_points) == (0, 2, "claim", (72, 18))
    assert write(read(text)) == text


def test_missing_draws_are_put_in_and_written_out_by_tidying() -> None:
    played = replayed(example())
    drawn = [step for step in played.steps if step.move.token == "="]
    assert drawn
    assert all(step.token is None for step in drawn)
    tidied = write(record_of([tidy(played)]))
    assert "2. A = ^D9 +40D DQ DT\n" in tidied
    again = replayed(tidied)
    assert [step.move for step in again.steps] == [step.move for step in played.steps]
    assert all(step.token is not None for step in again.steps)
    assert write(record_of([tidy(again)])) == tidied


@pytest.mark.parametrize(
    "play",
    [
        PLAY.replace("HJ\n", "HJ ; well led\n"),
        PLAY.replace("HJ\n", "HJ {well\nled}\n"),
        PLAY.replace("CA HJ", "CA{an ace}HJ"),
        PLAY.replace("1. A", "{a} ; b\n% an escaped line; not a comment {\n1. A"),
        PLAY.replace("CA HJ", "CA! HJ?!"),
        PLAY.replace("CA HJ", "CA !? HJ $14"),
        PLAY.replace("1. A", "1.A").replace("2. A", "  2.  A"),
        PLAY.replace("\n", "\r\n"),
        PLAY.replace("*\n", "* {end} "),
        PLAY.replace(" 66\n*", " 66 *"),
        PLAY.replace("DK HA", "A:DK B:HA"),
        PLAY.replace("5. A |", "5. A = |"),
        PLAY + "\n; the end",
        PLAY.rstrip("\n"),
    ],
)
def test_comments_annotations_and_white_space(play: str) -> None:
    text = example(play)
    played = replayed(text)
    assert played.problems == ()
    assert write(read(text)) == text
    tidied = write(record_of([tidy(played)]))
    again = replayed(tidied)
    assert again.problems == ()
    assert again.record.comments == played.record.comments
    marks = [step.token.marks.strip() for step in played.steps if step.token is not None and step.token.marks]
    assert [step.token.marks.strip() for step in again.steps if step.token is not None and step.token.marks] == marks


def test_a_byte_order_mark_and_tags_in_other_forms() -> None:
    text = "\ufeff" + example().replace('[Dealer "B"]', '[ Dealer   "B" ]').replace("Anna", 'An\\"na\\\\')
    played = replayed(text)
    assert played.problems == ()
    assert played.record.get("A") == 'An"na\\'
    assert write(read(text)) == text


@pytest.mark.parametrize("play", ["", "1. A CA\n", UNFINISHED, PLAY.partition("*")[0]])
def test_an_unfinished_deal(play: str) -> None:
    text = example(play)
    played = replayed(text)
    assert played.problems == ()
    assert not played.record.finished
    assert write(read(text)) == text


def test_several_deals_one_of_them_unfinished() -> None:
    body = example().removeprefix("% P66 1.0\n")
    unfinished = example(UNFINISHED).removeprefix("% P66 1.0\n")
    text = "% P66 1.0\n" + body + "\n" + unfinished + "\n" + body
    deals = check(read(text))
    assert [played.record.finished for played in deals] == [True, False, True]
    assert all(played.ok for played in deals)
    assert write(read(text)) == text


def test_own_tags_are_kept() -> None:
    text = example(before='[Annotator "me"] [Xyz "1"]\n')
    assert codes(text) == []
    assert replayed(text).record.get("Xyz") == "1"


def test_hands_turn_up_and_talon_instead_of_a_pack() -> None:
    start = ve.deal(foster(), pack=PACK.split(), dealer=1)
    cards = (
        f'[Hands "A: {" ".join(start.hand(0))} B: {" ".join(start.hand(1))}"]\n'
        f'[TurnUp "{start.turn_up}"] [Talon "{" ".join(start.talon)}"]'
    )
    assert codes(example(cards=cards)) == []
    assert codes(example(cards=f'[Pack "{PACK}"] {cards}')) == []
    tidied = write(record_of([tidy(replayed(example(cards=cards)))]))
    assert codes(tidied) == []
    assert "[Pack" not in tidied


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        (f'[Pack "{PACK}"] [TurnUp "D9"]', "P714"),
        (f'[Pack "{PACK}"] [Hands "A: CA B: CK"]', "P714"),
        (f'[Pack "{PACK}"] [Talon "DJ SK"]', "P714"),
        (f'[Pack "{PACK[3:]}"]', "P714"),
        (f'[Pack "{PACK} CK"]', "P714"),
        (f'[Pack "{PACK.replace("CK", "CQ")}"]', "P714"),
        (f'[Pack "{PACK.replace("CK", "C8")}"]', "P714"),
        ('[Hands "A: CA B: CK"] [TurnUp "D9"] [Talon "DJ SK"]', "P714"),
        ('[Hands "A: CA B: CK"] [TurnUp "D9"]', "P712"),
        ('[Hands "CA CK"] [TurnUp "D9"] [Talon ""]', "P713"),
        ('[Hands "A: CA"] [TurnUp "D9"] [Talon ""]', "P713"),
        ('[Hands "A: CA A: CK"] [TurnUp "D9"] [Talon ""]', "P713"),
        ('[Hands "A: CA E: CK"] [TurnUp "D9"] [Talon ""]', "P713"),
        ('[TurnUp "X"] [Hands "A: CA B: CK"] [Talon ""]', "P713"),
        ("", "P712"),
    ],
)
def test_cards_that_cannot_be(cards: str, code: str) -> None:
    assert codes(example("", cards=cards))[:1] == [code]


def test_the_drawn_turn_up() -> None:
    rules = {"turn_up": "drawn_by_forehand"}
    talon = PACK.split()[12:]
    for place, card in enumerate(talon, 1):
        played = replayed(changed_rules("", before=f'[TurnUpAt "{place}"]\n', **rules))
        assert played.problems == ()
        assert played.start is not None
        assert played.start.turn_up == card
    middle = replayed(changed_rules("", **rules))
    assert middle.start is not None
    assert middle.start.turn_up == talon[5]
    for wrong in ("0", "13", "x", ""):
        assert codes(changed_rules("", before=f'[TurnUpAt "{wrong}"]\n', **rules)) == ["P713"]


def test_a_drawn_turn_up_where_none_is_drawn_is_a_warning() -> None:
    played = replayed(example(before='[TurnUpAt "3"]\n'))
    assert [found.severity for found in played.problems] == ["warning"]
    assert played.ok


def test_german_cards() -> None:
    tokens = {
        "D9": "S9",
        "SA": "LD",
        "HT": "HZ",
        "CQ": "EO",
        "DJ": "SU",
        "^D9": "^S9",
        "+40D": "+40S",
        "B:+20C": "B:+20E",
    }
    for token, text in tokens.items():
        assert german(token) == text
        assert french(text, True) == token
    assert french("GA", True) == "SA"
    assert french("RT", True) == "HT"
    assert [french(same, True) for same in ("66", "B:66", "|", "=", "-", "@")] == ["66", "B:66", "|", "=", "-", "@"]
    play = PLAY.partition("*")[0]
    lines = [" ".join([*line.split()[:2], *map(german, line.split()[2:])]) for line in play.splitlines()]
    cards = f'[Cards "de"] [Pack "{" ".join(map(german, PACK.split()))}"]'
    text = example("\n".join(lines) + PLAY[len(play) - 1 :], cards=cards)
    played = replayed(text)
    assert played.problems == ()
    assert [step.move for step in played.steps] == [step.move for step in replayed(example()).steps]
    assert write(read(text)) == text
    assert "2. A = ^S9 +40S SO SZ" in write(record_of([tidy(played)]))
    assert codes(example(before='[Cards "it"]\n'))[:1] == ["P713"]


def test_an_automatic_claim_is_read_and_dropped() -> None:
    play = PLAY.replace("6. A 66\n", "").replace('[Reason "claim"]', '[Reason "reached"]')
    rules = {"claim_when": "automatic"}
    assert codes(changed_rules(play, **rules)) == []
    for claim in ("\n6. A 66\n", "\n6. A A:66\n", " 66\n"):
        text = changed_rules(play.replace("HA\n", f"HA{claim}"), **rules)
        assert codes(text) == []
        assert "66\n" not in write(record_of([tidy(replayed(text))])).partition("Play")[2]
    assert codes(changed_rules(play.replace("HA\n", "HA 66 66\n"), **rules)) == ["P735"]
    assert codes(changed_rules(play.replace("HA\n", "HA B:66\n"), **rules)) == ["P735"]
    assert codes(changed_rules(play.replace("HA\n", "HA\n6. A 66 CK\n"), **rules)) == ["P735"]


def test_automatic_marriages_are_written() -> None:
    rules = {"marriage_scoring": "automatic"}
    with_token = replayed(changed_rules(PLAY, **rules))
    without = replayed(changed_rules(PLAY.replace("+40D ", ""), **rules))
    for played in (with_token, without):
        assert played.problems == ()
        assert "+40D DQ" in write(record_of([tidy(played)]))
    assert with_token.end is not None
    assert without.end is not None
    assert with_token.end.result == without.end.result


def test_an_automatic_marriage_that_ends_the_deal() -> None:
    rules = foster().replace(
        marriage_scoring="automatic", claim_when="automatic", target_card_points=40, marriage_counts="at_once"
    )
    pack = [
        "DK",
        "DQ",
        "H9",
        "SA",
        "SJ",
        "HQ",
        "CK",
        "HJ",
        "CJ",
        "DT",
        "CT",
        "ST",
        "DA",
        "D9",
        "DJ",
        "SK",
        "HA",
        "HT",
        "SQ",
        "S9",
        "C9",
        "CQ",
        "CA",
        "HK",
    ]
    start = ve.deal(rules, pack=pack, dealer=1)
    for move in ("DK", "+40D"):
        end = start.play(move)
        assert end.over
        one = deal_record(start, [move_ for _, move_ in end.history])
        assert write(record_of([one])).count("1. A +40D DK" if move == "DK" else "1. A +40D\n*") == 1
        played = replay(one)
        assert played.problems == ()
        assert played.end is not None
        assert played.end._state == end._state


def test_late_announcements_and_moves_out_of_turn() -> None:
    rules = {"marriage_late": "until_answered"}
    for late in ("DQ +40D DT", "DQ A:+40D DT"):
        text = changed_rules(PLAY.replace("+40D DQ DT", late), **rules)
        played = replayed(text)
        assert played.problems == ()
        assert "DQ A:+40D DT" in write(record_of([tidy(played)]))
    wrong = PLAY.replace("+40D DQ DT", "DQ DT A:+40D")
    assert codes(changed_rules(wrong, **rules)) == ["P734"]
    claim = PLAY.replace("DK HA\n6. A 66", "DK A:66").replace("A 72 B 18", "A 57 B 18").replace('"A 2"', '"B 2"')
    assert codes(example(claim.replace('"claim"', '"false_claim"')))[:1] in ([], ["P742"])


# ---- the rules of the form, broken --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("", "P702", 1),
        ("\n" + example(), "P702", 1),
        (example().replace("P66 1.0", "P66 2.0"), "P702", 1),
        (example().replace("% P66", "P66"), "P702", 1),
        ("% P66 1.0\n", "P702", 0),
        ("% P66 1.0\n; nothing\n", "P702", 0),
        (example().replace("Anna", "An\x00na"), "P703", 3),
        (example().replace("Anna", "An\u202ena"), "P703", 3),
        (example().replace('[B "Tibor"]', "[B Tibor]"), "P704", 3),
        (example().replace('[B "Tibor"]', '[B "Tibor"'), "P704", 3),
        (example().replace('[B "Tibor"]', '[B "Ti\\bor"]'), "P704", 3),
        (example().replace('[B "Tibor"]', '[9B "Tibor"]'), "P704", 3),
        (example(PLAY.replace("HJ", "HJ {never closed")), "P705", 7),
        (example(PLAY.replace("HJ\n", "HJ\nCT\n")), "P734", 8),
        (example(PLAY.replace("HJ\n", "HJ 2. A CT\n")), "P734", 7),
        (example(PLAY.replace("1. A CA", "1. CA")), "P733", 7),
        (example(PLAY.replace("1. A CA", "1. E CA")), "P733", 7),
        (example(PLAY.replace("1. A CA HJ", "1. A")), "P730", 7),
        (example(PLAY.replace("1. A CA HJ", "CA HJ")), "P734", 7),
        (example(PLAY.replace("1. A CA", "1. A % CA")), "P706", 7),
        (example(PLAY.replace("CA HJ", 'CA "HJ')), "P706", 7),
        (example(PLAY.replace("*\n", "*\n7. A CA\n")), "P706", 14),
        (example(PLAY.replace("*\n", "*\n*\n")), "P706", 14),
        (example(PLAY.replace("*\n", "")), "P744", 13),
        (example("*\n" + PLAY), "P706", 8),
    ],
)
def test_the_form(text: str, code: str, line: int) -> None:
    with pytest.raises(RecordError) as caught:
        read(text, "x.p66")
    (found,) = caught.value.diagnostics
    assert (found.code, found.spot.line) == (code, line)
    assert str(caught.value).startswith(f"x.p66:{line}:" if line else "x.p66: ")


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('[Dealer "B"]', '[Dealer "B"] [Dealer "A"]', "P710"),
        ('[Dealer "B"]', '[Dealr "B"]', "P711"),
        ('[B "Tibor"]', '[B "Tibor"] [TurnUpAf "3"]', "P711"),
        ('[B "Tibor"]', '[B "Tibor"] [C "Eva"]', "P711"),
        ('[Ruleset "foster"]', "", "P712"),
        ('[RulesHash "', '[Xash "', "P712"),
        ('[Dealer "B"]', "", "P712"),
        ('[Play "A"]', "", "P712"),
        ('[Play "A"]', '[Play "A"]\n[Xyz "1"]', "P712"),
        ('[Date "2026.11.29"]', '[Date "2026-11-29"]', "P713"),
        ('[Date "2026.11.29"]', '[Date "2026.02.30"]', "P713"),
        ('[Score "4-4"]', '[Score "4:4"]', "P713"),
        ('[Score "4-4"]', '[Score "7-4"]', "P713"),
        ('[Carry "0"]', '[Carry "one"]', "P713"),
        ('[Carry "0"]', '[Carry "2"]', "P713"),
        ('[Ruleset "foster"]', '[Ruleset "../foster"]', "P713"),
        ('[Ruleset "foster"]', '[Ruleset "fosterer"]', "P720"),
        ("sha256:", "sha255:", "P713"),
        ('[RulesDiff ""]', '[RulesDiff "closing"]', "P713"),
        ('[RulesDiff ""]', '[RulesDiff "closed=yes"]', "P713"),
        ('[RulesDiff ""]', '[RulesDiff "hand_cards=99"]', "P713"),
        ('[RulesDiff ""]', '[RulesDiff "hand_cards=6 hand_cards=6"]', "P713"),
        ('[RulesDiff ""]', '[RulesDiff "hand_cards=13"]', "P722"),
        ('[RulesDiff ""]', '[RulesDiff "hand_cards=5"]', "P721"),
        ('[Dealer "B"]', '[Dealer "C"]', "P713"),
        ('[Dealer "B"]', '[Dealer "A"]', "P715"),
        ('[Play "A"]', '[Play "B"]', "P715"),
        ('[Play "A"]', '[Play "AB"]', "P713"),
        ('[Play "A"]', '[Bots "B"]\n[Play "A"]', "P713"),
        ('[Play "A"]', '[Bots "X greedy"]\n[Play "A"]', "P713"),
        ('[Play "A"]', '[Seed "seven"]\n[Play "A"]', "P713"),
        ('[Play "A"]', '[Reason "claim"]\n[Play "A"]', "P710"),
        ("CA HJ", "CX HJ", "P730"),
        ("CA HJ", "CA hj", "P730"),
        ("+40D", "+20D", "P730"),
        ("^D9", "^DJ", "P730"),
        ("CA HJ", "CA CT", "P731"),
        ("CA HJ", "CA B:CA", "P731"),
        ("CA HJ", "B:CA HJ", "P731"),
        ("1. A", "2. A", "P732"),
        ("3. B", "2. B", "P732"),
        ("3. B", "03. A", "P733"),
        ("1. A", "1. B", "P733"),
        ("CA HJ\n", "CA\n", "P734"),
        ("HA\n6. A 66", "HA 66", "P734"),
        ("66\n", "66 CK\n", "P735"),
        ("6. A 66\n", "", "P740"),
        ('"A 72 B 18"', '"A 71 B 18"', "P741"),
        ('"A 72 B 18"', '"B 72 A 18"', "P741"),
        ('"A 72 B 18"', '"A 72"', "P713"),
        ('"A 72 B 18"', '"A 72 A 18"', "P713"),
        ('"A 2"', '"A 1"', "P742"),
        ('"A 2"', '"B 2"', "P742"),
        ('"A 2"', '"none 0"', "P742"),
        ('"A 2"', '"A"', "P713"),
        ('"claim"', '"reached"', "P743"),
        ('"claim"', '"whim"', "P713"),
    ],
)
def test_what_is_said(old: str, new: str, code: str) -> None:
    text = example()
    assert old in text
    message = refused(text.replace(old, new, 1) if old != "66\n" else text.replace("6. A 66\n", "6. A 66 CK\n"))
    assert f"error[{code}]" in message
    place, _, _ = message.partition(" ")
    assert place.count(":") == 3, message
    assert "^" in message


def test_a_refused_move_says_why_and_what_else() -> None:
    message = refused(example(PLAY.replace("DK HA", "CK HA")))
    assert message.startswith("x.p66:11:11: error[P731]: HA is not allowed: the suit led (CK) must be followed")
    assert "follow_closed = required, rulesets/foster.yaml:" in message
    assert "\n  11 | 5. A | CK HA\n     |           ^^\n  help: B may: CT 66 @" in message


def test_other_rules_are_refused_unless_told_to_go_on() -> None:
    text = example().replace(hash_of(), "sha256:" + "0" * 64)
    (found,) = replayed(text).problems
    assert found.code == "P721"
    assert hash_of() in found.notes[0].message
    (played,) = check(read(text), Lookup(anyway=True))
    assert played.ok
    assert [found.severity for found in played.problems] == ["warning"]
    assert len(played.steps) == 18


def test_changed_options_make_a_record_that_replays() -> None:
    rules = foster().replace(closing="not_played", hand_cards=5)
    start = ve.deal(rules, seed=3, dealer=0)
    text = write(record_of([deal_record(start, [start.legal()[0]])]))
    assert '[RulesDiff "hand_cards=5 closing=not_played"]' in text
    assert codes(text) == []


def test_deals_of_one_game_follow_from_each_other() -> None:
    first = example(before='[Game "1"]\n')
    body = first.removeprefix("% P66 1.0")
    follows = body.replace("4-4", "6-4").replace('[Dealer "B"]', '[Dealer "A"]').replace('[Play "A"]', '[Play "B"]')
    follows = re.sub(r"\[Play.*", '[Play "B"]\n', follows, flags=re.DOTALL)
    assert [played.ok for played in check(read(first + follows))] == [True, True]
    assert [found.code for found in check(read(first + body))[1].problems] == ["P745", "P745"]
    carried = follows.replace('Carry "0"', 'Carry "1"')
    assert [found.code for found in check(read(first + carried))[1].problems] == ["P745"]
    other = body.replace('[Game "1"]', '[Game "2"]')
    assert [played.ok for played in check(read(first + other))] == [True, True]


def game_of_two(**second: str) -> str:
    """Two deals of one game of which the second may be begun with other tags."""
    first = example(before='[Game "1"] [Bots "B greedy"]\n')
    tags = {"Score": "6-4", "Dealer": "A", "Play": "B", **second}
    body = first.partition("\n")[2].partition("[Play")[0] + '[Play "A"]\n'
    for name, value in tags.items():
        body, count = re.subn(rf'\[{name} "[^"]*"\]', f'[{name} "{value}"]', body)
        assert count == 1
    return first + "\n" + body


@pytest.mark.parametrize(
    ("tag", "value", "said"),
    [
        ("Score", "5-4", "after the deal before, the score is 6-4"),
        ("Carry", "1", "after the deal before, 0 is carried"),
        ("Dealer", "B", "after the deal before, A deals"),
        ("A", "Eva", "'A' changes in the middle of a game: in the deal before it was 'Anna'"),
        ("B", "Eva", "'B' changes in the middle of a game: in the deal before it was 'Tibor'"),
        ("Bots", "B random", "'Bots' changes in the middle of a game: in the deal before it was 'B greedy'"),
        ("RulesHash", "", "'RulesHash' changes in the middle of a game"),
    ],
)
def test_what_does_not_follow_is_told_where_it_stands(tag: str, value: str, said: str) -> None:
    assert [played.problems for played in check(read(game_of_two()))] == [(), ()]
    more = {tag: value}
    if tag == "RulesHash":
        more = {"RulesHash": hash_of(value_win=2), "RulesDiff": "value_win=2"}
    if tag == "Dealer":
        more |= {"Play": "A"}
    _, second = check(read(game_of_two(**more), "x.p66"))
    (found,) = second.problems
    assert found.code == "P745"
    assert found.message.startswith(said)
    assert found.place.text[found.place.spot.column - 1 : found.place.end - 1] == more[tag]


def test_a_tag_that_is_gone_is_told_with_the_game() -> None:
    _, second = check(read(re.sub(r'(?s)^(.*) \[Bots "B greedy"\]', r"\1", game_of_two()), "x.p66"))
    (found,) = second.problems
    assert "'Bots' changes in the middle of a game: in the deal before it was 'B greedy'" in found.message
    assert '[Game "1"]' in found.place.text


def test_who_deals_after_an_undecided_deal_hangs_on_the_rules() -> None:
    rng, seen = Random(5), set()
    rules = {
        tie: foster().replace(next_dealer_tie=tie, end_none_reached="nobody", end_one_reached="nobody")
        for tie in ("same_dealer", "alternate")
    }
    for tie, own in rules.items():
        for _ in range(400):
            start = ve.deal(own, seed=rng.randrange(10**6))
            end = random_end(start, rng)
            assert end.result is not None
            if end.result.winner is None:
                break
        else:
            pytest.fail("no deal was undecided")
        moves = [move for _, move in end.history]
        for dealer in range(2):
            carry = end.result.carry
            following = ve.deal(own, seed=2, dealer=dealer, carry=carry)
            deals = [deal_record(start, moves, About(game="1")), deal_record(following, [], About(game="1"))]
            ok = check(record_of(deals))[1].ok
            seen.add((tie, dealer, ok))
    assert seen == {
        ("same_dealer", 1, True), ("same_dealer", 0, False), ("alternate", 0, True), ("alternate", 1, False),
    }  # fmt: skip


def test_no_deal_follows_an_unfinished_one_of_its_game() -> None:
    first = example("1. A CA HJ\n", before='[Game "1"]\n')
    again = first.partition("\n")[2]
    _, second = check(read(first + "\n" + again, "x.p66"))
    (found,) = second.problems
    assert (found.code, found.message) == ("P745", "the deal before this one in the game is not finished")
    assert '[Game "1"]' in found.place.text
    assert all(played.ok for played in check(read(first + "\n" + again.replace('Game "1"', 'Game "2"'))))
    # Its moves end the deal, but the '*' is not there: it has still to be resumed.
    ended = example(PLAY.partition("*")[0], before='[Game "1"]\n')
    messages = [found.message for found in check(read(ended + "\n" + again))[1].problems]
    assert "the deal before this one in the game is not finished" in messages


def test_a_hash_that_is_left_open() -> None:
    """The example of the notation: no hash, which --anyway goes over."""
    for hole in ("sha256:…", "sha256:..."):
        text = example(digest=hole)
        (found,) = replayed(text).problems
        assert found.code == "P721"
        assert "leaves the hash of its rules open" in found.message
        (played,) = check(read(text), Lookup(anyway=True))
        assert played.ok
        assert len(played.steps) == 18
        assert [found.severity for found in played.problems] == ["warning"]
    assert codes(example(digest="sha256:")) == ["P713"]


def test_tags_are_written_so_that_they_can_be_read() -> None:
    tag = new_tag("A", 'a"b\\c\nd\x07')
    assert tag.value == 'a"b\\c d '
    assert tag.text == '[A "a\\"b\\\\c d "]'
    with pytest.raises(ValueError, match="no name for a tag"):
        new_tag("not one", "")


def test_the_page_on_records() -> None:
    page = (Path(__file__).parent.parent / "docs" / "records.md").read_text()
    (text,) = re.findall(r"^```\n(% P66 1\.0\n.*?)^```$", page, re.MULTILINE | re.DOTALL)
    played = replayed(text)
    assert played.problems == ()
    assert write(read(text)) == text
    for name in KNOWN_TAGS:
        assert f"`{name}`" in page or f"`{name} " in page or name in "CD", name


def test_the_page_on_provable_deals() -> None:
    page = (Path(__file__).parent.parent / "docs" / "provable-deals.md").read_text()
    pack = ve.deal(foster(), seed=7).pack
    assert f"`{' '.join(pack)}`" in page
    zeros = "0" * 64
    secret = Secret(zeros, 7, 0, pack, 1, f"sha256:{zeros}", "2026-11-29 20:15:00", "B greedy")
    assert f"`{secret.commitment}`" in page
    # The text is put together by the page's own shell command.
    (form,) = re.findall(r"^printf '(.*?)' ", page, re.MULTILINE)
    values = (zeros, "7/0", " ".join(pack), "B", "B greedy", f"sha256:{zeros}", "2026-11-29 20:15:00")
    assert form.replace("\\n", "\n") % values == commit_text(secret)


def test_the_code_on_the_page_on_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parent.parent / "docs" / "records.md").read_text()
    (code,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(code, names)
    assert names["played"].ok  # type: ignore[attr-defined]
    assert len(names["deal"].history) == 1  # type: ignore[attr-defined]


def test_rules_made_from_others_are_replayed_where_they_are_given() -> None:
    rules = ve.cut_down(foster(), suits=3, ranks="ATKQJ9", hand=4)
    start = ve.deal(rules, seed=1)
    text = write(record_of([deal_record(start, [start.legal()[0]])]))
    assert codes(text) == ["P720"]
    assert codes(text, rules) == []
