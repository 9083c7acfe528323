"""What ``impact`` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from variant_engine.hints import counted

from .terminal import fill

if TYPE_CHECKING:
    from variant_engine.impact import Difference, Effect, Explained, Impact, Panel
    from variant_engine.simulate import Estimate


def impact_text(found: Impact, columns: int) -> str:
    """A comparison as people read it."""
    lines = fill(_head(found), columns).splitlines()
    for panel in found.panels:
        lines += ["", *_panel(found, panel, columns)]
    if found.panels:
        lines += ["", *fill(_legend(found), columns).splitlines()]
    if found.idle:
        names = ", ".join(name for name, _ in found.idle)
        text = f"Left out, since they bear on no deal, nor on who wins a game: {names}."
        lines += ["", *fill(text, columns, more="  ").splitlines()]
    for label, why in found.unfit:
        lines += ["", *fill(f"Left out, {label} by itself: {why}.", columns, more="  ").splitlines()]
    return "\n".join(lines)


def _head(found: Impact) -> str:
    first = found.first.id + "".join(f", {name}={value}" for name, value in found.first.diff)
    if found.other is not None:
        what = f"{first}, and what changes by {found.other.id}"
    else:
        what = f"{first}, and what changes by one option"
    if not found.panels:
        return f"{what}: nothing, since {why_nothing(found)}. Nothing was played."
    way = "compiled" if found.compiled else "in plain Python"
    size = f"{counted(found.asked, 'deal')} and {counted(found.asked_games, 'game')} of seed {found.seed}"
    size += " for each ruleset and players"
    if found.interrupted:
        size += " were asked for (interrupted)"
    return f"{what}: {size}. {found.seconds:.1f} s, {way}."


def why_nothing(found: Impact) -> str:
    """Why there is nothing to play."""
    if found.other is None:
        return "that option bears on no deal, nor on who wins a game"
    if found.other.values == found.first.values:
        return "the two have the same rules"
    return "no option that differs bears on a deal or on who wins a game"


def _panel(found: Impact, panel: Panel, columns: int) -> list[str]:
    one, two = panel.players
    lines = [f"{one} against {two}"]
    if found.interrupted:
        lines[0] += f", {counted(panel.deals, 'deal')}, {counted(panel.game_count, 'game')}"
    effects = [*panel.ranked, *([panel.whole] if panel.whole else [])]
    moving = [effect for effect in effects if effect.result is None or any(effect.weight[:3])]
    if moving:
        lines += _shares(moving, columns) if found.paired else []
        lines += _differences(panel, moving, columns)
    else:
        lines.append(f"  No change in any deal or game{_so_at_most(panel)}.")
    still = [effect for effect in effects if effect not in moving]
    reached = [f"{effect.variant.label} ({_percent(effect.reached)} %)" for effect in still if effect.weight[3]]
    if reached:
        changed = f"Reached, without any change of play or result{_so_at_most(panel)}"
        lines += fill(f"{changed}: {', '.join(reached)}.", columns,
                      indent="  ", more="    ").splitlines()  # fmt: skip
    never = [effect.variant.label for effect in still if not effect.weight[3]]
    if never:
        lines += fill(f"Never reached{_so_at_most(panel)}: {', '.join(never)}.", columns,
                      indent="  ", more="    ").splitlines()  # fmt: skip
    explained = panel.explained
    if explained and panel.whole is not None:
        lines += fill(_explained(panel, explained), columns, indent="  ", more="    ").splitlines()
    return lines


def _so_at_most(panel: Panel) -> str:
    most = panel.unseen
    return "" if most is None else f" (at 95 %, in at most {100 * most:.2g} % of deals)"


def _shares(effects: Sequence[Effect], columns: int) -> list[str]:
    rows = [("% of deals", "reached", "play", "result", "% of games")]
    rows += [
        (
            effect.variant.label,
            _percent(effect.reached),
            _percent(effect.play),
            _with_interval(effect.result),
            _with_interval(effect.games_result),
        )
        for effect in effects
    ]
    return _grid(rows, columns)


def _differences(panel: Panel, effects: Sequence[Effect], columns: int) -> list[str]:
    one, two = panel.players
    rows = [("difference", "scored", "forehand" if one == two else "lead", "games won by A, %")]
    rows += [
        (
            effect.variant.label,
            _signed(effect.scored),
            _signed(panel.telling(effect)),
            _signed(effect.games, 100, 2),
        )
        for effect in effects
    ]
    return _grid(rows, columns)


def _grid(rows: Sequence[tuple[str, ...]], columns: int) -> list[str]:
    """Rows with their numbers in columns, on lines of their own where there is no room beside the names."""
    first, *others = (max(len(row[place]) for row in rows) for place in range(len(rows[0])))
    beside = 2 + first + sum(others) + 2 * len(others) <= columns
    lines = []
    for row in rows:
        cells = "".join(f"  {cell:>{size}}" for cell, size in zip(row[1:], others, strict=True))
        lines += [f"  {row[0]:<{first}}{cells}"] if beside else [f"  {row[0]}", f"  {cells}"]
    return lines


def _percent(share: Estimate | None) -> str:
    return "" if share is None else f"{100 * share.value:.2f}"


def _with_interval(share: Estimate | None) -> str:
    if share is None or share.low is None or share.high is None:
        return _percent(share)
    return f"{100 * share.value:.2f} [{100 * share.low:.2f}, {100 * share.high:.2f}]"


def _signed(one: Difference, times: int = 1, places: int = 4) -> str:
    value = times * one.value
    if one.low is None or one.high is None:
        return f"{value:+.{places}f}"
    return f"{value:+.{places}f} ±{times * (one.high - one.low) / 2:.{places}f}"


def _explained(panel: Panel, explained: dict[str, Explained]) -> str:
    whole = panel.whole
    results = panel.results_explained
    assert whole is not None
    assert results is not None
    name = whole.variant.label
    parts = []
    if results[0].count is not None and results[0].low is not None:
        parts.append(
            f"Where {name} changes a deal's result, a single change does so too in {_with_interval(results[0])} %, and "
            f"to the same result in {_with_interval(results[1])} %."
        )
    added = []
    one, two = panel.players
    for key, label in (("scored", "scored"), ("forehand" if one == two else "lead",) * 2, ("games", "games won by A")):
        part = explained[key]
        if part.ratio is not None:
            added.append(f"{_with_interval(part.ratio)} % in {label}")
    if added:
        parts.append(f"Of the difference, the single changes added up explain {', '.join(added)}.")
    return " ".join(parts) or f"{name} changes nothing that single changes could explain."


def _legend(found: Impact) -> str:
    text = (
        "reached: a difference in what may be done, in the state of the deal or in its result; play: other cards, "
        "exchanges, closings or marriages; result: another winner, other game points or another carry; games: won by "
        "another. scored: game points of whoever wins a deal; lead: A's less B's; forehand: forehand's less the "
        "dealer's. A is forehand in the first deal of each game. In brackets and after ±: 95 % intervals"
    )
    return text + (", paired." if found.paired else "; the deals under the other rules were others.")
