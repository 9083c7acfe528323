"""The majority of sources: who has a vote, what is left open, and the file that is written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from cli.main import app
from tests.strategies import shipped
from variant_engine.checking import check_files, check_text
from variant_engine.cited import split_citation
from variant_engine.compare.attest import attest
from variant_engine.compare.consensus import OUTCOMES, Vote, as_yaml, consensus
from variant_engine.loading import load
from variant_engine.options import OPTIONS
from variant_engine.options.meaning import meaningful

SOURCES = [rules for rules in shipped() if rules.kind == "attested"]
TEXTS = ["handbook", "foster", "app-af", "app-it", "howto-no"]


def votes(ids: Sequence[str]) -> dict[str, Vote]:
    return {vote.option.name: vote for vote in consensus([load(name) for name in ids]).votes}


def run(*args: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, ["consensus", *args], prog_name="sixtysix", env={"COLUMNS": "100"})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result


def run_json(*args: str, code: int = 0) -> Any:
    return json.loads(run(*args, "--json", code=code).stdout)


# ----- the vote -----


def test_each_vote_has_the_outcome_that_its_numbers_give() -> None:
    found = votes(TEXTS)
    assert list(found) == [option.name for option in OPTIONS]
    for vote in found.values():
        numbers = [len(voices) for _, voices in vote.voices]
        assert numbers == sorted(numbers, reverse=True)
        assert sum(numbers) <= 4
        assert vote.outcome in OUTCOMES
        assert (vote.outcome == "unsaid") == (not numbers)
        assert (vote.outcome == "tie") == (numbers[:2] in ([1, 1], [2, 2]))
        assert (vote.value is None) == (vote.outcome != "taken")


def test_a_lineage_has_one_vote() -> None:
    # The two translations demand a ruff and so does the article: two voices against two.
    assert votes(TEXTS)["ruff_exhausted"].outcome == "tie"
    assert votes(["foster", "app-af", "howto-no"])["ruff_exhausted"].value == "required"
    both = votes(["foster", "handbook", "app-af", "app-it"])["ruff_exhausted"]
    assert (both.value, [len(voices) for _, voices in both.voices]) == ("free", [2, 1])


def test_a_silent_text_has_no_vote() -> None:
    # Only Foster has something to say on a game without a score.
    vote = votes(TEXTS)["double_game"]
    assert (vote.value, [voice.ruleset for voice in vote.winners]) == ("double", ["foster"])
    assert votes(TEXTS)["cut_tie"].outcome == "unsaid"


def test_what_makes_no_difference_has_no_vote() -> None:
    # The article names a forfeit, but as it is read there is no closing in it.
    assert "howto-no" not in [voice.ruleset for _, voices in votes(TEXTS)["closing_forfeit"].voices for voice in voices]


def test_options_that_the_majority_makes_moot_are_left_out() -> None:
    found = votes(["howto-no", "foster"])
    assert found["closing"].outcome == "tie"
    # Neutral is closing, so Foster's details are taken.
    assert found["closing_draw"].value == "either"
    program = votes(["schnapsen-vu", "app-af"])
    values = {name: vote.value if vote.value is not None else vote.option.neutral for name, vote in program.items()}
    for name, vote in program.items():
        assert meaningful(values, name) or vote.outcome != "taken", name


def test_who_has_no_vote() -> None:
    for sources, message in (
        ([load("foster")], "two voices"),
        ([load("app-af"), load("app-it")], "two voices"),
        ([load("foster"), load("handbook").replace(turn_up="seventh_card")], "only attested"),
        ([load("foster"), load("foster")], "name of its own"),
    ):
        with pytest.raises(ValueError, match=message):
            consensus(sources)


# ----- the file -----


def test_every_value_is_cited_and_the_file_passes_check(tmp_path: Path) -> None:
    file = tmp_path / "majority.yaml"
    run(*TEXTS, "-o", str(file))
    assert {one.code for one in check_files([file])} <= {"E417"}
    rules = load(file)
    taken = {name: vote for name, vote in votes(TEXTS).items() if vote.outcome == "taken"}
    for option in OPTIONS:
        said = rules.evidence[option.name]
        if option.name not in taken:
            assert (said.value, said.where, said.spot) == (option.neutral, (), None)
            continue
        assert said.value == taken[option.name].value
        assert said.where
        for place in said.where:
            cited = split_citation(place)
            assert cited is not None
            ruleset, there = cited
            assert load(ruleset)[option.name] == said.value
            assert there in load(ruleset).evidence[option.name].where
    assert max(map(len, file.read_text(encoding="utf-8").splitlines())) <= 120


@pytest.mark.parametrize("ids", [TEXTS, TEXTS[:2], [*TEXTS, "schnapsen-vu"], ["schnapsen-vu", "howto-no"]])
def test_the_text_is_sound_for_any_sources(ids: list[str], tmp_path: Path) -> None:
    text = as_yaml(consensus([load(name) for name in ids]), "some-name")
    assert {one.code for one in check_text(text, tmp_path / "some-name.yaml")} <= {"E417"}
    assert not (tmp_path / "some-name.yaml").exists()


def test_the_majority_of_the_five_texts_is_a_hybrid_that_no_text_describes(tmp_path: Path) -> None:
    file = tmp_path / "majority.yaml"
    run(*TEXTS, "-o", str(file))
    found = attest(load(file), SOURCES)
    assert found.verdict == "hybrid"
    assert found.attested_by == ()
    # Not for want of the options that were left open: what is written down is enough.
    for standing in found.standings:
        written = [one for one in standing.departures if one.mine.status != "neutral"]
        assert written
        assert all(one.backers for one in written)
    asked = CliRunner().invoke(app, ["attest", str(file)], prog_name="sixtysix")
    assert asked.exit_code == 1
    assert "It is a hybrid" in asked.output


# ----- the command -----


def test_without_a_file_the_ruleset_is_printed(tmp_path: Path) -> None:
    text = run("foster", "handbook").stdout
    file = tmp_path / "consensus.yaml"
    file.write_text(text, encoding="utf-8")
    assert {one.code for one in check_files([file])} <= {"E417"}
    assert "#   closing_first_lead: allowed (foster ¶32.2, foster ¶39.2); not_allowed (handbook" in text


def test_what_is_told_of_a_written_file(tmp_path: Path) -> None:
    shown = run(*TEXTS, "-o", str(tmp_path / "majority.yaml")).stdout
    assert "4 voices: handbook, foster, app-af+app-it, howto-no" in shown
    assert "left open, since the most votes are even" in shown
    assert "closing             on_lead: handbook, foster, app-af; not_played: howto-no" in shown


def test_json(tmp_path: Path) -> None:
    file = str(tmp_path / "majority.yaml")
    found = run_json(*TEXTS, "-o", file)
    assert found["written"] == file
    assert found["lineages"]["app"] == ["app-af", "app-it"]
    assert "ruff_exhausted" in found["open"]
    assert found["counts"]["taken"] == len(found["values"])
    assert sum(found["counts"].values()) == len(OPTIONS)
    assert run_json("foster", "handbook")["written"] is None


def test_nothing_is_overwritten_by_accident(tmp_path: Path) -> None:
    file = tmp_path / "majority.yaml"
    file.write_text("mine")
    assert "--force" in run(*TEXTS, "-o", str(file), code=2).stderr
    assert file.read_text() == "mine"
    run(*TEXTS, "-o", str(file), "--force")
    assert file.read_text().startswith("# The majority of handbook, foster, app-af and app-it, howto-no.")
    assert [path.name for path in tmp_path.iterdir()] == ["majority.yaml"]


def test_bad_input(tmp_path: Path) -> None:
    for arguments in (
        ["foster"],
        ["foster", "foster"],
        ["foster", "nobody"],
        ["app-af", "app-it"],
        [*TEXTS, "-o", str(tmp_path / "Majority.yaml")],
        [*TEXTS, "-o", str(tmp_path / "majority.txt")],
        [*TEXTS, "-o", str(tmp_path / "no" / "such" / "majority.yaml")],
        [],
    ):
        run(*arguments, code=2)
    assert list(tmp_path.iterdir()) == []


def test_only_attested_rulesets_have_a_vote(tmp_path: Path) -> None:
    house = tmp_path / "mine.yaml"
    house.write_text('format: 1\nid: mine\ntitle: "Mine"\nkind: house\noptions: {}\n')
    assert "only attested rulesets have a vote" in run("foster", str(house), code=2).stderr


def other(folder: Path, name: str = "other", **values: str | int) -> str:
    """An attested ruleset that says some values and is silent on the rest."""
    lines = [
        "format: 1", f"id: {name}", "title: Other", "kind: attested", f"lineage: {name}", "language: en",
        "source: {type: text, file: other.txt, sha256: " + "0" * 64 + "}", "options:",
    ]  # fmt: skip
    for option in OPTIONS:
        if option.name in values:
            lines.append(f'  {option.name}: {{value: {values[option.name]}, status: stated, where: ["¶1.1"]}}')
        else:
            lines.append(f"  {option.name}: {{value: {option.neutral}, status: silent, why: not a word}}")
    path = folder / f"{name}.yaml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def test_places_are_checked_where_the_file_will_lie(tmp_path: Path) -> None:
    sources = tmp_path / "sources"
    sources.mkdir()
    path = other(sources, double_game="double")
    # A ruleset cited must lie beside the file, or nobody could look its places up.
    error = run("handbook", path, "-o", str(tmp_path / "majority.yaml"), code=1).stderr
    assert "E413" in error
    assert "nothing is written" in error
    assert not (tmp_path / "majority.yaml").exists()
    run("handbook", path, "-o", str(sources / "majority.yaml"))


def test_a_majority_that_contradicts_itself_is_not_written(tmp_path: Path) -> None:
    one, two = other(tmp_path, "one", pack_cards=20, exchange_card="none"), other(tmp_path, "two", exchange_card="nine")
    file = tmp_path / "majority.yaml"
    # One exchange against none is a tie, and the neutral nine is not in the smaller pack.
    error = run(one, two, "-o", str(file), code=1).stderr
    assert "error[R302]" in error
    assert "nothing is written" in error
    assert not file.exists()
