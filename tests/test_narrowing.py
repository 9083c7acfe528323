"""The rows that narrow the phase table, and the masks that are folded from them, say the same."""

from __future__ import annotations

from hypothesis import given

from tests.strategies import rulesets
from variant_engine.encoding import ADMITS, ADMITS_OTHERS
from variant_engine.narrowing import NARROWINGS
from variant_engine.options import OPTIONS
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
