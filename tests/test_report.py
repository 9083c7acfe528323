"""Reports as pages, CSV and Markdown: complete, safe whatever a ruleset says, and written whole or not at all."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import variant_engine as ve
from cli.compare_text import SIGNS
from cli.main import app
from tests.pages import Element, by_id, read
from variant_engine.compare import compare
from variant_engine.compare.gaps import find_gaps
from variant_engine.compare.kinds import KINDS, differences
from variant_engine.compare.witness import NoWitness, Witness, find_witness
from variant_engine.options import BY_NAME, OPTIONS
from variant_engine.report.dossier import Dossier, bare, whole
from variant_engine.report.markdown import compare_markdown, escaped, gaps_markdown, witness_markdown
from variant_engine.report.page import dossier_page, gaps_page, witness_page
from variant_engine.report.picture import joined, tree
from variant_engine.report.tabular import compare_csv, gaps_csv, witness_csv
from variant_engine.report.words import DIFFERENCE_WORDS, EFFECT_COUNTS, EFFECT_WORDS, STATUS_WORDS
from variant_engine.ruleset import Ruleset

TEXTS = ("handbook", "foster", "app-af", "app-it", "howto-no")
HOSTILE = (
    "<script>alert(1)</script>\"'><img src=x onerror=alert(2)> {{ 7*7 }} | [x](http://e.vil) `b` *s* & &amp; \u202egnp"
)
HOUSE = "format: 1\nid: mine\ntitle: %s\nkind: house\nextends: foster\noptions:\n%s"
CHANGES = "  head_exhausted: required\n  double_game: single\n  closing_first_lead: not_allowed\n"


@cache
def texts() -> tuple[Ruleset, ...]:
    return tuple(ve.load(name) for name in TEXTS)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    file = tmp_path_factory.mktemp("rules") / "mine.yaml"
    why = json.dumps(f"=1+1 {HOSTILE.replace(chr(0x202E), '')}")
    options = (
        f"  head_exhausted:\n    value: required\n    why: {why}\n"
        "  double_game: single\n  closing_first_lead: not_allowed\n"
    )
    file.write_text(HOUSE % (json.dumps(HOSTILE.replace("\u202e", "")), options), "utf-8")
    return ve.load(str(file))


@pytest.fixture(scope="module")
def dossier(hostile: Ruleset) -> Dossier:
    """Two rulesets that differ in little, so that it takes no time to tell all about them."""
    return whole([ve.load("foster"), hostile], deals=20)


@pytest.fixture(scope="module")
def page(dossier: Dossier) -> str:
    return dossier_page(dossier)


@pytest.fixture(scope="module")
def five() -> Element:
    return read(dossier_page(bare(texts())))


# ---- the page ------------------------------------------------------------------------------------------------------


def pages(page: str) -> list[str]:
    rules = texts()
    return [
        page,
        dossier_page(bare(rules)),
        gaps_page(find_gaps(rules[0], rules, deals=5)),
        witness_page(find_witness(rules[1], rules[2])),
        witness_page(find_witness(rules[2], rules[3])),
        witness_page(find_witness(rules[1], ve.load("schnapsen-vu"))),
    ]


def test_pages_are_well_formed_and_complete_in_themselves(page: str) -> None:
    for made in pages(page):
        assert made.startswith("<!DOCTYPE html>")
        root = read(made)
        ids = by_id(root)
        for element in root.all():
            for name, value in element.attributes.items():
                assert not name.startswith("on"), f"{element.name} has {name}"
                assert name not in ("src", "style", "action"), f"{element.name} has {name}"
                if name == "href":
                    assert value.startswith("#"), f"{value} leads out of the page"
                    assert value[1:] in ids, f"{value} leads nowhere"
                if name in ("aria-labelledby", "aria-controls", "aria-describedby"):
                    assert all(one in ids for one in value.split()), value
        assert "http:" not in re.sub(r"https?://e\.vil", "", made)
        assert "url(" not in root.one("style").text
        assert len(list(root.all("h1"))) == 1
        assert root.one("html").attributes["lang"] == "en"


def test_the_policy_allows_the_two_parts_and_nothing_else(page: str) -> None:
    for made in pages(page):
        root = read(made)
        policy = next(
            one.attributes["content"]
            for one in root.all("meta")
            if one.attributes.get("http-equiv") == "Content-Security-Policy"
        )
        assert "default-src 'none'" in policy
        for name in ("script", "style"):
            (part,) = root.all(name)
            digest = base64.b64encode(hashlib.sha256(part.text.encode()).digest()).decode()
            assert f"{name}-src 'sha256-{digest}'" in policy
        assert "unsafe" not in policy


def test_the_matrix_has_a_cell_for_each_source_with_real_headers(five: Element) -> None:
    table = five.one("table", "matrix")
    heads = [head.words for head in table.one("thead").all("th")]
    assert [head.split()[0] for head in heads[1:-1]] == list(TEXTS)
    assert all(head.attributes["scope"] == "col" for head in table.one("thead").all("th"))
    matrix = compare(texts())
    rows = list(table.all("tr", "row"))
    assert [row.attributes["id"] for row in rows] == [option.name for option in OPTIONS]
    for row, stated in zip(rows, matrix.rows, strict=True):
        (name,) = row.all("th")
        assert name.attributes["scope"] == "row"
        assert stated.option.question in name.text
        assert row.attributes["data-difference"] == stated.difference
        cells = list(row.all("td", "cell"))
        assert len(cells) == len(TEXTS)
        for cell, column in zip(cells, TEXTS, strict=True):
            one = stated.values[column]
            assert cell.one("code", "value").text == str(one.value)
            # A sign and a word besides the colour.
            badges = [badge.words for badge in cell.all("span", "badge")]
            status = STATUS_WORDS[one.status]
            assert badges == [f"{status.sign} {status.word}", *(["* moot"] if one.moot_by else [])]


def test_every_cell_leads_to_its_reasoning(five: Element) -> None:
    ids = by_id(five)
    matrix = compare(texts())
    for row in matrix.rows:
        for name in TEXTS:
            said, voice = row.values[name], ids[f"{row.option.name}.{name}"].words
            assert str(said.value) in voice
            if not row.option.is_number:
                assert row.option.meaning(said.value)[1:] in voice
            assert all(place in voice for place in said.where)
            assert " ".join(said.why[1:].split()) in voice
            assert all(str(reading) in voice for reading in said.readings)
            assert all(str(other.value) in voice for other in said.also)
            assert said.spot in voice
        why = ids[f"{row.option.name}.why"].words
        assert row.option.question in why
        assert DIFFERENCE_WORDS[row.difference][1] in why


def test_whether_it_matters_and_the_deal_that_shows_it(dossier: Dossier, page: str) -> None:
    root = read(page)
    ids = by_id(root)
    assert set(dossier.effects) == {"head_exhausted", "double_game", "closing_first_lead"}
    for name, effect in dossier.effects.items():
        why = ids[f"{name}.why"]
        assert f"{effect.kind}: {EFFECT_WORDS[effect.kind]}" in why.words
        assert ids[name].attributes["data-effect"] == effect.kind
        (kind,) = effect.shown
        if isinstance(kind.answer, Witness):
            deal = ids[f"{name}.deal1"]
            scene = deal.one("figure", "scene")
            start = kind.answer.start(0)
            assert len(list(scene.all("span", "card"))) == len(start.pack)
            verdicts = [verdict.words for verdict in deal.all("section", "verdict")]
            assert len(verdicts) == 2
            assert all(f"{name} = " in verdict for verdict in verdicts)
            assert f"--option {name}" in deal.words
    assert "#head_exhausted.deal1" in [link.attributes["href"] for link in ids["head_exhausted"].all("a", "show")]
    pair = ids["pair.foster.mine"]
    assert "1 part in play" in pair.words or "2 part in play" in pair.words
    assert list(pair.all("figure", "scene"))


def test_what_is_left_open_is_told(dossier: Dossier, page: str) -> None:
    (found,) = dossier.gaps
    section = by_id(read(page))["gaps"].words
    assert all(gap.option.name in section for gap in found.gaps)
    assert all(name in section for name, _ in found.idle)


def test_each_reading_is_told_with_who_says_it() -> None:
    handbook = ve.load("handbook")
    other = handbook.replace(marriage_counts="with_a_trick")
    sure = ve.load("foster").evidence["marriage_counts"]
    theirs = replace(other, id="theirs", evidence={**handbook.evidence, "marriage_counts": sure})
    dossier = whole([handbook, theirs], deals=120)
    found = by_id(read(dossier_page(dossier)))
    (gap,) = (gap for gaps in dossier.gaps for gap in gaps.gaps if gap.option.name == "marriage_counts")
    voice = found["marriage_counts.handbook"].words
    assert gap.result.count
    assert f"with_a_trick handbook and theirs: the result changes in {100 * gap.result.value:.1f} %" in voice
    assert "but players who look at the count play otherwise" in voice
    # Nobody is quoted who is not on the page.
    assert "schnapsen-vu" not in found["marriage_counts.why"].words
    assert "players who look at the count" not in found["marriage_counts.theirs"].words


def test_a_program_s_reading_is_marked() -> None:
    others = [ve.load("schnapsen-vu"), ve.load("foster")]
    found = find_gaps(ve.load("handbook"), others, deals=10, players=("greedy", "greedy"))
    words = read(gaps_page(found)).one("body").words
    assert "schnapsen-vu (program)" in words
    assert "foster (program)" not in words
    rows = {row["reading"]: row for row in table(gaps_csv(found)) if row["option"] == "marriage_counts"}
    assert (rows["with_next_trick"]["in_text"], rows["with_a_trick"]["in_text"]) == ("no", "yes")
    assert "schnapsen-vu (program)" in gaps_markdown(found)


def test_what_acts_only_under_another_reading_says_so() -> None:
    found = find_gaps(ve.load("howto-no"), texts(), deals=10, players=("random", "random"))
    assert "if closing is read as on_lead" in read(gaps_page(found)).one("body").words
    rows = {row["option"]: row for row in table(gaps_csv(found))}
    assert (rows["closing_draw"]["under"], rows["closing"]["under"]) == ("closing = on_lead", "")
    assert "under `closing` = `on_lead`" in gaps_markdown(found)


def test_whatever_a_ruleset_says_stays_text(page: str, hostile: Ruleset) -> None:
    root = read(page)
    assert len(list(root.all("script"))) == 1
    assert not list(root.all("img"))
    assert "{{ 7*7 }}" in page
    assert HOSTILE[:25] not in page.replace(root.one("script").text, "")
    assert " ".join(hostile.title.split()) in by_id(root)["source.mine"].words
    assert " ".join(hostile.evidence["head_exhausted"].why.split()) in by_id(root)["head_exhausted.mine"].words


def test_names_from_a_command_line_stay_text_too() -> None:
    foster = ve.load("foster")
    names = ["a/<b>&\"'.yaml", "x\u202ey\udcff"]
    page = dossier_page(bare([foster, foster.replace(head_open="required")], names))
    page.encode("utf-8")
    root = read(page)
    by_id(root)
    heads = [head.words for head in root.one("thead").all("th")]
    assert heads[1:-1] == [names[0], "x\ufffdy\ufffd"]


def test_the_words_are_there_for_everything() -> None:
    assert set(EFFECT_WORDS) == set(EFFECT_COUNTS) == set(KINDS)
    for status, (sign, _) in SIGNS.items():
        # The signs of the text, where it has one.
        if sign.strip():
            assert STATUS_WORDS[status].sign[0] == sign
    assert set(STATUS_WORDS) == set(SIGNS)


# ---- the tree ------------------------------------------------------------------------------------------------------


def test_the_tree_joins_the_nearest_first() -> None:
    far = {("a", "b"): 4, ("a", "c"): 9, ("b", "c"): 7, ("a", "d"): 9, ("b", "d"): 9, ("c", "d"): 1}
    joins = joined("abcd", lambda one, two: far[min(one, two), max(one, two)])
    assert [(join.one, join.two, join.distance) for join in joins] == [
        (("c",), ("d",), 1),
        (("a",), ("b",), 4),
        (("a", "b"), ("c", "d"), 8.5),
    ]


def test_the_picture_has_a_text_alternative(dossier: Dossier, page: str) -> None:
    drawn = tree(dossier.distances)
    root = read(page)
    svg = root.one("figure", "tree").one("svg")
    assert svg.attributes["role"] == "img"
    assert all(sentence in svg.one("desc").text for sentence in drawn.sentences)
    assert "foster and mine at" in drawn.sentences[0]
    heat = root.one("table", "heat")
    assert [head.attributes["scope"] for head in heat.all("th")] == ["col", "col", "row", "row"]


def test_rulesets_that_never_differ_make_a_page_too() -> None:
    app_af, app_it = texts()[2:4]
    root = read(dossier_page(whole([app_af, app_it], deals=5)))
    assert "no difference found" in by_id(root)["distances"].words


# ---- CSV and Markdown ----------------------------------------------------------------------------------------------


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_a_comparison_as_csv_reads_back() -> None:
    matrix = compare(texts())
    rows = iter(table(compare_csv(matrix, every=True)))
    for row in matrix.rows:
        for name, said in row.values.items():
            read_back = next(rows)
            assert (read_back["option"], read_back["ruleset"]) == (row.option.name, name)
            assert read_back["value"] == str(said.value)
            assert read_back["status"] == said.status
            assert read_back["difference"] == row.difference
            assert tuple(filter(None, read_back["where"].split("; "))) == said.where
            assert read_back["why"] == said.why
            assert read_back["moot_by"] == " ".join(said.moot_by)
            assert f"{read_back['file']}:{read_back['line']}" == said.spot
    assert next(rows, None) is None
    assert {row["option"] for row in table(compare_csv(matrix))} == {row.option.name for row in matrix.differing}


def test_no_cell_is_a_formula(hostile: Ruleset) -> None:
    matrix = compare([ve.load("foster"), hostile], ["foster", "=cmd|' /C calc'!A0"])
    made = table(compare_csv(matrix, differences([ve.load("foster"), hostile])))
    assert not [cell for row in made for cell in row.values() if cell.startswith(("=", "+", "-", "@"))]
    entry = next(row for row in made if row["option"] == "head_exhausted" and row["ruleset"] != "foster")
    assert entry["why"].startswith("'=1+1 <script>")
    assert entry["effect"] == "parts in play"


def test_gaps_as_csv_and_markdown_read_back() -> None:
    found = find_gaps(texts()[0], texts(), deals=10)
    rows = table(gaps_csv(found))
    for gap in found.gaps:
        for reading in gap.readings:
            row = next(row for row in rows if (row["option"], row["reading"]) == (gap.option.name, str(reading.value)))
            assert float(row["result_share"]) == pytest.approx(reading.result.value)
            assert row["said_by"] == "; ".join(reading.said_by)
    assert [(row["option"], row["untried"]) for row in rows if row["untried"]] == list(found.idle)
    cells = cells_of(gaps_markdown(found))
    assert [row[0].strip("`") for row in cells[1:]] == [row["option"] for row in rows if not row["untried"]]


def cells_of(text: str) -> list[list[str]]:
    """The cells of all tables, as a reader of GitHub's Markdown splits them."""
    lines = [line for line in text.splitlines() if line.startswith("|") and not line.startswith("| ---")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def test_a_comparison_as_markdown_reads_back() -> None:
    matrix = compare(texts())
    text = compare_markdown(matrix, every=True)
    rows = {row[0].strip("`"): row for row in cells_of(text) if row[0].startswith("`")}
    assert set(rows) == set(BY_NAME)
    for row in matrix.rows:
        for name, cell in zip(TEXTS, rows[row.option.name][2:], strict=True):
            said = row.values[name]
            assert cell.startswith(f"`{said.value}` ({said.status}")
            assert all(place in cell for place in said.where)
    assert [len(row) for row in cells_of(text)] == [7] * len(cells_of(text))


def test_markdown_of_a_hostile_ruleset_stays_text(hostile: Ruleset) -> None:
    nasty = escaped(HOSTILE)
    assert not re.search(r"(?<!\\)[<>|`*\[\]&]", nasty)
    assert "http\\://" in nasty
    assert re.sub(r"\\(.)", r"\1", nasty) == HOSTILE.replace("\u202e", "\ufffd")
    name = "<b>|x"
    matrix = compare([ve.load("foster"), hostile], ["foster", name])
    made = compare_markdown(matrix, differences([ve.load("foster"), hostile]))
    assert "<b>" not in made.replace(r"\<b\>", "")
    assert {len(row) for row in cells_of(made)} == {5}
    assert "## Does it matter" in made


def test_a_witness_in_every_form() -> None:
    found = find_witness(texts()[1], texts()[2])
    assert isinstance(found, Witness)
    rows = list(csv.reader(io.StringIO(witness_csv(found))))
    data = found.as_json()
    assert [row[2].removeprefix("'") for row in rows if row[0] == "move"] == data["moves"]
    assert next(row[2] for row in rows if row[:2] == ["deal", "pack"]).split() == data["pack"]
    assert {row[1]: row[2].split() for row in rows if row[0] == "hand"} == data["hands"]
    assert [row[1] for row in rows if row[0] == "verdict"] == list(found.names)
    text = witness_markdown(found)
    assert all(name in text for name in (*found.names, *found.options))
    none = find_witness(texts()[2], texts()[3])
    assert isinstance(none, NoWitness)
    assert escaped(none.sentence[1:]) in witness_markdown(none)
    assert none.sentence in witness_csv(none)


# ---- on the command line -------------------------------------------------------------------------------------------


def run(*args: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, list(args), prog_name="sixtysix", env={"COLUMNS": "80"})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result


COMMANDS: dict[str, tuple[str, ...]] = {
    "compare": ("compare", "app-af", "howto-no"),
    "gaps": ("gaps", "foster", "--deals", "3"),
    "witness": ("witness", "foster", "app-af"),
}
BEGINS = {"csv": "", "md": "# ", "html": "<!DOCTYPE html>", "json": "{", "txt": ""}


@pytest.mark.parametrize("command", COMMANDS)
def test_the_ending_of_the_file_decides_the_form(command: str, tmp_path: Path) -> None:
    for ending, begins in BEGINS.items():
        file = tmp_path / f"out.{ending}"
        outcome = "foster and app-af: after 1 move, only foster allows A:+40S\n" if command == "witness" else ""
        assert run(*COMMANDS[command], "-o", str(file)).stdout == f"written: {file}\n{outcome}"
        text = file.read_text("utf-8")
        assert text.startswith(begins)
        assert text.endswith("\n")
    assert run(*COMMANDS[command], "--format", "csv").stdout == (tmp_path / "out.csv").read_text("utf-8")
    assert run(*COMMANDS[command], "--json").stdout == (tmp_path / "out.json").read_text("utf-8")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--format", "pdf"), "--format takes one of text, json, csv, markdown, html, not 'pdf'"),
        (("--json", "--format", "csv"), "--json and --format csv do not go together"),
        (("-o", "{folder}/z.xyz"), "ends in none of .txt, .json, .csv, .md, .html, .htm, and no --format is given"),
        (("-o", "{folder}/z"), "ends in none of"),
        (("-o", "{folder}"), "is a folder"),
        (("-o", "{folder}/nowhere/out.csv"), "there is no such folder"),
        (("-o", "{folder}/old.csv"), "is there already; --force overwrites it"),
    ],
)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_cannot_be_written_is_said_at_once(command: str, args: Any, message: str, tmp_path: Path) -> None:
    (tmp_path / "old.csv").write_text("old", "utf-8")
    result = run(*COMMANDS[command], *(arg.format(folder=tmp_path) for arg in args), code=2)
    assert message in result.stderr
    assert result.stdout == ""
    assert [file.name for file in tmp_path.iterdir()] == ["old.csv"]
    assert (tmp_path / "old.csv").read_text("utf-8") == "old"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_is_written_whole_or_not_at_all(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "old.html"
    file.write_text("old", "utf-8")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        result = run(*COMMANDS[command], "-o", str(file), "--force", code=2)
        assert "no space left on device" in result.stderr
    assert file.read_text("utf-8") == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["old.html"]
    run(*COMMANDS[command], "-o", str(file), "--force")
    assert file.read_text("utf-8").startswith("<!DOCTYPE html>")


def test_without_a_witness_the_answer_is_written_and_the_exit_code_says_no(tmp_path: Path) -> None:
    file = tmp_path / "none.html"
    run("witness", "app-af", "app-it", "-o", str(file), code=1)
    assert "no difference found" in file.read_text("utf-8").lower()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("foster",), "two rulesets or more"),
        (("foster", "nobody"), "nobody"),
        (("foster", "handbook", "--players", "you,me"), "--players takes two of"),
        (("foster", "{mine}"), "the same id"),
    ],
)
def test_a_report_that_cannot_be_made(args: Any, message: str, tmp_path: Path) -> None:
    mine = tmp_path / "foster.yaml"
    mine.write_text('format: 1\nid: foster\ntitle: "X"\nkind: house\noptions:\n  head_open: required\n', "utf-8")
    file = tmp_path / "page.html"
    result = run("report", *(arg.format(mine=mine) for arg in args), "-o", str(file), code=2)
    assert message in result.stderr
    assert not file.exists()


def test_report_writes_the_page(tmp_path: Path) -> None:
    mine, file = tmp_path / "mine.yaml", tmp_path / "page.html"
    mine.write_text(HOUSE % ("Mine", CHANGES), "utf-8")
    run("report", "foster", str(mine), "--deals", "5", "-o", str(file))
    root = read(file.read_text("utf-8"))
    assert {"rows", "distances", "gaps", "sources"} <= set(by_id(root))
    assert "is there already" in run("report", "foster", str(mine), "-o", str(file), code=2).stderr


def test_comparing_as_text_loads_no_templates() -> None:
    program = "import sys; from cli.main import app\ntry: app(['compare'])\nexcept SystemExit: pass\n"
    program += "assert 'jinja2' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
