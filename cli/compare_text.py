"""The comparison as text.

Each entry has a sign in front that tells how sure it is, so that nothing depends on colour. The rows stand in groups by
the kind of difference. How they are set depends on the room: a line for each option if all columns fit beside its name;
else the question on a line and the entries in columns below it; with very many rulesets, the entries one below another.
"""

from __future__ import annotations

from collections.abc import Sequence

from variant_engine.account import Said
from variant_engine.compare import DIFFERENCES, Column, Matrix, Row

from .terminal import Paint, fill

#: The sign in front of a value, by its status, and what it means.
SIGNS = {
    "stated": (" ", ""),
    "implied": ("~", "implied by what is said"),
    "silent": ("[", "silent: the editor's reading"),
    "ambiguous": ("?", "ambiguous: one reading taken"),
    "garbled": ("!", "garbled: read by its sense"),
    "house": (" ", ""),
    "set": ("=", "set by hand"),
    "neutral": ("[", "not said: the neutral value"),
}

_KINDS = {
    "contradiction": "what one {source} says or implies, another denies, on any reading",
    "lineage": "only rulesets of one lineage disagree",
    "reading": "another reading, or another way that a text offers, would agree",
    "silence": "only because a {source} is silent",
    "moot": "only where it can make no difference",
    "none": "all agree",
}

#: A column's heading longer than this is replaced by the lineage and a number.
_LONGEST_HEAD = 24
_INDENT = 4


def cell(one: Said) -> str:
    """A value with its sign in front, closed by a bracket if nobody said it, and starred if it makes no difference."""
    sign = SIGNS[one.status][0]
    return f"{sign}{one.value}{']' if sign == '[' else ''}{'*' if one.moot_by else ''}"


def head(column: Column) -> str:
    """A column's heading, a space in front where cells have their sign."""
    name = column.head if len(column.head) <= _LONGEST_HEAD else f"{column.lineage} ({len(column.rulesets)})"
    return f" {name}"


def compare_text(matrix: Matrix, width: int, paint: Paint, *, every: bool = False) -> str:
    """A comparison as text: what differs, or with ``every`` everything, in at most ``width`` columns."""
    layout = _Layout(matrix, width, paint, every)
    return "\n".join([*layout.summary(), "", *layout.legend(), *layout.groups(), *layout.hint()])


def _plural(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


class _Layout:
    def __init__(self, matrix: Matrix, width: int, paint: Paint, every: bool) -> None:
        self.matrix = matrix
        self.width = width
        self.paint = paint
        self.columns = matrix.columns
        self.kinds = [kind for kind in DIFFERENCES if (every or kind != "none") and matrix.of_kind(kind)]
        self.source = "text" if matrix.texts else "ruleset"
        shown = [row for kind in self.kinds for row in matrix.of_kind(kind)]
        self.name_width = max((len(row.option.name) for row in shown), default=0)
        self.widths = [
            max([len(head(column)), *(len(cell(column.entry(row))) for row in shown)]) for column in self.columns
        ]

    # ---- above the table -------------------------------------------------------------------------------------------

    def summary(self) -> list[str]:
        matrix = self.matrix
        count = _plural(len(matrix.rulesets), self.source)
        if len(matrix.lineages) < len(matrix.rulesets):
            count += f" of {_plural(len(matrix.lineages), 'lineage')}"
        lines = fill(f"{count}: {', '.join(column.head for column in self.columns)}.", self.width).splitlines()
        for lineage, names in matrix.lineages.items():
            if len(names) > 1:
                lines += fill(self._lineage(lineage, names), self.width).splitlines()
        differ = len(matrix.differing)
        total = len(matrix.rows)
        if not differ:
            return [*lines, f"They agree on all {total} options."]
        agree = f"; on {total - differ} all agree." if total > differ else "."
        lines.append(self.paint(f"{differ} of {_plural(total, 'option')} differ{agree}", "bold"))
        for kind in DIFFERENCES[:-1]:
            if number := len(matrix.of_kind(kind)):
                lines.append(f"  {number:>3}  {_KINDS[kind].format(source=self.source)}")
        return lines

    def _lineage(self, lineage: str, names: Sequence[str]) -> str:
        listed = f"{', '.join(names[:-1])} and {names[-1]}"
        if any(column.rulesets == tuple(names) for column in self.columns):
            return f"{listed} come from one text ({lineage}), agree throughout and count once."
        return f"{listed} come from one text ({lineage}) and count once, but do not agree throughout."

    def legend(self) -> list[str]:
        used: dict[str, None] = {}
        for status in self.matrix.statuses:
            sign, meaning = SIGNS[status]
            if meaning:
                used[f"{'[value]' if sign == '[' else sign + 'value':<8} {meaning}"] = None
        if any(one.moot_by for row in self.matrix.rows for one in row.values.values()):
            used["value*   moot: without effect there"] = None
        parts = ["value    stated", *used]
        longest = max(len(part) for part in parts)
        if 2 * (longest + 2) > self.width or len(parts) < 3:
            return parts
        half = (len(parts) + 1) // 2
        pairs = zip(parts[:half], [*parts[half:], ""], strict=False)
        return [f"{left:<{longest}}  {right}".rstrip() for left, right in pairs]

    def hint(self) -> list[str]:
        if not self.matrix.differing:
            return []
        kind = next(kind for kind in DIFFERENCES if self.matrix.of_kind(kind))
        option = self.matrix.of_kind(kind)[0].option.name
        return ["", f"Where and why: sixtysix show {self.matrix.rulesets[0]} --why {option}"]

    # ---- the table -------------------------------------------------------------------------------------------------

    def groups(self) -> list[str]:
        gaps = 2 * (len(self.columns) - 1)
        beside = self.name_width + 1 + sum(self.widths) + gaps
        below = _INDENT + sum(self.widths) + gaps
        lines: list[str] = []
        for kind in self.kinds:
            rows = self.matrix.of_kind(kind)
            title = _KINDS[kind].format(source=self.source)
            heading = f"{title[0].upper()}{title[1:]} ({len(rows)})"
            lines += ["", *(self.paint(line, "bold") for line in fill(heading, self.width).splitlines())]
            if beside <= self.width:
                lines += self._beside(rows)
            elif below <= self.width:
                lines += self._below(rows)
            else:
                lines += self._listed(rows)
        return lines

    def _line(self, start: str, row: Row | None, widths: Sequence[int]) -> str:
        """The entries of a row in columns, or (None) the headings."""
        line = start
        for column, size in zip(self.columns, widths, strict=True):
            text = f"{cell(column.entry(row)) if row else head(column):<{size}}  "
            faint = row is not None and (not column.entry(row).spoken or column.entry(row).moot_by is not None)
            line += self.paint(text, "faint") if faint else text
        return line.rstrip()

    def _beside(self, rows: Sequence[Row]) -> list[str]:
        heads = self._line(" " * (self.name_width + 1), None, self.widths)
        return [heads, *(self._line(f"{row.option.name:<{self.name_width + 1}}", row, self.widths) for row in rows)]

    def _below(self, rows: Sequence[Row]) -> list[str]:
        # Spare room goes to all columns alike, so that they lie evenly; more than that would only tear them apart.
        spare = (self.width - _INDENT - sum(self.widths) - 2 * (len(self.columns) - 1)) // len(self.columns)
        widths = [size + min(spare, 4) for size in self.widths]
        indent = " " * (_INDENT - 1)
        lines = [self._line(indent, None, widths)]
        for row in rows:
            lines += self._question(row)
            lines.append(self._line(indent, row, widths))
        return lines

    def _question(self, row: Row) -> list[str]:
        lines = fill(f"{row.option.name}: {row.option.question}", self.width, more="  ").splitlines()
        name = row.option.name
        return [self.paint(name, "bold") + lines[0].removeprefix(name), *lines[1:]]

    def _listed(self, rows: Sequence[Row]) -> list[str]:
        lines = []
        for row in rows:
            lines += self._question(row)
            by_value: dict[str | int, list[str]] = {}
            for column in self.columns:
                entry = column.entry(row)
                sign, closed = SIGNS[entry.status][0].strip(), "]" if not entry.spoken else ""
                named = f"{sign}{head(column).strip()}{closed}{'*' if entry.moot_by else ''}"
                by_value.setdefault(entry.value, []).append(named)
            for value, names in by_value.items():
                lines += fill(f"{value}: {', '.join(names)}", self.width, indent="    ", more="      ").splitlines()
        return lines
