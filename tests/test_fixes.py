"""``check --fix``: what is certainly meant is written, nothing else is touched, and what is in doubt is left alone."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from cli.main import app
from variant_engine.checking import check_files, check_text
from variant_engine.diagnostics import has_errors
from variant_engine.fixes import FixError, mend, mended_text
from variant_engine.hints import slips, sure_value, surely
from variant_engine.options import BY_NAME, OPTIONS

HEAD = "format: 1\nid: mine\ntitle: Mine\nkind: house\n"


def run(*args: str, status: int = 0, text: str = "") -> Result:
    result = CliRunner().invoke(app, ["check", *args], prog_name="sixtysix", env={"COLUMNS": "80"}, input=text)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == status, result.output
    return result


def mended(piece: str, name: str = "mine.yaml") -> str:
    """The piece of a file after all fixes."""
    after, fixed = mended_text(HEAD + piece, name)
    assert after.startswith(HEAD)
    assert bool(fixed) == (after != HEAD + piece)
    return after.removeprefix(HEAD)


# ---- what is certain ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("options:\n  clsoing: not_played\n", "options:\n  closing: not_played\n"),
        ("options:\n  Closing: not_played\n", "options:\n  closing: not_played\n"),
        ("options:\n  closing-draw: either\n", "options:\n  closing_draw: either\n"),
        ('options:\n  "clsoing" : not_played\n', 'options:\n  "closing" : not_played\n'),
        ("options:\n  closing: not_playd # none\n", "options:\n  closing: not_played # none\n"),
        ("options:\n  closing: 'not-played'\n", "options:\n  closing: 'not_played'\n"),
        ("options:\n  closing: no\n", "options:\n  closing: not_played\n"),
        ("options:\n  exchange_card: 9\n", "options:\n  exchange_card: nine\n"),
        ("options:\n  exchange_card: '9'\n", "options:\n  exchange_card: 'nine'\n"),
        ("options:\n  exchange_card: J\n", "options:\n  exchange_card: jack\n"),
        ('options:\n  hand_cards: "5"\n', "options:\n  hand_cards: 5\n"),
        ("options:\n  {hand_cards: '5', closing: no}\n", "options:\n  {hand_cards: 5, closing: not_played}\n"),
        ("options:\n  target_card_points: 6_6\n", "options:\n  target_card_points: 66\n"),
        ("options:\n  hand_crads: '5'   # both at once\n", "options:\n  hand_cards: 5   # both at once\n"),
        (
            "options:\n  closing:\n    value: on_laed\n    status: sttaed\n    where: ¶7.5\n",
            'options:\n  closing:\n    value: on_lead\n    status: stated\n    where: ["¶7.5"]\n',
        ),
        ("sumary: Ours\noptions: {}\n", "summary: Ours\noptions: {}\n"),
        ("summary: 66\noptions: {}\n", 'summary: "66"\noptions: {}\n'),
        ("summary: 1.10\noptions: {}\n", 'summary: "1.10"\noptions: {}\n'),
        ("summary: true\noptions: {}\n", 'summary: "true"\noptions: {}\n'),
    ],
)
def test_what_is_certain_is_fixed(before: str, after: str) -> None:
    assert mended(before) == after
    assert [found for found in check_text(HEAD + after, "mine.yaml") if found.is_error] == []


def test_keys_of_the_head_and_of_a_source() -> None:
    text = (
        'fromat: "1"\nid: book\ntilte: Book\nkind: Attested\nlineage: book\nlanguage: en\n'
        f"source:\n  type: txet\n  flie: book.txt\n  sha256: {'AB' * 32}\noptions: {{}}\n"
    )
    after, fixed = mended_text(text, "book.yaml")
    assert after == (
        "format: 1\nid: book\ntitle: Book\nkind: attested\nlineage: book\nlanguage: en\n"
        f"source:\n  type: text\n  file: book.txt\n  sha256: {'ab' * 32}\noptions: {{}}\n"
    )
    assert len(fixed) == 7


def test_places_without_their_sign() -> None:
    rest = "".join(
        f"  {option.name}: {{value: {option.neutral}, status: silent, why: nothing}}\n"
        for option in OPTIONS
        if option.name != "closing"
    )
    head = "format: 1\nid: book\ntitle: Book\nkind: attested\nlineage: book\nlanguage: en\n"
    source = f"source: {{type: text, file: b.txt, sha256: '{'0' * 64}'}}\noptions:\n"
    before = "  closing: {value: on_lead, status: stated, where: ['7.5', 8.10, \"§ 9.1\", '¶3']}\n"
    after, _ = mended_text(head + source + before + rest, "book.yaml")
    assert after[len(head + source) : -len(rest)] == (
        '  closing: {value: on_lead, status: stated, where: ["¶7.5", "¶8.10", "¶9.1", \'¶3\']}\n'
    )


def test_a_file_of_cases() -> None:
    text = (
        "cases:\n  - name: 12\n    rulesets: [foster]\n    gvien: "
        "{dealer: B, trump: H, drawn: yes, hands: {A: C9, B: CA}}\n    with: {clsoing: no}\n    expect: {over: false}\n"
    )
    after, _ = mended_text(text, "mine.cases.yaml")
    assert after == (
        'cases:\n  - name: "12"\n    rulesets: [foster]\n'
        "    given: {dealer: B, trump: H, drawn: true, hands: {A: C9, B: CA}}\n"
        "    with: {closing: not_played}\n    expect: {over: false}\n"
    )


# ---- what is not ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "piece",
    [
        "options:\n  closings_are_fun: not_played\n",
        "options:\n  closing: forbidden\n",
        "options:\n  turn_up: no\n",  # four values, none of them a no
        "options:\n  claim_when: yes\n",
        "options:\n  exchange_card: non\n",  # none? nine?
        "options:\n  clsoing: on_lead\n  closng: not_played\n",  # both the same?
        "options:\n  closing: on_lead\n  clsoing: not_played\n",  # there already
        "options:\n  hand_cards: six\n",
        "options:\n  hand_cards: '60'\n",
        "options:\n  hand_cards: '05'\n",
        "options:\n  hand_cards: 010\n",  # ten, or eight?
        "options:\n  hand_cards: 5.0\n",
        'options:\n  hand_cards: "5"# without the marks, this is text\n',
        "options:\n  hand_cards:\n",
        "options:\n  hand_cards: 60\n",
        "options:\n  hand_cards: 12\n",
        "options:\n  clos: on_lead\n",
        "options:\n  next_dealer_ti: [x]\n  next_dealer_tie: alternate\n",
        "options:\n  closing: |\n    on_laed\n",
        "closing: not_played\noptions: {}\n",
        "summary: [a]\noptions: {}\n",
        "language: EN\noptions: {}\n",
    ],
)
def test_what_is_in_doubt_is_left_alone(piece: str) -> None:
    assert mended(piece) == piece


CASE = (
    "cases:\n  - name: x\n    rulesets: [foster]\n    given: {dealer: B, trump: H, state: exhausted, "
    "hands: {A: C9, B: CA}}\n"
)


@pytest.mark.parametrize(
    ("line", "fixed"),
    [
        ("    expect: {legal_cards: 3}\n", ""),
        ("    expect: {legal_cards: 66}\n", ""),
        ("    expect: {cannot: 3}\n", ""),
        ("    expect: {to_move: 1}\n", ""),
        ("    where: 7.5\n    expect: {over: false}\n", ""),
        ("    expect: {cannot: 66}\n", '    expect: {cannot: "66"}\n'),
        ("    play: 66\n    expect: {over: true}\n", '    play: "66"\n    expect: {over: true}\n'),
    ],
)
def test_a_number_in_a_case_is_put_in_quotes_only_where_it_is_a_move(line: str, fixed: str) -> None:
    after, _ = mended_text(CASE + line, "mine.cases.yaml")
    assert after == CASE + (fixed or line)
    if not fixed:
        assert not any("in quotes" in found.help for found in check_text(CASE + line, "mine.cases.yaml"))


def test_a_file_that_is_no_yaml_is_left_alone() -> None:
    assert mended("options:\n  clsoing: [\n") == "options:\n  clsoing: [\n"


def test_only_the_file_itself_is_fixed_not_its_parent(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(HEAD.replace("mine", "base") + "options:\n  clsoing: no\n", "utf-8")
    child = tmp_path / "mine.yaml"
    child.write_text(HEAD + "extends: base\noptions:\n  hand_cards: '5'\n", "utf-8")
    before = (tmp_path / "base.yaml").read_bytes()
    mend(child).write()
    assert child.read_text("utf-8").endswith("  hand_cards: 5\n")
    assert (tmp_path / "base.yaml").read_bytes() == before


# ---- bytes ----------------------------------------------------------------------------------------------------------


def test_everything_else_stays_byte_by_byte(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    before = (
        b"\xef\xbb\xbf# ours \xf0\x9f\x82\xa1  \r\nformat:   1\r\nid: mine\n\n\ntitle: 'M\xc3\xa4in'\r\nkind: house\r\n"
        b"options:\r\n    # why not\r\n    clsoing :  'no'   # \xe4\xb8\xad\xe6\x96\x87\r\n    hand_cards: "
        b'"5"# 5\r\n\r\n# end'
    )
    file.write_bytes(before)
    file.chmod(0o640)
    one = mend(file)
    one.write()
    assert file.read_bytes() == before.replace(b"clsoing", b"closing").replace(b"'no'", b"'not_played'")
    assert file.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["mine.yaml"]
    assert not mend(file).fixed


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target = tmp_path / "there" / "mine.yaml"
    target.write_text(HEAD + "options:\n  clsoing: no\n", "utf-8")
    link = tmp_path / "mine.yaml"
    link.symlink_to(target)
    mend(link).write()
    assert link.is_symlink()
    assert "closing: not_played" in target.read_text("utf-8")


def test_a_file_that_has_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(HEAD + "options:\n  clsoing: no\n", "utf-8")
    one = mend(file)
    file.write_text("something else", "utf-8")
    with pytest.raises(FixError, match="has changed meanwhile"):
        one.write()
    assert file.read_text("utf-8") == "something else"


def test_all_or_nothing_when_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(HEAD + "options:\n  clsoing: no\n", "utf-8")
    before = file.read_bytes()
    one = mend(file)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("variant_engine.fixes.os.fsync", full)
    with pytest.raises(FixError, match="cannot be written: no space left"):
        one.write()
    assert file.read_bytes() == before
    assert os.listdir(tmp_path) == ["mine.yaml"]


# ---- the command ----------------------------------------------------------------------------------------------------


def test_the_command_fixes_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(HEAD + "options:\n  clsoing: 'no'\n  hand_cards: many\n", "utf-8")
    assert run("mine.yaml", status=1).stdout.endswith("1 file: 2 problems; 1 can be fixed with --fix\n")
    shown = run("--diff", "mine.yaml", status=1).stdout
    assert shown == (
        "--- mine.yaml\n+++ mine.yaml\n@@ -3,5 +3,5 @@\n title: Mine\n kind: house\n options:\n"
        "-  clsoing: 'no'\n+  closing: 'not_played'\n   hand_cards: many\n"
        "1 file: 2 problems; 2 would be fixed\n"
    )
    assert "clsoing" in Path("mine.yaml").read_text("utf-8")
    shown = run("--fix", "mine.yaml", status=1).stdout
    assert shown.startswith(
        "mine.yaml:6:3: fixed[S110]: clsoing -> closing\nmine.yaml:6:13: fixed[S112]: no -> not_played\n"
        "mine.yaml:7:15: error[S111]:"
    )
    assert shown.endswith("1 file: 1 problem; 2 were fixed\n")
    assert Path("mine.yaml").read_text("utf-8") == HEAD + "options:\n  closing: 'not_played'\n  hand_cards: many\n"


def test_the_command_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(HEAD + "options:\n  clsoing: not_played\n", "utf-8")
    told = json.loads(run("--diff", "--json", "mine.yaml", status=1).stdout)
    assert told["problems"][0]["fix"] == told["fixed"][0]["fix"]
    assert told["fixed"][0]["fix"] == {"file": "mine.yaml", "line": 6, "column": 3, "end_column": 10, "text": "closing"}
    assert told["diff"].startswith("--- mine.yaml\n")
    told = json.loads(run("--fix", "--json", "mine.yaml").stdout)
    assert (told["errors"], len(told["fixed"])) == (0, 1)
    assert not has_errors(check_files(["mine.yaml"]))


def test_what_cannot_be_asked(tmp_path: Path) -> None:
    assert "take the files to be mended" in run("--fix", status=2).stderr
    assert "not the standard input" in run("--fix", "-", status=2).stderr
    assert "by itself" in run("-", "foster", status=2).stderr
    assert "--name goes with" in run("foster", "--name", "x.yaml", status=2).stderr
    assert "there is no such file" in run("--fix", str(tmp_path / "absent.yaml"), status=2).stdout


# ---- certainty ------------------------------------------------------------------------------------------------------

NAMES = [option.name for option in OPTIONS]


@settings(derandomize=True, max_examples=150, deadline=None)
@given(st.sampled_from(NAMES), st.data())
def test_one_slip_is_repaired_or_left_but_never_taken_for_another(name: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(name) - 1))
    letter = data.draw(st.sampled_from("abcdefghijklmnopqrstuvwxyz_"))
    wrong = data.draw(
        st.sampled_from(
            [name[:at] + name[at + 1 :], name[:at] + letter + name[at:], name[:at] + letter + name[at + 1 :]]
        )
    )
    meant = surely(wrong, NAMES)
    near = [other for other in NAMES if slips(wrong, other) <= slips(wrong, name) + 1]
    assert meant == name if near == [name] and len(wrong) > 3 else meant in (name, None, wrong)


def test_slips() -> None:
    assert slips("closing", "closing") == 0
    assert slips("clsoing", "closing") == 1
    assert slips("closng", "closing") == 1
    assert slips("", "abc") == 3
    assert slips("ca", "abc") == 3


def test_yes_and_no_are_certain_only_where_there_is_one_of_each() -> None:
    for option in OPTIONS:
        for word in ("yes", "no", "off", "true"):
            meant = sure_value(option, word)
            if meant is not None:
                first = [value.meaning.replace(",", " ").split()[0] for value in option.values]
                assert sorted(first) == ["no", "yes"]
                assert option.meaning(meant).startswith("yes" if word in ("yes", "true") else "no")
    assert sure_value(BY_NAME["closing"], "no") == "not_played"
    assert sure_value(BY_NAME["turn_up"], "no") is None
