"""Resolved rulesets: values, inheritance, changes, hash."""

from __future__ import annotations

import copy
import hashlib
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from variant_engine.diagnostics import RuleFileError
from variant_engine.evidence import Evidence
from variant_engine.loading import load, rulesets
from variant_engine.options import BY_NAME, OPTIONS
from variant_engine.ruleset import BadValue, ContradictoryOptions, Ruleset, RulesetError, UnknownOption, read_value

BASE = """\
format: 1
id: base
title: "Base"
kind: house
lineage: stem
language: de
source: {type: text, file: a.txt, sha256: "0000000000000000000000000000000000000000000000000000000000000000"}
options:
  hand_cards: 5
  turn_up:
    value: seventh_card
    status: stated
    where: ["¶1.2"]
    also:
      - {value: last_card, where: ["¶1.3"]}
  closing_draw:
    value: after_drawing
    status: ambiguous
    where: ["¶2.1"]
    why: two ways to read it
    readings: [after_drawing, either]
"""
CHILD = "format: 1\nid: child\ntitle: Child\nkind: house\nextends: base\noptions:\n  hand_cards: 4\n  pack_cards: 32\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "base.yaml").write_text(BASE, encoding="utf-8")
    (tmp_path / "child.yaml").write_text(CHILD, encoding="utf-8")
    return tmp_path


def test_every_option_has_a_value_and_evidence(folder: Path) -> None:
    rules = load("base.yaml")
    assert list(rules.values) == list(rules.evidence) == [option.name for option in OPTIONS]
    assert rules["hand_cards"] == 5
    assert rules["follow_open"] == "free"
    assert rules.evidence["follow_open"] == Evidence("free")
    said = rules.evidence["turn_up"]
    assert (said.status, said.where, said.ruleset, str(said.spot)) == ("stated", ("¶1.2",), "base", "base.yaml:10:3")
    assert rules.source is not None
    assert rules.source.file == "a.txt"


def test_inherited_values_keep_where_they_come_from(folder: Path) -> None:
    rules = load("child.yaml")
    assert (rules.parent, rules.lineage, rules.language, rules.source) == ("base", "stem", "de", None)
    assert (rules["hand_cards"], rules["pack_cards"], rules["turn_up"]) == (4, 32, "seventh_card")
    assert [rules.evidence[name].ruleset for name in ("hand_cards", "turn_up", "follow_open")] == ["child", "base", ""]
    assert str(rules.evidence["turn_up"].spot) == "base.yaml:10:3"
    assert list(rules.sources) == ["base"]


def test_a_changed_file_is_read_again(folder: Path) -> None:
    assert load("base.yaml")["hand_cards"] == 5
    (folder / "base.yaml").write_text(BASE.replace("hand_cards: 5", "hand_cards: 10"), encoding="utf-8")
    assert load(Path("base.yaml"))["hand_cards"] == 10


def test_rulesets_cannot_be_changed(folder: Path) -> None:
    rules = load("base.yaml")
    with pytest.raises(AttributeError):
        rules.id = "other"  # type: ignore[misc]
    with pytest.raises(TypeError):
        rules.values["hand_cards"] = 6  # type: ignore[index]


def test_replace(folder: Path) -> None:
    rules = load("base.yaml")
    changed = rules.replace(hand_cards=6, turn_up="last_card", closing_draw="either", follow_open="required")
    assert rules["hand_cards"] == 5
    assert changed.diff == (
        ("hand_cards", 6),
        ("turn_up", "last_card"),
        ("follow_open", "required"),
        ("closing_draw", "either"),
    )
    assert changed.evidence["hand_cards"] == Evidence(6)
    assert changed.evidence["turn_up"] == Evidence("last_card", where=("¶1.3",), ruleset="base")
    assert changed.evidence["closing_draw"] == Evidence("either", where=("¶2.1",), ruleset="base")
    assert changed.evidence["pack_cards"] == rules.evidence["pack_cards"]
    back = changed.replace(hand_cards=5, turn_up="seventh_card", closing_draw="after_drawing", follow_open="free")
    assert back == rules
    assert back.diff == rules.diff == ()
    assert hash(back) == hash(rules)
    assert back.evidence == rules.evidence


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"turnup": "x"}, UnknownOption,
         "there is no option called 'turnup'; did you mean 'turn_up'? Which card is turned up for trumps?"),
        ({"turn_up": "seventh"}, BadValue,
         "'seventh' is no value of 'turn_up'; did you mean 'seventh_card'? "
         "the first card after the first round of packets; dealing then goes on"),
        ({"hand_cards": 16}, BadValue, "'hand_cards' must be a whole number from 2 to 15 (cards), not 16"),
        ({"hand_cards": "5"}, BadValue, "'hand_cards' must be a whole number from 2 to 15 (cards), not '5'"),
        ({"hand_cards": True}, BadValue, "'hand_cards' must be a whole number from 2 to 15 (cards), not true"),
        ({"closing": None}, BadValue, None),
        ({"closing": ["on_lead"]}, BadValue, None),
        ({"hand_cards": 6.0}, BadValue, None),
        ({"pack_cards": 20, "hand_cards": 10, "exchange_card": "jack"}, ContradictoryOptions,
         "two hands of 10 leave no talon in a pack of 20 cards (write at most 9 for 'hand_cards')"),
    ],
)  # fmt: skip
def test_changes_that_cannot_be_made(
    folder: Path, change: dict[str, str | int], error: type[RulesetError], message: str | None
) -> None:
    with pytest.raises(error) as caught:
        load("base.yaml").replace(**change)
    assert isinstance(caught.value, ValueError)
    if message is not None:
        assert str(caught.value) == message
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_unknown_options_are_refused_as_keys(folder: Path) -> None:
    with pytest.raises(UnknownOption):
        load("base.yaml")["turnup"]


def test_values_are_read_from_text() -> None:
    assert read_value("hand_cards", "5") == 5
    assert read_value("closing", "on_lead") == "on_lead"
    for name, text in (
        ("hand_cards", "five"),
        ("hand_cards", "9" * 5000),
        ("closing", "5"),
        ("hand_cards", "\N{ARABIC-INDIC DIGIT FIVE}"),
    ):
        with pytest.raises(BadValue):
            read_value(name, text)


def test_hash_is_over_the_sorted_lines_that_are_not_neutral(folder: Path) -> None:
    rules = load("base.yaml")
    lines = "hand_cards=5\nturn_up=seventh_card"
    assert rules.hash == "sha256:" + hashlib.sha256(lines.encode()).hexdigest()
    assert rules.replace(turn_up_place="beside_talon").hash == rules.hash
    neutral = rules.replace(hand_cards=6, turn_up="thirteenth_card")
    assert neutral.hash == "sha256:" + hashlib.sha256(b"").hexdigest()


def test_rulesets_travel_between_processes(folder: Path) -> None:
    rules = load("child.yaml").replace(hand_cards=6)
    for again in (pickle.loads(pickle.dumps(rules)), copy.copy(rules), copy.deepcopy(rules)):
        assert isinstance(again, Ruleset)
        assert again == rules
        assert (again.hash, again.diff) == (rules.hash, rules.diff)


def test_errors_travel_between_processes() -> None:
    with pytest.raises(RuleFileError) as caught:
        load("absent.yaml")
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.diagnostics == caught.value.diagnostics


def test_what_ships_loads_under_its_id() -> None:
    heads = rulesets()
    assert [head.id for head in heads] == sorted(head.id for head in heads)
    for head in heads:
        rules = load(head.id)
        assert (rules.id, rules.title, rules.kind) == (head.id, head.title, head.kind)


def test_listing_needs_no_jsonschema() -> None:
    program = (
        "import sys, variant_engine.ruleset; assert 'yaml' not in sys.modules\n"
        "from variant_engine.loading import rulesets; rulesets()\n"
        "assert 'yaml' in sys.modules and 'jsonschema' not in sys.modules and 'difflib' not in sys.modules\n"
    )
    root = Path(__file__).parent.parent
    subprocess.run([sys.executable, "-c", program], check=True, cwd=root)


def test_numbers_are_told_with_their_unit() -> None:
    claim, cards = BY_NAME["claim_forfeit"], BY_NAME["pack_cards"]
    assert [claim.meaning(number) for number in (0, 1, 2)] == ["0 game points", "1 game point", "2 game points"]
    assert BY_NAME["closing_talon_min"].meaning(1) == "1 face-down card"
    assert (claim.span, cards.span) == ("0 to 12 game points", "20, 24 or 32 cards")
