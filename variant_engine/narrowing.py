"""What options take out of the phase table for good: the rules that bar a kind of move throughout a phase.

Each row is such a rule, written once. ``encoding`` folds the rows that apply to a ruleset into its admission masks, so
that a move that a ruleset never has is not asked about at every turn; ``bars`` reads the same rows to name the reasons.
Rules that depend on the course of the deal (a trick won, cards left, a count) are in ``rules/``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .options.closing import (
    AFTER_DRAWING,
    AT_END,
    AUTOMATIC,
    CLAIM_WHEN,
    CLOSING,
    CLOSING_DRAW,
    CLOSING_NOT_PLAYED,
    ON_LEAD,
    ON_TURN,
)
from .options.ending import LOOK_ALL, LOOK_BACK_PRICE, LOOKING_FORBIDDEN
from .options.ending import LOOK_BACK as LOOK_BACK_OPTION
from .options.exchange import (
    CLOSED_NOT_ALLOWED,
    EXCHANGE_CARD,
    EXCHANGE_CLOSED,
    EXCHANGE_ON_LEAD,
    EXCHANGE_ON_TURN,
    EXCHANGE_WHEN,
    NO_EXCHANGE,
    OFFERED_AT_CLOSING,
)
from .options.marriage import (
    LATE_NOT_ALLOWED,
    MARRIAGE_CLOSED,
    MARRIAGE_EXHAUSTED,
    MARRIAGE_LATE,
    MARRIAGE_NOT_ALLOWED,
    MARRIAGE_SCORING,
    MARRIAGE_UNLED,
    SCORES_ITSELF,
    UNLED_NOT_ALLOWED,
    UNLED_ONE,
)
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
    EXCHANGE,
    EXHAUSTED,
    LEAD,
    LOOK_BACK,
    MOVER,
    OFFER,
    OPEN,
    OTHERS,
    OVER,
    TABLE,
)
from .reasons import (
    CLOSING_WRONG_SIDE_OF_DRAW,
    EXCHANGE_WRONG_MOMENT,
    LOOK_BACK_BARS,
    MUST_BE_LED,
    NO_CLAIM_NOW,
    NO_CLOSING,
    NO_EXCHANGE_CLOSED,
    NO_EXCHANGE_HERE,
    NO_MARRIAGE_CLOSED,
    NO_MARRIAGE_EXHAUSTED,
    NOTHING_HIDDEN,
    TOO_LATE_TO_ANNOUNCE,
)

_ALL_PHASES = (LEAD, ANNOUNCED, ANSWER, BEFORE_DRAW, OFFER, OVER)
_ALL_TALONS = (OPEN, CLOSED, EXHAUSTED)


@dataclass(frozen=True, slots=True)
class Narrowing:
    """An option (by index) some of whose values bar a kind of move throughout some phases and states of the talon."""

    option: int
    values: tuple[int, ...]
    kind: int
    reason: int
    phases: tuple[int, ...] = _ALL_PHASES
    talons: tuple[int, ...] = _ALL_TALONS
    by: str = ANYONE

    def applies(self, value: int) -> bool:
        """Whether the option's value (as the core knows it) is one that bars the move."""
        return value in self.values

    def covers(self, phase: int, talon: int) -> bool:
        """Whether the rule is about this phase and state of the talon."""
        return phase in self.phases and talon in self.talons


NARROWINGS: tuple[Narrowing, ...] = (
    Narrowing(MARRIAGE_UNLED, (UNLED_NOT_ALLOWED,), CLAIM, MUST_BE_LED, (ANNOUNCED,), by=MOVER),
    Narrowing(MARRIAGE_UNLED, (UNLED_NOT_ALLOWED, UNLED_ONE), ANNOUNCE, MUST_BE_LED, (ANNOUNCED,)),
    Narrowing(MARRIAGE_LATE, (LATE_NOT_ALLOWED,), ANNOUNCE, TOO_LATE_TO_ANNOUNCE, (ANSWER,), by=OTHERS),
    # Where a marriage scores itself, nobody can have forgotten it.
    Narrowing(MARRIAGE_SCORING, (SCORES_ITSELF,), ANNOUNCE, TOO_LATE_TO_ANNOUNCE, (ANSWER,), by=OTHERS),
    Narrowing(MARRIAGE_CLOSED, (MARRIAGE_NOT_ALLOWED,), ANNOUNCE, NO_MARRIAGE_CLOSED, talons=(CLOSED,)),
    Narrowing(MARRIAGE_EXHAUSTED, (MARRIAGE_NOT_ALLOWED,), ANNOUNCE, NO_MARRIAGE_EXHAUSTED, talons=(EXHAUSTED,)),
    Narrowing(EXCHANGE_CARD, (NO_EXCHANGE,), EXCHANGE, NO_EXCHANGE_HERE),
    Narrowing(EXCHANGE_WHEN, (EXCHANGE_ON_LEAD, EXCHANGE_ON_TURN), EXCHANGE, EXCHANGE_WRONG_MOMENT, by=OTHERS),
    Narrowing(EXCHANGE_WHEN, (EXCHANGE_ON_LEAD,), EXCHANGE, EXCHANGE_WRONG_MOMENT, (ANSWER,), by=MOVER),
    # An exchange offered at the closing is the phase of the offer; later there is none.
    Narrowing(
        EXCHANGE_CLOSED, (CLOSED_NOT_ALLOWED, OFFERED_AT_CLOSING), EXCHANGE, NO_EXCHANGE_CLOSED,
        (LEAD, ANSWER), (CLOSED,),
    ),
    Narrowing(CLOSING, (CLOSING_NOT_PLAYED,), CLOSE, NO_CLOSING),
    Narrowing(CLOSING, (CLOSING_NOT_PLAYED,), CLOSE_UNDRAWN, NO_CLOSING),
    # On lead it is too late for that anyway; the row tells who asks why there was no choice before the draw.
    Narrowing(CLOSING_DRAW, (AFTER_DRAWING,), CLOSE_UNDRAWN, CLOSING_WRONG_SIDE_OF_DRAW, (LEAD, BEFORE_DRAW), (OPEN,)),
    Narrowing(CLAIM_WHEN, (AUTOMATIC, AT_END), CLAIM, NO_CLAIM_NOW),
    Narrowing(CLAIM_WHEN, (ON_TURN, ON_LEAD), CLAIM, NO_CLAIM_NOW, by=OTHERS),
    Narrowing(CLAIM_WHEN, (ON_LEAD,), CLAIM, NO_CLAIM_NOW, (ANSWER, OFFER), by=MOVER),
    Narrowing(LOOK_BACK_OPTION, (LOOK_ALL,), LOOK_BACK, NOTHING_HIDDEN),
    Narrowing(LOOK_BACK_PRICE, (LOOKING_FORBIDDEN,), LOOK_BACK, LOOK_BACK_BARS),
)

_BITS = {MOVER: 1, OTHERS: 2, ANYONE: 3}

# The rows as tuples of ints, side by side, for the core: option, its barring values (bits), kind, places
# ``3 * phase + talon`` (bits), who (bit 0 the seat to move, bit 1 the others), reason.
ROWS = len(NARROWINGS)
ROW_OPTION = tuple(row.option for row in NARROWINGS)
ROW_VALUES = tuple(sum(1 << value for value in row.values) for row in NARROWINGS)
ROW_KIND = tuple(row.kind for row in NARROWINGS)
ROW_PLACES = tuple(
    sum(1 << (3 * phase + talon) for phase in row.phases for talon in row.talons) for row in NARROWINGS
)
ROW_WHO = tuple(_BITS[row.by] for row in NARROWINGS)
ROW_REASON = tuple(row.reason for row in NARROWINGS)

#: How many pairs of a phase and a state of the talon there are.
PLACES = len(TABLE)


def _taken_out(numbers: Sequence[int], phase: int, talon: int, kind: int, who: int) -> bool:
    return any(
        row.kind == kind and row.covers(phase, talon) and _BITS[row.by] & who and row.applies(numbers[row.option])
        for row in NARROWINGS
    )


def admissions(numbers: Sequence[int]) -> list[int]:
    """The masks of kinds that the table and these options (ints in registry order) admit, place by place.

    First for the seat to move, then for the others.
    """

    def mask(phase: int, talon: int, who: int) -> int:
        return sum(
            1 << kind
            for kind, entry in TABLE[phase, talon].items()
            if _BITS[entry.by] & who and not _taken_out(numbers, phase, talon, kind, who)
        )

    return [mask(phase, talon, who) for who in (1, 2) for phase in _ALL_PHASES for talon in _ALL_TALONS]
