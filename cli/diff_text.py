"""How two rulesets differ, option by option, as text."""

from __future__ import annotations

from variant_engine.account import Said
from variant_engine.rulebook import Difference, OptionChange

from .terminal import Paint, fill, table


def difference_options(found: Difference, width: int, paint: Paint) -> str:
    """Each option on which two rulesets differ: both values, what they mean, and where each was said."""
    if not found.options:
        return "No option differs."
    lines: list[str] = []
    for one in found.options:
        heading = fill(f"{one.option.name}: {one.option.question}", width, more="  ")
        lines += [paint(line, "bold") for line in heading.splitlines()]
        lines += table(_rows(found, one), width, indent="  ")
        lines.append("")
    moot = sum(not one.matters for one in found.options)
    number = len(found.options)
    total = f"{number} {'option differs' if number == 1 else 'options differ'}"
    lines.append(f"{total}; {moot} of them cannot matter under the other values" if moot else total)
    return "\n".join(lines)


def _rows(found: Difference, one: OptionChange) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for name, each in zip(found.names, (one.first, one.second), strict=True):
        meaning = one.option.meaning(each.value)
        rows.append((name, meaning if one.option.is_number else f"{each.value}: {meaning}"))
        rows.append(("", _said(each)))
    return rows


def _said(one: Said) -> str:
    where = ", ".join(one.where)
    parts = [part for part in (one.spot, where) if part]
    moot = f"; makes no difference, because of {' and '.join(one.moot_by)}" if one.moot_by else ""
    return f"{one.status}{': ' if parts else ''}{'; '.join(parts)}{moot}"
