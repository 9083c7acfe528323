"""The generated schemas: valid, up to date, accepting what is right and locating what is not."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from variant_engine.hints import nearest
from variant_engine.options import OPTIONS, Option
from variant_engine.schema import case_schema, main, ruleset_schema, schema_files
from variant_engine.structure import check_cases, check_ruleset
from variant_engine.yamlfile import parse_yaml

BANNED_TOKENS = {"yes", "no", "on", "off", "y", "n", "true", "false", "null"}


@pytest.mark.parametrize("schema", [ruleset_schema(), case_schema()])
def test_the_schemas_are_schemas(schema: dict[str, Any]) -> None:
    Draft202012Validator.check_schema(schema)


def test_the_files_are_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"]) == 0
    assert capsys.readouterr().out == ""


def test_writing_and_comparing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"], tmp_path) == 1
    assert main([], tmp_path) == 0
    assert main(["--check"], tmp_path) == 0
    (tmp_path / "cases.schema.json").write_text("{}")
    capsys.readouterr()
    assert main(["--check"], tmp_path) == 1
    assert capsys.readouterr().out.startswith("cases.schema.json does not fit")
    assert main(["--chekc"], tmp_path) == 2
    assert set(schema_files()) == {path.name for path in tmp_path.iterdir()}


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_no_reader_of_yaml_misreads_a_token(option: Option) -> None:
    for word in (option.name, *option.tokens):
        assert re.fullmatch("[a-z][a-z0-9_]*", word)
        assert word not in BANNED_TOKENS
        assert yaml.safe_load(word) == word


def _blocks(schema: Any) -> list[dict[str, Any]]:
    """Every schema inside ``schema`` that has properties of its own."""
    found = []
    if isinstance(schema, dict):
        if "properties" in schema and "type" in schema:
            found.append(schema)
        for inner in schema.values():
            found += _blocks(inner)
    elif isinstance(schema, list):
        for inner in schema:
            found += _blocks(inner)
    return found


def test_blocks_are_closed_and_say_unknown_before_missing() -> None:
    for block in _blocks(ruleset_schema()) + _blocks(case_schema()):
        assert block["additionalProperties"] is False
        assert list(block).index("additionalProperties") < list(block).index("required")


def test_every_property_and_value_of_a_ruleset_is_described() -> None:
    schema = ruleset_schema()
    for block in _blocks(schema):
        for inner in block["properties"].values():
            target = schema["$defs"][inner["$ref"].rsplit("/", 1)[1]] if "$ref" in inner else inner
            assert target["description"]
    for option in OPTIONS:
        definition = schema["$defs"][option.name]
        if option.values:
            assert len(definition["markdownEnumDescriptions"]) == len(definition["enum"])


def test_names_of_definitions_do_not_clash() -> None:
    assert not {"status", "where", "why"} & {option.name for option in OPTIONS}


HEAD = "format: 1\nid: x\ntitle: X\nkind: house\noptions:\n"
LINES_OF_HEAD = HEAD.count("\n")
ANSWERS = st.fixed_dictionaries({}, optional={o.name: st.sampled_from(o.answers()) for o in OPTIONS})


def written(options: dict[str, Any], evidence: bool) -> str:
    if not evidence:
        return "".join(f"  {name}: {value}\n" for name, value in options.items()) or "  {}\n"
    return "".join(f"  {n}: {{value: {v}, status: stated, where: [¶1.1]}}\n" for n, v in options.items()) or "  {}\n"


@settings(derandomize=True, max_examples=100, deadline=None)
@given(ANSWERS, st.booleans())
def test_valid_rulesets_pass(options: dict[str, Any], evidence: bool) -> None:
    document = parse_yaml(HEAD + written(options, evidence), "x.yaml")
    assert check_ruleset(document).found == []
    assert list(Draft202012Validator(ruleset_schema()).iter_errors(document.data)) == []


@st.composite
def near_misses(draw: st.DrawFn) -> tuple[str, int, str, str]:
    """Options with one mistake: the text, the number of the line with it, the word there, and the word meant."""
    options = draw(ANSWERS.filter(bool))
    evidence = draw(st.booleans())
    name = draw(st.sampled_from(sorted(options)))
    option = next(o for o in OPTIONS if o.name == name)
    line = LINES_OF_HEAD + 1 + list(options).index(name)
    text = written(options, evidence)
    words = [name] if option.is_number else [name, str(options[name])]
    word = draw(st.sampled_from(words))
    at = draw(st.integers(0, len(word) - 1))
    wrong = draw(
        st.sampled_from(
            [
                word[:at] + word[at + 1 :],
                word[:at] + word[at] + word[at:],
                word.upper(),
                word.replace("_", "-"),
                word + "s",
            ]
        )
    )
    known = [o.name for o in OPTIONS] if word == name else list(option.tokens)
    if wrong in known or not wrong:
        wrong = word + "x"
    before, after = (f"  {name}:", f"  {wrong}:") if word == name else (f"{name}: {word}\n", f"{name}: {wrong}\n")
    if word != name and evidence:
        before, after = f"{name}: {{value: {word},", f"{name}: {{value: {wrong},"
    assert before in text
    return HEAD + text.replace(before, after, 1), line, wrong, word


@settings(derandomize=True, max_examples=300, deadline=None)
@given(near_misses())
def test_near_misses_are_found_where_they_are(miss: tuple[str, int, str, str]) -> None:
    text, line, wrong, meant = miss
    found = check_ruleset(parse_yaml(text, "x.yaml")).found
    assert len(found) == 1
    (one,) = found
    assert one.code in ("S110", "S112")
    assert one.spot.line == line
    assert one.place.text[one.spot.column - 1 : one.place.end - 1] == wrong
    if len(meant) > 5 and nearest(wrong, [meant]) == meant:
        assert "did you mean" in one.help or "similar" in one.help


SHAPES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 300) | st.floats(allow_nan=False) | st.text("ab¶.1\n ", max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["value", "status", "where", "why", "also", "readings", "closing", "type", "a"]), inner
        )
    ),
    max_leaves=8,
)
HEADS = st.dictionaries(
    st.sampled_from([*ruleset_schema()["properties"], "kinds"]), SHAPES | st.fixed_dictionaries({"closing": SHAPES})
)


@settings(derandomize=True, max_examples=400, deadline=None)
@given(HEADS)
def test_whatever_the_shape_every_error_has_a_place(data: dict[str, Any]) -> None:
    document = parse_yaml(json.dumps(data, indent=1), "x.yaml")
    problems = check_ruleset(document)
    expected = list(Draft202012Validator(ruleset_schema()).iter_errors(document.data))
    assert problems.found or not expected
    for found in problems.found:
        assert 1 <= found.spot.line <= len(document.lines)
        assert found.place.end > found.spot.column


def test_shipped_cases_fit_their_schema() -> None:
    for path in sorted((Path(__file__).parent.parent / "rulesets").glob("*.cases.yaml")):
        assert check_cases(parse_yaml(path.read_text(encoding="utf-8"), path.name)).found == []
