"""The phase table: which kinds of move a phase can ever admit, by whom, and where they lead.

Law of this file: the table admits, options only narrow. What is not in the table is illegal, deliberately, whatever
the options say. The table is the single source for the engine's admission masks and for every drawing of the machine
(``sixtysix phases``). Automatic steps (winning a trick, drawing where there is no choice, the last trick) are part of
the move that causes them; ``leads_to`` lists every phase in which such a move can end.
"""

from __future__ import annotations

from dataclasses import dataclass

#: On lead, nothing announced for this lead yet.
LEAD = 0
#: A marriage has been announced; one of its cards is to be led, or the deal claimed.
ANNOUNCED = 1
#: A card lies; the next seat answers it.
ANSWER = 2
#: The trick is taken and its winner may close instead of drawing.
BEFORE_DRAW = 3
#: A seat has been offered the exchange and takes or declines it.
OFFER = 4
OVER = 5
PHASES = ("lead", "announced", "answer", "before the draw", "offer", "over")

OPEN, CLOSED, EXHAUSTED = range(3)
TALONS = ("open", "closed", "exhausted")

PLAY, ANNOUNCE, EXCHANGE, DECLINE, CLOSE, CLOSE_UNDRAWN, DRAW, CLAIM, LOOK_BACK = range(9)
KINDS = ("play", "announce", "exchange", "decline", "close", "close undrawn", "draw", "claim", "look back")

# Moves are small ints, so that a set of moves is a bit mask: 0..31 plays that card, then one for each suit to
# announce, then the rest.
ANNOUNCE_MOVE = 32
EXCHANGE_MOVE, DECLINE_MOVE, CLOSE_MOVE, CLOSE_UNDRAWN_MOVE, DRAW_MOVE, CLAIM_MOVE, LOOK_BACK_MOVE = range(36, 43)
MOVE_COUNT = 43


def kind_of(move: int) -> int:
    """The kind of a move."""
    if move < ANNOUNCE_MOVE:
        return PLAY
    if move < EXCHANGE_MOVE:
        return ANNOUNCE
    return move - EXCHANGE_MOVE + EXCHANGE


#: Who may make a move of this kind: the seat to move, the seats not to move, or both.
MOVER, OTHERS, ANYONE = "the seat to move", "a seat not to move", "any seat"


@dataclass(frozen=True, slots=True)
class Entry:
    """One admitted kind of move: who may make it and the phases it can lead to."""

    by: str
    leads_to: tuple[int, ...]


_CLAIM = Entry(ANYONE, (OVER,))
_LOOK = Entry(MOVER, (LEAD,))
_LOOK_ANSWERING = Entry(MOVER, (ANSWER,))
_LEAD_CARD = Entry(MOVER, (ANSWER, OVER))
_LEAD_ANNOUNCED = Entry(MOVER, (ANSWER,))
_ANNOUNCE = Entry(MOVER, (ANNOUNCED, OVER))
_ANNOUNCE_MORE = Entry(MOVER, (ANNOUNCED,))
_ANNOUNCE_LATE = Entry(OTHERS, (ANSWER, OVER))

TABLE: dict[tuple[int, int], dict[int, Entry]] = {
    (LEAD, OPEN): {
        PLAY: _LEAD_CARD,
        ANNOUNCE: _ANNOUNCE,
        EXCHANGE: Entry(ANYONE, (LEAD,)),
        CLOSE: Entry(MOVER, (LEAD, OFFER)),
        CLAIM: _CLAIM,
        LOOK_BACK: _LOOK,
    },
    (LEAD, CLOSED): {
        PLAY: _LEAD_CARD,
        ANNOUNCE: _ANNOUNCE,
        EXCHANGE: Entry(ANYONE, (LEAD,)),
        CLAIM: _CLAIM,
        LOOK_BACK: _LOOK,
    },
    (LEAD, EXHAUSTED): {
        PLAY: _LEAD_CARD,
        ANNOUNCE: _ANNOUNCE,
        CLAIM: _CLAIM,
        LOOK_BACK: _LOOK,
    },
    # A second marriage may be announced only by who goes out with it, which must then be claimed.
    (ANNOUNCED, OPEN): {PLAY: _LEAD_ANNOUNCED, ANNOUNCE: _ANNOUNCE_MORE, CLAIM: _CLAIM},
    (ANNOUNCED, CLOSED): {PLAY: _LEAD_ANNOUNCED, ANNOUNCE: _ANNOUNCE_MORE, CLAIM: _CLAIM},
    (ANNOUNCED, EXHAUSTED): {PLAY: _LEAD_ANNOUNCED, ANNOUNCE: _ANNOUNCE_MORE, CLAIM: _CLAIM},
    # Only while the talon is open can the answer lead to a choice before the draw, or to the offer of the last card.
    (ANSWER, OPEN): {
        PLAY: Entry(MOVER, (LEAD, BEFORE_DRAW, OFFER, OVER)),
        ANNOUNCE: _ANNOUNCE_LATE,
        EXCHANGE: Entry(ANYONE, (ANSWER,)),
        CLAIM: _CLAIM,
        LOOK_BACK: _LOOK_ANSWERING,
    },
    (ANSWER, CLOSED): {
        PLAY: Entry(MOVER, (LEAD, OVER)),
        ANNOUNCE: _ANNOUNCE_LATE,
        EXCHANGE: Entry(ANYONE, (ANSWER,)),
        CLAIM: _CLAIM,
        LOOK_BACK: _LOOK_ANSWERING,
    },
    (ANSWER, EXHAUSTED): {
        PLAY: Entry(MOVER, (LEAD, OVER)),
        ANNOUNCE: _ANNOUNCE_LATE,
        CLAIM: _CLAIM,
        LOOK_BACK: _LOOK_ANSWERING,
    },
    (BEFORE_DRAW, OPEN): {
        DRAW: Entry(MOVER, (LEAD, OFFER)),
        CLOSE_UNDRAWN: Entry(MOVER, (LEAD, OFFER)),
        CLAIM: _CLAIM,
    },
    (BEFORE_DRAW, CLOSED): {},
    (BEFORE_DRAW, EXHAUSTED): {},
    # Open: the last face-down card was the exchange card. Closed: the closer's adversary is asked.
    (OFFER, OPEN): {EXCHANGE: Entry(MOVER, (LEAD,)), DECLINE: Entry(MOVER, (LEAD,)), CLAIM: _CLAIM},
    (OFFER, CLOSED): {EXCHANGE: Entry(MOVER, (LEAD,)), DECLINE: Entry(MOVER, (LEAD,)), CLAIM: _CLAIM},
    (OFFER, EXHAUSTED): {},
    (OVER, OPEN): {},
    (OVER, CLOSED): {},
    (OVER, EXHAUSTED): {},
}


def _admitted(*who: str) -> tuple[int, ...]:
    return tuple(
        sum(1 << kind for kind, entry in TABLE[phase, talon].items() if entry.by in who)
        for phase in range(len(PHASES))
        for talon in range(len(TALONS))
    )


#: Masks of kinds by ``3 * phase + talon``, for the seat to move and for the others, before any option narrows them.
ADMITTED = _admitted(MOVER, ANYONE)
ADMITTED_OTHERS = _admitted(OTHERS, ANYONE)
