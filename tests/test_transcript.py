"""Deals written down: what happened is all there, in order, and the refusals are real and instructive."""

from __future__ import annotations

import json
import random
from itertools import pairwise

import pytest

import variant_engine as ve
from variant_engine.players import PLAYERS
from variant_engine.ruleset import Ruleset
from variant_engine.transcript import Note, Refused, Transcript, Trick, play_out, transcript

IDS = [head.id for head in ve.rulesets()]


def written(rules: Ruleset, seed: int, players: str = "greedy") -> Transcript:
    return transcript(play_out(ve.deal(rules, seed=seed), [PLAYERS[players]] * 2, seed))


def anything_goes(rules: Ruleset, seed: int) -> Transcript:
    """A deal in which any seat that may move makes any legal move, seldom a claim."""
    rng = random.Random(seed)
    positions = [ve.deal(rules, seed=seed)]
    while not positions[-1].over:
        deal = positions[-1]
        moves = [move for seat in range(2) for move in deal.legal(seat)]
        tame = [move for move in moves if move.token != "66" or rng.random() < 0.05]
        if tame:
            positions.append(deal.play(rng.choice(tame)))
    return transcript(positions)


def check(one: Transcript) -> None:
    tricks = [entry for entry in one.entries if isinstance(entry, Trick)]
    notes = [entry for entry in one.entries if isinstance(entry, Note)]
    assert [trick.number for trick in tricks] == list(range(1, len(tricks) + 1))
    if one.last.tricks != (0, 0):
        done = [trick for trick in tricks if trick.winner is not None]
        assert [sum(trick.winner == seat for trick in done) for seat in range(2)] == list(one.last.tricks)
    # Every move is there once: cards in tricks, the rest in notes; the draw is in the trick.
    played = [card for trick in tricks for card in (trick.led, trick.answer) if card is not None]
    made = [move.token for _, move in one.last.history]
    assert sorted(played) == sorted(token for token in made if len(token) == 2 and token not in ("66", "||"))
    said = [token for token in made if token not in played and token != "="]
    itself = one.first.rules["marriage_scoring"] == "automatic"
    assert [note.token for note in notes if not (itself and note.token[0] == "+")] == [
        token for token in said if not (itself and token[0] == "+")
    ]
    # Cards drawn and played account for the hands.
    for seat in range(2):
        drawn = [card for trick in tricks for drawer, card in trick.drawn if drawer == seat]
        own = [t.led if t.leader == seat else t.answer for t in tricks]
        given = sum(card is not None for card in own)
        assert len(one.first.hand(seat)) + len(drawn) == len(one.last.hand(seat)) + given
    if not any(note.token[0] == "^" for note in notes):
        # A card that was exchanged can be drawn twice.
        assert len({card for trick in tricks for card in trick.drawn}) == sum(len(trick.drawn) for trick in tricks)
    if tricks and one.last.result is not None:
        assert tricks[-1].count == one.last.card_points or notes


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("players", sorted(PLAYERS))
def test_shipped_rulesets(name: str, players: str) -> None:
    for seed in range(12):
        check(written(ve.load(name), seed, players))


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_played(seed: int) -> None:
    rules = ve.load("foster").replace(
        exchange_closed="offered_at_closing" if seed % 2 else "allowed",
        exchange_last_card="exchangeable",
        exchange_trick="not_needed",
        marriage_unled="any_number",
        marriage_late="until_answered",
        draw_first="loser" if seed % 3 == 0 else "winner",
        turn_up_to="first_drawer" if seed % 5 == 0 else "second_drawer",
        marriage_scoring="automatic" if seed % 7 == 0 else "announced",
    )
    check(anything_goes(rules, seed))


@pytest.mark.parametrize("name", IDS)
def test_refusals_name_different_options_and_are_few(name: str) -> None:
    seen = 0
    for seed in range(12):
        refused = [entry for entry in written(ve.load(name), seed).entries if isinstance(entry, Refused)]
        assert len(refused) <= 2
        seen += len(refused)
        options = [option for entry in refused for option in entry.refusal.options]
        assert all(entry.refusal.options for entry in refused)
        assert len(options) == len(set(options))
    assert seen >= 12


def test_the_moves_can_be_replayed() -> None:
    one = written(ve.load("foster"), 7)
    deal = ve.deal(ve.load("foster"), seed=7)
    for token in one.as_json()["play"].split():
        deal = deal.play(token)
    assert deal.result == one.last.result


def test_json_and_entries_agree() -> None:
    one = written(ve.load("foster"), 7)
    data = json.loads(json.dumps(one.as_json()))
    kinds = {"trick": Trick, "note": Note, "refused": Refused}
    assert [kinds[entry["kind"]] for entry in data["entries"]] == [type(entry) for entry in one.entries]
    assert data["code"] == one.first.code
    result = one.last.result
    assert result is not None
    assert data["result"]["reason"] == result.reason
    assert data["result"]["card_points"] == {"A": result.card_points[0], "B": result.card_points[1]}


def test_words_for_what_is_done() -> None:
    given = {
        "dealer": "B", "trump": "H", "turn_up": "HT", "talon": "SK DK DQ",
        "hands": {"A": "HA HK HQ CK CQ H9", "B": "HJ ST SQ CA D9 DJ"},
        "tricks": {"A": 1, "B": 1}, "points": {"A": 20, "B": 11},
    }  # fmt: skip
    rules = ve.load("foster").replace(exchange_closed="allowed", marriage_unled="one")
    positions = [ve.position(rules, given)]
    for token in ("^H9", "|", "+40H", "HK", "HJ", "66"):
        positions.append(positions[-1].play(token))
    entries = transcript(positions, refusals=0).entries
    assert [entry.text if isinstance(entry, Note) else entry for entry in entries] == [
        "A exchanges H9 for HT",
        "A closes the talon",
        "A announces 40 in hearts",
        Trick(1, 0, "HK", "HJ", 0, (66, 11)),
        "A claims 66 with 66: right",
    ]


def test_a_marriage_that_waits_for_a_trick_says_so() -> None:
    given = {
        "dealer": "B", "trump": "H", "turn_up": "HT", "talon": "SK DK DQ",
        "hands": {"A": "CK CQ SA S9", "B": "HJ ST SQ CA"},
    }  # fmt: skip
    deal = ve.position(ve.load("foster"), given)
    note = transcript([deal, deal.play("+20C")], refusals=0).entries[0]
    assert note == Note(0, "+20C", "A announces 20 in clubs, to count with a trick")


def test_a_draw_after_the_choice_belongs_to_the_trick() -> None:
    rules = ve.load("foster").replace(closing_draw="either")
    deal = ve.deal(rules, seed=7)
    positions = [deal]
    for _ in range(2):
        positions.append(positions[-1].play(positions[-1].legal()[0]))
    assert positions[-1].phase == "before the draw"
    positions.append(positions[-1].play("="))
    tricks = [entry for entry in transcript(positions, refusals=0).entries if isinstance(entry, Trick)]
    assert [seat for seat, _ in tricks[0].drawn] == [tricks[0].winner, 1 - (tricks[0].winner or 0)]
    assert {card for _, card in tricks[0].drawn} == set(deal.talon[:2])


_LATE: dict[str, object] = {
    "dealer": "B", "trump": "H", "turn_up": "HT", "talon": "SK DK DQ",
    "hands": {"A": "CK CQ SA S9", "B": "HJ ST SQ H9"}, "tricks": {"A": 1, "B": 1}, "points": {"A": 20, "B": 11},
}  # fmt: skip


def _positions(rules: Ruleset, *tokens: str) -> list[ve.Deal]:
    positions = [ve.position(rules, _LATE)]
    for token in tokens:
        positions.append(positions[-1].play(token))
    return positions


def test_what_is_done_after_a_lead_stands_below_its_line() -> None:
    """A marriage made good, an exchange before the answer: the lead was there first."""
    rules = ve.load("foster").replace(marriage_late="until_answered", exchange_when="on_turn")
    assert _positions(rules, "CK")[-1].legal(0)
    positions = _positions(rules, "CK", "A:+20C", "^H9", "HJ")
    trick, *notes = transcript(positions, refusals=0).entries
    assert isinstance(trick, Trick)
    assert (trick.led, trick.answer, trick.winner) == ("CK", "HJ", 1)
    assert [note.text for note in notes if isinstance(note, Note)] == [
        "A announces 20 in clubs, made good before the answer",
        "B exchanges H9 for HT, before the answer",
    ]


def test_a_claim_after_a_lead_stands_below_its_line() -> None:
    positions = _positions(ve.load("foster").replace(claim_when="any_time"), "CK", "B:66")
    assert positions[-1].over
    trick, note = transcript(positions, refusals=0).entries
    assert trick == Trick(1, 0, "CK", None, None, positions[-1].card_points)
    assert isinstance(note, Note)
    assert note.token == "66"


def test_a_lead_that_nobody_has_answered_yet_is_there() -> None:
    (trick,) = transcript(_positions(ve.load("foster"), "CK"), refusals=0).entries
    assert isinstance(trick, Trick)
    assert (trick.led, trick.answer) == ("CK", None)


def test_a_refusal_on_an_answer_stands_below_the_lead() -> None:
    rules = ve.load("foster").replace(follow_open="required")
    found = 0
    for seed in range(10):
        entries = written(rules, seed).entries
        for before, entry in pairwise(entries):
            if isinstance(entry, Refused) and entry.led is not None:
                assert isinstance(before, Trick | Note)
                last = next(one for one in reversed(entries[: entries.index(entry)]) if isinstance(one, Trick))
                assert last.led == entry.led
                assert f"({entry.led})" in entry.refusal.sentence
                found += 1
    assert found
