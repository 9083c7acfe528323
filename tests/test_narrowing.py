"""The rows that narrow the phase table, and the masks that are folded from them, say the same."""

from __future__ import annotations

from hypothesis import given

from tests.strategies import Values, neutral, ruleset, rulesets
from variant_engine.encoding import ADMITS, ADMITS_OTHERS
from variant_engine.narrowing import NARROWINGS
from variant_engine.options import BY_NAME, OPTIONS
from variant_engine.phases import ANYONE, KINDS, MOVER, OTHERS, PHASES, TABLE, TALONS
from variant_engine.reasons import REASONS
from variant_engine.rules.admission import narrowing_bars
from variant_engine.ruleset import Ruleset
from variant_engine.state import PHASE, TALON, TO_MOVE, blank_state


def test_every_row_takes_something_out() -> None:
    for row in NARROWINGS:
        admitted = {
            entry.by
            for (phase, talon), entries in TABLE.items()
            for kind, entry in entries.items()
            if kind == row.kind and row.covers(phase, talon)
        }
        assert ANYONE in admitted or row.by in admitted or (row.by == ANYONE and admitted), row


def test_a_row_names_an_option_of_its_own_subject() -> None:
    for row in NARROWINGS:
        option, reason = OPTIONS[row.option].name, REASONS[row.reason].option
        assert reason == option or (option, reason) == ("marriage_scoring", "marriage_late")
        assert all(value < len(OPTIONS[row.option].answers()) for value in row.values)


@given(rulesets())
def test_masks_and_reasons_agree(rules: Ruleset) -> None:
    state = blank_state()
    state[TO_MOVE] = 0
    for phase in range(len(PHASES)):
        for talon in range(len(TALONS)):
            state[PHASE], state[TALON] = phase, talon
            for seat, who, masks in ((0, MOVER, ADMITS), (1, OTHERS, ADMITS_OTHERS)):
                for kind in range(len(KINDS)):
                    entry = TABLE[phase, talon].get(kind)
                    in_table = entry is not None and entry.by in (who, ANYONE)
                    admitted = rules.ints[masks + 3 * phase + talon] >> kind & 1
                    assert admitted == (in_table and narrowing_bars(rules.ints, state, seat, kind) == 0)


def barred(values: Values, name: str, seat: int, kind: int) -> str:
    """Where the option ``name`` bars the kind of move: phases, each with the initials of the talon's states."""
    rules = ruleset(values)
    state = blank_state()
    state[TO_MOVE] = 0
    found = []
    for phase, phase_name in enumerate(PHASES):
        talons = ""
        for talon, talon_name in enumerate(TALONS):
            state[PHASE], state[TALON] = phase, talon
            reasons = narrowing_bars(rules.ints, state, seat, kind)
            if any(reasons >> at & 1 and reason.option == name for at, reason in enumerate(REASONS)):
                talons += talon_name[0]
        if talons:
            found.append(f"{phase_name}:{talons}")
    return "everywhere" if found == EVERYWHERE else " ".join(found)


def test_what_each_value_bars_where() -> None:
    """The rows once more, seen from the values: a slip in one of the two shows here.

    A line for each value that bars something beside the most lenient values; who moves, and the others if it is not
    the same for them; phases with the states of the talon (open, closed, exhausted).
    """
    lenient = neutral() | LENIENT
    lines = []
    for name in dict.fromkeys(OPTIONS[row.option].name for row in NARROWINGS):
        shown = SHOWN_UNDER.get(name, name)
        for value in BY_NAME[name].answers():
            for kind, kind_name in enumerate(KINDS):
                mover, others = (barred(lenient | {name: value}, shown, seat, kind) for seat in (0, 1))
                if mover or others:
                    who = mover if mover == others else f"{mover or '-'} / {others or '-'}"
                    lines.append(f"{name}={value}, {kind_name}: {who}")
    assert lines == EXPECTED.strip().splitlines()


EVERYWHERE = [f"{phase}:oce" for phase in PHASES]
#: Values that bar nothing.
LENIENT: Values = {
    "marriage_unled": "any_number",
    "marriage_late": "until_answered",
    "exchange_when": "any_time",
    "exchange_closed": "allowed",
    "pack_cards": 32,
    "closing_draw": "either",
    "look_back": "none",
    "look_back_price": "right_to_close",
}
#: Where a marriage scores itself the reason is that of a forgotten one.
SHOWN_UNDER = {"marriage_scoring": "marriage_late"}
EXPECTED = """
marriage_unled=not_allowed, announce: announced:oce
marriage_unled=not_allowed, claim: announced:oce / -
marriage_unled=one, announce: announced:oce
marriage_late=not_allowed, announce: - / answer:oce
marriage_scoring=automatic, announce: - / answer:oce
marriage_closed=not_allowed, announce: lead:c announced:c answer:c before the draw:c offer:c over:c
marriage_exhausted=not_allowed, announce: lead:e announced:e answer:e before the draw:e offer:e over:e
exchange_card=none, exchange: everywhere
exchange_when=on_lead, exchange: answer:oce / everywhere
exchange_when=on_turn, exchange: - / everywhere
exchange_closed=not_allowed, exchange: lead:c answer:c
exchange_closed=offered_at_closing, exchange: lead:c answer:c
closing=not_played, close: everywhere
closing=not_played, close undrawn: everywhere
closing_draw=after_drawing, close undrawn: lead:o before the draw:o
claim_when=on_turn, claim: - / everywhere
claim_when=on_lead, claim: answer:oce offer:oce / everywhere
claim_when=automatic, claim: everywhere
claim_when=at_end, claim: everywhere
look_back=all_tricks, look back: everywhere
look_back_price=forbidden, look back: everywhere
"""
