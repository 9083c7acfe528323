"""Provable deals: the commitment, the shuffle and the bots' moves are checked, and whatever was changed is found."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

import variant_engine as ve
from tests.records import example, foster, replayed
from tests.strategies import random_ruleset
from variant_engine.players import PLAYERS
from variant_engine.record import About, Lookup, check, deal_record, read, record_of, tidy, write
from variant_engine.record.build import bots_text
from variant_engine.record.files import read_file
from variant_engine.record.proof import Secret, commit_text, games_of, new_secret, next_bot_move, proved, verify
from variant_engine.record.recorder import Recorder, create
from variant_engine.ruleset import Ruleset
from variant_engine.shuffle import player_stream


def play(path: Path, rules: Ruleset, bots: dict[int, str], secret: Secret, human: Random) -> str:
    """A committed deal between bots and a random human, written as it is played."""
    with create(path) as recorder:
        play_deal(recorder, ve.deal(rules, pack=secret.pack, dealer=1), bots, secret, human)
    return path.read_text()


def play_deal(recorder: Recorder, start: ve.Deal, bots: dict[int, str], secret: Secret, human: Random) -> ve.Deal:
    about = About(names=("Anna", "Tibor"), bots=bots, game=secret.game)
    streams = {seat: player_stream(secret.seed, secret.number, seat) for seat in bots}
    players = {seat: PLAYERS[bot] for seat, bot in bots.items()}
    deal = recorder.begin(start, about, secret=secret)
    while not deal.over:
        move = next_bot_move(deal, players, streams)
        if move is None:
            move = human.choice([one for one in deal.legal() if one.token not in ("66", "@")])
        deal = recorder.play(move)
    return deal


def play_game(path: Path, rules: Ruleset, bots: dict[int, str], human: Random, game: str = "g") -> str:
    """A whole game of committed deals."""
    now = ve.game(rules, seed=3)
    with create(path) as recorder:
        while not now.over:
            seed, number = 100 + now.number, now.number
            pack = ve.deal(rules, seed=seed, number=number).pack
            secret = Secret("ab" * 32, seed, number, pack, now.dealer, rules.hash, game, bots_text(bots))
            now = now.after(play_deal(recorder, now.next_deal(secret.pack), bots, secret, human))
    return path.read_text()


def secret_of(seed: int, rules: Ruleset, bots: str, salt: str = "ab" * 32) -> Secret:
    return Secret(salt, seed, 0, ve.deal(rules, seed=seed).pack, 1, rules.hash, bots=bots)


def findings(text: str) -> dict[str, bool | None]:
    (played,) = check(read(text), Lookup(foster()))
    return {one.what: one.holds for one in verify(played)}


def test_the_commitment_is_as_documented() -> None:
    text = "p66-commit-2\nsalt=00\nseed=7/3\npack=CA HT\ndealer=A\nbots=B greedy\nrules=sha256:1\ngame=Málaga".encode()
    secret = Secret("00", 7, 3, ("CA", "HT"), 0, "sha256:1", "Málaga", "B greedy")
    assert commit_text(secret).encode() == text
    assert secret.commitment == "sha256:" + sha256(text).hexdigest()
    text = b"p66-commit-2\nsalt=00\nseed=7/0\npack=CA HT\ndealer=B\nbots=\nrules=sha256:1\ngame="
    assert Secret("00", 7, 0, ("CA", "HT"), 1, "sha256:1").commitment == "sha256:" + sha256(text).hexdigest()


def test_every_secret_is_another() -> None:
    secrets = [new_secret(foster()) for _ in range(20)]
    assert len({one.seed for one in secrets}) == len({one.salt for one in secrets}) == 20
    assert secrets[0].pack == ve.deal(foster(), seed=secrets[0].seed).pack
    later = new_secret(foster(), number=4)
    assert later.pack == ve.deal(foster(), seed=later.seed, number=4).pack


@pytest.mark.parametrize("bots", [{}, {0: "greedy"}, {1: "random"}, {0: "random", 1: "greedy"}])
def test_a_deal_is_proved(tmp_path: Path, bots: dict[int, str]) -> None:
    text = play(tmp_path / "x.p66", foster(), bots, new_secret(foster(), bots=bots), Random(1))
    found = findings(text)
    assert all(found.values())
    assert set(found) == {"record", "commitment", "shuffle", *([f"bot {'AB'[seat]}" for seat in bots] or ["bots"])}
    assert write(record_of([tidy(replayed(text))])) == text


def test_bots_are_proved_under_any_rules(tmp_path: Path) -> None:
    rng = Random(9)
    for number in range(40):
        rules = foster().replace(**random_ruleset(rng).values)
        if number % 3 == 0:
            values = dict(rules.values) | {"marriage_scoring": "automatic", "marriage_trick": "not_needed"}
            rules = foster().replace(**values)
        seed = rng.randrange(1000)
        bots = {0: "random", 1: rng.choice(("random", "greedy"))}
        path = tmp_path / f"{number}.p66"
        play(path, rules, bots, secret_of(seed, rules, f"A random B {bots[1]}"), rng)
        (played,) = check(read_file(path))
        found = verify(played)
        assert proved(found), (found, path.read_text())


def test_what_was_changed_is_found(tmp_path: Path) -> None:
    secret = secret_of(5, foster(), "B greedy")
    text = play(tmp_path / "x.p66", foster(), {1: "greedy"}, secret, Random(2))
    assert all(findings(text).values())
    assert findings(text.replace("ab" * 32, "ac" * 32))["commitment"] is False
    assert findings(text.replace('"5/0"', '"6/0"')) == {
        "record": True, "commitment": False, "shuffle": False, "bot B": True,
    }  # fmt: skip
    last_two = " ".join(secret.pack[-2:])
    swapped = " ".join(reversed(secret.pack[-2:]))
    found = findings(text.replace(last_two, swapped))
    assert found["record"] is False or (found["commitment"] is False and found["shuffle"] is False)
    other = findings(text.replace("B greedy", "B cunning"))
    assert (other["bot B"], other["commitment"]) == (None, False)
    other = findings(text.replace("B greedy", "A greedy"))
    assert (other["bot A"], other["commitment"]) == (False, False)
    # Nobody can say afterwards that a person played.
    without = findings(text.replace('[Bots "B greedy"]\n', ""))
    assert (without["commitment"], without["bots"]) == (False, False)
    assert findings(text.replace('[Ruleset "', '[Game "7"]\n[Ruleset "'))["commitment"] is False
    assert findings(text.replace('"5/0"', '"5/1"'))["commitment"] is False
    assert findings(text.replace(secret.commitment, "sha256:" + "0" * 64))["commitment"] is False


@pytest.mark.parametrize("number", range(10))
def test_a_bot_that_plays_another_card_is_found(number: int) -> None:
    """One move of a bot's is exchanged for another that is allowed, and the deal played on by the same bot."""
    human, deal, bots = Random(number), ve.deal(foster(), seed=4), {1: PLAYERS["greedy"]}
    streams = {1: player_stream(4, 0, 1)}
    changed = False
    while not deal.over:
        legal = [one for one in deal.legal() if one.token not in ("66", "@")]
        move = next_bot_move(deal, bots, streams)
        others = [one for one in legal if one != move]
        if move is None:
            move = human.choice(legal)
        elif not changed and others and deal.to_move == 1 and len(deal.history) >= number:
            move, changed = human.choice(others), True
        deal = deal.play(move)
    assert changed
    start = ve.deal(foster(), seed=4)
    one = deal_record(start, [move for _, move in deal.history], About(bots={1: "greedy"}, seed=(4, 0)))
    (played,) = check(read(write(record_of([one]))))
    verdict = {finding.what: finding for finding in verify(played)}
    assert verdict["bot B"].holds is False
    assert "'greedy' would" in verdict["bot B"].text


def test_what_cannot_be_checked_is_not_proved() -> None:
    found = findings(example())
    assert found == {"record": True, "commitment": None, "shuffle": None, "bots": None}
    found = findings(example(before='[Bots "B greedy"]\n'))
    assert found["bot B"] is None
    assert not proved(verify(replayed(example())))
    assert findings(example("1. A CA SK\n")) == {"record": False}
    assert findings(example("1. A CA HJ\n")) == {"record": None}


def test_a_deal_not_yet_opened_is_not_proved(tmp_path: Path) -> None:
    secret = new_secret(foster())
    with create(tmp_path / "x.p66") as recorder:
        recorder.begin(ve.deal(foster(), pack=secret.pack), secret=secret)
    (played,) = check(read_file(tmp_path / "x.p66"))
    (finding,) = verify(played)
    assert finding.holds is None
    assert "not been opened yet" in finding.text
    assert not proved([finding])


def test_an_opening_without_a_salt_is_refused(tmp_path: Path) -> None:
    text = play(tmp_path / "x.p66", foster(), {}, new_secret(foster()), Random(1))
    (played,) = check(read(text.rpartition(" [Salt")[0] + "\n"), Lookup(foster()))
    assert [found.code for found in played.problems] == ["P712"]


def test_a_deal_read_by_other_rules_is_not_proved(tmp_path: Path) -> None:
    text = play(tmp_path / "x.p66", foster(), {}, new_secret(foster()), Random(1))
    other = foster().replace(value_win=2)
    (played,) = check(read(text), Lookup(other, anyway=True))
    found = {one.what: one.holds for one in verify(played)}
    assert found["record"] is None or not played.ok
    assert not proved(verify(played))


def test_a_bot_draws_the_turn_up_from_the_middle(tmp_path: Path) -> None:
    rules = foster().replace(turn_up="drawn_by_forehand")
    for place, holds in ((0, True), (6, True), (1, False)):
        secret = new_secret(rules, bots={0: "greedy"})
        start = ve.deal(rules, pack=secret.pack, turn_up_at=place)
        middle = ve.deal(rules, pack=secret.pack)
        path = tmp_path / f"{place}.p66"
        with create(path) as recorder:
            about = About(bots={0: "greedy"}, turn_up_at=place)
            deal = recorder.begin(start, about, secret=secret)
            stream, human = {0: player_stream(secret.seed, 0, 0)}, Random(1)
            while not deal.over:
                move = next_bot_move(deal, {0: PLAYERS["greedy"]}, stream)
                deal = recorder.play(
                    move or human.choice([one for one in deal.legal() if one.token not in ("66", "@")])
                )
        (played,) = check(read_file(path))
        assert played.start is not None
        assert (played.start.turn_up == middle.turn_up) == (place != 1)
        assert {one.what: one.holds for one in verify(played)}["bot A"] is holds, place


# ---- games --------------------------------------------------------------------------------------------------------


def without_deal(text: str, number: int) -> str:
    deals = text.removeprefix("% P66 1.0\n").split("\n\n")
    del deals[number]
    return "% P66 1.0\n" + "\n\n".join(deals)


def test_a_whole_game_is_proved(tmp_path: Path) -> None:
    text = play_game(tmp_path / "x.p66", foster(), {1: "greedy"}, Random(3))
    deals = check(read(text))
    assert all(proved(verify(deal)) for deal in deals)
    (game,) = games_of(deals)
    assert (game.game, game.whole, game.deals) == ("g", True, tuple(range(1, len(deals) + 1)))


def test_a_game_that_lacks_a_deal_is_not_whole(tmp_path: Path) -> None:
    text = play_game(tmp_path / "x.p66", foster(), {1: "greedy"}, Random(3))
    count = len(check(read(text)))
    assert count > 2
    for number, missing in ((0, "its beginning: the first deal here is deal 2 of the game"), (count - 1, "its end")):
        deals = check(read(without_deal(text, number)))
        assert all(proved(verify(deal)) for deal in deals)
        (game,) = games_of(deals)
        assert not game.whole
        assert missing in game.missing[0]
    deals = check(read(without_deal(text, 1)))
    (game,) = games_of(deals)
    assert game.missing[0] == "what was dealt between deal 1 and deal 3 of the game"
    # The numbers are committed to: they cannot be made to fit.
    seed = deals[1].said.seed
    assert seed is not None
    (_, forged, *_) = check(read(without_deal(text, 1).replace(f"{seed[0]}/2", f"{seed[0]}/1")))
    assert not proved(verify(forged))


def test_a_game_without_seeds_begins_at_nothing(tmp_path: Path) -> None:
    (game,) = games_of([replayed(example(before='[Game "g"]\n'))])
    assert game.missing[0] == "its beginning: the first deal here begins at 4-4"
    assert "the last deal here leaves it at 6-4" in game.missing[1]
    (game,) = games_of([replayed(example("1. A CA\n", before='[Game "g"]\n').replace("4-4", "0-0"))])
    assert game.missing == ("its end: the last deal here is not over",)


def test_deals_that_name_no_game_are_no_game() -> None:
    games = games_of([replayed(example()), replayed(example())])
    assert [game.deals for game in games] == [(1,), (2,)]
    assert not any(game.whole for game in games)
