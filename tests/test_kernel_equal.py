"""The core compiled is the core: the same states, legal moves, reasons and results as in plain Python.

Rulesets, packs and moves are drawn by lot. A deal's course is written down by ``diary``, a function in the core's own
subset, which is run plain and compiled.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import variant_engine as ve
from tests.strategies import rulesets
from variant_engine import kernel
from variant_engine.cards import lowest_of, number_of, pack_order
from variant_engine.encoding import SEATS, Rules
from variant_engine.engine import bars, legal, play
from variant_engine.options.deal import PACK_CARDS
from variant_engine.phases import MOVE_COUNT, OVER
from variant_engine.players.uniform import sensible, uniform_move
from variant_engine.rules.dealing import deal_cards
from variant_engine.ruleset import Ruleset
from variant_engine.shuffle import deal_label, shuffled
from variant_engine.simulate import counter, sha
from variant_engine.simulate.counter import number_at, shuffle_by_counter
from variant_engine.simulate.playout import GREEDY, RANDOM, ROWS_AND_MOVES
from variant_engine.simulate.tasks import NO_SUMS, PLAYER_CODES, Part, Setting, play_part
from variant_engine.state import CARRY, PHASE, STATE_LENGTH, TO_MOVE, State, clear, next_seat

if os.environ.get("CI"):
    assert kernel.available(), "numba is missing where it must be tested"
elif not kernel.available():
    pytest.skip("numba is not installed", allow_module_level=True)

#: What the diary holds of each decision: the state, and for each seat the legal moves and what bars every move.
_PAGE = STATE_LENGTH + 2 * (1 + MOVE_COUNT)
_MOST_PAGES = 100
_Call = Callable[..., Any]


def diary(rules: Rules, pack: State, dealer: int, carry: int, key: int, state: State, pages: State) -> int:
    """Play a deal by lot, foolish moves and moves out of turn included, and write down all there is at each step."""
    clear(state)
    deal_cards(rules, state, pack, dealer, 0)
    state[CARRY] = carry
    at = 0
    step = 0
    while True:
        for field in range(STATE_LENGTH):
            pages[at] = state[field]
            at += 1
        for seat in range(rules[SEATS]):
            pages[at] = legal(rules, state, seat)
            at += 1
            for move in range(MOVE_COUNT):
                pages[at] = bars(rules, state, seat, move)
                at += 1
        if state[PHASE] == OVER:
            return at
        seat = state[TO_MOVE]
        if number_at(key, 4 * step, 8) == 0:
            other = next_seat(rules[SEATS], seat)
            if legal(rules, state, other) != 0:
                seat = other
        moves = legal(rules, state, seat)
        wise = sensible(rules, state, seat, moves)
        if wise != 0 and number_at(key, 4 * step + 1, 32) != 0:
            moves = wise
        play(rules, state, seat, uniform_move(moves, number_at(key, 4 * step + 2, number_of(moves))))
        step += 1


def _pages(call: _Call, make: _Call, rules: Ruleset, pack: list[int], how: tuple[int, int, int]) -> list[int]:
    pages = make([0] * (_PAGE * _MOST_PAGES))
    length = call(make(rules.ints), make(pack), *how, make([0] * STATE_LENGTH), pages)
    return list(pages[:length])


def _hold_together(rules: Ruleset, seed: int, deals: int) -> None:
    compiled = kernel.compiled(diary)
    order = pack_order(rules.ints[PACK_CARDS])
    for number in range(deals):
        pack = shuffled(order, deal_label(seed, number))
        how = (number % 2, (0, 0, 1, 3)[number % 4], counter.key_of(seed + number))
        plain = _pages(diary, list, rules, pack, how)
        native = _pages(compiled, kernel.array, rules, pack, how)
        if plain != native:
            where = next(index for index, (one, other) in enumerate(zip(plain, native, strict=False)) if one != other)
            raise AssertionError(
                f"step {where // _PAGE}, entry {where % _PAGE}: plain {plain[where]}, compiled {native[where]}; "
                f"seed {seed}, deal {number}, rules {dict(rules.values)}"
            )


_SEEDS = st.integers(0, 2**32)
_CHECKS = [HealthCheck.too_slow, HealthCheck.data_too_large]


@settings(max_examples=60, deadline=None, suppress_health_check=_CHECKS)
@given(rulesets(), _SEEDS)
def test_same_course_of_deals(rules: Ruleset, seed: int) -> None:
    _hold_together(rules, seed, 12)


@pytest.mark.slow
@settings(max_examples=600, deadline=None, suppress_health_check=_CHECKS)
@given(rulesets(), _SEEDS)
def test_same_course_of_twenty_thousand_deals(rules: Ruleset, seed: int) -> None:
    _hold_together(rules, seed, 36)


@settings(max_examples=40, deadline=None, suppress_health_check=_CHECKS)
@given(
    rulesets(),
    st.integers(-(10**40), 10**40),
    st.sampled_from(["exact", "fast"]),
    st.tuples(*[st.sampled_from(sorted(PLAYER_CODES))] * 2),
    st.integers(0, 10**9),
)
def test_same_simulation(rules: Ruleset, seed: int, shuffle: str, players: tuple[str, ...], first: int) -> None:
    one, other = (
        play_part(Setting(rules.ints, seed, shuffle, players, compiled, ROWS_AND_MOVES), Part(first, 12))
        for compiled in (False, True)
    )
    assert one.sums == other.sums
    assert one.moves == other.moves
    assert list(one.rows) == list(other.rows)
    assert list(one.log) == list(other.log)


@pytest.mark.parametrize("pack_cards", [20, 24, 32])
def test_both_shuffles_are_the_same_compiled(pack_cards: int) -> None:
    rules = ve.load("foster").replace(pack_cards=pack_cards, exchange_card="jack")
    order = pack_order(pack_cards)
    for seed, number in ((0, 0), (7, 123), (-12, 10**9), (2**63, 5)):
        work: Any = kernel.zeros(32 + sha.SCRATCH_LENGTH)
        work[:pack_cards] = order
        sha.prepare(seed, work, 32)
        kernel.compiled(sha.shuffle_by_label)(number, work, pack_cards, 32)
        assert list(work[:pack_cards]) == shuffled(order, deal_label(seed, number)), rules
        plain, native = order.copy(), kernel.array(order)
        shuffle_by_counter(counter.key_of(seed), counter.stream_of(number, 0), plain, pack_cards)
        kernel.compiled(shuffle_by_counter)(counter.key_of(seed), counter.stream_of(number, 0), native, pack_cards)
        assert plain == list(native)


def test_bits_are_counted_the_same() -> None:
    for function in (number_of, lowest_of):
        native = kernel.compiled(_bits_of[function])
        for mask in (1, 2, 3, 1 << 42, (1 << 43) - 1, 0xFFFFFFFF, 0x80000000, 1 << 62):
            assert native(mask) == function(mask)


def _number(mask: int) -> int:
    return number_of(mask)


def _lowest(mask: int) -> int:
    return lowest_of(mask)


_bits_of = {number_of: _number, lowest_of: _lowest}


# ---- the cache ----------------------------------------------------------------------------------------------------


@contextmanager
def _cache_at(path: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SIXTYSIX_CACHE", str(path))
    kernel.compiled.cache_clear()
    yield
    kernel.compiled.cache_clear()


def test_the_cache_is_kept_by_the_sources(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with _cache_at(tmp_path, monkeypatch):
        kernel.compiled(_number)
        folder = kernel.cache_folder()
        assert folder.parent.parent == tmp_path
        assert folder.name == kernel.source_hash()
        assert any(folder.rglob("*.nbc"))


def test_an_unwritable_cache_does_no_harm(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with _cache_at(file, monkeypatch):
        assert kernel.compiled(_number)(5) == 2


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("share", [0, 0.5, 0.99, None])
def test_a_damaged_cache_is_made_anew(
    share: float | None, ending: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with _cache_at(tmp_path, monkeypatch):
        kernel.compiled(_number)
        (file,) = kernel.cache_folder().rglob(f"*.{ending}")
        whole = file.read_bytes()
        file.write_bytes(b"nonsense" if share is None else whole[: int(share * len(whole))])
        kernel.compiled.cache_clear()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert kernel.compiled(_number)(5) == 2
        assert [path.stat().st_size for path in kernel.cache_folder().rglob(f"*.{ending}")] == [len(whole)]


@pytest.mark.parametrize("known_before", [True, False])
def test_a_full_cache_is_done_without(known_before: bool, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    caching = pytest.importorskip("numba.core.caching")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    if known_before:
        monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=4096))
    else:
        monkeypatch.setattr(caching.IndexDataCacheFile, "_save_data", full)
    kernel._say_not_kept.cache_clear()
    with _cache_at(tmp_path, monkeypatch), warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert kernel.compiled(_number)(5) == 2
        assert kernel.compiled(_lowest)(4) == 2
        assert not any(kernel.cache_folder().rglob("*.nbc"))
    (one,) = said
    assert one.category is kernel.NotKept
    assert re.search(r"(?i)^compiled code cannot be kept in .*: no space (is )?left", str(one.message))


def test_sums_and_players_by_code() -> None:
    setting = Setting(ve.load("foster").ints, 1, "fast", ("random", "greedy"), True)
    assert len(NO_SUMS) == len(play_part(setting, Part(0, 1)).sums)
    assert PLAYER_CODES == {"random": RANDOM, "greedy": GREEDY}
