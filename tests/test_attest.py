"""Whether a combination of rules is one source's: what counts, what is left open, and who says the rest."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from cli.main import app
from tests.strategies import shipped
from variant_engine.compare.attest import RELATIONS, Attestation, attest
from variant_engine.loading import load
from variant_engine.options import BY_NAME, OPTIONS
from variant_engine.ruleset import Ruleset

SOURCES = [rules for rules in shipped() if rules.kind == "attested"]
FOSTER = load("foster")


def ask(rules: Ruleset, *sources: Ruleset) -> Attestation:
    return attest(rules, sources or SOURCES)


def run(*args: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, ["attest", *args], prog_name="sixtysix", env={"COLUMNS": "100"})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result


def run_json(*args: str, code: int = 0) -> Any:
    return json.loads(run(*args, "--json", code=code).stdout)


@pytest.mark.parametrize("rules", SOURCES, ids=lambda rules: rules.id)
def test_every_source_attests_itself(rules: Ruleset) -> None:
    found = ask(rules)
    assert found.verdict == "attested"
    assert any(rules.id in one.column.rulesets for one in found.attested_by)
    assert found.standings[0].departures == ()


def test_the_translations_of_one_text_are_one_source() -> None:
    assert [one.column.rulesets for one in ask(load("app-it")).attested_by] == [("app-af", "app-it")]


@pytest.mark.parametrize("rules", SOURCES, ids=lambda rules: rules.id)
def test_every_option_has_one_relation(rules: Ruleset) -> None:
    for standing in ask(rules).standings:
        assert list(standing.relations) == [option.name for option in OPTIONS]
        assert set(standing.relations.values()) <= set(RELATIONS)
        counted = [option for option in OPTIONS if option.affects != "table"]
        assert sum(standing.counts.values()) == len(counted)
        parted = {one.option.name for one in (*standing.departures, *standing.at_the_table)}
        assert parted == {name for name, relation in standing.relations.items() if relation == "contradicts"}


def test_a_silent_source_leaves_open_and_contradicts_nothing() -> None:
    # Foster has not a word on equal cuts.
    found = ask(FOSTER.replace(cut_tie="clubs_high"), FOSTER)
    assert (found.verdict, found.standings[0].relations["cut_tie"]) == ("attested", "open")


def test_another_way_of_a_text_is_the_text_s_own() -> None:
    found = ask(FOSTER.replace(turn_up="seventh_card", claim_when="on_lead"), FOSTER)
    assert found.verdict == "attested"
    assert found.standings[0].options("offers") == ("turn_up", "claim_when")


def test_what_another_source_says_makes_a_hybrid() -> None:
    found = ask(FOSTER.replace(ruff_exhausted="required"))
    nearest = found.nearest[0]
    assert (found.verdict, nearest.name, len(nearest.departures)) == ("hybrid", "foster", 1)
    departure = nearest.departures[0]
    assert departure.option.name == "ruff_exhausted"
    assert (departure.mine.value, departure.theirs.value) == ("required", "free")
    assert [(name, relation) for name, _, relation in departure.backers] == [
        ("app-af+app-it", "says"), ("howto-no", "says"), ("schnapsen-vu", "says")
    ]  # fmt: skip


def test_the_place_of_another_way_is_the_one_cited() -> None:
    # Foster offers the seventh card in another sentence than the way that is taken.
    found = ask(load("handbook").replace(turn_up="seventh_card"))
    cited = {
        said["source"]: said
        for standing in found.standings
        for departure in standing.as_json()["departures"]
        if departure["option"] == "turn_up"
        for said in departure["said_by"]
    }
    offered = {other.value: list(other.where) for other in FOSTER.evidence["turn_up"].also}["seventh_card"]
    assert offered != list(FOSTER.evidence["turn_up"].where)
    assert cited["foster"] == {"source": "foster", "relation": "offers", "where": offered}


def test_what_no_source_says_is_somebody_s_own() -> None:
    found = ask(FOSTER.replace(value_schwarz=5))
    assert found.verdict == "own"
    assert [one.option.name for one in found.unbacked] == ["value_schwarz"]
    assert found.nearest[0].departures[0].backers == ()


def test_what_concerns_the_table_does_not_count() -> None:
    changed = FOSTER.replace(marriage_shown="both")
    assert changed.hash == FOSTER.hash
    found = ask(changed, FOSTER)
    assert found.verdict == "attested"
    assert [one.option.name for one in found.standings[0].at_the_table] == ["marriage_shown"]
    assert BY_NAME["marriage_shown"].affects == "table"


def test_what_makes_no_difference_does_not_count() -> None:
    found = ask(load("howto-no").replace(closing_forfeit=9))
    assert found.verdict == "attested"
    assert found.standings[0].relations["closing_forfeit"] == "moot"


def test_the_details_of_a_refused_way_of_playing_do_not_count() -> None:
    article = load("howto-no")
    # As long as closing is another reading of the article, what it says of its price does count.
    there = ask(FOSTER, article).standings[0].relations
    assert (there["closing"], there["closing_forfeit_trickless"]) == ("offers", "contradicts")
    refused = replace(article.evidence["closing"], status="stated", readings=())
    firm = replace(article, evidence={**article.evidence, "closing": refused})
    there = ask(FOSTER, firm).standings[0].relations
    assert (there["closing"], there["closing_forfeit_trickless"]) == ("contradicts", "open")


def test_only_attested_rulesets_are_sources() -> None:
    with pytest.raises(ValueError, match="attested"):
        attest(FOSTER, [])


# ----- the command -----


def test_yes() -> None:
    shown = run("foster").stdout
    assert "Yes: foster describes this combination" in shown
    assert "foster: contradicts nothing" in shown
    assert run_json("foster")["attested_by"] == [["foster"]]


def test_no_with_the_nearest_and_who_says_so() -> None:
    shown = run("foster", "--set", "ruff_exhausted=required", code=1).stdout
    assert "No source describes this combination. It is a hybrid" in shown
    assert "foster: departs in 1 option\n  ruff_exhausted = required (set)\n" in shown
    assert "    foster has free (implied, ¶29.2)\n" in shown
    assert "howto-no (¶11.3, ¶11.4)" in shown
    assert "handbook: departs" not in shown
    assert "handbook: departs" in run("foster", "--set", "ruff_exhausted=required", "--all", code=1).stdout
    found = run_json("foster", "--set", "ruff_exhausted=required", code=1)
    assert (found["verdict"], found["nearest"]) == ("hybrid", [["foster"]])
    departure = found["sources"][0]["departures"][0]
    assert departure["said_by"][0] == {
        "source": "app-af+app-it", "relation": "says", "where": ["¶7.2"]
    }  # fmt: skip


def test_somebody_s_own() -> None:
    shown = run("foster", "--set", "value_schwarz=5", code=1).stdout
    assert "no source has these values: value_schwarz=5." in shown
    assert "    no source says that" in shown


def test_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    head = 'format: 1\nid: mine\ntitle: "Mine"\nkind: house\nextends: foster\n'
    file.write_text(head + "options:\n  turn_up: seventh_card\n")
    assert run_json(str(file))["attested_by"] == [["foster"]]
    file.write_text(file.read_text() + "  closing: no\n")
    assert "S112" in run(str(file), code=2).stderr


def test_among() -> None:
    found = run_json("foster", "--among", "handbook", code=1)
    assert [one["rulesets"] for one in found["sources"]] == [["handbook"]]
    run("foster", "--among", "nobody", code=2)
    run(code=2)


def test_only_attested_ones_among(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text('format: 1\nid: mine\ntitle: "Mine"\nkind: house\noptions: {}\n')
    assert "attested" in run("foster", "--among", str(file), code=2).stderr
