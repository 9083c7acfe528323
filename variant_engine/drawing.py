"""The phase table drawn: as text, for Mermaid, for Graphviz, with what a ruleset's options leave of it.

The table in :mod:`variant_engine.phases` admits; options only narrow. For every entry this module says which options
narrow it, and takes out the entries that a ruleset's values can never let happen, and the phases that cannot be reached
then. What is left shows what *can* happen in some deal under these rules, starting from the cards as dealt.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .narrowing import NARROWINGS
from .options import BY_NAME, OPTIONS
from .phases import (
    ANNOUNCE,
    ANNOUNCED,
    ANSWER,
    ANYONE,
    BEFORE_DRAW,
    CLAIM,
    CLOSE,
    CLOSE_UNDRAWN,
    CLOSED,
    DECLINE,
    DRAW,
    EXCHANGE,
    EXHAUSTED,
    KINDS,
    LEAD,
    LOOK_BACK,
    MOVER,
    OFFER,
    OPEN,
    OTHERS,
    OVER,
    PHASES,
    PLAY,
    TABLE,
    TALONS,
)
from .ruleset import Ruleset, Values

#: A phase with the talon's state.
Node = tuple[int, int]

_DUTIES = ("follow", "head", "ruff")


@dataclass(frozen=True, slots=True)
class Drawn:
    """A kind of move in a phase: who may make it, where it can lead, and the options that narrow it."""

    kind: int
    by: str
    leads_to: tuple[Node, ...]
    narrowed_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakenOut:
    """An entry of the table that a ruleset's values leave no room for, and the options that see to that."""

    node: Node
    kind: int
    options: tuple[str, ...]


@dataclass(frozen=True)
class Drawing:
    """What a ruleset leaves of the phase table: the phases that can be reached with their moves, and what is gone."""

    rules: Ruleset
    phases: dict[Node, tuple[Drawn, ...]]
    taken_out: tuple[TakenOut, ...]

    def as_json(self) -> dict[str, Any]:
        """As plain data."""

        def node_json(node: Node) -> dict[str, str | None]:
            return {"phase": PHASES[node[0]], "talon": None if node[0] == OVER else TALONS[node[1]]}

        def values(options: tuple[str, ...]) -> dict[str, str | int]:
            return {name: self.rules.values[name] for name in options}

        return {
            "ruleset": self.rules.id,
            "changes": dict(self.rules.diff),
            "phases": [
                node_json(node)
                | {
                    "moves": [
                        {
                            "kind": KINDS[move.kind],
                            "by": move.by,
                            "leads_to": [node_json(target) for target in move.leads_to],
                            "narrowed_by": values(move.narrowed_by),
                        }
                        for move in moves
                    ]
                }
                for node, moves in self.phases.items()
            ],
            "taken_out": [
                node_json(gone.node) | {"kind": KINDS[gone.kind], "options": values(gone.options)}
                for gone in self.taken_out
            ],
        }


def draw_phases(rules: Ruleset) -> Drawing:
    """What a ruleset leaves of the phase table."""
    left = {node: _left(rules.values, node) for node in TABLE}
    reached: list[Node] = [(LEAD, OPEN)]
    for node in reached:
        reached += dict.fromkeys(
            target for move in left[node] for target in move.leads_to if target not in reached and target[0] != OVER
        )
    gone = []
    for node, entries in TABLE.items():
        for kind in entries:
            options = taken_out_by(rules.values, node, kind)
            if options:
                gone.append(TakenOut(node, kind, options))
    return Drawing(rules, {node: left[node] for node in TABLE if node in reached}, tuple(gone))


def _left(values: Values, node: Node) -> tuple[Drawn, ...]:
    return tuple(
        Drawn(kind, _by(values, node, kind), _targets(values, node, kind), narrowed_by(node, kind))
        for kind in TABLE[node]
        if not taken_out_by(values, node, kind)
    )


# ---- which options narrow what -------------------------------------------------------------------------------------


def narrowed_by(node: Node, kind: int) -> tuple[str, ...]:
    """The options that can bar this kind of move in this phase, whatever their values, in registry order."""
    phase, talon = node
    closed = {OPEN: (), CLOSED: ("marriage_closed",), EXHAUSTED: ("marriage_exhausted",)}[talon]
    if kind == PLAY:
        if phase == ANSWER:
            return tuple(f"{duty}_{TALONS[talon]}" for duty in _DUTIES)
        return ("marriage_lead",) if phase == ANNOUNCED else ()
    if kind == ANNOUNCE:
        if phase == ANSWER:
            return ("marriage_scoring", "marriage_trick", "marriage_lead", "marriage_late", *closed)
        if phase == ANNOUNCED:
            return ("marriage_trick", "marriage_unled", *closed, "claim_when")
        return ("marriage_trick", *closed)
    if kind == EXCHANGE:
        return _exchange_options(node)
    if kind == DECLINE:
        return ("exchange_closed",) if talon == CLOSED else ("exchange_last_card",)
    if kind in (CLOSE, CLOSE_UNDRAWN):
        first = ("closing_first_lead",) if kind == CLOSE else ()
        return ("closing", *first, "closing_draw", "closing_talon_min", "look_back_price")
    if kind == CLAIM:
        unled = ("marriage_unled",) if phase == ANNOUNCED else ()
        state = {
            OPEN: ("claim_when", "claim_open_closes", "look_back_price"),
            CLOSED: ("closing_adversary_first", "claim_when"),
            EXHAUSTED: ("claim_when",),
        }[talon]
        return (*unled, *state)
    return ("look_back", "look_back_price") if kind == LOOK_BACK else ()


def _exchange_options(node: Node) -> tuple[str, ...]:
    phase, talon = node
    if phase == OFFER:
        if talon == CLOSED:
            return ("exchange_card", "exchange_closed")
        return ("exchange_card", "exchange_trick", "exchange_last_card")
    closed = ("exchange_closed",) if talon == CLOSED else ()
    return ("exchange_card", "exchange_trick", "exchange_when", "exchange_talon_min", *closed)


# ---- what a ruleset's values take out ------------------------------------------------------------------------------


def taken_out_by(values: Values, node: Node, kind: int) -> tuple[str, ...]:
    """The options whose values never let this kind of move happen in this phase; empty when it can happen."""
    phase, talon = node
    found = []
    if values["closing"] == "not_played" and (talon == CLOSED or kind in (CLOSE, CLOSE_UNDRAWN)):
        found.append("closing")
    if phase == BEFORE_DRAW:
        found += _before_draw_taken_out(values, found)
    if kind == CLOSE and values["closing_draw"] == "before_drawing" and values["closing_first_lead"] == "not_allowed":
        found += ["closing_first_lead", "closing_draw"]
    if phase == OFFER:
        found += _offer_taken_out(values, talon)
    if kind in (ANNOUNCE, EXCHANGE, CLAIM, LOOK_BACK):
        found += _narrowed_away(values, node, kind)
    if kind == ANNOUNCE and phase == ANNOUNCED and values["claim_when"] in ("automatic", "at_end"):
        found.append("claim_when")
    return tuple(dict.fromkeys(found))


def _before_draw_taken_out(values: Values, found: list[str]) -> list[str]:
    """Without a choice before the draw there is no such phase: the draw is part of the trick."""
    if values["closing"] == "not_played":
        return ["closing"]
    return ["closing_draw"] if not found and values["closing_draw"] == "after_drawing" else []


def _offer_taken_out(values: Values, talon: int) -> list[str]:
    """Without an offer there is no such phase."""
    if values["exchange_card"] == "none":
        return ["exchange_card"]
    if talon == OPEN and values["exchange_last_card"] == "kept":
        return ["exchange_last_card"]
    return ["exchange_closed"] if talon == CLOSED and values["exchange_closed"] != "offered_at_closing" else []


#: Where one of these bars a move altogether, the others that would bar it too are not worth naming.
_SETTLES = ("exchange_card", "look_back")


def _barring(values: Values, node: Node, kind: int, who: str) -> list[str]:
    """The options that bar a kind of move throughout a phase for the seat to move or for the others."""
    rows = [
        row
        for row in NARROWINGS
        if row.kind == kind
        and row.covers(*node)
        and row.by in (who, ANYONE)
        and row.applies(OPTIONS[row.option].encode(values[OPTIONS[row.option].name]))
    ]
    return [OPTIONS[index].name for index in sorted({row.option for row in rows})]


def _narrowed_away(values: Values, node: Node, kind: int) -> list[str]:
    """The options that leave a kind of move to nobody in a phase; none when anybody can still make it.

    Those that do so alone, or, where it takes several together, all of these.
    """
    by = TABLE[node][kind].by
    barred = [_barring(values, node, kind, who) for who in ((MOVER, OTHERS) if by == ANYONE else (by,))]
    if not all(barred):
        return []
    alone = set.intersection(*map(set, barred))
    found = sorted(alone or {name for names in barred for name in names}, key=lambda name: BY_NAME[name].index)
    return next(([name] for name in _SETTLES if name in found), found)


def _by(values: Values, node: Node, kind: int) -> str:
    """Who can make a move, of those whom the table lets make it, once the options have narrowed it."""
    by = TABLE[node][kind].by
    if by != ANYONE:
        return by
    left = [who for who in (MOVER, OTHERS) if not _barring(values, node, kind, who)]
    return ANYONE if len(left) == 2 else left[0]


def _can_end(values: Values, node: Node, kind: int) -> bool:
    """Whether a move that the table lets end the deal can do so under these values."""
    phase, talon = node
    automatic = values["claim_when"] == "automatic"
    if kind != PLAY:
        return kind == CLAIM or automatic
    if phase == ANSWER:
        return automatic or talon != OPEN
    # A card led ends the deal only where its marriage scores by itself and reaching the target is enough.
    return automatic and phase == LEAD and values["marriage_scoring"] == "automatic"


def _targets(values: Values, node: Node, kind: int) -> tuple[Node, ...]:
    phase, talon = node
    found: list[Node] = []
    for target in TABLE[node][kind].leads_to:
        if target == OVER:
            if _can_end(values, node, kind):
                found.append((OVER, EXHAUSTED))
        elif target == OFFER:
            state = CLOSED if kind in (CLOSE, CLOSE_UNDRAWN) else talon
            if not taken_out_by(values, (OFFER, state), DECLINE):
                found.append((OFFER, state))
        elif target == BEFORE_DRAW:
            if not taken_out_by(values, (BEFORE_DRAW, OPEN), DRAW):
                found.append((BEFORE_DRAW, OPEN))
        elif kind in (CLOSE, CLOSE_UNDRAWN):
            found.append((target, CLOSED))
        elif phase == OFFER and talon == OPEN:
            # The offer of the last face-down card: the turn-up goes with it.
            found.append((target, EXHAUSTED))
        else:
            found.append((target, talon))
            if kind == DRAW or (kind == PLAY and phase == ANSWER and talon == OPEN):
                found.append((target, EXHAUSTED))
    return tuple(found)


# ---- Mermaid and Graphviz ------------------------------------------------------------------------------------------


def node_name(node: Node) -> str:
    """A phase with the talon's state, in words."""
    return PHASES[node[0]] if node[0] == OVER else f"{PHASES[node[0]]}, talon {TALONS[node[1]]}"


def _node_id(node: Node) -> str:
    return PHASES[node[0]] if node[0] == OVER else f"{TALONS[node[1]]}_{PHASES[node[0]].replace(' ', '_')}"


def _edges(drawing: Drawing) -> dict[tuple[Node, Node], list[str]]:
    """The labels of the arrows: all kinds of move that lead from one phase to another on one arrow."""
    edges: dict[tuple[Node, Node], list[str]] = {}
    for node, moves in drawing.phases.items():
        for move in moves:
            label = KINDS[move.kind] + (" (adversary)" if move.by == OTHERS else "")
            for target in move.leads_to:
                edges.setdefault((node, target), []).append(label)
    return edges


def mermaid(drawing: Drawing) -> str:
    """The drawing as a Mermaid state diagram."""
    lines = ["stateDiagram-v2", f"    %% {drawing.rules.id}: what its options leave of the phase table"]
    for talon, name in enumerate(TALONS):
        nodes = [node for node in drawing.phases if node[1] == talon]
        if nodes:
            lines.append(f'    state "talon {name}" as {name} {{')
            lines += [f'        state "{PHASES[node[0]]}" as {_node_id(node)}' for node in nodes]
            lines.append("    }")
    lines.append(f"    [*] --> {_node_id((LEAD, OPEN))}")
    for (node, target), labels in _edges(drawing).items():
        to = "[*]" if target[0] == OVER else _node_id(target)
        lines.append(f"    {_node_id(node)} --> {to} : {', '.join(labels)}")
    return "\n".join(lines)


def graphviz(drawing: Drawing) -> str:
    """The drawing in Graphviz's language: ``dot -Tsvg``."""
    lines = [
        f'digraph "{drawing.rules.id}" {{',
        "    rankdir=LR;",
        "    node [shape=box, style=rounded];",
        '    over [shape=doublecircle, label="over"];',
    ]
    for talon, name in enumerate(TALONS):
        nodes = [node for node in drawing.phases if node[1] == talon]
        if nodes:
            lines += [f"    subgraph cluster_{name} {{", f'        label="talon {name}";']
            lines += [f'        {_node_id(node)} [label="{PHASES[node[0]]}"];' for node in nodes]
            lines.append("    }")
    for (node, target), labels in _edges(drawing).items():
        label = r"\n".join(labels)
        lines.append(f'    {_node_id(node)} -> {_node_id(target)} [label="{label}"];')
    return "\n".join([*lines, "}"])
