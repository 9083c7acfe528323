"""What a ruleset says, as text."""

from __future__ import annotations

from variant_engine.account import NEUTRAL, SET, Account, Explanation, Said
from variant_engine.options import CHAPTERS
from variant_engine.ruleset import Ruleset

from .terminal import Paint, fill, table


def _head(rules: Ruleset, width: int, paint: Paint) -> list[str]:
    lines = [paint(line, "bold") for line in fill(f"{rules.id}: {rules.title}", width, more="  ").splitlines()]
    if rules.summary:
        lines += fill(rules.summary, width).splitlines()
    about = [rules.kind]
    if rules.lineage:
        about.append(f"lineage {rules.lineage}")
    if rules.language:
        about.append(f"language {rules.language}")
    if rules.parent:
        about.append(f"extends {rules.parent}")
    lines += fill(f"{', '.join(about)}; {rules.file}", width).splitlines()
    source = rules.source
    if source is not None and source.type == "text":
        lines += fill(f"source: text {source.file} (SHA-256 {source.sha256[:16]}…)", width).splitlines()
    elif source is not None:
        lines += fill(f"source: program {source.package} {source.version}", width).splitlines()
    if rules.diff:
        changes = ", ".join(f"{name}={value}" for name, value in rules.diff)
        lines += fill(f"changed: {changes}", width, more="  ").splitlines()
    return lines


def _status(one: Said) -> str:
    return one.status + ("*" if one.moot_by else "")


def _origin(one: Said, rules: Ruleset) -> str:
    """Where a value comes from: the line of the file, the parent's too; set by hand; the neutral value."""
    if one.status == SET:
        return "--set"
    if one.status == NEUTRAL:
        return "neutral"
    return one.spot if one.ruleset == rules.id else f"{one.spot} (from {one.ruleset})"


def account(found: Account, width: int, paint: Paint, *, resolved: bool) -> str:
    """A ruleset's head and its options: those that depart from the neutral value, or every one with its origin."""
    shown = found.options if resolved else found.departing
    lines = _head(found.rules, width, paint)
    statuses = ", ".join(f"{number} {status}" for status, number in found.statuses.items())
    lines += fill(f"{len(found.options)} options: {statuses}", width).splitlines()
    if not resolved:
        lines.append(f"departing from the neutral value: {len(shown)}")
    # Columns as wide in one chapter as in another.
    cells = {
        one.option.name: (
            one.option.name,
            str(one.value),
            _status(one),
            _where(one, found.rules, resolved=resolved),
        )
        for one in shown
    }
    laid = dict(zip(cells, _aligned(list(cells.values()), width), strict=True))
    for chapter in CHAPTERS:
        entries = [one for one in shown if one.option.chapter == chapter]
        if entries:
            lines += ["", paint(chapter, "bold")]
            for one in entries:
                lines += laid[one.option.name]
    if any(one.moot_by for one in shown):
        lines += ["", "* makes no difference under the other values of this ruleset"]
    return "\n".join(lines)


def _where(one: Said, rules: Ruleset, *, resolved: bool) -> str:
    places = ", ".join(one.where)
    if not resolved:
        return places or ("" if one.status != SET else "--set")
    return _origin(one, rules) + (f"; {places}" if places else "")


def _aligned(cells: list[tuple[str, ...]], width: int) -> list[list[str]]:
    """Each row of a table as its lines."""
    found: list[list[str]] = []
    for line in table(cells, width, indent="  "):
        if line.startswith("   "):
            found[-1].append(line)
        else:
            found.append([line])
    return found


def why(explanation: Explanation, width: int, paint: Paint) -> str:
    """Why an option has its value in a ruleset."""
    one = explanation.said
    option = one.option
    rules = explanation.rules
    lines = [paint(line, "bold") for line in fill(f"{option.name}: {option.question}", width, more="  ").splitlines()]
    lines += ["", *fill(f"{rules.id}: {_meant(one, one.value)}", width, more="  ").splitlines()]
    facts = [("status", one.status), ("source", ", ".join(one.where)), ("file", _origin(one, rules))]
    if one.why:
        facts.append(("why", one.why))
    facts += [("reading", _meant(one, value) + (", taken" if value == one.value else "")) for value in one.readings]
    facts += [("also", f"{_meant(one, other.value)}, {', '.join(other.where)}") for other in one.also]
    if one.moot_by:
        because = " and ".join(f"{name} is {rules.values[name]}" for name in one.moot_by)
        facts.append(("moot", f"it makes no difference, because {because}"))
    lines += table([fact for fact in facts if fact[1]], width, indent="  ")
    lines += ["", paint("Other values" if option.tokens else "Values", "bold")]
    if option.tokens:
        lines += table([(v.token, v.meaning) for v in option.values if v.token != one.value], width, indent="  ")
    else:
        lines.append(f"  {option.span}")
    lines += ["", paint("Other rulesets", "bold")]
    lines += table(
        [(name, str(other.value), _status(other), ", ".join(other.where)) for name, other in explanation.others],
        width,
        indent="  ",
    )
    if any(other.moot_by for _, other in explanation.others):
        lines += ["  * makes no difference under the other values of that ruleset"]
    return "\n".join(lines)


def _meant(one: Said, value: str | int) -> str:
    option = one.option
    meaning = option.meaning(value)
    return meaning if option.is_number else f"{value} ({meaning})"
