"""A ruleset beside its text: claims, sentences left over, places that are not there, and the wrong text."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from cli.main import app
from variant_engine.compare.against_text import MAX_TEXT_BYTES, TextError, hold_against, read_text
from variant_engine.evidence import expand
from variant_engine.loading import load
from variant_engine.options import OPTIONS

TEXT = """\ufeffA GAME

There are 24 cards. Each player has six.
Or five. Close when you lead! A hint.
"""

OPEN = {
    "pack_cards": '{value: 24, status: stated, where: ["¶2.1"]}',
    "hand_cards": '{value: 6, status: stated, where: ["¶2.2"], also: [{value: 5, where: ["¶3.1"]}]}',
    "closing": '{value: on_lead, status: implied, where: ["¶3.2", "¶2.2"], why: "said in passing, see ¶3.2"}',
}
CASES = """cases:
  - name: "hints"
    rulesets: [tiny]
    where: "%s"
    given: {dealer: B, trump: H, turn_up: HT, talon: [SK, DK, DQ], hands: {A: "CK CQ SA S9", B: "HJ ST SQ CA"}}
    play: "SA ST"
    expect: {points: {A: 21, B: 0}}
  - name: "somebody else's"
    rulesets: [foster]
    where: "¶99.9"
    given: {dealer: B, trump: H, turn_up: HT, talon: [SK, DK, DQ], hands: {A: "CK CQ SA S9", B: "HJ ST SQ CA"}}
    play: "SA ST"
    expect: {points: {A: 21, B: 0}}
"""


def write(
    folder: Path, *, options: dict[str, str] | None = None, commentary: str = '{"¶1.1": heading}', case: str = ""
) -> tuple[str, str]:
    """A ruleset and its text; the paths of both."""
    text = folder / "tiny.txt"
    text.write_text(TEXT, encoding="utf-8")
    given = OPEN | (options or {})
    lines = [
        "format: 1", "id: tiny", "title: A tiny text", "kind: attested", "lineage: tiny", "language: en",
        f"source: {{type: text, file: tiny.txt, sha256: {hashlib.sha256(text.read_bytes()).hexdigest()}}}",
        "options:",
    ]  # fmt: skip
    for option in OPTIONS:
        silent = f"{{value: {option.neutral}, status: silent, why: not a word}}"
        lines.append(f"  {option.name}: {given.get(option.name, silent)}")
    lines.append(f"commentary: {commentary}")
    rules = folder / "tiny.yaml"
    rules.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if case:
        (folder / "tiny.cases.yaml").write_text(CASES % case, encoding="utf-8")
    return str(rules), str(text)


def run(*args: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, ["source", *args], prog_name="sixtysix", env={"COLUMNS": "100"})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result


def run_json(*args: str, code: int = 0) -> Any:
    return json.loads(run(*args, "--json", code=code).stdout)


# ----- the library -----


def test_every_sentence_has_what_rests_on_it(tmp_path: Path) -> None:
    rules, text = write(tmp_path, case="¶3.3")
    reading = hold_against(rules, read_text(text))
    found = {
        one.place: ([claim.option.name for claim in one.claims], one.cases, one.commentary) for one in reading.sentences
    }
    assert found == {
        "¶1.1": ([], (), "heading"),
        "¶2.1": (["pack_cards"], (), ""),
        "¶2.2": (["hand_cards", "closing"], (), ""),
        "¶3.1": (["hand_cards"], (), ""),
        "¶3.2": (["closing"], (), ""),
        "¶3.3": ([], ("hints",), ""),
    }
    assert reading.counts == {"sentences": 6, "cited": 4, "cases_only": 1, "commentary": 1, "uncovered": 0}
    assert reading.uncovered == ()
    assert reading.problems == ()
    assert len(reading.claims) == len(OPTIONS) + 1
    assert len(reading.silent) == len(OPTIONS) - len(OPEN)


def test_sentences_that_nothing_accounts_for(tmp_path: Path) -> None:
    rules, text = write(tmp_path, commentary="{}")
    assert [one.place for one in hold_against(rules, read_text(text)).uncovered] == ["¶1.1", "¶3.3"]


def test_ranges_of_commentary(tmp_path: Path) -> None:
    assert expand("¶3.1-3.3") == ("¶3.1", "¶3.2", "¶3.3")
    assert [expand(wrong) for wrong in ("¶3", "3.1", "¶3.2-3.2", "¶3.1-4.1", "¶3.1-3.9999999", "¶0.1")] == [()] * 6
    rules, _ = write(tmp_path, options={"closing": "{value: on_lead, status: silent, why: nothing}"},
                     commentary='{"¶1.1": heading, "¶3.2-3.3": advice}')  # fmt: skip
    assert dict(load(rules).commentary) == {"¶1.1": "heading", "¶3.2": "advice", "¶3.3": "advice"}
    assert load(rules).replace(hand_cards=5).commentary == load(rules).commentary


def test_a_cited_place_that_the_text_does_not_have(tmp_path: Path) -> None:
    rules, text = write(
        tmp_path,
        options={
            "pack_cards": '{value: 24, status: stated, where: ["¶2.1", "¶2.3"]}',
            "closing": '{value: on_lead, status: implied, where: ["¶3.2"], why: "unlike ¶7.1"}',
            "hand_cards": '{value: 6, status: stated, where: ["¶2.2"], also: [{value: 5, where: ["¶4.1"]}]}',
        },
        commentary='{"¶1.1-1.2": heading, "¶3.3": "as ¶5.5"}',
        case="¶3.4",
    )
    problems = hold_against(rules, read_text(text)).problems
    found = [(one.spot.file[-14:], one.code, one.message, one.help) for one in problems]
    three = "it has 3 lines"
    assert sorted(found) == sorted(
        [
            (rules[-14:], "E416", "the text has no place '¶2.3'", "its line ¶2 has 2 sentences"),
            (rules[-14:], "E416", "the text has no place '¶4.1'", three),
            (rules[-14:], "E416", "the text has no place '¶7.1'", three),
            (rules[-14:], "E416", "the text has no place '¶1.2'", "its line ¶1 has 1 sentence"),
            (rules[-14:], "E416", "the text has no place '¶5.5'", three),
            (f"{rules[:-5]}.cases.yaml"[-14:], "E416", "the text has no place '¶3.4'", "its line ¶3 has 3 sentences"),
        ]
    )


def test_rulesets_that_have_no_text_of_their_own(tmp_path: Path) -> None:
    with pytest.raises(TextError, match="read from a program"):
        hold_against("schnapsen-vu", b"")
    house = tmp_path / "mine.yaml"
    house.write_text("format: 1\nid: mine\ntitle: Mine\nkind: house\nextends: foster\noptions: {}\n")
    with pytest.raises(TextError, match="hold foster against its text"):
        hold_against(str(house), b"")


def test_texts_that_cannot_be_read(tmp_path: Path) -> None:
    large = tmp_path / "large.txt"
    large.write_bytes(b"a" * (MAX_TEXT_BYTES + 1))
    for path, message in ((tmp_path / "none.txt", "no file"), (tmp_path, "is no file"), (large, "more than")):
        with pytest.raises(TextError, match=message):
            read_text(path)
    with pytest.raises(TextError):
        read_text("\0")


# ----- the command -----


def test_by_place(tmp_path: Path) -> None:
    rules, text = write(tmp_path)
    shown = run(rules, "--text", text).stdout
    assert "6 sentences in 3 lines: 4 cited by options, 0 by cases alone, 1 listed as commentary" in shown
    assert "¶2.1 There are 24 cards.\n  = pack_cards: 24 (stated)\n" in shown
    assert "¶3.1 Or five.\n  = hand_cards: 5 (offered too)\n" in shown
    assert "  = closing: on_lead (implied, with ¶3.2): said in passing, see ¶3.2\n" in shown
    assert "  = closing: on_lead (implied, with ¶2.2): see ¶2.2\n" in shown
    assert "¶1.1 A GAME\n  - commentary: heading\n" in shown
    assert shown.endswith("Not cited, and not listed as commentary\n  ¶3.3  A hint.\n")


def test_by_option(tmp_path: Path) -> None:
    rules, text = write(tmp_path)
    shown = run(rules, "--text", text, "--by", "option").stdout
    assert "    also 5\n    | ¶3.1 Or five.\n" in shown
    assert "    why: said in passing, see ¶3.2\n    | ¶3.2 Close when you lead!\n    | ¶2.2 Each" in shown
    assert shown.index("pack_cards:") < shown.index("closing:") < shown.index("\ncommentary\n")


def test_json(tmp_path: Path) -> None:
    rules, text = write(tmp_path)
    found = run_json(rules, "--text", text)
    assert (found["ruleset"], found["uncovered"], found["problems"]) == ("tiny", ["¶3.3"], [])
    claim = next(one for one in found["claims"] if one["option"] == "closing")
    assert claim["places"] == [
        {"place": "¶3.2", "sentence": "Close when you lead!"}, {"place": "¶2.2", "sentence": "Each player has six."}
    ]  # fmt: skip
    assert found["sentences"][1]["claims"] == [{"option": "pack_cards", "value": 24}]


def test_a_place_that_is_not_there_is_shown_in_the_rule_file(tmp_path: Path) -> None:
    rules, text = write(tmp_path, options={"pack_cards": '{value: 24, status: stated, where: ["¶9.1"]}'})
    error = run(rules, "--text", text, code=1).stderr
    assert f"{rules}:9:51: error[E416]: the text has no place '¶9.1'" in error
    assert run_json(rules, "--text", text, code=1)["problems"][0]["line"] == 9


def test_another_text(tmp_path: Path) -> None:
    rules, text = write(tmp_path)
    with open(text, "a", encoding="utf-8") as file:
        file.write("!")
    result = run(rules, "--text", text, code=2)
    assert result.stdout == ""
    assert "it has changed, or it is another text" in result.stderr
    run(rules, "--text", str(tmp_path / "none.txt"), code=2)
    run("nobody", "--text", text, code=2)
    run(rules, "--text", text, "--by", "chance", code=2)
    run(rules, code=2)
    (tmp_path / "tiny.cases.yaml").write_text("cases: 1\n")
    write(tmp_path)
    assert "tiny.cases.yaml" in run(rules, "--text", text, code=2).stderr


def test_nothing_that_a_terminal_would_obey(tmp_path: Path) -> None:
    rules, text = write(tmp_path)
    content = Path(text).read_text(encoding="utf-8").replace("A hint", "A \x1b[31mhint")
    Path(text).write_text(content, encoding="utf-8")
    digest = hashlib.sha256(Path(text).read_bytes()).hexdigest()
    written = Path(rules).read_text(encoding="utf-8").split("sha256: ")
    Path(rules).write_text(f"{written[0]}sha256: {digest}{written[1][64:]}", encoding="utf-8")
    assert "\x1b" not in run(rules, "--text", text).stdout
