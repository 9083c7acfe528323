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
from variant_engine.record.files import read_file
from variant_engine.record.proof import Secret, commitment, new_secret, next_bot_move, proved, verify
from variant_engine.record.recorder import create
from variant_engine.ruleset import Ruleset
from variant_engine.shuffle import player_stream


def play(path: Path, rules: Ruleset, bots: dict[int, str], secret: Secret, human: Random) -> str:
    """A committed deal between bots and a random human, written as it is played."""
    about = About(names=("Anna", "Tibor"), bots=bots)
    streams = {seat: player_stream(secret.seed, secret.number, seat) for seat in bots}
    players = {seat: PLAYERS[bot] for seat, bot in bots.items()}
    with create(path) as recorder:
        deal = recorder.begin(ve.deal(rules, pack=secret.pack, dealer=1), about, secret=secret)
        while not deal.over:
            move = next_bot_move(deal, players, streams)
            if move is None:
                move = human.choice([one for one in deal.legal() if one.token not in ("66", "@")])
            deal = recorder.play(move)
    return path.read_text()


def findings(text: str) -> dict[str, bool | None]:
    (played,) = check(read(text), Lookup(foster()))
    return {one.what: one.holds for one in verify(played)}


def test_the_commitment_is_as_documented() -> None:
    text = b"p66-commit-1\nsalt=00\nseed=7/0\npack=CA HT"
    assert commitment("00", 7, 0, ("CA", "HT")) == "sha256:" + sha256(text).hexdigest()


def test_every_secret_is_another() -> None:
    secrets = [new_secret(foster()) for _ in range(20)]
    assert len({one.seed for one in secrets}) == len({one.salt for one in secrets}) == 20
    assert secrets[0].pack == ve.deal(foster(), seed=secrets[0].seed).pack


@pytest.mark.parametrize("bots", [{}, {0: "greedy"}, {1: "random"}, {0: "random", 1: "greedy"}])
def test_a_deal_is_proved(tmp_path: Path, bots: dict[int, str]) -> None:
    text = play(tmp_path / "x.p66", foster(), bots, new_secret(foster()), Random(1))
    found = findings(text)
    assert all(found.values())
    assert set(found) == {"record", "commitment", "shuffle", *(f"bot {'AB'[seat]}" for seat in bots)}
    assert write(record_of([tidy(replayed(text))])) == text


def test_bots_are_proved_under_any_rules(tmp_path: Path) -> None:
    rng = Random(9)
    for number in range(40):
        rules = foster().replace(**random_ruleset(rng).values)
        if number % 3 == 0:
            values = dict(rules.values) | {"marriage_scoring": "automatic", "marriage_trick": "not_needed"}
            rules = foster().replace(**values)
        seed = rng.randrange(1000)
        secret = Secret("ab" * 32, seed, 0, ve.deal(rules, seed=seed).pack)
        path = tmp_path / f"{number}.p66"
        play(path, rules, {0: "random", 1: rng.choice(("random", "greedy"))}, secret, rng)
        (played,) = check(read_file(path))
        found = verify(played)
        assert proved(found), (found, path.read_text())


def test_what_was_changed_is_found(tmp_path: Path) -> None:
    secret = Secret("ab" * 32, 5, 0, ve.deal(foster(), seed=5).pack)
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
    assert findings(text.replace("B greedy", "B cunning"))["bot B"] is None
    other = findings(text.replace("B greedy", "A greedy"))
    assert other["bot A"] is False
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
    assert found == {"record": True, "commitment": None, "shuffle": None}
    found = findings(example(before='[Bots "B greedy"]\n'))
    assert found["bot B"] is None
    assert not proved(verify(replayed(example())))
    assert findings(example("1. A CA SK\n")) == {"record": False}


def test_a_deal_not_yet_opened_is_not_proved(tmp_path: Path) -> None:
    secret = new_secret(foster())
    with create(tmp_path / "x.p66") as recorder:
        recorder.begin(ve.deal(foster(), pack=secret.pack), secret=secret)
    (played,) = check(read_file(tmp_path / "x.p66"))
    (finding,) = verify(played)
    assert finding.holds is False
    assert "not been opened yet" in finding.text


def test_an_opening_without_a_salt_is_refused(tmp_path: Path) -> None:
    text = play(tmp_path / "x.p66", foster(), {}, new_secret(foster()), Random(1))
    (played,) = check(read(text.rpartition(" [Salt")[0] + "\n"), Lookup(foster()))
    assert [found.code for found in played.problems] == ["P712"]
