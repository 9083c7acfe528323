"""Running a comparison: which variants there are, the parts of the work, and who plays them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from time import perf_counter

from ..loading import load, rulesets
from ..options import OPTIONS, Option
from ..rules.ending import most_game_points
from ..ruleset import Ruleset, RulesetError, checked_value, find_option
from ..simulate.crew import MOST_WORKERS, ClusterError, Crew, hire
from ..simulate.run import Progress, check_players, check_seed, choose_compiled
from ..simulate.tasks import Part, SimulationError, Sums, added, parts_of
from .paired import WHOLE_DEALS, WHOLE_GAMES
from .result import Impact, Panel, Value, Variant
from .tasks import MAX_UNITS, MAX_VARIANTS, Pairing, driver, play_units

#: Who plays unless something else is asked for: two who know nothing, two who know a little, and one of each.
PANEL: tuple[tuple[str, str], ...] = (("random", "random"), ("greedy", "greedy"), ("greedy", "random"))
#: How many deals are played unless something else is asked for; in plain Python so many by all rulesets together.
DEALS, PLAIN_DEALS = 100_000, 4_000
#: A game is played for every so many deals.
DEALS_A_GAME = 10
MOST_DEALS = 10**11
#: Deals of all rulesets in a part, compiled, compiled on a cluster, and plain; and what a game counts as.
_PART, _FAR_PART, _PLAIN_PART, _GAME = 100_000, 4_000_000, 500, 6
#: Options of the game from deal to deal that bear on who wins it, its first dealer being given.
_OF_GAMES = ("next_dealer", "next_dealer_tie", "target_game_points")


def impact(
    first: Ruleset,
    other: Ruleset | None = None,
    *,
    option: str | None = None,
    value: Value | None = None,
    each: bool = False,
    deals: int | None = None,
    games: int | None = None,
    seed: int = 0,
    players: Sequence[Sequence[str]] = PANEL,
    paired: bool = True,
    workers: int = 1,
    cluster: str | None = None,
    compiled: bool | None = None,
    progress: Progress | None = None,
) -> Impact:
    """How much it matters to play by ``other`` rather than ``first``, or to change an ``option`` of ``first``.

    With ``each`` every option that differs is changed by itself as well, and compared with the whole. An ``option``
    without a ``value`` is changed to each of its other values (a number: those that other rulesets have). ``players``
    are pairs, for A and for B. All is played with the same cards and lots unless ``paired`` is False, which is there to
    show what that saves. ``workers``, ``cluster`` and ``compiled`` are as in
    :func:`~variant_engine.simulate.simulate`; the numbers do not depend on them.

    On Ctrl-C the result holds what is done. Raises :class:`~variant_engine.simulate.SimulationError`.
    """
    variants, has_whole, idle, unfit = _variants(first, other, option, value, each)
    pairs = tuple(check_players(pair) for pair in players)
    if not pairs:
        raise SimulationError("players are needed")
    check_seed(seed)
    if not 1 <= workers <= MOST_WORKERS:
        raise SimulationError(f"the number of workers must be 1 to {MOST_WORKERS}, not {workers}")
    count = len(variants) + 1
    wanted = DEALS if deals is None else deals
    use_compiled = choose_compiled(compiled, wanted * count)
    if deals is None and not use_compiled:
        deals = max(100, PLAIN_DEALS // count)
    deals = DEALS if deals is None else deals
    if not 1 <= deals <= MOST_DEALS:
        raise SimulationError(f"the number of deals must be 1 to {MOST_DEALS}, not {deals}")
    games = min(-(-deals // DEALS_A_GAME), MAX_UNITS) if games is None else games
    if not 0 <= games <= MAX_UNITS:
        raise SimulationError(f"the number of games must be 0 to {MAX_UNITS}, not {games}")
    ints = (first.ints, *(variant.rules.ints for variant in variants))
    pairings = [
        Pairing(ints, has_whole, unit, seed, names, use_compiled)
        for names in pairs
        for unit in (WHOLE_DEALS, WHOLE_GAMES)
    ]
    if not variants:
        pairings = []
    elif not paired:
        # Other deals for the variants; the first ruleset's are not looked at there.
        pairings += [replace(pairing, seed=_other_seed(seed)) for pairing in pairings]
    if cluster is None and pairings:
        driver(use_compiled)
    crew = hire(workers, cluster, threads=use_compiled)
    start = perf_counter()
    sums: list[Sums] = [(0,) * pairing.sums_length for pairing in pairings]
    asked = sum(_weight(pairing, deals, games) for pairing in pairings)
    done = 0
    interrupted, trouble = False, ""
    try:
        for place, found in crew.in_order(_play, _items(pairings, deals, games, crew)):
            sums[place] = added(sums[place], found)
            done += _weight(pairings[place], found[0], found[0])
            if progress is not None:
                progress(done, asked)
    except KeyboardInterrupt:
        interrupted = True
    except ClusterError as error:
        if not done:
            raise
        interrupted, trouble = True, str(error)
    finally:
        crew.close()
    half = 2 * len(pairs)
    panels = tuple(
        Panel(
            names,
            variants,
            (sums[2 * place], sums[2 * place + 1]),
            None if paired else (sums[half + 2 * place], sums[half + 2 * place + 1]),
            has_whole,
            max(map(most_game_points, ints)),
        )
        for place, names in enumerate(pairs)
        if variants
    )
    return Impact(
        first, other, each, seed, panels, idle, unfit, deals, games, paired, perf_counter() - start, done,
        use_compiled, crew.workers, interrupted, trouble,
    )  # fmt: skip


_Item = tuple[int, Pairing, Part]


def _play(item: _Item) -> tuple[int, Sums]:
    place, pairing, part = item
    return place, play_units(pairing, part)


def _weight(pairing: Pairing, deals: int, games: int) -> int:
    """About how many deals it takes to play so many deals or games under all rulesets."""
    return (pairing.variants + 1) * (deals if pairing.unit == WHOLE_DEALS else games * _GAME)


def _items(pairings: Sequence[Pairing], deals: int, games: int, crew: Crew) -> Iterator[_Item]:
    """The parts, of all pairings in turn, so that an interrupted run has something of each."""
    waiting = []
    for place, pairing in enumerate(pairings):
        units = deals if pairing.unit == WHOLE_DEALS else games
        each = _weight(pairing, 1, 1)
        size = _PART if pairing.compiled else _PLAIN_PART
        if crew.away:
            # Some seconds, and some parts for every worker.
            most = _FAR_PART * size // _PART
            size = max(size, min(most, units * each * len(pairings) // (8 * crew.workers)))
        waiting.append((place, pairing, iter(parts_of(units, max(1, size // each)))))
    while waiting:
        left = []
        for place, pairing, parts in waiting:
            part = next(parts, None)
            if part is not None:
                yield place, pairing, part
                left.append((place, pairing, parts))
        waiting = left


def _other_seed(seed: int) -> int:
    return int.from_bytes(sha256(b"unpaired/%d" % seed).digest()[:7], "big")


_Because = tuple[tuple[str, str], ...]


def _variants(
    first: Ruleset, other: Ruleset | None, option: str | None, value: Value | None, each: bool
) -> tuple[tuple[Variant, ...], bool, _Because, _Because]:
    """The variants, whether the last has the changes of all others, and the options left out, with why."""
    if (other is None) == (option is None):
        raise SimulationError("name either another ruleset or an option")
    if other is not None:
        whole = (Variant(other.id, None, None, None, other),) if other.ints != first.ints else ()
        if not each:
            return whole, False, (), ()
        differ = [(known, other.values[known.name]) for known in OPTIONS
                  if other.values[known.name] != first.values[known.name]]  # fmt: skip
    else:
        if each:
            raise SimulationError("changing each option by itself takes another ruleset")
        whole = ()
        assert option is not None
        try:
            differ = _other_values(first, find_option(option), value)
        except RulesetError as error:
            raise SimulationError(str(error)) from None
    variants, idle, unfit = [], [], []
    for known, taken in differ:
        if known.affects == "table" or (known.affects == "game" and known.name not in _OF_GAMES):
            idle.append((known.name, "it bears on no deal, nor on who wins a game"))
            continue
        try:
            changed = first.replace(**{known.name: taken})
        except RulesetError as error:
            unfit.append((f"{known.name}={taken}", str(error)))
            continue
        variants.append(Variant(f"{known.name}={taken}", known.name, first.values[known.name], taken, changed))
    if len(variants) + 1 > MAX_VARIANTS:
        raise SimulationError(f"there are more than {MAX_VARIANTS} variants")
    if option is not None and not variants and unfit:
        raise SimulationError("; ".join(why for _, why in unfit))
    return (*variants, *whole), bool(whole and variants), tuple(dict(idle).items()), tuple(unfit)


def _other_values(first: Ruleset, option: Option, value: Value | None) -> list[tuple[Option, Value]]:
    now = first.values[option.name]
    if value is not None:
        if checked_value(option.name, value) == now:
            raise SimulationError(f"'{option.name}' is {value} already")
        return [(option, value)]
    values: Iterable[Value] = option.answers()
    if option.is_number:
        values = sorted({load(head.id).values[option.name] for head in rulesets()}, key=int)
    found = [(option, answer) for answer in values if answer != now]
    if not found:
        raise SimulationError(f"no ruleset has another number for '{option.name}': say which, as {option.name}=VALUE")
    return found


__all__ = ["DEALS", "PANEL", "impact"]
