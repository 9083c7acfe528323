"""Games are kept while they are played: nothing is lost, and what was left is gone on with as if it had not been."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import resource
import select
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
from variant_engine.record import About, Lookup, RecordError, check
from variant_engine.record import files as record_files
from variant_engine.record.files import RecordFile, read_file
from variant_engine.record.proof import proved, verify
from variant_engine.record.recorder import create
from variant_engine.record.store import Store

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
    rng = Random(f"{len(deal.history)} {deal.hand(0)} {deal.score}")
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


@pytest.mark.parametrize("committed", [False, True])
def test_resumed_play_is_as_if_it_had_not_been_interrupted(quick: None, tmp_path: Path, committed: bool) -> None:
    """The random bot goes on where its random numbers stopped; the record is the same to the last byte."""
    if committed:
        _check_resumed_with_commitments(tmp_path)
        return
    about = About(names=("Anna", "random"), date="2026.11.29", game="x", bots={1: "random"})
    for seed in range(3):
        whole, pieces = tmp_path / f"whole{seed}.p66", tmp_path / f"pieces{seed}.p66"
        keeper = Keeper(lambda path=whole: create(path), Store(), about=about)  # type: ignore[misc]
        Played(FOSTER, by_position, people=AGAINST_RANDOM, keeper=keeper, seed=seed)
        keeper = Keeper(lambda path=pieces: create(path), Store(), about=about)  # type: ignore[misc]
        Played(FOSTER, limited(by_position, 4), people=AGAINST_RANDOM, keeper=keeper, seed=seed)
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
    assert "2026" in str(newest(Store())) or newest(Store()).exists()
    os.utime(newest(Store(), "handbook"), (1, 1))
    assert "foster" in newest(Store()).name
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
    assert "proved" in run("verify", "y.p66").output


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


def test_a_ruleset_of_ones_own(quick: None, tmp_path: Path) -> None:
    rules = "format: 1\nid: own\ntitle: Own\nkind: house\nextends: handbook\noptions:\n  value_win: 1\n"
    (tmp_path / "own.yaml").write_text(rules)
    run("play", "own.yaml", typed="1\n1\n")
    assert "no ruleset is called" in run("play", "--resume", code=2).output
    assert "Going on with deal 1" in run("play", "own.yaml", "--resume", typed="").output


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
