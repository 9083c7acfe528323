"""The core keeps to the subset that can be compiled, and compiled it does exactly what it does as plain Python.

Needs numba, which only those who want bulk speed install; in CI its absence is a failure.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import pytest

import variant_engine as ve
from tests.strategies import random_ruleset, shipped
from variant_engine import engine, kernel
from variant_engine.cards import lowest_of, number_of
from variant_engine.options.deal import PACK_CARDS
from variant_engine.phases import CLAIM_MOVE, LOOK_BACK_MOVE, MOVE_COUNT, OVER
from variant_engine.reasons import REASONS
from variant_engine.rules.dealing import deal_cards
from variant_engine.rules.ending import has_target
from variant_engine.ruleset import Ruleset
from variant_engine.state import PHASE, TO_MOVE, blank_state

MISSING = find_spec("numba") is None
if MISSING and os.environ.get("CI", "").lower() not in ("true", "1"):
    pytest.skip("numba is not installed", allow_module_level=True)

FUNCTIONS = kernel.core_functions()


def test_numba_is_there() -> None:
    assert not MISSING, "CI must have numba"


def test_the_core_is_covered() -> None:
    """The functions that decide are among those that are compiled; what is not is for people and named here."""
    modules = {name.rpartition(".")[0].removeprefix("variant_engine.") for name in FUNCTIONS}
    assert set(kernel.CORE_MODULES) == modules
    names = {name.removeprefix("variant_engine.") for name in FUNCTIONS}
    assert {
        "engine.legal", "engine.bars", "engine.play", "rules.answer.playable", "rules.dealing.deal_cards",
        "rules.dealing.draw", "rules.ending.finish_played_out", "rules.marriage.announce_bars",
        "rules.claim.claim_bars", "players.greedy.greedy_move", "players.uniform.uniform_move",
    } <= names  # fmt: skip


#: Two functions use a method of ints, which cannot be compiled; others stand in for them.
REPLACED = {"variant_engine.cards.number_of": number_of, "variant_engine.cards.lowest_of": lowest_of}


def guarded() -> list[object]:
    """The functions to compile; whole simulations, into which everything is laid, are left to the slow run."""
    whole = ("variant_engine.simulate.playout.", "variant_engine.impact.paired.")
    return [
        pytest.param(name, marks=pytest.mark.slow) if name.startswith(whole) else name
        for name in FUNCTIONS
        if name not in REPLACED
    ]


@pytest.mark.parametrize("name", guarded())
def test_compiles(name: str) -> None:
    """Each function by itself, so that a failure names the culprit."""
    function = FUNCTIONS[name]
    try:
        kernel.compile_function(function)
    except Exception as error:
        lines = [line for line in str(error).splitlines() if line.strip()]
        pytest.fail(f"{name} has left the subset (see variant_engine/state.py): " + "\n".join(lines[:12]))


def asks_for_bits(mask: int) -> int:
    return 100 * number_of(mask) + lowest_of(mask)


def test_what_stands_in_for_methods_of_ints() -> None:
    compiled = kernel.compile_function(asks_for_bits)
    rng = Random(1)
    for mask in (1, 1 << 42, (1 << 43) - 1, *(rng.getrandbits(43) | 1 << rng.randrange(43) for _ in range(300))):
        assert (
            compiled(mask)
            == asks_for_bits(mask)
            == 100 * bin(mask).count("1") + len(bin(mask)) - bin(mask).rindex("1") - 1
        )


def test_a_function_that_leaves_the_subset_is_named() -> None:
    """The guard can fail."""

    def strays(mask: int) -> int:
        return mask.bit_count()

    with pytest.raises(Exception, match="bit_count"):
        kernel.compile_function(strays)


# ---- the same as plain --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def compiled() -> dict[str, Callable[..., Any]]:
    functions = (engine.legal, engine.bars, engine.play, deal_cards)
    return {function.__name__: kernel.compiled(function) for function in functions}


def choice(rules: tuple[int, ...], state: list[int], seat: int, moves: int, rng: Random) -> int:
    """A random move of a mask; few wrong claims, or every deal would end with one."""
    codes = [code for code in range(MOVE_COUNT) if moves >> code & 1]
    if rng.random() < 0.97 and not has_target(rules, state, seat):
        codes = [code for code in codes if code != CLAIM_MOVE] or codes
    if rng.random() < 0.5:
        codes = [code for code in codes if code >= 32 and code != LOOK_BACK_MOVE] or codes
    return rng.choice(codes)


def play_both(rules: Ruleset, rng: Random, compiled: dict[str, Callable[..., Any]]) -> int:
    """One random deal in both ways; the number of moves. Asserts that the states are the same after every move."""
    ints = rules.ints
    pack = ve.cards.pack_order(ints[PACK_CARDS])
    rng.shuffle(pack)
    dealer, at = rng.randrange(2), rng.randrange(3)
    plain = blank_state()
    deal_cards(ints, plain, pack, dealer, at)
    their_rules, state, their_pack = kernel.array(ints), kernel.array(blank_state()), kernel.array(pack)
    compiled["deal_cards"](their_rules, state, their_pack, dealer, at)
    assert list(state) == plain
    moves = 0
    while plain[PHASE] != OVER:
        masks = []
        for seat in (0, 1):
            mask = engine.legal(ints, plain, seat)
            assert compiled["legal"](their_rules, state, seat, engine.EVERY_KIND) == mask
            masks.append(mask)
        for code in rng.sample(range(MOVE_COUNT), 4):
            seat = rng.randrange(2)
            reasons = compiled["bars"](their_rules, state, seat, code)
            assert reasons == engine.bars(ints, plain, seat, code)
            assert 0 <= reasons < 1 << len(REASONS)
        seat = plain[TO_MOVE]
        if rng.random() < 0.1 and masks[1 - seat] & ~(1 << CLAIM_MOVE):
            seat = 1 - seat
        code = choice(ints, plain, seat, masks[seat], rng)
        engine.play(ints, plain, seat, code)
        compiled["play"](their_rules, state, seat, code)
        assert list(state) == plain
        moves += 1
    return moves


def test_compiled_deals_are_the_same(compiled: dict[str, Callable[..., Any]]) -> None:
    rng = Random(31)
    rulesets = [*shipped(), *(random_ruleset(rng) for _ in range(14))]
    moves = sum(play_both(rules, rng, compiled) for rules in rulesets for _ in range(20))
    assert moves > 20 * len(rulesets) * 5


@pytest.mark.slow
def test_compiled_deals_are_the_same_at_length(compiled: dict[str, Callable[..., Any]]) -> None:
    rng = Random(32)
    for _ in range(1500):
        rules = random_ruleset(rng)
        for _ in range(6):
            play_both(rules, rng, compiled)


def test_plain_play_needs_no_numba() -> None:
    """The core's sources do not name it."""
    for name in kernel.CORE_MODULES:
        path = Path(kernel.__file__).parent.joinpath(*name.split(".")).with_suffix(".py")
        assert "numba" not in path.read_text(encoding="utf-8").replace("without a word about numba", "")


def test_a_change_in_any_core_source_changes_the_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the machine code of before would be taken."""
    package = Path(kernel.__file__).parent
    shutil.copytree(package, tmp_path / "copy", ignore=shutil.ignore_patterns("__pycache__", "*.mo", "rulesets"))
    monkeypatch.setattr(kernel, "__file__", str(tmp_path / "copy" / "kernel.py"))
    before = kernel.core_digest().hexdigest()
    for name in (*kernel.CORE_MODULES, "kernel", "encoding", "narrowing", "options.closing"):
        path = (tmp_path / "copy").joinpath(*name.split(".")).with_suffix(".py")
        text = path.read_bytes()
        path.write_bytes(text + b"# changed\n")
        assert kernel.core_digest().hexdigest() != before, name
        path.write_bytes(text)
    assert kernel.core_digest().hexdigest() == before
