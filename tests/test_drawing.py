"""The phase table as drawn for a ruleset: nothing that can happen is missing, and what is said to narrow does."""

from __future__ import annotations

import json
import random

import pytest

import variant_engine as ve
from variant_engine import Deal
from variant_engine.drawing import Drawing, draw_phases, graphviz, mermaid, narrowed_by, node_name, taken_out_by
from variant_engine.options import OPTIONS
from variant_engine.phases import (
    ANNOUNCE,
    ANSWER,
    ANYONE,
    BEFORE_DRAW,
    CLAIM,
    CLOSE,
    CLOSED,
    EXCHANGE,
    LEAD,
    MOVER,
    OFFER,
    OPEN,
    OTHERS,
    OVER,
    PHASES,
    TABLE,
    TALONS,
    kind_of,
)
from variant_engine.ruleset import ContradictoryOptions, Ruleset
from variant_engine.table import parse

_TOKENS = (
    *(suit + rank for suit in "SHDC" for rank in "ATKQJ987"),
    "|", "||", "=", "-", "66", "@",
)  # fmt: skip


def _drawn(rules: Ruleset) -> Drawing:
    return draw_phases(rules)


def _random_rules(rng: random.Random) -> Ruleset:
    rules = ve.load("foster")
    while True:
        changes = {o.name: rng.choice(o.answers()) for o in OPTIONS if not o.is_number and rng.random() < 0.6}
        changes["pack_cards"] = rng.choice((20, 24, 24, 32))
        changes["hand_cards"] = rng.choice((5, 6, 6))
        changes["closing_talon_min"] = rng.choice((1, 2, 3))
        changes["target_card_points"] = rng.choice((33, 66, 66, 120))
        try:
            return rules.replace(**changes)
        except ContradictoryOptions:
            continue


def _node(deal: Deal) -> tuple[int, int]:
    return PHASES.index(deal.phase), TALONS.index(deal.talon_state)


def _check_moves(deal: Deal, drawing: Drawing) -> None:
    """Every legal move is drawn, and every option that bars one is among those said to narrow it."""
    node = _node(deal)
    drawn = {move.kind: move for move in drawing.phases[node]}
    for seat in range(deal.seats):
        mover = seat == deal.to_move
        for move in deal.legal(seat):
            kind = kind_of(move.code)
            assert kind in drawn, (node_name(node), str(move))
            assert drawn[kind].by in ((MOVER, ANYONE) if mover else (OTHERS, ANYONE))
        for token in (*_TOKENS, *(f"+{deal.rules['marriage_plain']}{suit}" for suit in "SHDC" if suit != deal.trump)):
            move = parse(deal, f"{'AB'[seat]}:{token}")
            refused = deal.why_not(move)
            if refused is not None and refused.options:
                assert set(refused.options) <= set(narrowed_by(node, kind_of(move.code))), (node_name(node), str(move))


@pytest.mark.parametrize("seed", range(60))
def test_nothing_that_happens_is_missing(seed: int) -> None:
    rng = random.Random(seed)
    rules = _random_rules(rng)
    drawing = _drawn(rules)
    for number in range(4):
        deal = ve.deal(rules, seed=seed, number=number)
        while not deal.over:
            if number == 0:
                _check_moves(deal, drawing)
            node = _node(deal)
            seat = rng.choice([seat for seat in range(deal.seats) if deal.legal(seat)])
            moves = [move for move in deal.legal(seat) if str(move)[-2:] != "66" or rng.random() < 0.1]
            if not moves:
                continue
            move = rng.choice(moves)
            deal = deal.play(move)
            phase, talon = _node(deal)
            targets = next(drawn.leads_to for drawn in drawing.phases[node] if drawn.kind == kind_of(move.code))
            assert any(t == (phase, talon) or t[0] == phase == OVER for t in targets), (node_name(node), str(move))


def test_every_option_said_to_narrow_is_real_and_in_registry_order() -> None:
    names = [option.name for option in OPTIONS]
    for node, entries in TABLE.items():
        for kind in entries:
            places = [names.index(name) for name in narrowed_by(node, kind)]
            assert places == sorted(set(places)), (node_name(node), kind)


def test_only_options_that_narrow_take_out() -> None:
    rng = random.Random(1)
    for _ in range(200):
        values = _random_rules(rng).values
        for node, entries in TABLE.items():
            for kind in entries:
                gone = set(taken_out_by(values, node, kind))
                # What makes a whole phase or state of the talon unreachable is not asked in it.
                assert gone - set(narrowed_by(node, kind)) <= {
                    "closing", "closing_draw", "exchange_card", "exchange_last_card", "exchange_closed",
                }  # fmt: skip


def test_without_closing_there_is_no_closed_talon() -> None:
    drawing = _drawn(ve.load("foster").replace(closing="not_played"))
    assert {talon for _, talon in drawing.phases} == {OPEN, 2}
    assert (BEFORE_DRAW, OPEN) not in drawing.phases
    assert CLOSE not in [move.kind for move in drawing.phases[LEAD, OPEN]]
    gone = {(entry.node, entry.kind): entry.options for entry in drawing.taken_out}
    assert gone[(LEAD, OPEN), CLOSE] == ("closing",)
    for text in (mermaid(drawing), graphviz(drawing)):
        assert "close" not in text


def test_an_offer_only_where_rules_make_one() -> None:
    rules = ve.load("foster").replace(exchange_closed="offered_at_closing")
    drawing = _drawn(rules)
    assert (OFFER, CLOSED) in drawing.phases
    assert (OFFER, OPEN) not in drawing.phases
    close = next(move for move in drawing.phases[LEAD, OPEN] if move.kind == CLOSE)
    assert close.leads_to == ((LEAD, CLOSED), (OFFER, CLOSED))
    assert (OFFER, CLOSED) not in _drawn(rules.replace(exchange_card="none")).phases


def test_who_may_claim_follows_the_rules() -> None:
    foster = ve.load("foster")
    for when, expected in (("any_time", ANYONE), ("on_turn", MOVER)):
        moves = _drawn(foster.replace(claim_when=when)).phases[LEAD, OPEN]
        assert [move.by for move in moves if move.kind == CLAIM] == [expected]
    moves = _drawn(foster.replace(claim_when="automatic")).phases[LEAD, OPEN]
    assert CLAIM not in [move.kind for move in moves]
    assert any((OVER, 2) in move.leads_to for move in moves if move.kind == ANNOUNCE)


def test_exchange_on_the_adversarys_turn() -> None:
    foster = ve.load("foster")
    for when, expected in (("on_lead", []), ("on_turn", [MOVER]), ("any_time", [ANYONE])):
        moves = _drawn(foster.replace(exchange_when=when)).phases[ANSWER, OPEN]
        assert [move.by for move in moves if move.kind == EXCHANGE] == expected


def test_json_has_the_same_moves() -> None:
    drawing = _drawn(ve.load("handbook"))
    data = json.loads(json.dumps(drawing.as_json()))
    assert data["ruleset"] == "handbook"
    assert [(p["phase"], p["talon"]) for p in data["phases"]] == [(PHASES[n[0]], TALONS[n[1]]) for n in drawing.phases]
    assert data["phases"][0]["moves"][0] == {
        "kind": "play", "by": MOVER, "leads_to": [{"phase": "answer", "talon": "open"}], "narrowed_by": {},
    }  # fmt: skip


def test_mermaid_and_graphviz_name_every_phase() -> None:
    drawing = _drawn(ve.load("foster"))
    assert mermaid(drawing).startswith("stateDiagram-v2\n")
    assert "open_lead --> open_answer : play" in mermaid(drawing)
    dot = graphviz(drawing)
    assert dot.startswith('digraph "foster" {')
    assert dot.endswith("}")
    assert dot.count("{") == dot.count("}")
    for node in drawing.phases:
        name = f"{TALONS[node[1]]}_{PHASES[node[0]].replace(' ', '_')}"
        assert f" {name} [label=" in dot
        assert f" as {name}" in mermaid(drawing)
