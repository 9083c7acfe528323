"""Kinds of difference, distances, and that no option which is said to bear on a deal is inert."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from typer.testing import CliRunner

import variant_engine as ve
from cli.main import app
from tests.strategies import neutral, ruleset, shipped
from variant_engine.compare.distance import distance, distances
from variant_engine.compare.kinds import (
    BETWEEN,
    KINDS,
    NEVER,
    PARTS,
    PRESENTATION,
    SCORE,
    difference,
    differences,
    effect,
    kind_of,
)
from variant_engine.compare.witness import NoWitness, Witness
from variant_engine.options import OPTIONS, Condition, Option
from variant_engine.options.conflicts import broken_conflicts
from variant_engine.ruleset import Ruleset

Value = str | int

FOSTER = ve.load("foster")
HANDBOOK = ve.load("handbook")


@pytest.mark.parametrize(
    ("option", "kind"),
    [
        ("closing_first_lead", PARTS),
        ("marriage_late", PARTS),
        ("end_both_reached", SCORE),
        ("claim_forfeit_trickless", SCORE),
        ("marriage_counts", NEVER),
        ("first_dealer", BETWEEN),
        ("marriage_shown", PRESENTATION),
    ],
)
def test_kinds(option: str, kind: str) -> None:
    found = difference(FOSTER, HANDBOOK, option, 200)
    assert found.kind == kind
    assert kind in KINDS
    if kind in (PARTS, SCORE):
        assert isinstance(found.answer, Witness)
        assert found.answer.kind == ("result" if kind == SCORE else "move")
    elif kind == NEVER:
        assert isinstance(found.answer, NoWitness)
        assert found.proved
    else:
        assert found.answer is None
    json.dumps(found.as_json())


def test_other_cards_part_in_play() -> None:
    assert kind_of(FOSTER, ve.load("schnapsen-vu"), "pack_cards") == PARTS
    found = difference(FOSTER, ve.load("schnapsen-vu"), "pack_cards", 20)
    assert isinstance(found.answer, Witness)
    assert found.answer.kind == "pack"


def test_all_differing_options_of_two() -> None:
    other = HANDBOOK.replace(marriage_trick="needed", stakes="per_point", closing="not_played")
    found = differences([HANDBOOK, other], 60)
    assert [(one.option.name, one.kind) for one in found] == [
        ("marriage_trick", PARTS),
        ("closing", PARTS),
        ("stakes", BETWEEN),
    ]


def test_an_unmet_need_is_no_difference() -> None:
    howto = ve.load("howto-no")
    other = howto.replace(closing_draw="either")
    assert howto["closing"] == "not_played"
    found = difference(howto, other, "closing_draw", 20)
    assert found.kind == NEVER
    assert isinstance(found.answer, NoWitness)
    assert found.answer.unmet
    assert found.proved


# ---- no option is inert --------------------------------------------------------------------------------------------

BEARING = [option for option in OPTIONS if option.affects in ("play", "score")]


def settings(option: Option) -> Iterator[dict[str, Value]]:
    """Rules under which the option is asked: what it needs on top of the shipped rulesets and the neutral values."""
    conditions = [one for need in option.needs for one in need if isinstance(one, Condition)]
    needs: dict[str, Value] = {one.option: one.values[-1] for one in conditions}
    first: dict[str, Value] = {one.option: one.values[0] for one in conditions}
    bases = [*(dict(rules.values) for rules in shipped()), neutral()]
    for values in bases:
        yield values | first
        if needs != first:
            yield values | needs
    # Where nobody can go out, every deal is played out and counted.
    yield neutral() | first | {"closing": "not_played", "target_card_points": 90}
    yield neutral() | first | {"turn_up": "drawn_by_forehand", "pack_cards": 32}
    yield neutral() | first | {"end_none_reached": "last_trick", "schneider_limit": 66}


def candidates(option: Option, value: Value) -> list[Value]:
    """Other values to try, those that the sources give first; of numbers a few."""
    answers = list(option.answers())
    if option.is_number and len(answers) > 4:
        place = answers.index(value)
        near = [answers[at] for at in (place - 1, place + 1, place + 10, place - 10) if 0 <= at < len(answers)]
        answers = [*near, answers[0], answers[-1]]
    attested = [rules.values[option.name] for rules in shipped()]
    return [answer for answer in dict.fromkeys((*attested, *answers)) if answer != value]


def shown(option: Option, deals: int) -> str:
    """What the option comes to where it matters most among the rules tried."""
    best = NEVER
    for values in settings(option):
        if broken_conflicts(values):
            continue
        base = ruleset(values)
        for value in candidates(option, values[option.name]):
            changed = values | {option.name: value}
            if broken_conflicts(changed):
                continue
            found = effect(base.ints, ruleset(changed).ints, deals)
            if found == PARTS or (found == SCORE and option.affects == "score"):
                return found
            best = min(best, found, key=KINDS.index)
    return best


@pytest.mark.parametrize("option", BEARING, ids=lambda option: option.name)
def test_no_option_is_inert(option: Option) -> None:
    assert shown(option, 60) in (PARTS, SCORE) or shown(option, 1200) in (PARTS, SCORE)


@pytest.mark.parametrize("option", [option for option in BEARING if option.affects == "play"], ids=lambda o: o.name)
def test_options_about_play_part_in_play(option: Option) -> None:
    assert shown(option, 60) == PARTS or shown(option, 1200) == PARTS


# ---- distances -----------------------------------------------------------------------------------------------------


def test_distances() -> None:
    found = distances([ve.load("app-af"), ve.load("app-it"), HANDBOOK], deals=60)
    assert len(found.pairs) == 3
    same = found.between("app-it", "app-af")
    assert (same.differ, same.parting, same.scoring) == ((), (), ())
    assert found.nearest["app-af"] == "app-it"
    far = found.between("handbook", "app-af")
    assert set(far.parting) | set(far.scoring) <= set(far.differ)
    assert "closing_first_lead" in far.parting
    json.dumps(found.as_json())


def test_a_distance_is_the_same_both_ways() -> None:
    one, two = distance(FOSTER, HANDBOOK, 60), distance(HANDBOOK, FOSTER, 60)
    assert (one.differ, one.parting, one.scoring) == (two.differ, two.parting, two.scoring)


#: The options that part each two of the texts, those that only change the score, and how many differ at all.
PAIRS: dict[tuple[str, str], tuple[int, int, int]] = {
    ("app-af", "app-it"): (0, 0, 0),
    ("app-af", "foster"): (13, 2, 20),
    ("app-af", "handbook"): (8, 3, 16),
    ("app-af", "howto-no"): (7, 4, 12),
    ("app-it", "foster"): (13, 2, 20),
    ("app-it", "handbook"): (8, 3, 16),
    ("app-it", "howto-no"): (7, 4, 12),
    ("foster", "handbook"): (9, 3, 20),
    ("foster", "howto-no"): (12, 2, 19),
    ("handbook", "howto-no"): (5, 3, 14),
}


def test_the_distances_of_the_five_texts() -> None:
    found = distances([ve.load(name) for name in ("app-af", "app-it", "foster", "handbook", "howto-no")], 60)
    assert {pair.names: (len(pair.parting), len(pair.scoring), len(pair.differ)) for pair in found.pairs} == PAIRS
    assert found.between("foster", "howto-no").scoring == ("closing_forfeit_trickless", "claim_forfeit_trickless")
    # What never matters, or only concerns the table or the next deal, differs and no more.
    between = found.between("foster", "handbook")
    idle = set(between.differ) - set(between.parting) - set(between.scoring)
    assert {"marriage_counts", "first_dealer", "marriage_shown"} <= idle
    assert found.nearest == {
        "app-af": "app-it",
        "app-it": "app-af",
        "foster": "handbook",
        "handbook": "howto-no",
        "howto-no": "handbook",
    }


@pytest.mark.slow
def test_all_pairs_of_the_texts() -> None:
    texts: list[Ruleset] = [rules for rules in shipped() if rules.source is not None and rules.source.type == "text"]
    found = distances(texts)
    for one, two in combinations(texts, 2):
        between = found.between(one.id, two.id)
        assert bool(between.parting) == (one.hash != two.hash)
    kinds = differences(texts)
    for kind in kinds:
        assert (kind.option.affects in ("play", "score")) == (kind.kind not in (BETWEEN, PRESENTATION))
        if kind.kind in (PARTS, SCORE):
            assert isinstance(kind.answer, Witness)


# ---- the commands --------------------------------------------------------------------------------------------------


HOUSE = """\
format: 1
id: ours
title: "Ours"
kind: house
extends: handbook
options:
  marriage_trick: needed
  marriage_counts: with_a_trick
  stakes: per_point
"""


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, arguments)
    return result.exit_code, result.stdout


def test_compare_with_witnesses(tmp_path: Path) -> None:
    house = tmp_path / "ours.yaml"
    house.write_text(HOUSE, encoding="utf-8")
    code, text = run("compare", str(house), "handbook", "--witness")
    assert code == 0
    for part in (
        "Parts in play (1)",
        "marriage_trick",
        "only not_needed allows A:+40S",
        "Never matters (1)",
        "Between deals (1)",
    ):
        assert part in " ".join(text.split())
    code, text = run("compare", str(house), "handbook", "--witness", "--json")
    assert code == 0
    kinds = {kind["option"]: kind for kind in json.loads(text)["kinds"]}
    assert kinds["marriage_trick"]["kind"] == PARTS
    assert kinds["marriage_trick"]["witness"]["move"] == "A:+40S"
    assert kinds["marriage_counts"]["witness"]["proved"]


def test_distance_command() -> None:
    code, text = run("distance", "app-af", "app-it")
    assert code == 0
    assert "Nearest neighbour" in text
    code, text = run("distance", "app-af", "app-it", "--json")
    assert json.loads(text)["nearest"] == {"app-af": "app-it", "app-it": "app-af"}
    assert run("distance", "foster")[0] == 2
    assert run("distance", "foster", "nobody")[0] == 2
