"""How much each rule matters, as a picture: bars ranked, with intervals, a colour for each pair of players.

The only file that names matplotlib. The same result gives the same file, byte for byte, with the same matplotlib.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from io import BytesIO
from typing import Any

from ..hints import counted
from ..impact.result import Effect, Impact, Panel
from ..simulate.result import Estimate

#: The forms of a picture, by the ending of its file.
PICTURES = ("svg", "png")
#: More bars than these cannot be told apart.
MOST_ROWS = 20
_ALL_TOGETHER = "all together"
#: Told apart by people who do not see red and green as different, and in print by their lightness.
_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00")


def available() -> bool:
    """Whether matplotlib is installed. It is not loaded to find out."""
    return find_spec("matplotlib") is not None


def impact_chart(found: Impact, form: str) -> bytes:
    """A comparison as a picture. Raises :class:`ImportError` without matplotlib, :class:`ValueError` for no bars."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    rows = _rows(found)
    if not rows:
        raise ValueError("there is nothing to draw")
    settings: Any = {"svg.hashsalt": "sixtysix", "font.family": "DejaVu Sans", "font.size": 9.0, "svg.fonttype": "path"}
    with rc_context(settings):
        thick = 0.8 / max(1, len(found.panels))
        figure = Figure(figsize=(11.0, 1.9 + 0.42 * len(rows)), layout="constrained")
        FigureCanvasAgg(figure)
        left, right = figure.subplots(1, 2, sharey=True)
        for number, panel in enumerate(found.panels):
            effects = {effect.variant.label: effect for effect in panel.effects}
            shown = [effects[label] for label, _ in rows]
            places = [row + (number - (len(found.panels) - 1) / 2) * thick for row in range(len(rows))]
            style = {"height": thick * 0.9, "color": _COLOURS[number % len(_COLOURS)], "label": _players(panel)}
            _bars(left, places, [_in_percent(effect.result) for effect in shown], style)
            _bars(right, places, [_points(panel, effect) for effect in shown], style)
        left.set_yticks(range(len(rows)), [name for _, name in rows])
        left.invert_yaxis()
        left.set_xlabel("deals with another result, %")
        right.set_xlabel("game points a deal, difference")
        for axes in (left, right):
            axes.axvline(0, color="#444444", linewidth=0.8)
            axes.grid(axis="x", color="#dddddd", linewidth=0.6)
            axes.set_axisbelow(True)
            axes.spines[["top", "right", "left"]].set_visible(False)
            axes.tick_params(axis="y", length=0)
        figure.suptitle(_title(found))
        figure.legend(
            *left.get_legend_handles_labels(), loc="outside lower center", ncols=len(found.panels), frameon=False
        )
        content = BytesIO()
        metadata = {"Date": None, "Creator": "sixtysix"} if form == "svg" else {"Software": "sixtysix"}
        figure.savefig(content, format=form, dpi=144, metadata=metadata)
    return content.getvalue()


def _rows(found: Impact) -> list[tuple[str, str]]:
    """Labels of variants and what they are called: those that change anything, then the whole."""
    if not found.panels:
        return []
    moving = [
        variant.label
        for variant in found.ranking
        if any(_moves(effect) for panel in found.panels for effect in panel.effects if effect.variant == variant)
    ]
    rows = [(label, label) for label in moving[:MOST_ROWS]]
    whole = found.panels[0].whole
    if whole is not None:
        label = whole.variant.label
        rows.append((label, f"{label}, {_ALL_TOGETHER}" if found.each else label))
    return rows


def _moves(effect: Effect) -> bool:
    return effect.result is None or effect.result.value > 0


def _players(panel: Panel) -> str:
    one, two = panel.players
    return f"{one} against {two}, {'forehand less dealer' if one == two else 'A less B'}"


def _in_percent(share: Estimate | None) -> tuple[float, float, float]:
    if share is None or share.low is None or share.high is None:
        return 0.0, 0.0, 0.0
    return 100 * share.value, 100 * share.low, 100 * share.high


def _points(panel: Panel, effect: Effect) -> tuple[float, float, float]:
    one = panel.telling(effect)
    if one.low is None or one.high is None:
        return one.value, one.value, one.value
    return one.value, one.low, one.high


def _bars(axes: Any, places: Sequence[float], found: Sequence[tuple[float, float, float]], style: Any) -> None:
    values = [value for value, _, _ in found]
    errors = [[value - low for value, low, _ in found], [high - value for value, _, high in found]]
    axes.barh(places, values, xerr=errors, error_kw={"ecolor": "#222222", "elinewidth": 1.0, "capsize": 1.5}, **style)


def _title(found: Impact) -> str:
    first = found.first.id + "".join(f", {name}={value}" for name, value in found.first.diff)
    other = f", as {found.other.id} has it" if found.other else ""
    deals = f"{counted(found.panels[0].deals, 'deal')} of seed {found.seed}; intervals at 95 %"
    return f"What it changes to play otherwise than by {first}{other}\n{deals}"
