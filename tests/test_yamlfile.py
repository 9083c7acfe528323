"""Reading YAML: values as YAML 1.2 has them, the place of everything, and no way to harm the reader."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from variant_engine import yamlfile
from variant_engine.diagnostics import RuleFileError, as_github, as_json, render
from variant_engine.textfile import split_lines
from variant_engine.yamlfile import Document, load_yaml, parse_yaml, read_head


def codes(text: str) -> list[str]:
    with pytest.raises(RuleFileError) as caught:
        parse_yaml(text, "x.yaml")
    return [found.code for found in caught.value.diagnostics]


def underlined(document: Document, path: yamlfile.Key, *, key: bool = False) -> str:
    place = document.place(path, key=key)
    return place.text[place.spot.column - 1 : place.end - 1]


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("no", "no"),
        ("yes", "yes"),
        ("on", "on"),
        ("Off", "Off"),
        ("y", "y"),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("9", 9),
        ("-3", -3),
        ("+3", 3),
        ("010", 10),
        ("0o10", 8),
        ("0x1F", 31),
        ("1_000", "1_000"),
        ("12:30", "12:30"),
        ("2024-01-01", "2024-01-01"),
        ("1e3", 1000.0),
        ("1.5", 1.5),
        (".inf", float("inf")),
        ("=", "="),
        ("66", 66),
        ("'66'", "66"),
        ('"no"', "no"),
        ("9" * 5000, "9" * 5000),
        ("HA HK", "HA HK"),
        ("!", None),
    ],
)
def test_scalars_are_read_as_yaml_1_2(raw: str, value: Any) -> None:
    if raw == "!":
        assert codes("a: !\n") == ["Y113"]
        return
    assert parse_yaml(f"a: {raw}\n", "x.yaml").data == {"a": value}


def test_not_a_number() -> None:
    value = parse_yaml("a: .nan\n", "x.yaml").data["a"]
    assert value != value


def test_places_and_raw_texts() -> None:
    document = parse_yaml("a:\n  - b: 010\n  - [\"x\", {c: 66 }]\nno: 'it''s'\n", "x.yaml")
    assert document.data == {"a": [{"b": 10}, ["x", {"c": 66}]], "no": "it's"}
    assert underlined(document, ("a",), key=True) == "a"
    assert underlined(document, ("a", 0, "b")) == "010"
    assert document.raw(("a", 0, "b")) == "010"
    assert underlined(document, ("a", 1)) == '["x", {c: 66 }]'
    assert underlined(document, ("a", 1, 0)) == '"x"'
    assert document.locs[("a", 1, 0)].style == '"'
    assert underlined(document, ("a", 1, 1, "c"), key=True) == "c"
    assert str(document.place(("a", 1, 1, "c")).spot) == "x.yaml:3:15"
    assert underlined(document, ("no",)) == "'it''s'"
    assert document.raw(("no",)) == "it's"
    assert document.raw(("a",)) is None


def test_keys_are_text() -> None:
    assert parse_yaml("9: a\nno: b\ntrue: c\n~: d\n", "x.yaml").data == {"9": "a", "no": "b", "true": "c", "~": "d"}


def test_an_absent_value_is_shown_at_its_key() -> None:
    document = parse_yaml("a:\nb: 1\n", "x.yaml")
    assert underlined(document, ("a",)) == "a"


def test_windows_line_ends_and_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\nb: two\r\n")
    document = load_yaml(path)
    assert document.data == {"a": 1, "b": "two"}
    assert underlined(document, ("b",)) == "two"
    assert document.place(("a",), key=True).spot.column == 1


def test_all_bans_are_reported_at_once() -> None:
    assert codes("a: &x 1\nb: *x\nc: !!int 3\n<<: {d: 1}\na: 2\n") == ["Y111", "Y112", "Y113", "Y114", "Y120"]


def test_quoted_merge_sign_is_only_text() -> None:
    assert parse_yaml("'<<': 1\n", "x.yaml").data == {"<<": 1}


def test_duplicate_keys_show_both_places() -> None:
    with pytest.raises(RuleFileError) as caught:
        parse_yaml("a: 1\n'a': 2\n", "x.yaml")
    (found,) = caught.value.diagnostics
    assert (found.spot.line, found.notes[0].place and found.notes[0].place.spot.line) == (2, 1)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a: \x85", "Y107"),
        ("a: b\u2028c", "Y107"),
        ("a: b\u2029c", "Y107"),
        ("a: \x00", "Y107"),
        ("a: \x1b[31m", "Y107"),
        ("\ufeffa: 1", "Y107"),
        ('a: "\\uD800"', "Y107"),
        ('a: "\\u2028"', "Y107"),
        ('a: "\\P\\N"', "Y107"),
        ("a:\tb", "Y108"),
        ("\ta: b", "Y108"),
        ('a: "\\UFFFFFFFF"', "Y110"),
        ("%YAML 1." + "9" * 5000 + "\n---\na: 1", "Y110"),
        ("%YAML 1.1\n---\na: 1", "Y116"),
        ("%TAG ! x:\n---\na: 1", "Y116"),
        ("---\na: 1\n---\nb: 2", "Y115"),
        ("[" * 100_000, "Y117"),
        ("- " * 100_000, "Y117"),
        ("{a: " * 50_000, "Y117"),
        ("? " * 50_000, "Y119"),
        ("{a: 1}: b", "Y119"),
        (": b", "Y110"),
        ('"": b', "Y119"),
        ("", "Y118"),
        ("# only this", "Y118"),
        ("a: " + "[x, " * 3 + "]" * 3 + "\nb: c: d", "Y110"),
        ("[" + "a," * 60_000 + "]", "Y117"),
    ],
)
def test_hostile_texts(text: str, code: str) -> None:
    start = time.process_time()
    assert code in codes(text)
    assert time.process_time() - start < 10


def test_an_alias_bomb_is_cheap() -> None:
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40))
    assert set(codes(bomb)) == {"Y111", "Y112"}
    assert set(codes("&a [*a]")) == {"Y111", "Y112"}


def test_files_that_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def code(path: Path) -> str:
        with pytest.raises(RuleFileError) as caught:
            load_yaml(path)
        (found,) = caught.value.diagnostics
        assert str(found.spot.file) in str(caught.value)
        return found.code

    (tmp_path / "folder.yaml").mkdir()
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "short.yml").write_text("a: 1\n")
    (tmp_path / "text.txt").write_text("a: 1\n")
    (tmp_path / "latin.yaml").write_bytes("a: ß\n".encode("latin-1"))
    (tmp_path / "binary.yaml").write_bytes(bytes(range(256)))
    with open(tmp_path / "huge.yaml", "wb") as file:
        file.truncate(1 << 40)
    assert code(tmp_path / "folder.yaml") == "Y102"
    assert code(tmp_path / "pipe.yaml") == "Y102"
    assert code(tmp_path / "short.yml") == "Y101"
    assert code(tmp_path / "text.txt") == "Y101"
    assert code(tmp_path / "absent.yaml") == "Y103"
    assert code(tmp_path / "latin.yaml" / "x.yaml") == "Y104"
    assert code(Path("nul\0.yaml")) == "Y104"
    assert code(tmp_path / ("x" * 300 + ".yaml")) == "Y104"
    assert code(tmp_path / "huge.yaml") == "Y105"
    assert code(tmp_path / "latin.yaml") == "Y106"
    assert code(tmp_path / "binary.yaml") == "Y106"

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "secret.yaml").write_text("a: 1\n")
    monkeypatch.setattr("builtins.open", refuse)
    assert code(tmp_path / "secret.yaml") == "Y104"


def test_the_head_ends_where_the_options_begin(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("id: x\ntitle: 'options: many'\n\noptions:\n  this: [is not even YAML\n")
    assert read_head(path).data == {"id": "x", "title": "options: many"}
    path.write_text("id: x\n")
    assert read_head(path).data == {"id": "x"}
    path.write_text("id: x\n" + "# nothing\n" * 10_000 + "options: {}\n")
    with pytest.raises(RuleFileError, match="does not begin within the first"):
        read_head(path)


YAML_LIKE = st.text(
    st.sampled_from("ab:-?[]{},#&*!|>'\"%@`~<=\\ \n\t0189.e\r\ufeff\x85\u2028🂡é\x00"), max_size=60
) | st.text(max_size=60)


@settings(derandomize=True, max_examples=1500, deadline=None)
@given(YAML_LIKE)
def test_any_text_is_read_or_refused_with_a_place_inside_it(text: str) -> None:
    try:
        document = parse_yaml(text, "x.yaml")
    except RuleFileError as error:
        lines = split_lines(text)
        for found in error.diagnostics:
            assert found.spot.line <= len(lines)
            assert found.spot.line == 0 or 1 <= found.spot.column <= len(lines[found.spot.line - 1]) + 1
            assert as_json(found)["code"].startswith("Y1")
            assert "\n" not in as_github(found)
        assert render(error.diagnostics)
    else:
        for path in document.locs:
            document.value_at(path)
            document.place(path)


@settings(derandomize=True, max_examples=500, deadline=None)
@given(content=st.binary(max_size=80))
def test_any_bytes_are_read_or_refused(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "bytes.yaml"
    path.write_bytes(content)
    for read in (load_yaml, read_head):
        try:
            read(path)
        except RuleFileError as error:
            str(error).encode()


PLAIN = st.integers(-99, 99) | st.booleans() | st.none() | st.text("abc xyz:#'\"é🂡", max_size=8)
KEYS = st.text("abcé", min_size=1, max_size=5)
DATA = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=10
)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(data=st.dictionaries(KEYS, DATA, min_size=1, max_size=4), flow=st.booleans(), crlf=st.booleans())
def test_what_pyyaml_writes_is_read_with_every_place(data: dict[str, Any], flow: bool, crlf: bool) -> None:
    import yaml

    text = yaml.safe_dump(data, default_flow_style=flow, allow_unicode=True, line_break="\r\n" if crlf else "\n")
    document = parse_yaml(text, "x.yaml")
    assert document.data == data
    for path, loc in document.locs.items():
        if path and isinstance(path[-1], str):
            assert loc.key is not None
            assert underlined(document, path, key=True).strip("'\"") == path[-1]
        if loc.raw and not loc.style and "\n" not in loc.raw and loc.value.end > loc.value.column:
            assert loc.raw.startswith(underlined(document, path))
