"""What is said about cases: which options they exercise, which are missing, and whose rules they contradict."""

from __future__ import annotations

import json
import sys
from io import StringIO
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import variant_engine as ve
from cli.check_text import coverage_text, crossed_text
from cli.main import app
from cli.steps import Steps
from tests.terminals import Terminal
from variant_engine.cases import HOLDS, UNFIT, UNPLAYABLE, Case, cases_of, read_cases
from variant_engine.compare.coverage import Coverage, changed, cover, forced_by, other_values
from variant_engine.compare.crossed import cross
from variant_engine.compare.propose import propose
from variant_engine.options import BY_NAME, OPTIONS
from variant_engine.ruleset import Ruleset
from variant_engine.yamlfile import parse_yaml

ROOT = Path(__file__).resolve().parent.parent

#: A trump is led, and need not be followed.
VOID = """\
  - name: "a trump led need not be followed"
    rulesets: [foster]
    where: "¶21.3"
    given:
      dealer: B
      trump: H
      turn_up: H9
      talon: [ST, SK, DK]
      hands: {A: "HK HQ", B: "HJ SA"}
      tricks: {A: 4, B: 3}
    play: "A:HK"
    expect: {legal_cards: [HJ, SA]}
"""


def cases(*items: str) -> list[Case]:
    return cases_of(parse_yaml("cases:\n" + "".join(items), "x.cases.yaml"), Path("x.cases.yaml"))


def run(*args: str, status: int = 0) -> Result:
    result = CliRunner().invoke(app, ["test", *args], prog_name="sixtysix", env={"COLUMNS": "80"})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == status, result.output
    return result


# ---- coverage -------------------------------------------------------------------------------------------------------


def covered(*items: str) -> Coverage:
    (one,) = cover(cases(*items))
    return one


def test_an_option_is_exercised_if_another_value_changes_the_outcome() -> None:
    one = covered(VOID)
    assert one.rules.id == "foster"
    assert set(one.exercised) == {"follow_open"} | {
        name for name in one.exercised if name in ("pack_cards", "hand_cards")
    }
    assert "ruff_open" in one.missing
    everything = [*one.exercised, *one.missing, *one.meaningless, *one.outside]
    assert sorted(everything) == sorted(option.name for option in OPTIONS)


def test_a_case_that_fails_exercises_nothing() -> None:
    assert covered(VOID.replace("[HJ, SA]", "[HJ]")).exercised == ()


def test_a_case_that_changes_an_option_tells_its_value_from_the_rulesets_own() -> None:
    changed = VOID.replace("    given:", "    with: {follow_open: required}\n    given:", 1).replace("[HJ, SA]", "[HJ]")
    one = covered(changed)
    assert "follow_open" in one.exercised
    # It says nothing about the others, which it has under other rules than the ruleset's; only what bears on both.
    assert one.cases == 1


def test_values_that_no_case_tells_apart() -> None:
    one = covered((ROOT / "rulesets" / "foster.cases.yaml").read_text("utf-8").partition("cases:\n")[2])
    for name, values in one.alike.items():
        assert name in one.exercised
        assert set(values) < set(BY_NAME[name].answers())
        assert one.rules.values[name] not in values


def test_meaningless_options_are_not_missing() -> None:
    item = VOID.replace("[foster]", "[howto-no]")
    one = covered(item)
    assert one.rules["closing"] == "not_played"
    assert "closing_draw" in one.meaningless
    assert "turn_up" in one.outside
    assert "next_dealer" in one.outside


def test_numbers_are_tried_at_the_neighbours_and_at_what_others_say() -> None:
    foster = ve.load("foster")
    values = other_values(BY_NAME["claim_forfeit"], foster)
    mine = int(foster["claim_forfeit"])
    assert {mine - 1, mine + 1} <= set(values)
    assert mine not in values
    assert set(values) < set(BY_NAME["claim_forfeit"].answers())
    assert other_values(BY_NAME["pack_cards"], foster) == [20, 32]


@pytest.mark.parametrize(
    ("least", "values", "others"),
    [
        # The talon has 11 cards, 9, 7 … 1, so that 4 asks for no fewer than 5.
        (4, {}, [1, 3, 6]),
        (5, {}, [1, 3, 6]),
        (1, {}, [2]),
        (11, {}, [1, 9]),
        # Without a trick nobody may close, so that 10 cards are never there.
        (9, {"closing_first_lead": "not_allowed", "closing_draw": "after_drawing"}, [1, 7, 10]),
        (11, {"closing_first_lead": "not_allowed", "closing_draw": "after_drawing"}, [1, 9]),
        (3, {"pack_cards": 32, "hand_cards": 14}, [1]),
    ],
)
def test_neighbours_are_the_next_that_the_talon_can_tell_apart(
    least: int, values: dict[str, str | int], others: list[int]
) -> None:
    rules = ve.load("foster").replace(**values, closing_talon_min=least)
    found = other_values(BY_NAME["closing_talon_min"], rules)
    assert [value for value in found if changed(rules, "closing_talon_min", value)] == others


def test_a_limit_that_makes_nobody_schneider_is_as_good_as_any_other() -> None:
    rules = ve.load("foster").replace(schwarz_by="no_card_points", schneider_limit=1)
    assert other_values(BY_NAME["schneider_limit"], rules) == [3, 33]
    assert other_values(BY_NAME["schneider_limit"], rules.replace(schwarz_by="no_trick")) == [0, 2, 33]


def test_what_another_option_forces_is_neither_missing_nor_meaningless(tmp_path: Path) -> None:
    options = "exchange_card: seven", "pack_cards: 32", "hand_cards: 6"
    text = FOUR.partition("  closing_talon_min")[0] + "".join(f"  {option}\n" for option in options)
    (tmp_path / "four.yaml").write_text(text, "utf-8")
    file = tmp_path / "four.cases.yaml"
    file.write_text("cases:\n" + VOID.replace("[foster]", '["four.yaml"]'), "utf-8")
    (one,) = cover(read_cases(file))
    assert "pack_cards" in one.outside
    assert {"pack_cards", "hand_cards"}.isdisjoint(one.meaningless)
    shown = coverage_text(one, 200)
    assert "  forced by another option: pack_cards (by exchange_card)\n" in shown
    assert "pack_cards" not in shown.partition("not to be shown by a case: ")[2]
    told = json.loads(run(str(file), "--coverage", "--json").stdout)["coverage"][0]
    assert "pack_cards" in told["outside"]


def test_what_forces_an_option() -> None:
    foster = ve.load("foster")
    assert not any(forced_by(foster, option.name) for option in OPTIONS)
    seven = foster.replace(pack_cards=32, exchange_card="seven")
    assert [option.name for option in OPTIONS if forced_by(seven, option.name)] == ["pack_cards"]
    lone = foster.replace(pack_cards=20, hand_cards=9, exchange_card="jack")
    assert forced_by(lone, "closing_talon_min") == ("hand_cards", "pack_cards")
    assert forced_by(foster.replace(pack_cards=32, hand_cards=12), "pack_cards") == ("hand_cards",)
    # A smaller hand has no room for the packet, and a larger one leaves too small a talon.
    whole = foster.replace(packet_cards=6, turn_up="thirteenth_card", closing_talon_min=11)
    assert forced_by(whole, "hand_cards") == ("packet_cards", "closing_talon_min", "pack_cards")


def test_flipping_an_exercised_option_does_change_an_outcome() -> None:
    """The report is held against the shipped files from outside: by changing one option and running them all."""
    everything = read_cases(ROOT / "rulesets" / "handbook.cases.yaml")
    one = next(found for found in cover(everything) if found.rules.id == "handbook")
    bound = [case for case in everything if any(rules.id == "handbook" for rules in case.bound())]
    for name in one.missing:
        for value in other_values(BY_NAME[name], one.rules):
            try:
                changed = one.rules.replace(**{name: value})
            except ValueError:
                continue
            assert all(case.verdict(changed)[0] == HOLDS for case in bound if not case.changes()), (name, value)


# ---- proposals ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def few() -> Coverage:
    """A ruleset with a single case, so that much is missing; of that a part."""
    one = covered(VOID)
    wanted = ("follow_closed", "marriage_lead", "closing_draw", "closing_forfeit", "exchange_when", "ruff_open")
    assert set(wanted) <= set(one.missing)
    return Coverage(one.rules, 1, (), wanted, {}, (), ())


def test_proposals_hold_and_exercise_their_option(few: Coverage) -> None:
    for proposal in propose(few):
        assert proposal.case is not None, proposal.said
        (case,) = cases(proposal.case)
        assert case.verdict(few.rules) == (HOLDS, "")
        assert [rules.id for rules in case.bound()] == ["foster"]
        assert proposal.other is not None
        other = few.rules.replace(**{proposal.option: proposal.other})
        assert case.verdict(other)[0] != HOLDS
        assert proposal.option in covered(proposal.case).exercised
        assert BY_NAME[proposal.option].question in proposal.said


def test_proposals_are_the_same_every_time(few: Coverage) -> None:
    assert list(propose(few)) == list(propose(few))


def test_what_cannot_be_found_is_said(few: Coverage) -> None:
    (one,) = propose(Coverage(few.rules, 0, (), ("pack_cards",), {}, (), ()))
    assert one.case is None
    assert one.said == "no case was found that tells 24 from 32"


# ---- every case under every ruleset ---------------------------------------------------------------------------------


def test_contradictions_name_the_option_that_decides() -> None:
    found = cross(cases(VOID), [ve.load(head.id) for head in ve.rulesets()])
    (row,) = found.rows
    assert row.cells["foster"] == HOLDS
    assert set(row.cells) == {head.id for head in ve.rulesets()}
    for one in found.contradictions:
        assert row.cells[one.under] == "contradicts"
        assert one.options
        mended = ve.load(one.under).replace(**{name: values[0] for name, values in one.options.items()})
        assert one.case.verdict(mended)[0] == HOLDS


def test_a_ruleset_against_itself_changed() -> None:
    foster = ve.load("foster")

    def called(name: str, **changes: str | int) -> Ruleset:
        rules = foster.replace(**changes)
        return Ruleset(**{**rules.__getstate__(), "id": name, "_loaded": None})

    others = [called("strict", follow_open="required"), called("ruff", ruff_open="required")]
    found = cross(cases(VOID), [foster, *others])
    assert {one.under: (dict(one.options), one.together) for one in found.contradictions} == {
        "strict": ({"follow_open": ("free", "required")}, False),
    }


def test_a_move_that_other_rules_do_not_have_is_no_contradiction() -> None:
    rulesets = [ve.load(name) for name in ("foster", "handbook", "howto-no")]
    found = cross(read_cases(ROOT / "rulesets" / "foster.cases.yaml"), rulesets)
    (row,) = (row for row in found.rows if row.case.name == "the winner draws the top card")
    assert row.cells == {"foster": HOLDS, "handbook": UNPLAYABLE, "howto-no": UNPLAYABLE}
    assert not [one for one in found.contradictions if one.case is row.case]
    assert not [one for one in found.contradictions if one.message.startswith("= is not allowed")]
    text = crossed_text(found, 80)
    assert f"  =//  foster: {row.case.name}\n" in text
    assert "  = is no move by these rules: there never is a choice before the draw\n" in text
    assert f"    {row.case.file_name}:{row.case.line}: handbook, howto-no\n" in text
    assert found.as_json()["unplayable"][0]["under"] in ("handbook", "howto-no")


def test_options_that_decide_only_together() -> None:
    found = cross(read_cases(ROOT / "rulesets" / "foster.cases.yaml"), [ve.load("foster"), ve.load("howto-no")])
    together = [one for one in found.contradictions if one.together]
    assert together
    for one in together[:5]:
        mine = {name: values[0] for name, values in one.options.items()}
        assert len(mine) > 1
        theirs = ve.load(one.under)
        assert one.case.verdict(theirs.replace(**mine))[0] == HOLDS
        for left_out in mine:
            fewer = {name: value for name, value in mine.items() if name != left_out}
            assert one.case.verdict(theirs.replace(**fewer))[0] != HOLDS


def test_cases_that_change_an_option_are_left_out() -> None:
    changed = VOID.replace("    given:", "    with: {closing: not_played}\n    given:", 1)
    found = cross(cases(changed), [ve.load("foster")])
    assert (found.rows, found.left_out) == ((), 1)


def test_positions_that_do_not_fit() -> None:
    (one,) = cases(VOID)
    twenty = ve.load("foster").replace(pack_cards=20, hand_cards=5, exchange_card="jack")
    assert one.verdict(twenty)[0] == UNFIT


# ---- the command ----------------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "mine.cases.yaml"
    path.write_text("cases:\n" + VOID, "utf-8")
    return str(path)


def test_coverage_as_text_and_json(file: str) -> None:
    shown = run(file, "--coverage").stdout
    assert shown.startswith("1 passed, 0 failed\n\nfoster: ")
    assert "  no case exercises:\n" in shown
    assert "    claim_forfeit " in shown
    assert all(len(line) <= 80 for line in shown.splitlines())
    told: dict[str, Any] = json.loads(run(file, "--coverage", "--json").stdout)
    assert told["coverage"][0]["missing"] == list(covered(VOID).missing)


def test_values_that_would_do_as_well_are_told_in_words() -> None:
    rules = ve.load("foster").replace(closing_talon_min=4)
    alike: dict[str, tuple[str | int, ...]] = {"closing_talon_min": (5,), "marriage_lead": ("queen", "king")}
    shown = coverage_text(Coverage(rules, 3, tuple(alike), (), alike, (), ()), 80)
    assert shown.splitlines()[1:] == [
        "  exercised, but with another value every case would come out the same:",
        "    closing_talon_min  is 4; 5 would do as well",
        "    marriage_lead      is king_or_queen; queen or king would do as well",
    ]
    other = "is 0; 1, 2 or 3 would do as well"
    assert other in coverage_text(
        Coverage(rules.replace(value_win=0), 1, ("value_win",), (), {"value_win": (1, 2, 3)}, (), ()), 80
    )


def test_numbers_that_decide_nothing_are_not_missing() -> None:
    assert "claim_open_closes" in covered(VOID).missing
    # There a false claim is as dear as a failed closing anyway.
    assert "claim_open_closes" in covered(VOID.replace("[foster]", "[app-af]")).meaningless


def test_the_matrix_as_text_and_json(file: str) -> None:
    shown = run(file, "--matrix").stdout
    assert "= holds, x contradicts,\n- the position cannot be set up, / a move" in shown
    assert "foster: a trump led need not be followed" in shown
    told = json.loads(run(file, "--matrix", "--json").stdout)["matrix"]
    assert told["rulesets"] == [head.id for head in ve.rulesets()]
    assert told["rows"][0]["where"] == "¶21.3"


@pytest.mark.slow
def test_missing_prints_a_file_of_cases(file: str, tmp_path: Path) -> None:
    done = run(file, "--missing")
    assert done.stderr == "1 passed, 0 failed\n"
    more = tmp_path / "more.cases.yaml"
    more.write_text(done.stdout, "utf-8")
    assert run(str(more)).stdout.endswith(" 0 failed\n")
    before = {name for one in cover(read_cases(file)) for name in one.missing}
    after = {name for one in cover([*read_cases(file), *read_cases(more)]) for name in one.missing}
    # What is still missing was not found, and says so.
    assert len(after) < len(before) / 4
    assert all(f"# {name}: no case was found" in done.stdout for name in after)


def test_missing_stands_alone(file: str) -> None:
    assert "stands alone" in run(file, "--missing", "--coverage", status=2).stderr


# ---- how far it is -------------------------------------------------------------------------------------------------


class Screen(StringIO):
    """A standard error that is a terminal."""

    def isatty(self) -> bool:
        return True


def steps_at(monkeypatch: pytest.MonkeyPatch, screen: StringIO, seconds: float) -> str:
    """What is shown when each of five steps takes so long."""
    now = count(step=seconds)
    monkeypatch.setattr("cli.steps.monotonic", lambda: next(now))
    monkeypatch.setattr(sys, "stderr", screen)
    with Steps("trying") as steps:
        for done in range(5):
            steps(done, 5, "turn_up")
    return screen.getvalue()


def test_what_takes_long_tells_a_terminal_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = steps_at(monkeypatch, Screen(), 1)
    assert shown.startswith("\rtrying: 0 of 5, turn_up\x1b[K\r")
    # In the end it is gone.
    assert shown.endswith("\r\x1b[K")
    assert shown.count("of 5") > 1


def test_what_is_quick_or_read_by_a_program_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert steps_at(monkeypatch, Screen(), 0.01) == ""
    assert steps_at(monkeypatch, StringIO(), 1) == ""


def test_every_report_tells_how_far_it_is() -> None:
    told: list[tuple[int, int]] = []
    two = cases(VOID, VOID.replace("[foster]", "[app-af]"))
    cover(two, lambda done, of: told.append((done, of)))
    assert told == [(done, 2 * len(OPTIONS)) for done in range(2 * len(OPTIONS))]
    told.clear()
    cross(two, [], lambda done, of: told.append((done, of)))
    assert told == [(0, 2), (1, 2)]
    begun: list[str] = []
    few = Coverage(ve.load("foster"), 0, (), ("pack_cards",), {}, (), ())
    list(propose(few, begun.append))
    assert begun == ["pack_cards"]


def test_reports_show_it_at_a_terminal(tmp_path: Path) -> None:
    with Terminal("test", "handbook", "--coverage", home=tmp_path) as terminal:
        assert terminal.wait_for("trying every value of every option: ", 0)
        assert terminal.wait_for("options exercised by", 0)


@pytest.mark.parametrize("what", ['play: "A:HK', "cannot: [HK"])
def test_more_moves_than_a_deal_can_have_are_refused_at_once(what: str, tmp_path: Path) -> None:
    file = tmp_path / "long.cases.yaml"
    moves = " B:SA A:HK" * 30_000 if "play" in what else ", HK" * 30_000
    text = VOID.replace('play: "A:HK', f"play: \"A:HK{moves}") if "play" in what else VOID.replace(
        "legal_cards: [HJ, SA]", f"cannot: [HK{moves}]"
    )
    file.write_text(f"cases:\n{text}", "utf-8")
    begun = monotonic()
    error = run(str(file), "--matrix", status=2).stderr
    assert "than 200" in error
    assert monotonic() - begun < 5


# ---- a ruleset of the author's own ----------------------------------------------------------------------------------

FOUR = """\
format: 1
id: four
title: "Four"
kind: house
extends: foster
options:
  closing_talon_min: 4
  claim_forfeit: 3
"""


@pytest.fixture
def four(tmp_path: Path) -> Path:
    """The cases of a ruleset that lies beside them, and is named by its path."""
    (tmp_path / "four.yaml").write_text(FOUR, "utf-8")
    file = tmp_path / "four.cases.yaml"
    file.write_text("cases:\n" + VOID.replace("[foster]", '["four.yaml"]'), "utf-8")
    return file


def test_what_is_proposed_for_a_path_is_bound_by_this_path(four: Path) -> None:
    text = run(str(four), "--missing").stdout
    assert text.count('rulesets: ["four.yaml"]') == 2
    more = four.with_name("more.cases.yaml")
    more.write_text(text, "utf-8")
    assert "2 passed, 0 failed" in run(str(more)).stdout
    assert "No case is missing" in run(str(four), str(more), "--missing").stdout


def test_a_file_that_names_no_ruleset_binds_the_one_beside_it(four: Path) -> None:
    four.write_text(four.read_text("utf-8").replace('    rulesets: ["four.yaml"]\n', ""), "utf-8")
    told = json.loads(run(str(four), "--missing", "--json").stdout)
    assert {one["option"] for one in told["missing"]} == {"closing_talon_min", "claim_forfeit"}
    assert all('rulesets: ["four.yaml"]' in one["case"] for one in told["missing"])


def test_reports_keep_to_what_the_file_itself_says_unless_asked_for_all(four: Path) -> None:
    own = run(str(four), "--coverage").stdout
    assert "four: 0 of 2 own options exercised by 1 case\n" in own
    assert "follow_open" not in own
    everything = json.loads(run(str(four), "--coverage", "--all", "--json").stdout)["coverage"][0]
    assert everything["missing"][:2] == ["closing_talon_min", "claim_forfeit"]
    assert "follow_open" in everything["exercised"]
    assert "--all goes with" in run(str(four), "--all", status=2).stderr


#: With so many face-down cards the talon can be closed, or cannot.
CLOSES = """\
  - name: "closing with {talon} cards"
    rulesets: ["four.yaml"]
    given:
      dealer: B
      trump: H
      turn_up: H9
      talon: [{cards}]
      hands: {{A: "HK HQ SA S9 CA C9", B: "HJ ST DA DT CT CJ"}}
      tricks: {{A: 1, B: 0}}
    expect: {{{can}: ["|"]}}
"""


def test_no_case_is_asked_for_that_there_cannot_be(four: Path) -> None:
    """Two cases tell four cards from all that can be told from it; five are the same."""
    items = [
        CLOSES.format(talon=5, cards="SK, SQ, DK, DQ, CK", can="can"),
        CLOSES.format(talon=3, cards="SK, SQ, DK", can="cannot"),
    ]
    told = []
    for some in (items, items[:1], items[1:]):
        four.write_text("cases:\n" + "".join(some), "utf-8")
        (one,) = cover(read_cases(four))
        assert "closing_talon_min" in one.exercised
        told.append(one.alike.get("closing_talon_min", ()))
    assert told == [(), (1, 3), (6,)]
