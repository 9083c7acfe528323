"""The games kept: where they lie, what the database tells of them, and that it can always be made anew."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import stat
import sys
from pathlib import Path

import pytest

import variant_engine as ve
from cli.play.keeping import CannotResume, newest
from tests.records import PLAY, changed_rules, example, foster
from variant_engine.players import PLAYERS
from variant_engine.record import About, RecordError
from variant_engine.record.index import SCHEMA_VERSION, Statistics, statistics
from variant_engine.record.proof import new_secret
from variant_engine.record.recorder import open_for_append
from variant_engine.record.store import Store, home
from variant_engine.record.summary import Filter, collect, record_files
from variant_engine.shuffle import player_stream


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "home")


def keep(store: Store, name: str, text: str) -> Path:
    store.records.mkdir(parents=True, exist_ok=True)
    path = store.records / name
    path.write_text(text)
    return path


def play_game(store: Store, names: tuple[str, str], bots: dict[int, str], seed: int) -> Path:
    """A game of foster to its target, kept as the program keeps one."""
    game = ve.game(foster(), seed=seed)
    with store.new_record("foster", "2026.11.29") as recorder:
        while not game.over:
            about = About(names=names, date="2026.11.29", game=str(seed), bots=bots, seed=(seed, game.number))
            deal = recorder.begin(game.next_deal(), about)
            streams = [player_stream(seed, game.number, seat) for seat in range(2)]
            while not deal.over:
                seat = deal.to_move
                assert seat is not None
                deal = recorder.play(PLAYERS[bots.get(seat, "greedy")](deal.view(seat), streams[seat]))
            game = game.after(deal)
        return recorder.path


# ---- where --------------------------------------------------------------------------------------------------------


def test_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SIXTYSIX_HOME", str(tmp_path))
    assert home() == tmp_path
    monkeypatch.delenv("SIXTYSIX_HOME")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert home() == tmp_path / "sixtysix"
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert home() == Path.home() / ".local" / "share" / "sixtysix"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert home() == Path.home() / "Library" / "Application Support" / "sixtysix"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert home() == tmp_path / "sixtysix"
    monkeypatch.delenv("LOCALAPPDATA")
    assert home() == Path.home() / "AppData" / "Local" / "sixtysix"


def test_new_records_have_new_names(store: Store) -> None:
    names = []
    for _ in range(3):
        with store.new_record("foster", "2026.11.29") as recorder:
            names.append(recorder.path.name)
    assert names == [f"2026-11-29-foster-{number}.p66" for number in (1, 2, 3)]


def test_a_store_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    store = Store(tmp_path / "home")
    with pytest.raises(RecordError, match="the folder cannot be made"):
        store.new_record("foster", "2026.11.29")
    with pytest.raises(RecordError, match="cannot be made"):
        store.keep_secret(new_secret(foster()))


def test_unfinished_games(store: Store) -> None:
    first = keep(store, "b.p66", example("1. A CA HJ\n"))
    second = keep(store, "c.p66", example("1. A CA HJ\n2. A [")[:-1])
    keep(store, "d.p66", "nothing\n")
    os.utime(first, (1, 1))
    assert newest(store)[0] == second
    second.unlink()
    assert newest(store)[0] == first
    first.unlink()
    with pytest.raises(CannotResume, match="no game"):
        newest(store)


def test_secrets(store: Store) -> None:
    secret = new_secret(foster())
    assert store.secret(secret.commitment) is None
    path = store.keep_secret(secret)
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert store.secret(secret.commitment) == secret
    path.write_text(path.read_text().replace(secret.salt, "0" * 64))
    assert store.secret(secret.commitment) is None
    path.write_text("{")
    assert store.secret(secret.commitment) is None
    store.forget_secret(secret.commitment)
    store.forget_secret(secret.commitment)
    assert not path.exists()
    assert store.secret("../../x") is None
    with pytest.raises(ValueError, match="no commitment"):
        store.forget_secret("../../x")


# ---- statistics ---------------------------------------------------------------------------------------------------


def numbers(found: Statistics) -> dict[tuple[str, str, str], tuple[int, ...]]:
    return {
        (one.ruleset, one.player, one.opponent): (one.deals, one.won, one.lost, one.game_points_won, one.games_won)
        for one in found.tallies
    }


def test_results_by_ruleset_and_opponent(store: Store) -> None:
    assert statistics(store).deals == 0
    keep(store, "a.p66", example())
    keep(store, "b.p66", changed_rules(PLAY, closing_draw="after_drawing"))
    swapped = example().replace('"Anna"', '"X"').replace('"Tibor"', '"Anna"').replace('"X"', '"Tibor"')
    keep(store, "c.p66", swapped + "\n" + example("1. A CA\n").removeprefix("% P66 1.0\n"))
    keep(store, "d.p66", example(PLAY.replace("CA HJ", "CA SK")))
    keep(store, "e.p66", "nothing\n")
    keep(store, "f.p66", example(before='[Bots "A greedy"]\n').replace('"Anna"', '"greedy"'))
    found = statistics(store)
    assert found.notices == ("there was no database; it has been made from the records",)
    assert (found.files, found.deals, found.unfinished) == (6, 6, 1)
    assert [file for file, _ in found.left_out] == ["d.p66:1", "e.p66"]
    assert numbers(found) == {
        ("foster", "Anna", "Tibor"): (2, 1, 1, 2, 0),
        ("foster", "Tibor", "greedy"): (1, 0, 1, 0, 0),
        ("foster*", "Anna", "Tibor"): (1, 1, 0, 2, 0),
    }
    assert json.dumps(found.as_json())
    again = statistics(store)
    assert again.notices == ()
    assert again.tallies == found.tallies


def test_a_whole_game(store: Store) -> None:
    path = play_game(store, ("Anna", "random"), {1: "random"}, 3)
    found = statistics(store)
    (tally,) = found.tallies
    assert (tally.player, tally.opponent) == ("Anna", "random")
    assert tally.games_won + tally.games_lost == 1
    assert max(tally.game_points_won, tally.game_points_lost) >= 7
    assert path.name == "2026-11-29-foster-1.p66"


def test_the_database_follows_the_records(store: Store) -> None:
    path = keep(store, "a.p66", example("1. A CA HJ\n"))
    assert statistics(store).unfinished == 1
    with open_for_append(path) as recorder:
        deal = recorder.resume()
        for token in ["=", "^D9", "+40D", "DQ", "DT", "=", "HQ", "CJ", "=", "SJ", "DJ", "=", "|", "DK", "HA", "66"]:
            deal = recorder.play(token)
        assert deal.over
    found = statistics(store)
    assert (found.unfinished, found.deals, found.tallies[0].won) == (0, 1, 1)
    path.unlink()
    found = statistics(store)
    assert (found.files, found.deals, found.tallies) == (0, 0, ())


def damage_header(path: Path) -> None:
    path.write_bytes(b"this is no database at all, whatever its name says" * 100)


def damage_pages(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xaa" * (len(content) - 4096)
    path.write_bytes(bytes(content))


def other_version(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.close()


def other_tables(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE deals")
    connection.commit()
    connection.close()


@pytest.mark.parametrize("damage", [damage_header, damage_pages, other_version, other_tables])
def test_a_damaged_database_is_made_anew_and_that_is_said(store: Store, damage: object) -> None:
    keep(store, "a.p66", example())
    before = statistics(store)
    assert callable(damage)
    damage(store.database)
    found = statistics(store)
    assert found.tallies == before.tallies
    assert len(found.notices) == 1
    assert "it has been rebuilt from the records" in found.notices[0]
    assert statistics(store).notices == ()


def test_rebuilding(store: Store) -> None:
    keep(store, "a.p66", example())
    before = statistics(store)
    found = statistics(store, rebuild=True)
    assert found.tallies == before.tallies
    assert found.notices == ("the database was rebuilt from the records",)


def test_a_database_that_cannot_be_kept(store: Store) -> None:
    keep(store, "a.p66", example())
    store.database.mkdir()
    with pytest.raises(RecordError, match="the database cannot be"):
        statistics(store)


def test_a_folder_that_can_only_be_read(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(store, "a.p66", example())
    monkeypatch.setattr(os, "access", lambda path, mode: not (path == store.folder and mode == os.W_OK))
    for rebuild in (False, True):
        found = statistics(store, rebuild=rebuild)
        assert found.deals == 1
        assert found.notices == ("the database cannot be written; the records were counted without it",)
    assert not store.database.exists()


def test_a_record_without_its_rules_that_is_gone(store: Store) -> None:
    path = keep(store, "a.p66", example().replace('"foster"', '"own"'))
    found = statistics(store)
    assert (found.files, found.left_out) == (1, (("a.p66:1", "rules not found: own"),))
    path.unlink()
    found = statistics(store)
    assert (found.files, found.left_out) == (0, ())


def test_a_full_disk(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(store, "a.p66", example())
    connect = sqlite3.connect

    def full(name: object, **how: object) -> sqlite3.Connection:
        if name == store.database:
            raise sqlite3.OperationalError("database or disk is full")
        return connect(":memory:", isolation_level=None)

    monkeypatch.setattr(sqlite3, "connect", full)
    found = statistics(store)
    assert found.deals == 1
    assert found.notices == (
        "the database cannot be kept (database or disk is full); the records were counted without it",
    )


def test_a_secret_that_cannot_be_kept_leaves_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(fd: int) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RecordError, match="no room left"):
        store.keep_secret(new_secret(foster()))
    assert not list((store.folder / "secrets").iterdir())


def test_a_database_in_use(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(store, "a.p66", example())
    statistics(store)
    keep(store, "b.p66", example())
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **how: connect(*args, **(how | {"timeout": 0.1})))
    other = connect(store.database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(RecordError, match="in use by another program"):
        statistics(store)
    other.execute("ROLLBACK")
    other.close()
    assert statistics(store).deals == 2


# ---- filters ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "files"),
    [
        (Filter(), "abc"),
        (Filter(ruleset="foster"), "abc"),
        (Filter(ruleset="handbook"), ""),
        (Filter(player="anna"), "ab"),
        (Filter(player="eva"), "c"),
        (Filter(result="A"), "a"),
        (Filter(result="claim"), "a"),
        (Filter(result="unfinished"), "bc"),
        (Filter(result="finished"), "a"),
        (Filter(date="2026"), "ab"),
        (Filter(date="2026-11"), "a"),
        (Filter(since="2026-11-01"), "ac"),
        (Filter(since="2026.01.01", until="2026.12.31"), "ab"),
    ],
)
def test_filters(tmp_path: Path, wanted: Filter, files: str) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "a.p66").write_text(example())
    (tmp_path / "b.p66").write_text(example("").replace("2026.11.29", "2026.01.??"))
    (tmp_path / "below" / "c.p66").write_text(example("").replace("2026.11.29", "2027.01.01").replace("Anna", "Eva"))
    (tmp_path / "notes.txt").write_text("")
    found = collect([tmp_path], wanted)
    assert "".join(Path(deal.file).stem for deal, _ in found.deals) == files
    assert found.problems == ()


def test_no_such_result() -> None:
    with pytest.raises(ValueError, match="no result"):
        Filter(result="C")


def test_files_that_are_no_records_are_told(tmp_path: Path) -> None:
    (tmp_path / "a.p66").write_text(example())
    (tmp_path / "b.p66").write_text("nothing")
    found = collect([tmp_path, tmp_path / "gone.p66"])
    assert len(found.deals) == 1
    assert [problem.code for problem in found.problems] == ["P702", "P701"]
    assert [path.name for path in record_files([tmp_path])] == ["a.p66", "b.p66"]


def test_what_is_left_of_a_game_that_never_began_is_passed_over(tmp_path: Path) -> None:
    """Killed between making the file and writing the first deal."""
    store = Store(tmp_path)
    for name, text in (("a", ""), ("b", "% P6"), ("c", "% P66 1.0"), ("d", "% P66 1.0\n"), ("e", example())):
        keep(store, f"{name}.p66", text)
    assert [path.name for path in store.newest_first()] == ["e.p66"]
    assert newest(store)[0].name == "e.p66"
    assert [path.name for path in record_files([tmp_path])] == ["e.p66"]
    assert collect([tmp_path]).problems == ()
    found = statistics(store)
    assert (found.files, found.left_out) == (1, ())
    # Their names are not used again, and they can be named.
    assert len(collect([store.records / "a.p66"]).problems) == 1


def test_what_is_no_record_does_not_hide_the_games(tmp_path: Path) -> None:
    """A folder, a dangling link and a stray file among the records are passed over, not stumbled on."""
    store = Store(tmp_path)
    store.records.mkdir(parents=True, exist_ok=True)
    (store.records / "folder.p66").mkdir()
    (store.records / "nowhere.p66").symlink_to(tmp_path / "absent")
    (store.records / "stray.p66").write_text("half")
    (store.records / "torn.p66").write_text("% P66 1.0\n[Event")
    assert newest(store)[0].name == "torn.p66"
    assert {path.name for path in store.newest_first()} == {"stray.p66", "torn.p66"}
