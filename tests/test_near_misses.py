"""Small mistakes of every kind land on the right line, whatever the file around them, and say what was meant."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from variant_engine.checking import check_text
from variant_engine.diagnostics import Diagnostic
from variant_engine.hints import values_help
from variant_engine.indents import odd_lines
from variant_engine.options import BY_NAME, OPTIONS, Option
from variant_engine.options.conflicts import broken_conflicts
from variant_engine.yamlfile import parse_yaml

HEAD = "# ours\nformat: 1\nid: x\ntitle: X\nkind: house\n"
EVIDENCE = ("status: stated", "where: [¶1.1]", "why: because")
Lines = list[str]


@st.composite
def files(draw: st.DrawFn, least: int = 1) -> tuple[Lines, dict[int, tuple[Option, Any]]]:
    """A right ruleset file as lines, with the option and value of every line that has one."""
    chosen = draw(st.lists(st.sampled_from(OPTIONS), min_size=least, max_size=8, unique=True))
    values = {option.name: draw(st.sampled_from(option.answers())) for option in chosen}
    assume(not broken_conflicts({option.name: option.neutral for option in OPTIONS} | values))
    lines = [*HEAD.splitlines(), "options:"]
    at: dict[int, tuple[Option, Any]] = {}
    for option in chosen:
        value = values[option.name]
        if draw(st.booleans()):
            at[len(lines)] = option, value
            lines.append(f"  {option.name}: {value}")
        else:
            lines.append(f"  {option.name}:")
            at[len(lines)] = option, value
            lines.append(f"    value: {value}")
            lines += [f"    {more}" for more in draw(st.lists(st.sampled_from(EVIDENCE), unique=True))]
        if draw(st.integers(0, 5)) == 0:
            lines.append(draw(st.sampled_from(["", "  # a comment", "# another"])))
    return lines, at


def found_in(lines: Lines) -> list[Diagnostic]:
    return [one for one in check_text("\n".join(lines) + "\n", "x.yaml") if one.is_error]


def stretch(found: Diagnostic) -> str:
    return found.place.text[found.spot.column - 1 : found.place.end - 1]


@settings(derandomize=True, max_examples=100, deadline=None)
@given(files())
def test_the_files_are_right(drawn: tuple[Lines, dict[int, tuple[Option, Any]]]) -> None:
    assert found_in(drawn[0]) == []


WRONG = ["true", "no", "5.5", "-1", "99999", "some words", '"x"', "[a]", "[]", "{}", "", "null", "1_5", "'7'", "12:30"]


@settings(derandomize=True, max_examples=400, deadline=None)
@given(files(), st.sampled_from(WRONG), st.data())
def test_a_value_of_a_wrong_type_is_found_where_it_stands(
    drawn: tuple[Lines, dict[int, tuple[Option, Any]]], wrong: str, data: st.DataObject
) -> None:
    lines, at = drawn
    place = data.draw(st.sampled_from(sorted(at)))
    option, _ = at[place]
    key = lines[place].partition(":")[0].strip()
    lines[place] = lines[place].partition(":")[0] + f": {wrong}"
    found = found_in(lines)
    assert len(found) == 1
    (one,) = found
    # Of something that should be an option in the short form, an empty block is one that lacks its value.
    assert one.code in ("S111", "S112", "S113", "S114")
    assert one.spot.line == place + 1
    assert stretch(one) == (wrong if wrong and one.code != "S113" else key)
    assert option.name in one.message or one.code == "S113"
    quoted_number = wrong.strip("'\"").isdigit() and wrong[0] in "'\"" and option.is_number
    if quoted_number and int(wrong[1:-1]) in option.answers():
        assert one.help == f"remove the quotation marks: {wrong[1:-1]}"
        assert one.fix is not None
        assert one.fix.text == wrong[1:-1]
    elif one.code == "S112":
        assert "did you mean" in one.help or "no yes and no" in one.help or one.help == values_help(option)
    elif one.code in ("S111", "S114") and option.is_number:
        assert str(option.unit) in one.message + one.help


TOP = {
    "format": ["'1'", "2", "one", "[1]"],
    "id": ["66", "[x]", "X", "true"],
    "title": ["66", "true", "[x]", "1.10", "{a: b}"],
    "kind": ["hose", "Attested", "7", "[house]"],
    "options": ["closing", "[closing]", "5"],
}


@settings(derandomize=True, max_examples=100, deadline=None)
@given(files(), st.sampled_from(sorted(TOP)), st.data())
def test_a_wrong_value_in_the_head(
    drawn: tuple[Lines, dict[int, tuple[Option, Any]]], key: str, data: st.DataObject
) -> None:
    lines, _ = drawn
    wrong = data.draw(st.sampled_from(TOP[key]))
    place = next(place for place, line in enumerate(lines) if line.startswith(f"{key}:"))
    lines[place] = f"{key}: {wrong}"
    if key == "options":
        del lines[place + 1 :]
    found = found_in(lines)
    assert found
    assert found[0].spot.line == place + 1
    assert found[0].code in ("S111", "S112", "S115", "S117")
    assert key in found[0].message or found[0].code == "S117"


@settings(derandomize=True, max_examples=600, deadline=None)
@given(files(least=3), st.data())
def test_a_moved_line_is_the_one_that_is_named(
    drawn: tuple[Lines, dict[int, tuple[Option, Any]]], data: st.DataObject
) -> None:
    lines, _ = drawn
    places = [place for place, line in enumerate(lines) if line.strip() and line.strip()[0] != "#"]
    place = data.draw(st.sampled_from(places))
    before = values_of(lines)
    indent = len(lines[place]) - len(lines[place].lstrip())
    other = data.draw(st.integers(max(0, indent - 4), indent + 5).filter(lambda number: number != indent))
    lines[place] = " " * other + lines[place].lstrip()
    found = found_in(lines)
    if not found:
        # It still means what it did: the only line of its block may stand as deep as it likes.
        assert values_of(lines) == before
        return
    said = [one.spot.line for one in found]
    said += [note.place.spot.line for one in found for note in one.notes if note.place]
    assert place + 1 in said, (lines[place], [one.message for one in found])
    if found[0].code == "Y109" and found[0].spot.line != place + 1:
        # Where of two lines either may have been moved, the one that stands as is customary is taken to be right.
        assert len(_like(lines, place)) < 2


def values_of(lines: Lines) -> Any:
    return parse_yaml("\n".join(lines) + "\n", "x.yaml").data


def _like(lines: Lines, place: int) -> list[str]:
    """The other lines whose key is of the same sort."""
    key = lines[place].strip().partition(":")[0]
    keys = [line.strip().partition(":")[0] for line in lines]
    sort = set(BY_NAME) if key in BY_NAME else {"value", "status", "where", "why"}
    return [other for other in keys if other in sort and other != key]


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.lists(st.text("ab:- #\"'{}[]\t", max_size=12), max_size=12), st.integers(0, 14), st.booleans())
def test_any_lines_can_be_looked_at(lines: Lines, error: int, cases: bool) -> None:
    for odd in odd_lines(lines, error, cases=cases):
        assert 1 <= odd.line <= len(lines)
        assert odd.indent != odd.usual
