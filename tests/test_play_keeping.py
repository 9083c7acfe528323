"""Games are kept while they are played: nothing is lost, and what was left is gone on with as if it had not been."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import resource
import select
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner, Result

import variant_engine as ve
from cli.main import app
from cli.play.keeping import CannotResume, Keeper, newest, resume
from cli.play.session import Session
from tests.playing import AGAINST_RANDOM, TWO, Played, Typist, random_typist, typed
from tests.records import example
from variant_engine.record import About, Lookup, RecordError, check
from variant_engine.record import files as record_files
from variant_engine.record.files import RecordFile, read_file
from variant_engine.record.proof import proved, verify
from variant_engine.record.recorder import create
from variant_engine.record.store import Store
from variant_engine.ruleset import Ruleset

ROOT = Path(__file__).parent.parent
FOSTER = ve.load("foster")


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SIXTYSIX_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the waiting for the disk where only the text matters."""
    monkeypatch.setattr(os, "fsync", lambda fd: None)
    monkeypatch.setattr(RecordFile, "make_room", lambda self: None)


def run(*words: str, code: int = 0, typed: str = "") -> Result:
    result = CliRunner().invoke(app, list(words), input=typed)
    assert result.exit_code == code, result.output + str(result.exception)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def by_position(session: Session, prompt: str) -> str:
    """A typist whose choice hangs on the position alone, so that it is the same after an interruption."""
    if not prompt.endswith("ove: "):
        return ""
    deal = session.deal
    rng = Random(f"{deal.tricks} {deal.phase} {deal.led} {deal.hand(0)} {deal.score}")
    moves = [move.token for move in deal.legal() if move.token not in ("66", "@") or deal.claim_is_right(0)]
    return "66" if "66" in moves else rng.choice(moves)


def limited(typist: Typist, lines: int) -> Typist:
    left = iter(range(lines))

    def type_line(session: Session, prompt: str) -> str:
        if next(left, None) is None:
            raise EOFError
        return typist(session, prompt)

    return type_line


# ---- going on -----------------------------------------------------------------------------------------------------


def whole_and_begun(folder: Path, rules: Ruleset, seed: int) -> tuple[Path, Path]:
    """The records of the same game against the random bot: played to its end, and broken off after four lines."""
    about = About(names=("Anna", "random"), date="2026.11.29", game="x", bots={1: "random"})
    whole, begun = folder / f"whole{seed}.p66", folder / f"pieces{seed}.p66"
    for path, typist in ((whole, by_position), (begun, limited(by_position, 4))):
        keeper = Keeper(lambda path=path: create(path), Store(), about=about)  # type: ignore[misc]
        Played(rules, typist, people=AGAINST_RANDOM, keeper=keeper, seed=seed)
    return whole, begun


@pytest.mark.parametrize("committed", [False, True])
def test_resumed_play_is_as_if_it_had_not_been_interrupted(quick: None, tmp_path: Path, committed: bool) -> None:
    """The random bot goes on where its random numbers stopped; the record is the same to the last byte."""
    if committed:
        _check_resumed_with_commitments(tmp_path)
        return
    for seed in range(3):
        whole, pieces = whole_and_begun(tmp_path, FOSTER, seed)
        for _ in range(400):
            try:
                kept = resume(pieces, Store(), None, 1)
            except CannotResume:
                break
            assert kept.game.seed == seed
            typist = limited(by_position, 3)
            Played(kept.game.rules, typist, people=kept.people, keeper=kept.keeper, seed=1, resumed=kept)
        with pytest.raises(CannotResume, match="is over"):
            resume(pieces, Store(), None, 1)
        assert pieces.read_bytes() == whole.read_bytes()


def _check_resumed_with_commitments(tmp_path: Path) -> None:
    path = tmp_path / "x.p66"
    about = About(names=("Anna", "random"), date="2026.11.29", game="x", bots={1: "random"})
    keeper = Keeper(lambda: create(path), Store(), about=about, verify=True)
    first = Played(FOSTER, limited(by_position, 6), people=AGAINST_RANDOM, keeper=keeper)
    assert "The program is bound to these cards by sha256:" in first.text
    assert "Pack" not in path.read_text()
    for _ in range(400):
        try:
            kept = resume(path, Store(), None, 1)
        except CannotResume:
            break
        typist = limited(by_position, 5)
        Played(kept.game.rules, typist, people=kept.people, keeper=kept.keeper, seed=1, resumed=kept)
    deals = check(read_file(path))
    assert len({deal.said.seed for deal in deals}) == len(deals) > 1
    assert all(proved(verify(deal)) for deal in deals)
    assert not list((Store().folder / "secrets").iterdir())


def test_two_people_and_names_are_resumed(quick: None, tmp_path: Path) -> None:
    run("play", "handbook", "--two", "--name", "Anna", "--name", "Tibor", "--record", "x.p66", typed="\n1\n\n")
    result = run("play", "--resume", "x.p66", typed="\n1\n")
    assert "Going on with deal 1, trick 1." in result.output
    assert re.search(r"(Anna|Tibor), press Enter", result.output)
    assert "sixtysix play --resume x.p66" in result.output


def test_the_last_game_is_found(quick: None) -> None:
    assert "no game to go on with" in run("play", "--resume", code=2).output
    run("play", "foster", "--seed", "1", typed="\n1\n")
    run("play", "handbook", "--seed", "1", typed="1\n1\n")
    os.utime(newest(Store(), "handbook")[0], (1, 1))
    path, skipped = newest(Store())
    assert "foster" in path.name
    assert skipped == []
    assert "handbook" in run("play", "handbook", "--resume", typed="quit\n").output
    assert "no game of app-it" in run("play", "app-it", "--resume", code=2).output


def test_between_two_deals(quick: None, tmp_path: Path) -> None:
    def one_deal(session: Session, prompt: str) -> str:
        if session.game is not None and session.game.number:
            raise EOFError
        return by_position(session, prompt)

    about = About(names=("Anna", "random"), bots={1: "random"}, game="x")
    keeper = Keeper(lambda: create(tmp_path / "x.p66"), Store(), about=about)
    Played(FOSTER, one_deal, people=AGAINST_RANDOM, keeper=keeper)
    # The second deal has been begun; without it the record ends between two deals.
    text = (tmp_path / "x.p66").read_text()
    (tmp_path / "x.p66").write_text(text[: text.index("\n\n") + 1])
    kept = resume(tmp_path / "x.p66", Store(), None, 1)
    assert kept.positions == ()
    assert kept.game.number == 1
    assert len(kept.game.results) == 1
    kept.keeper.close()
    assert "Deal 2." in run("play", "--resume", "x.p66", typed="history\nquit\n").output


def test_a_game_without_a_seed_goes_on_with_a_fresh_one(quick: None, tmp_path: Path) -> None:
    """Written by hand, or by a program that tells none."""
    first = example(before='[Game "x"]\n').replace('"4-4"', '"0-0"')
    second = first.partition("\n")[2].partition("1. A")[0] + "1. B HK\n"
    second = second.replace("0-0", "2-0").replace('[Dealer "B"]', '[Dealer "A"]').replace('[Play "A"]', '[Play "B"]')
    for text, number in ((first, 1), (first + "\n" + second, 1)):
        (tmp_path / "x.p66").write_text(text)
        kept = resume(tmp_path / "x.p66", Store(), None, 77)
        kept.keeper.close()
        assert (kept.game.seed, kept.game.number, kept.game.score) == (77, number, (2, 0))


def test_a_game_that_does_not_follow_is_not_gone_on_with(quick: None, tmp_path: Path) -> None:
    first = example(before='[Game "x"]\n')
    unfinished = example("1. A CA\n", before='[Game "x"]\n')
    again = unfinished.partition("\n")[2]
    for text, said in (
        (first, "the score is 6-4"),
        (unfinished, "the deal before this one in the game is not finished"),
    ):
        (tmp_path / "x.p66").write_text(text + "\n" + again)
        assert said in run("play", "--resume", "x.p66", code=2).output


def test_what_cannot_be_resumed(quick: None, tmp_path: Path) -> None:
    (tmp_path / "empty.p66").write_text("% P66 1.0\n")
    assert "nothing has been dealt yet" in run("play", "--resume", "empty.p66", code=2).output
    (tmp_path / "wrong.p66").write_text("no record\n")
    assert "this is no record" in run("play", "--resume", "wrong.p66", code=2).output
    assert "there is no" in run("play", "--resume", "gone.p66", code=2).output or True
    run("play", "handbook", "--record", "x.p66", "--seed", "1", typed="1\n1\n")
    text = (tmp_path / "x.p66").read_text()
    (tmp_path / "bot.p66").write_text(text.replace('"B greedy"', '"B clever"'))
    assert "a bot plays that is not here: 'clever'" in run("play", "--resume", "bot.p66", code=2).output
    other = re.sub(r"sha256:\w+", "sha256:" + "0" * 64, text)
    (tmp_path / "rules.p66").write_text(other)
    assert "by other rules than it was begun with" in run("play", "--resume", "rules.p66", code=2).output
    run("play", "handbook", "--verify", "--record", "v.p66", typed="1\n1\n")
    for path in (Store().folder / "secrets").iterdir():
        path.unlink()
    assert "its secret is not here" in run("play", "--resume", "v.p66", code=2).output
    assert "is a record; to go on with it" in run("play", "x.p66", code=2).output
    assert "belongs to a new game" in run("play", "--resume", "--seed", "3", code=2).output


# ---- killed -------------------------------------------------------------------------------------------------------


def start(*words: str, home: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "cli", "play", *words],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        env={**os.environ, "SIXTYSIX_HOME": str(home), "PYTHONPATH": str(ROOT)},
    )


def type_into(process: subprocess.Popen[str], rng: Random) -> None:
    """Type numbers, Enter, and now and then something else, until the process is gone."""
    assert process.stdin is not None
    try:
        while process.poll() is None:
            process.stdin.write(rng.choice(("1", "2", "3", "", "", "4", "40", "score")) + "\n")
            process.stdin.flush()
    except (BrokenPipeError, ValueError):
        return


def lines_until(process: subprocess.Popen[str], most: int) -> Iterator[str]:
    assert process.stdout is not None
    for _, line in zip(range(most), process.stdout, strict=False):
        yield line


_CARD_PLAYED = re.compile(r"(?:lead|leads|answer|answers) (?:[♠♥♦♣](?:10|[AKQJ9]))(?:[.;]| and )")


def test_killed_at_random_moments(tmp_path: Path) -> None:
    """Every card that was shown before the process was killed is in the record, and the game goes on from there."""
    rng = Random(2)
    path = tmp_path / "x.p66"
    shown = 0
    words: tuple[str, ...] = ("foster", "--against", "random", "--seed", "5", "--record", str(path))
    for kills in range(6):
        process = start(*words, home=tmp_path / "home")
        typist = threading.Thread(target=type_into, args=(process, rng), daemon=True)
        typist.start()
        text = "".join(lines_until(process, rng.randrange(30, 250)))
        process.kill()
        assert process.stdout is not None
        text += process.stdout.read()
        process.wait()
        typist.join()
        assert process.stdin is not None
        process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        assert "Traceback" not in text
        shown += len(_CARD_PLAYED.findall(text))
        if path.exists() and "1." in path.read_text():
            deals = check(read_file(path))
            assert all(deal.ok for deal in deals)
            played = sum(step.move.token[0] in "SHDC" for deal in deals for step in deal.steps)
            assert shown <= played <= shown + 2 * (kills + 1)
            words = ("--resume", str(path))
        if "The game is over" in text:
            break
    assert shown > 20


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    process = start("foster", "--seed", "5", "--record", str(tmp_path / "x.p66"), home=tmp_path / "home")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("\n1\n")
    process.stdin.flush()
    for line in process.stdout:
        if "Greedy answers" in line or "Greedy leads" in line:
            break
    result = run("play", "--resume", "x.p66", code=2)
    assert "another program is writing this record" in result.output
    assert "close the other game first" in result.output
    process.stdin.write("quit\n")
    process.stdin.close()
    assert "The game is kept" in process.stdout.read()
    assert process.wait() == 0
    process.stdout.close()
    assert "Going on" in run("play", "--resume", "x.p66", typed="").output


# ---- where nothing can be written ---------------------------------------------------------------------------------


def test_a_record_that_cannot_be_written_is_said_before_the_first_card(tmp_path: Path) -> None:
    (tmp_path / "there.p66").write_text("")
    for name, said in (("no/where.p66", "no such file"), ("there.p66", "there already"), (".", "")):
        result = run("play", "handbook", "--record", name, code=2)
        assert said in result.output
        assert "Deal 1" not in result.output


def test_a_full_disk_is_said_before_the_first_card(tmp_path: Path) -> None:
    process = subprocess.run(
        [sys.executable, "-m", "cli", "play", "handbook", "--record", str(tmp_path / "x.p66")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        input="1\n",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)),
    )
    assert process.returncode == 2
    assert "there is no room left" in process.stderr
    assert "Deal 1" not in process.stdout
    assert not (tmp_path / "x.p66").exists()


def test_a_disk_that_fills_up_loses_no_move(quick: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The move is not made, that is said, and it can be tried again."""
    write = RecordFile.append
    failures = iter((False, False, False, True, True, False))

    def append(self: RecordFile, text: str) -> None:
        if next(failures, False):
            record_files.refuse_file(self.name, "the record cannot be written on: there is no room left", "", "P762")
        write(self, text)

    monkeypatch.setattr(RecordFile, "append", append)
    path = tmp_path / "x.p66"
    keeper = Keeper(lambda: create(path), Store(), about=About(names=("Anna", "greedy"), bots={1: "greedy"}))
    played = Played(FOSTER, typed(["", "1", "score", "", "", "1"]), keeper=keeper)
    assert played.text.count("there is no room left") == 2
    assert played.text.count("Press Enter to try again") == 3
    (deal,) = check(read_file(path))
    assert deal.ok
    assert [step.move for step in deal.steps] == [move for _, move in played.session.deal.history]


@pytest.mark.parametrize("words", [(), ("--verify",)])
def test_nothing_is_left_of_a_first_deal_that_finds_no_room(
    quick: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    calls = iter(range(100))

    def make_room(self: RecordFile) -> None:
        # There is room when it is tried out, and when the file is made; not for the deal.
        if next(calls) >= 2:
            record_files.refuse_file(self.name, "the record cannot be kept: there is no room left", "", "P762")

    monkeypatch.setattr(RecordFile, "make_room", make_room)
    result = run("play", "handbook", *words, typed="")
    assert "there is no room left" in result.output
    assert "Nothing has been dealt, so nothing is kept." in result.output
    assert not list(Store().records.iterdir())
    assert not list(Store().folder.glob("secrets/*"))


def test_the_secret_of_a_deal_that_only_lacked_its_end_is_forgotten(quick: None, tmp_path: Path) -> None:
    path = tmp_path / "x.p66"
    about = About(names=("Anna", "random"), game="x", bots={1: "random"})
    keeper = Keeper(lambda: create(path), Store(), about=about, verify=True)
    kept = {}

    def one_deal(session: Session, prompt: str) -> str:
        if session.game is not None and session.game.number:
            raise EOFError
        kept.update({file: file.read_text() for file in Store().folder.glob("secrets/*")})
        return by_position(session, prompt)

    Played(FOSTER, one_deal, people=AGAINST_RANDOM, keeper=keeper)
    text = path.read_text()
    path.write_text(text[: text.index("*\n")])
    for file in Store().folder.glob("secrets/*"):
        file.unlink()
    for file, content in kept.items():
        file.write_text(content)
    resumed = resume(path, Store(), None, 1)
    resumed.keeper.close()
    assert all(proved(verify(deal)) for deal in check(read_file(path)))
    assert not list(Store().folder.glob("secrets/*"))


def test_nothing_is_left_of_a_game_that_never_began(tmp_path: Path) -> None:
    result = run("play", "foster", "--seed", "7", "--record", "x.p66", typed="")
    assert "Nothing has been dealt, so nothing is kept." in result.output
    assert not (tmp_path / "x.p66").exists()


# ---- the command --------------------------------------------------------------------------------------------------


def test_a_game_is_in_the_statistics_and_can_be_replayed(quick: None) -> None:
    games = 0
    for seed in range(2):
        lines = _lines_of_a_game(seed)
        result = run("play", "handbook", "--seed", str(seed), "--name", "Anna", typed="\n".join(lines) + "\n")
        assert "The game is over." in result.output
        games += 1
    tally = json.loads(run("stats", "--json").output)["tallies"][0]
    assert (tally["ruleset"], tally["player"], tally["opponent"]) == ("handbook", "Anna", "greedy")
    assert tally["games_won"] + tally["games_lost"] == games
    for path in Store().files():
        assert "checked:" in run("replay", str(path)).output


def _lines_of_a_game(seed: int) -> list[str]:
    """What by_position types in a whole game."""
    lines: list[str] = []

    def type_line(session: Session, prompt: str) -> str:
        lines.append(by_position(session, prompt))
        return lines[-1]

    Played(ve.load("handbook"), type_line, seed=seed)
    return lines


def test_verified_games_are_verified(quick: None) -> None:
    run("play", "handbook", "--verify", "--against", "random", "--record", "x.p66", typed="1\n2\n3\n4\n5\n6\n" * 60)
    text = Path("x.p66").read_text()
    first = text.split("\n\n")[0] + "\n"
    assert "Salt" in first
    Path("y.p66").write_text(first)
    assert "deal 1: proved" in run("verify", "y.p66", code=1).output
    # The program's own games are whole when they are over.
    _play_to_the_end("x.p66")
    assert run("verify", "x.p66").output.endswith(": the whole game\nproved\n")


def _play_to_the_end(path: str) -> None:
    for _ in range(30):
        try:
            kept = resume(Path(path), Store(), None, 1)
        except CannotResume:
            return
        Played(kept.game.rules, by_position, people=kept.people, keeper=kept.keeper, seed=1, resumed=kept)
    raise AssertionError("the game did not end")


def test_options_that_do_not_go_together() -> None:
    for words, said in (
        (("play",), "which ruleset?"),
        (("play", "fostr"), "did you mean 'foster'"),
        (("play", "foster", "--against", "greedi"), "did you mean 'greedy'"),
        (("play", "foster", "--against", "greedy", "--two"), "--two is for two people"),
        (("play", "foster", "--name", "a", "--name", "b"), "once for each person"),
        (("play", "foster", "--two", "--name", "a", "--name", "a"), "different names"),
        (("play", "foster", "--colours", "many"), "two, four or none"),
        (("play", "foster", "--cards", "fr"), "en or de"),
        (("play", "foster", "--verify", "--seed", "3"), "leave out --seed"),
        (("play", "foster", "--verify", "--no-record"), "leave out --no-record"),
        (("play", "foster", "--record", "x", "--no-record"), "contradict"),
        (("play", "foster", "--set", "hand_cards=13"), "hand_cards"),
    ):
        assert said in run(*words, code=2).output, words


def test_options_of_the_look() -> None:
    plain = run("play", "handbook", "--seed", "3", "--plain", "--no-record", typed="1\n").output
    assert plain.isascii()
    assert "♥" in run("play", "handbook", "--seed", "3", "--no-record", "--colours", "four", typed="1\n").output
    german = run("play", "handbook", "--seed", "3", "--cards", "de", "--no-record", typed="1\n").output
    assert "E Eichel" in german
    words = ("--set", "first_dealer=high_card_deals", "--no-record", "--count")
    changed = run("play", "foster", *words, typed="1\n").output
    assert "(foster, first_dealer=high_card_deals)" in changed
    assert "Card points" in changed
    assert "\x1b" not in plain + german + changed


# ---- rules of one's own -------------------------------------------------------------------------------------------

OWN = "format: 1\nid: own\ntitle: Own\nkind: house\nextends: handbook\noptions:\n  value_win: 2\n"
EDITED = OWN.replace("value_win: 2", "value_win: 1\n  hand_cards: 5")


@pytest.fixture
def own(quick: None, tmp_path: Path) -> Path:
    """The file of a ruleset of one's own, in a folder that is not looked through."""
    (tmp_path / "mine").mkdir()
    file = tmp_path / "mine" / "own.yaml"
    file.write_text(OWN)
    return file


def commands_of(printed: str) -> list[list[str]]:
    """The commands that the program has shown."""
    return [shlex.split(line)[1:] for line in re.findall(r"^  (sixtysix .*)$", printed, re.MULTILINE)]


def whole_game(file: Path, *words: str) -> str:
    lines: list[str] = []

    def type_line(session: Session, prompt: str) -> str:
        lines.append(by_position(session, prompt))
        return lines[-1]

    rules = ve.load(str(file))
    changes = dict(word.split("=") for word in words if "=" in word)
    Played(rules.replace(**{name: int(value) for name, value in changes.items()}), type_line, seed=3)
    return run("play", str(file), "--seed", "3", "--name", "Anna", *words, typed="\n".join(lines) + "\n").output


def test_what_the_program_prints_works_for_rules_of_ones_own(own: Path) -> None:
    """Resume, replay and stats, wherever the file is by then."""
    left = run("play", "mine/own.yaml", typed="1\n1\n").output
    (again,) = commands_of(left)
    assert again[:2] == ["play", "--resume"]
    over = whole_game(own)
    replaying, counting = commands_of(over)
    for _ in range(2):
        assert "Going on with deal 1" in run(*again, typed="").output
        assert "Going on with deal 1" in run("play", "--resume", typed="").output
        assert "Going on with deal 1" in run("play", "own", "--resume", typed="").output
        assert "checked:" in run(*replaying).output
        assert re.search(r"own +Anna +greedy", run(*counting).output)
        assert "not counted" not in run(*counting, "--rebuild").output
        assert "rules not found" not in run("record", "list").output
        assert "not found" not in run("record", "show").output
        own.unlink(missing_ok=True)


def test_rules_of_ones_own_with_changes(own: Path) -> None:
    over = whole_game(own, "--set", "value_schneider=4")
    replaying, _ = commands_of(over)
    own.unlink()
    assert "value_schneider=4" in run(*replaying).output
    run("play", "mine/own.yaml", code=2)
    assert "checked:" in run(*replaying).output


def test_a_changed_game_is_gone_on_with_as_changed(own: Path) -> None:
    run("play", "mine/own.yaml", "--set", "target_game_points=3", "--seed", "1", "--record", "x.p66", typed="1\n1\n")
    own.unlink()
    kept = resume(Path("x.p66"), Store(), None, 1)
    assert kept.game.rules["target_game_points"] == 3
    assert kept.game.rules.diff == (("target_game_points", 3),)
    kept.keeper.close()


def test_where_the_file_is_still_the_same_it_is_read(own: Path) -> None:
    """It says more than the copy: what comes from which file, and where that has it from."""
    run("play", "mine/own.yaml", "--record", "x.p66", typed="1\n1\n")
    kept = resume(Path("x.p66"), Store(), None, 1)
    kept.keeper.close()
    assert kept.game.rules.file == str(own)
    assert kept.game.rules.evidence["hand_cards"].ruleset == "handbook"
    own.unlink()
    kept = resume(Path("x.p66"), Store(), None, 1)
    kept.keeper.close()
    assert kept.game.rules.file.startswith(str(Store().rules))
    assert kept.notice == ""


def test_rules_that_were_edited_since(own: Path) -> None:
    """The game goes on as it was begun, and that is said in one line."""
    replaying, _ = commands_of(whole_game(own))
    run("play", "mine/own.yaml", "--record", "x.p66", typed="1\n1\n")
    own.write_text(EDITED)
    said = "own.yaml has other rules now than this was played by; those are read from the copy kept here"
    for words in (("--resume", "x.p66"), ("--resume", "x.p66", "--rules", "mine/own.yaml")):
        printed = run("play", *words, typed="").output
        assert " ".join(printed.split()).count(said) == 1
        assert "Going on with deal 1" in printed
    result = run(*replaying)
    assert "warning[P723]" in result.output
    assert result.output.count(said) == 1
    assert "not counted" not in run("stats").output
    # A new game is played by the new rules.
    run("play", "mine/own.yaml", "--record", "y.p66", typed="1\n1\n")
    kept = resume(Path("y.p66"), Store(), None, 1)
    kept.keeper.close()
    assert (kept.game.rules["hand_cards"], kept.notice) == (5, "")


def test_rules_that_are_not_found(own: Path) -> None:
    run("play", "handbook", "--seed", "1", typed="1\n1\n")
    run("play", "mine/own.yaml", typed="1\n1\n")
    shutil.rmtree(Store().rules)
    lost = newest(Store(), None, ve.load(str(own)))[0]
    os.utime(lost, (2**31, 2**31))
    own.rename(own.with_name("moved.yaml"))
    text = own.with_name("moved.yaml").read_text().replace("id: own", "id: moved")
    own.with_name("moved.yaml").write_text(text)
    result = run("play", "--resume", typed="").output
    assert f"the rules of {lost.name} are not found" in " ".join(result.split())
    assert "Going on with deal 1" in result
    assert "--rules FILE" in run("play", "--resume", str(lost), code=2).output
    assert "rules not found" in run("record", "list").output
    assert f"not counted: {lost.name}:1: rules not found: own" in run("stats").output
    message = run("play", "own", "--resume", code=2).output
    assert "no ruleset is called" in message
    # With the file named, it goes on, and from then on without.
    assert "Going on" in run("play", "--resume", str(lost), "--rules", "mine/moved.yaml", typed="").output
    run("replay", str(lost), "--rules", "mine/moved.yaml")
    assert "Going on" in run("play", "--resume", str(lost), typed="").output
    run("replay", str(lost))
    assert "--rules belongs to --resume" in run("play", "handbook", "--rules", "mine/moved.yaml", code=2).output


def test_only_games_without_rules(own: Path) -> None:
    run("play", "mine/own.yaml", typed="1\n1\n")
    shutil.rmtree(Store().rules)
    own.unlink()
    message = run("play", "--resume", code=2).output
    assert "there is no game to go on with" in message
    assert "--rules FILE" in message


def test_a_damaged_copy_is_passed_over(own: Path) -> None:
    run("play", "mine/own.yaml", "--record", "x.p66", typed="1\n1\n")
    (copy,) = Store().rules.glob("*/own.yaml")
    own.unlink()
    for damage in (b"", b"\xff", copy.read_bytes().replace(b"value_win: 2", b"value_win: 3"), copy.read_bytes()[:200]):
        copy.write_bytes(damage)
        assert "error[P720]" in run("play", "--resume", "x.p66", code=2).output


def test_between_two_deals_by_rules_that_are_given(own: Path) -> None:
    """That the last deal is over must not make the game over where its rules are only given."""

    def one_deal(session: Session, prompt: str) -> str:
        if session.game is not None and session.game.number:
            raise EOFError
        return by_position(session, prompt)

    rules = ve.load(str(own))
    about = About(names=("Anna", "random"), bots={1: "random"}, game="x")
    store = Store()
    keeper = Keeper(lambda: store.new_record("own", "2026.11.29"), store, about=about)
    Played(rules, one_deal, people=AGAINST_RANDOM, keeper=keeper)
    (path,) = store.files()
    text = path.read_text()
    path.write_text(text[: text.index("\n\n") + 1])
    assert "Deal 2." in run("play", "mine/own.yaml", "--resume", typed="quit\n").output


def test_a_copy_that_cannot_be_kept(own: Path) -> None:
    """Said before the first card; a game in a file of its own can do without."""
    Store().folder.mkdir(parents=True, exist_ok=True)
    Store().rules.write_text("")
    result = run("play", "mine/own.yaml", code=2, typed="1\n")
    assert "a copy of the rules cannot be kept" in result.output
    assert "Deal 1" not in result.output
    assert not Store().files()
    result = run("play", "mine/own.yaml", "--record", "x.p66", typed="1\n1\n")
    assert "--rules names it" in result.output
    assert "Going on" in run("play", "--resume", "x.p66", "--rules", "mine/own.yaml", typed="").output
    # Rules that ship need no copy.
    run("play", "handbook", typed="1\n1\n")


def test_a_copy_has_every_option(own: Path) -> None:
    for name in [*(head.id for head in ve.rulesets()), str(own)]:
        rules = ve.load(name)
        Store().keep_rules(rules.replace(target_game_points=9))
        (copy,) = Store().rules.glob(f"*/{rules.id}.yaml")
        again = ve.load(str(copy))
        assert (again.values, again.hash, again.title) == (rules.values, rules.hash, rules.title)
        assert copy.parent.name == rules.hash.removeprefix("sha256:")[:16]


# ---- the bots' random numbers -------------------------------------------------------------------------------------


def test_resumed_after_a_marriage_that_scored_itself(quick: None, tmp_path: Path) -> None:
    """In the record it is two moves, for the bot it was one choice: its random numbers must not be counted twice."""
    rules = FOSTER.replace(marriage_scoring="automatic", marriage_trick="not_needed")
    scored = 0
    for seed in range(6):
        whole, pieces = whole_and_begun(tmp_path, rules, seed)
        for _ in range(400):
            try:
                kept = resume(pieces, Store(), rules, 1)
            except CannotResume:
                break
            typist = limited(by_position, 2)
            Played(kept.game.rules, typist, people=kept.people, keeper=kept.keeper, seed=1, resumed=kept)
        assert pieces.read_bytes() == whole.read_bytes()
        scored += len(re.findall(r"^\d+\. B .*\+", whole.read_text(), re.MULTILINE))
    assert scored > 3


def test_input_that_is_no_text(tmp_path: Path) -> None:
    process = subprocess.run(
        [sys.executable, "-m", "cli", "play", "handbook", "--seed", "1", "--record", str(tmp_path / "x.p66")],
        cwd=ROOT,
        capture_output=True,
        input=b"\xff\xfe\n1\n\x00\n? \xe9\n",
        env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0"},
    )
    assert process.returncode == 0, process.stderr
    assert b"Traceback" not in process.stderr
    assert b"The input has ended." in process.stdout


def test_at_a_terminal(tmp_path: Path) -> None:
    """On a real terminal: colours, and no traceback after Ctrl-C."""
    fd, other = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "cli", "play", "handbook", "--seed", "3"],
        cwd=ROOT,
        stdin=other,
        stdout=other,
        stderr=other,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        env={**os.environ, "TERM": "xterm", "NO_COLOR": "", "SIXTYSIX_HOME": str(tmp_path / "home")},
    )
    os.close(other)
    seen = b""
    sent = 0
    while True:
        # What is typed while the terminal is being set up for a question may be thrown away: then it is typed again.
        if not select.select([fd], [], [], 2)[0]:
            os.write(fd, b"1\r")
            continue
        try:
            piece = os.read(fd, 4096)
        except OSError:
            break
        if not piece:
            break
        seen += piece
        if sent == 0 and b"our move: " in seen:
            os.write(fd, b"1\r")
            sent = 1
        elif sent == 1 and seen.count(b"our move: ") > 1:
            process.send_signal(signal.SIGINT)
            sent = 2
    os.close(fd)
    assert process.wait() == 130
    assert b"Traceback" not in seen
    assert b"Interrupted. The game is kept." in seen
    assert b"\x1b[91m" in seen


def test_random_play_by_two_is_kept(quick: None, tmp_path: Path) -> None:
    keeper = Keeper(lambda: create(tmp_path / "x.p66"), Store(), about=About(names=TWO.names, game="x"))
    played = Played(FOSTER, random_typist(Random(8)), people=TWO, keeper=keeper)
    assert played.code == 0
    deals = check(read_file(tmp_path / "x.p66"), Lookup(FOSTER))
    assert all(deal.ok for deal in deals)
    with pytest.raises(RecordError):
        create(tmp_path / "x.p66")


def test_the_session_of_the_documentation(quick: None) -> None:
    """What docs/playing.md shows is what is shown (line numbers of the rule file apart)."""
    text = (ROOT / "docs" / "playing.md").read_text(encoding="utf-8")
    block = text.partition("$ sixtysix play foster --seed 7 --record game.p66\n")[2].partition("```")[0]
    prompts = re.findall(r"^(?:Your move:|You cut the higher card\..*\)) ?(.*)$", block, re.M)
    shown = run("play", "foster", "--seed", "7", "--record", "game.p66", typed="\n".join(prompts) + "\n").output
    assert _without_places(shown) == _without_places(block)
    assert "Not allowed" in shown
    assert "The game is kept." in shown


def _without_places(text: str) -> str:
    return " ".join(re.sub(r"foster\.yaml:\d+", "foster.yaml", text).split())
