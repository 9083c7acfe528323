"""Records written while a deal is played: nothing is lost, whatever happens, and nobody else writes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import pytest

import variant_engine as ve
from tests.records import PACK, PLAY, example, foster, random_play, replayed
from variant_engine.notation import Move
from variant_engine.record import About, Lookup, RecordError, check, deal_record, read, record_of, write
from variant_engine.record import files as record_files
from variant_engine.record.files import RecordFile, read_file
from variant_engine.record.proof import Secret, new_secret
from variant_engine.record.recorder import Recorder, create, open_for_append

ROOT = Path(__file__).parent.parent
RULES = Lookup(foster())
ABOUT = About(names=("Anna", "Tibor"), date="2026.11.29")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the waiting for the disk where only the text matters."""
    monkeypatch.setattr(os, "fsync", lambda fd: None)
    monkeypatch.setattr(RecordFile, "make_room", lambda self: None)


def start_of_example() -> ve.Deal:
    return ve.deal(foster(), pack=PACK.split(), dealer=1)


def moves_of_example() -> list[Move]:
    return [step.move for step in replayed(example()).steps]


def record(path: Path, start: ve.Deal, moves: list[Move], about: About | None = ABOUT) -> str:
    with create(path) as recorder:
        recorder.begin(start, about)
        for move in moves:
            recorder.play(move)
    return path.read_bytes().decode()


# ---- what is written ----------------------------------------------------------------------------------------------


def test_move_by_move_is_the_same_as_all_at_once(tmp_path: Path, quick: None) -> None:
    rng = Random(4)
    for number in range(30):
        start, moves = random_play(rng)
        about = About(names=("Anna", "Tibor"), german=number % 3 == 0)
        text = record(tmp_path / f"{number}.p66", start, moves, about)
        assert text == write(record_of([deal_record(start, moves, about)]))


def test_every_move_is_there_at_once(tmp_path: Path) -> None:
    path = tmp_path / "x.p66"
    with create(path) as recorder:
        recorder.begin(start_of_example(), ABOUT)
        for number, move in enumerate(moves_of_example(), 1):
            recorder.play(move)
            (played,) = check(read_file(path), RULES)
            assert len(played.steps) == number
        assert recorder.deal is None
    assert path.read_text().endswith(PLAY.partition("6. A 66")[2])


def test_deals_one_after_the_other(tmp_path: Path) -> None:
    path = tmp_path / "x.p66"
    record(path, start_of_example(), moves_of_example())
    with open_for_append(path) as recorder:
        assert recorder.unfinished is None
        assert recorder.notice == ""
        recorder.begin(ve.deal(foster(), seed=1), ABOUT)
        with pytest.raises(ValueError, match="not finished"):
            recorder.begin(ve.deal(foster(), seed=2), ABOUT)
    assert [played.record.finished for played in check(read_file(path), RULES)] == [True, False]
    assert "\n\n[Date" in path.read_text()
    with open_for_append(path) as recorder:
        with pytest.raises(ValueError, match="not finished"):
            recorder.begin(ve.deal(foster(), seed=2), ABOUT)
        assert recorder.resume(RULES).history == ()
        with pytest.raises(ValueError, match="no unfinished deal"):
            recorder.resume(RULES)


def test_refused_moves_write_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.p66"
    with create(path) as recorder:
        with pytest.raises(ValueError, match="no deal"):
            recorder.play("CA")
        with pytest.raises(ValueError, match="no deal"):
            recorder.comment("what deal?")
        recorder.begin(start_of_example(), ABOUT)
        before = path.read_bytes()
        with pytest.raises(ve.IllegalMove):
            recorder.play("SA")
        with pytest.raises(ve.NotationError):
            recorder.play("AS")
        assert path.read_bytes() == before


def test_a_deal_that_has_begun_cannot_be_begun(tmp_path: Path) -> None:
    with create(tmp_path / "x.p66") as recorder, pytest.raises(ValueError, match="has begun"):
        recorder.begin(start_of_example().play("CA"))


def test_comments(tmp_path: Path) -> None:
    path = tmp_path / "x.p66"
    with create(path) as recorder:
        recorder.begin(start_of_example(), ABOUT)
        recorder.comment("no } good\nhand")
        recorder.play("CA")
        recorder.comment("led")
        recorder.play("HJ")
        recorder.comment("taken")
    (played,) = check(read_file(path), RULES)
    assert played.problems == ()
    assert played.record.comments == ("no   good hand", "led")
    with open_for_append(path) as recorder:
        recorder.resume(RULES)
        recorder.play("=")
    (played,) = check(read_file(path), RULES)
    assert played.record.comments == ("no   good hand", "led", "taken")


# ---- interruptions ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_torn_can_be_resumed(tmp_path: Path, quick: None, seed: int) -> None:
    """A record cut off at every few bytes is opened again and played to the same end."""
    rng = Random(seed)
    start, moves = random_play(rng)
    about = About(names=('An"na', "Tibör"), german=seed == 3)
    path = tmp_path / "x.p66"
    whole = record(path, start, moves, about).encode()
    if seed % 2:
        first = whole
        with open_for_append(path) as recorder:
            recorder.begin(start, about)
            for move in moves:
                recorder.play(move)
        whole = path.read_bytes()
    else:
        first = b""
    (*_, played) = check(read_file(path), RULES)
    written = [step.move for step in played.steps]
    for size in range(len(first) + seed, len(whole) + 1, 2 if seed == 0 else 7):
        path.write_bytes(whole[:size])
        with open_for_append(path) as recorder:
            finish(recorder, start, written, about)
        assert path.read_bytes().startswith(first)
        deals = check(read_file(path), RULES)
        assert all(one.ok for one in deals)
        last = deals[-1]
        assert last.end is not None
        assert last.end._state == (played.end._state if played.end else None)


def finish(recorder: Recorder, start: ve.Deal, moves: list[Move], about: About) -> None:
    """Play a deal of the file to its end, from wherever it broke off."""
    if recorder.unfinished is not None:
        deal = recorder.resume(RULES)
    elif recorder.record is None or len(recorder.record.deals) == 1:
        deal = recorder.begin(start, about)
    else:
        return
    done = len(deal.history)
    for move in moves[done:]:
        deal = recorder.play(move)
    assert deal.over


def test_whole_tricks_survive(tmp_path: Path, quick: None) -> None:
    path = tmp_path / "x.p66"
    whole = record(path, start_of_example(), moves_of_example()).encode()
    begins = whole.index(b"1. A")
    for size in range(begins, whole.index(b"*")):
        path.write_bytes(whole[:size])
        with open_for_append(path) as recorder:
            deal = recorder.resume(RULES)
        assert sum(deal.tricks) >= whole[begins:size].count(b"\n")


@pytest.mark.parametrize(
    ("end", "tricks"),
    [("", 4), ("\n", 4), (" ; why?", 4), (" {why\nnot?}\n\n", 4), ("\r\n", 4), (" B:", 3), (" H", 3), (" {why", 3)],
)
def test_resuming_within_a_trick(tmp_path: Path, end: str, tricks: int) -> None:
    path = tmp_path / "x.p66"
    head = example(PLAY[: PLAY.index("5. A")])
    path.write_bytes((head + "5. A | DK" + end).encode())
    torn = end in (" B:", " H", " {why")
    with open_for_append(path) as recorder:
        assert bool(recorder.notice) == torn
        deal = recorder.resume(RULES)
        assert sum(deal.tricks) == 4
        assert deal.led == (None if torn else "DK")
        for token in ("|", "DK") if torn else ():
            if recorder.deal is not None and recorder.deal.phase == "before the draw":
                recorder.play("=")
            recorder.play(token)
        recorder.play("HA")
        recorder.play("66")
    (played,) = check(read_file(path), RULES)
    assert played.problems == ()
    assert played.record.finished
    assert tricks


def test_a_closing_torn_in_two_is_not_taken_for_another(tmp_path: Path) -> None:
    path = tmp_path / "x.p66"
    path.write_text(example(PLAY[: PLAY.index("2. A")]) + "2. A |")
    with open_for_append(path) as recorder:
        assert "2. A |" in recorder.notice
        assert recorder.resume(RULES).phase == "before the draw"


def test_a_file_that_is_wrong_elsewhere_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "x.p66"
    for text in (
        example(PLAY.replace("CA HJ", "CA [HJ")),
        example(PLAY.replace("CA HJ", "CA [HJ"))[:-3],
        example("1. A CA\n2. A"),
        "no record\n",
    ):
        path.write_text(text)
        try:
            with open_for_append(path) as recorder:
                if recorder.unfinished is not None:
                    recorder.resume(RULES)
        except RecordError:
            assert path.read_text() == text
        else:
            assert text.endswith("2. A")
    path.write_text(example("1. A CA SK\n"))
    with open_for_append(path) as recorder, pytest.raises(RecordError, match="P731"):
        recorder.resume(RULES)
    assert path.read_text() == example("1. A CA SK\n")


def test_what_is_missing_at_the_end_is_completed(tmp_path: Path) -> None:
    path = tmp_path / "x.p66"
    for end in ("", "*", "*\n", '*\n[Points "A 72 B 18"]', '*\n[Points "A 72 B 18"] [Result "A 2"] [Rea'):
        path.write_text(example(PLAY.partition("*")[0] + end))
        with open_for_append(path) as recorder:
            assert recorder.resume(RULES).over
            assert recorder.deal is None
        assert path.read_text().endswith('6. A 66\n*\n[Points "A 72 B 18"] [Result "A 2"] [Reason "claim"]\n')
        assert check(read_file(path), RULES)[0].problems == ()


CHILD = """
import sys, time
from pathlib import Path
from random import Random
import variant_engine as ve
from variant_engine.record import About, Lookup
from variant_engine.record.recorder import create, open_for_append
path, seed = Path(sys.argv[1]), int(sys.argv[2])
rules = ve.load("foster")
if path.exists():
    recorder = open_for_append(path)
    deal = recorder.resume(Lookup(rules)) if recorder.unfinished else None
else:
    recorder, deal = create(path), None
while True:
    if deal is None or deal.over:
        deal = recorder.begin(ve.deal(rules, seed=seed), About(names=("Anna", "Tibor")))
    print("ready", flush=True)
    while not deal.over:
        moves = [move for move in deal.legal() if str(move) not in ("66", "@")]
        deal = recorder.play(Random(f"{seed} {len(deal.history)}").choice(moves))
        print(len(deal.history), flush=True)
    print("over", flush=True)
"""


def test_killing_the_process_loses_nothing_that_it_had_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "x.p66"
    rng = Random(66)
    resumed = 0
    for _ in range(6):
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(path), "7"], stdout=subprocess.PIPE, text=True, cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        time.sleep(rng.random() * 0.15)
        os.kill(child.pid, signal.SIGKILL)
        said = child.stdout.read().split("\n")
        child.stdout.close()
        assert child.wait() == -signal.SIGKILL
        # The last line may have been cut off.
        acknowledged = next((int(line) for line in reversed(said[:-1]) if line not in ("", "ready", "over")), 0)
        content = path.read_bytes()
        with open_for_append(path) as recorder:
            last = recorder.unfinished
        if last is None or acknowledged == 0:
            continue
        (*_, played) = check(read_file(path), RULES)
        assert played.ok, content
        # After the last move of a deal the next may have begun, without a word about it yet.
        if said[-2] not in ("ready", "over"):
            assert len(played.steps) >= acknowledged
            resumed += 1
    assert resumed


# ---- files that cannot be used ------------------------------------------------------------------------------------


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.p66"
    with create(path) as recorder:
        recorder.begin(start_of_example(), ABOUT)
        with pytest.raises(RecordError, match="another program is writing this record"):
            open_for_append(path)
        script = f"from variant_engine.record.recorder import open_for_append; open_for_append({str(path)!r})"
        second = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        assert "another program is writing this record" in second.stderr
        recorder.play("CA")
        # Reading is always allowed.
        assert len(check(read_file(path), RULES)[0].steps) == 1
    with open_for_append(path) as recorder:
        assert recorder.unfinished is not None


@pytest.mark.parametrize("name", ["", "gone/x.p66", "file/x.p66", "\0"])
def test_files_that_cannot_be_written(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordError) as caught:
        create(tmp_path / name if name != "\0" else "\0")
    assert caught.value.diagnostics[0].code == "P701"
    with pytest.raises(RecordError):
        open_for_append(tmp_path / name if name != "\0" else "\0")


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "x.p66"
    path.write_text("mine")
    with pytest.raises(RecordError, match="is there already"):
        create(path)
    assert path.read_text() == "mine"


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A disk on which so many bytes are left."""
    left = [1 << 20]
    write_ = os.write

    def limited(fd: int, data: bytes) -> int:
        if not left[0]:
            raise OSError(28, "No space left on device")
        part = data[: left[0]]
        left[0] -= len(part)
        return write_(fd, part)

    monkeypatch.setattr(os, "write", limited)
    return left


def test_a_disk_that_fills_up_loses_only_the_move(tmp_path: Path, full_disk: list[int]) -> None:
    path = tmp_path / "x.p66"
    with create(path) as recorder:
        recorder.begin(start_of_example(), ABOUT)
        recorder.play("CA")
        before = path.read_bytes()
        full_disk[0] = 2
        with pytest.raises(RecordError, match="there is no room left"):
            recorder.play("HJ")
        assert path.read_bytes() == before
        assert recorder.deal is not None
        assert recorder.deal.led == "CA"
        full_disk[0] = 1 << 20
        recorder.play("HJ")
    assert path.read_text().endswith("1. A CA HJ\n")


def test_a_full_disk_is_said_before_the_first_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.p66"
    recorder = create(path)
    monkeypatch.setattr(record_files, "ROOM", 1 << 62)

    class Full:
        def __enter__(self) -> Full:
            raise OSError(28, "No space left on device")

        def __exit__(self, *_: object) -> None:
            raise AssertionError("never entered")

    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: Full())
    with pytest.raises(RecordError, match="the record cannot be kept: there is no room left"):
        recorder.begin(start_of_example(), ABOUT)
    assert path.read_text() == "% P66 1.0\n"
    recorder.close()
    with pytest.raises(RecordError, match="no room left"):
        create(tmp_path / "y.p66")
    assert not (tmp_path / "y.p66").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
def test_a_limit_of_the_system_is_said(tmp_path: Path) -> None:
    script = (
        "import resource, variant_engine as ve\n"
        "from variant_engine.record.recorder import create\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        f"create({str(tmp_path / 'x.p66')!r})\n"
    )
    second = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert "the record cannot be kept: there is no room left" in second.stderr


@pytest.mark.parametrize("content", [b"\xff\xfe", b'% P66 1.0\n[A "\xe9"]\n'])
def test_what_is_not_utf_8(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.p66"
    path.write_bytes(content)
    with pytest.raises(RecordError, match="not UTF-8"):
        read_file(path)


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in (tmp_path, tmp_path / "gone.p66", Path(os.devnull)):
        with pytest.raises(RecordError):
            read_file(path)
    path = tmp_path / "x.p66"
    path.write_text(example())
    monkeypatch.setattr(record_files, "LONGEST", 100)
    with pytest.raises(RecordError, match="more than 100 bytes"):
        read_file(path)
    with pytest.raises(RecordError, match="more than 100 bytes"):
        open_for_append(path)


# ---- deals committed to -------------------------------------------------------------------------------------------


def committed(path: Path, moves: int) -> tuple[Secret, ve.Deal]:
    """A committed deal of which so many moves have been made."""
    secret = new_secret(foster())
    deal = ve.deal(foster(), pack=secret.pack)
    with create(path) as recorder:
        recorder.begin(deal, ABOUT, secret=secret)
        for _ in range(moves):
            deal = recorder.play(next(move for move in deal.legal() if move.token not in ("66", "@")))
            if deal.over:
                break
    return secret, deal


def test_a_committed_deal_tells_nothing_before_its_end(tmp_path: Path) -> None:
    path = tmp_path / "x.p66"
    secret, deal = committed(path, 6)
    text = path.read_text()
    assert "Pack" not in text
    assert "Seed" not in text
    assert secret.salt not in text
    assert f'[Commit "{secret.commitment}"]' in text
    assert f'[TurnUp "{ve.deal(foster(), pack=secret.pack).turn_up}"]' in text
    (played,) = check(read_file(path), RULES)
    assert [found.code for found in played.problems] == ["P716"]
    with open_for_append(path) as recorder:
        with pytest.raises(RecordError, match="its secret is not here"):
            recorder.resume(RULES)
        with pytest.raises(RecordError, match="not the one"):
            recorder.resume(RULES, secret=new_secret(foster()))
        again = recorder.resume(RULES, secret=secret)
        assert again._state == deal._state
        while not again.over:
            again = recorder.play(next(move for move in again.legal() if move.token not in ("66", "@")))
    text = path.read_text()
    assert f'[Pack "{" ".join(secret.pack)}"]\n[Seed "{secret.seed}/0"] [Salt "{secret.salt}"]\n' in text
    assert write(read(text)) == text
    assert check(read_file(path), RULES)[0].problems == ()


def test_a_committed_deal_torn_at_its_end(tmp_path: Path, quick: None) -> None:
    path = tmp_path / "x.p66"
    secret, _ = committed(path, 200)
    whole = path.read_bytes()
    for size in range(whole.index(b"*"), len(whole)):
        path.write_bytes(whole[:size])
        with open_for_append(path) as recorder:
            if recorder.unfinished is not None:
                assert recorder.resume(RULES, secret=secret).over
        assert path.read_bytes() == whole if size < len(whole) - 1 else path.read_bytes().startswith(whole[:-1])


def test_a_secret_of_another_deal_is_refused(tmp_path: Path) -> None:
    with create(tmp_path / "x.p66") as recorder, pytest.raises(ValueError, match="another deal"):
        recorder.begin(start_of_example(), secret=new_secret(foster()))


def test_a_secret_that_was_made_for_other_tags_is_refused(tmp_path: Path) -> None:
    bound = {"dealer": 1, "game": "g", "bots": {1: "greedy"}}
    about = About(game="g", bots={1: "greedy"})
    others: tuple[dict[str, object], ...] = ({"dealer": 0}, {"game": "h"}, {"bots": {}})
    for changes in others:
        secret = new_secret(foster(), **{**bound, **changes})  # type: ignore[arg-type]
        start = ve.deal(foster(), pack=secret.pack)
        with (
            create(tmp_path / f"{next(iter(changes))}.p66") as recorder,
            pytest.raises(ValueError, match="another deal"),
        ):
            recorder.begin(start, about, secret=secret)
    secret = new_secret(foster().replace(value_win=2), **bound)  # type: ignore[arg-type]
    with create(tmp_path / "rules.p66") as recorder, pytest.raises(ValueError, match="another deal"):
        recorder.begin(ve.deal(foster(), pack=secret.pack), about, secret=secret)
    secret = new_secret(foster(), **bound)  # type: ignore[arg-type]
    with create(tmp_path / "x.p66") as recorder:
        recorder.begin(ve.deal(foster(), pack=secret.pack), about, secret=secret)


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('[Bots "B greedy"]', '[Bots "A greedy"]', "x.p66:7:8"),
        ('[Game "g"]', '[Game "h"]', "x.p66:2:8"),
        ('[Bots "B greedy"]\n', "", "x.p66:2:1"),
    ],
)
def test_a_deal_whose_tags_were_changed_is_not_gone_on_with(tmp_path: Path, old: str, new: str, place: str) -> None:
    """It could never be proved."""
    path = tmp_path / "x.p66"
    secret = new_secret(foster(), game="g", bots={1: "greedy"})
    with create(path) as recorder:
        recorder.begin(ve.deal(foster(), pack=secret.pack), About(game="g", bots={1: "greedy"}), secret=secret)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with open_for_append(path) as recorder, pytest.raises(RecordError) as caught:
        recorder.resume(RULES, secret=secret)
    assert f"{place}: error[P763]" in str(caught.value)
    assert "is not what the deal was committed to with" in str(caught.value)
