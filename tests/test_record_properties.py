"""Records of random deals by random rules: written, read, and written again; and records with something changed."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import tests.records as records
import variant_engine as ve
from tests.records import PLAY, random_record
from variant_engine.reader import moves_for
from variant_engine.record import About, Record, RecordError, check, read, record_of, tidy, write
from variant_engine.record.replay import french
from variant_engine.standing import RESULT_REASONS

SEEDS = st.integers(0, 2**32)
NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), max_size=12)


@settings(max_examples=60)
@given(SEEDS, st.booleans(), st.booleans(), NAMES)
def test_what_the_program_wrote_it_reads_and_writes_again(seed: int, cut: bool, german: bool, name: str) -> None:
    rng = Random(seed)
    about = About(names=(name, "B"), date="2026.11.29", german=german, more={"Own": name})
    record, ends = random_record(rng, cut=cut, about=about)
    text = write(record)
    again = read(text)
    assert write(again) == text
    assert again.deals[0].get("A") == name
    played = check(again)
    for one, end in zip(played, ends, strict=True):
        assert [str(found) for found in one.problems if found.is_error] == []
        assert one.end is not None
        assert one.end._state == end._state
        assert one.end.result == end.result
    assert write(record_of([tidy(one) for one in played])) == text


# ---- something changed --------------------------------------------------------------------------------------------


def read_anew(text: str) -> list[ve.Deal]:
    """A second reader, as simple as can be: good only for what the first one takes."""
    text = re.sub(r"\{[^}]*\}|;[^\r\n]*", "", text.split("\n", 1)[1])
    ends = []
    for found in re.finditer(r"\[Play \"[AB]\"\]", text):
        before = re.split(r"\*|\[Play", text[: found.start()])[-1]
        tags = dict(re.findall(r'\[(\w+)\s+"((?:[^"\\]|\\.)*)"', before))
        play = re.split(r"[*\[]", text[found.end() :])[0]
        rules = records.foster().replace(
            **dict(read_option(change) for change in tags.get("RulesDiff", "").replace(",", " ").split())
        )
        at_card = int(tags.get("TurnUpAt", 0)) if rules["turn_up"] == "drawn_by_forehand" else 0
        score = tuple(int(number) for number in tags.get("Score", "0-0").split("-"))
        deal = ve.deal(
            rules, pack=tags["Pack"].split(), dealer="AB".index(tags["Dealer"]), turn_up_at=at_card, score=score,
            carry=int(tags.get("Carry", 0)),
        )  # fmt: skip
        for token in re.sub(r"\d+\.\s*[AB](?![\w:])|[!?]|\$\d+", " ", play).split():
            written = french(token, False)
            if written.startswith("+") and deal.phase == "answer":
                written = f"{'AB'[deal.leader]}:{written}"
            for move in moves_for(deal, written) if not deal.over or written.endswith("66") else ():
                deal = deal.play(move)
        ends.append(deal)
    return ends


def read_option(change: str) -> tuple[str, str | int]:
    name, _, value = change.partition("=")
    return name, int(value) if value.isdigit() else value


def assert_sound(text: str) -> None:
    """Reading never fails in any way but with problems that have places, and never takes what does not hold."""
    try:
        record = read(text, "x.p66")
    except RecordError as refused:
        error = refused
    else:
        assert_holds(text, record)
        return
    assert str(error)
    assert all(found.code.startswith("P7") for found in error.diagnostics)


def assert_holds(text: str, record: Record) -> None:
    assert write(record) == text
    played = check(record)
    for one in played:
        for found in one.problems:
            assert found.message
            assert found.spot.file == "x.p66"
            assert found.spot.line <= text.count("\n") + text.count("\r") + 1
    if not all(one.ok for one in played):
        assert str(RecordError([found for one in played for found in one.problems]))
        return
    for one in played:
        assert one.end is not None
        result = one.end.result
        if one.record.finished:
            assert result is not None
            seats = " ".join(f"{'AB'[seat]} {count}" for seat, count in enumerate(result.card_points))
            winner = "none" if result.winner is None else "AB"[result.winner]
            assert one.record.get("Points", seats).split() in (seats.split(), seats.split()[2:] + seats.split()[:2])
            assert re.sub(r"\b0+(?=\d)", "", one.record.get("Result", f"{winner} {result.game_points}")) in (
                f"{winner} {result.game_points}",
                "none",
            )
            assert one.record.get("Reason", result.reason) == result.reason
    tidied = write(record_of([tidy(one) for one in played]))
    again = check(read(tidied))
    assert all(one.ok for one in again)
    assert [one.end._state for one in again if one.end] == [one.end._state for one in played if one.end]
    assert write(record_of([tidy(one) for one in again])) == tidied
    plain = "{" not in text and ";" not in text and "%" not in text[1:] and "Cards" not in text and "Hands" not in text
    if plain and "\\" not in text and all(one.record.tags[-1].name == "Play" for one in played):
        assert [end._state for end in read_anew(tidied)] == [one.end._state for one in played if one.end]


PIECES = (
    "*", "66", "=", "|", "||", "-", "@", "\n", " ", "[", "]", '"', "{", "}", ";", "!", "?", "$1", "%", "\\", "A:", "B:",
    "+20C", "+40H", "^H9", "CA", "H9", "1. A", "2. B", "A", "B", "0", "9", "\r", "\t", "\x00", "é", "\ud7ff", "Pack",
    '[Pack ""]', '[Cards "de"]', '[TurnUpAt "1"]', '[Play "B"]', '[Carry "1"]', '[Result "A 1"]', '[Commit ""]', "none",
    "closing=not_played", "claim_when=automatic", "sha256:", "hand_cards=99", '[Hands "A: CA B: CK"]', ".", "\ufeff",
)  # fmt: skip


@st.composite
def mutations(draw: st.DrawFn) -> str:
    """A record with a few things taken out, put in, exchanged, doubled or cut."""
    rng = Random(draw(SEEDS))
    if draw(st.integers(0, 3)) == 0:
        text = records.example()
    else:
        text = write(random_record(rng, cut=draw(st.booleans()), about=About(names=("Anna", "Tibor")))[0])
    for _ in range(draw(st.integers(1, 3))):
        tokens = re.split(r"(\s+|[\[\]\"])", text)
        at = draw(st.integers(0, len(tokens) - 1))
        other = draw(st.integers(0, len(tokens) - 1))
        how = draw(st.sampled_from(("remove", "insert", "replace", "swap", "double", "cut", "character", "line")))
        if how == "remove":
            del tokens[at]
        elif how == "insert":
            tokens.insert(at, draw(st.sampled_from(PIECES)))
        elif how == "replace":
            tokens[at] = draw(st.sampled_from(PIECES))
        elif how == "swap":
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif how == "double":
            tokens.insert(at, tokens[at])
        elif how == "cut":
            tokens = tokens[:at]
        elif how == "line":
            lines = text.split("\n")
            del lines[at % len(lines)]
            tokens = ["\n".join(lines)]
        text = "".join(tokens)
        if how == "character" and text:
            place = draw(st.integers(0, len(text) - 1))
            text = text[:place] + draw(st.sampled_from("ABCDSHDCATKQJ987-+^|=@*1 .\n\x1b{")) + text[place + 1 :]
    return text


@settings(max_examples=250)
@given(mutations())
@example(records.example().replace("1. A CA HJ", "1. A 66 CA HJ"))
@example(records.example().replace("*\n", "* *\n"))
@example(records.example(PLAY + PLAY))
def test_a_changed_record_is_never_taken_wrongly(text: str) -> None:
    assert_sound(text)


@pytest.mark.slow
@settings(max_examples=3000)
@given(mutations())
def test_a_changed_record_is_never_taken_wrongly_at_length(text: str) -> None:
    assert_sound(text)


@settings(max_examples=150)
@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    assert_sound(text)
    assert_sound("% P66 1.0\n" + text)


@settings(max_examples=40)
@given(SEEDS, st.data())
def test_another_result_is_always_refused(seed: int, data: st.DataObject) -> None:
    record, ends = random_record(Random(seed))
    text = write(record)
    end = ends[0]
    assert end.result is not None
    tag = data.draw(st.sampled_from(("Points", "Result", "Reason")))
    found = re.search(rf'\[{tag} "([^"]*)"\]', text)
    assert found is not None
    values = {
        "Points": ["A 1 B 2", "A 0 B 0", "B 200 A 1"],
        "Result": ["A 1", "A 2", "A 3", "B 1", "B 2", "B 3", "none 0"],
        "Reason": list(RESULT_REASONS),
    }[tag]
    other = data.draw(st.sampled_from(values))
    assume(other != found[1])
    changed = text.replace(found[0], f'[{tag} "{other}"]', 1)
    assert not check(read(changed))[0].ok


def test_every_other_card_that_is_not_allowed_is_refused() -> None:
    """Each card of the play changed into each other card: taken exactly when the deal can go on like that."""
    text = records.example()
    head, play = text[: text.index("1. A")], text[text.index("1. A") :]
    cards = records.PACK.split()
    for found in re.finditer(r"\b[SHDC][ATKQJ9]\b", play):
        for card in cards:
            if card != found[0]:
                assert_sound(head + play[: found.start()] + card + play[found.end() :])


def test_a_record_needs_no_other_text() -> None:
    record: Record = random_record(Random(1))[0]
    assert read(write(record)) == record
