"""Reports as one page: complete in itself, readable without scripts, and safe whatever the rulesets say.

Everything that comes from a ruleset is escaped by the template environment. The page's own policy allows no script or
style but the two that stand in it, by their hashes, and nothing from anywhere else.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import groupby
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from .. import __version__
from ..account import ALL_STATUSES, Said, said
from ..compare.distance import Distance
from ..compare.gaps import Gap, Gaps
from ..compare.kinds import KINDS, NEVER, Kind
from ..compare.matrix import DIFFERENCES, Row
from ..compare.witness import NoWitness, Witness
from ..hints import counted
from ..options import CHAPTERS, Option
from ..ruleset import Ruleset
from .dossier import Dossier
from .picture import apart, tree
from .scene import CARD, Card, Told, told
from .words import AFFECTS_WORDS, DIFFERENCE_WORDS, EFFECT_COUNTS, EFFECT_WORDS, MOOT, STATUS_WORDS, clean

#: Shades of the table of distances.
_SHADES = 5


# ---- what the templates see ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    slug: str
    rules: Ruleset
    lineage: str
    shared: bool

    @property
    def counts(self) -> list[tuple[str, int]]:
        found = [said(self.rules, name).status for name in self.rules.values]
        return [(status, found.count(status)) for status in ALL_STATUSES if status in found]

    def source_of(self, one: Said) -> str:
        """The text or program that the places are in."""
        source = self.rules.sources.get(one.ruleset)
        return (source.file or source.package) if source else ""


@dataclass(frozen=True, slots=True)
class _Row:
    row: Row
    told: tuple[tuple[Told, Kind], ...]
    covered: tuple[Kind, ...]
    by_kind: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]

    @property
    def option(self) -> Option:
        return self.row.option

    @property
    def values(self) -> Any:
        return self.row.values

    @property
    def difference(self) -> str:
        return self.row.difference

    @property
    def differs(self) -> bool:
        return self.row.differs

    @property
    def marks(self) -> str:
        """The statuses that occur, and whether a value is moot, for the filter."""
        entries = self.row.values.values()
        return " ".join(sorted({one.status for one in entries} | {"moot" for one in entries if one.moot_by}))

    def only_players(self, gap: Gap) -> bool:
        """Whether what changes in a gap is only what the players choose, since the difference itself never shows."""
        answers = {one.value for one in self.row.values.values()}
        known = [reading for reading in gap.readings if reading.value in answers]
        never = bool(self.by_kind) and all(kind == NEVER for kind, _ in self.by_kind)
        return never and any(reading.result.count and not reading.moves.count for reading in known)

    @property
    def answers(self) -> list[tuple[str | int, list[str]]]:
        """The answers with those who give them: all that a choice has, of a number those that occur."""
        by: dict[str | int, list[str]] = {} if self.option.is_number else {token: [] for token in self.option.tokens}
        for name, one in self.row.values.items():
            by.setdefault(one.value, []).append(name)
        return sorted(by.items(), key=lambda answer: self.option.answers().index(answer[0]))


@dataclass(frozen=True, slots=True)
class _Pair:
    distance: Distance
    told: Told | None
    sentence: str
    slug: str
    heat: int

    @property
    def idle(self) -> tuple[str, ...]:
        """The options that differ, but whose difference shows in no deal."""
        shown = (*self.distance.parting, *self.distance.scoring)
        return tuple(name for name in self.distance.differ if name not in shown)


@dataclass(frozen=True, slots=True)
class _Open:
    found: Gaps

    def __getattr__(self, name: str) -> Any:
        return getattr(self.found, name)

    @property
    def never(self) -> list[tuple[tuple[str, str | int] | None, list[Gap]]]:
        """The gaps that decided no deal, by the reading of another option that was taken for them to act."""
        by: dict[tuple[str, str | int] | None, list[Gap]] = {}
        for gap in self.found.gaps:
            if not gap.decides:
                by.setdefault(gap.under, []).append(gap)
        return list(by.items())

    @property
    def untried(self) -> list[tuple[str, list[str]]]:
        """The options that were not tried, by the reason."""
        by: dict[str, list[str]] = {}
        for name, because in self.found.idle:
            by.setdefault(because, []).append(name)
        return list(by.items())


# ---- the environment -----------------------------------------------------------------------------------------------


def _finalize(value: Any) -> Any:
    """Take what would disturb the page out of everything that is printed into it."""
    if isinstance(value, Markup):
        return Markup(clean(value))  # what was safe before is safe without some characters
    return clean(value) if isinstance(value, str) else value


def _breakable(token: str | int) -> Markup:
    """A token that may be broken after its underscores."""
    return Markup("_<wbr>").join(str(token).split("_"))


_DRAWN = Markup(
    '<span class="inline suit-{}"><span aria-hidden="true">{}{}</span><span class="vh">{}</span></span>'
)


def _cards(sentence: str) -> Markup:
    """A sentence with its cards drawn."""
    parts: list[Markup] = []
    end = 0
    for match in CARD.finditer(sentence):
        card = Card(match[0])
        parts.append(escape(sentence[end : match.start()]))
        parts.append(_DRAWN.format(card.letter, card.suit, card.rank, card.words))
        end = match.end()
    parts.append(escape(sentence[end:]))
    return Markup("").join(parts)


def _capitalise(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("variant_engine.report"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"breakable": _breakable, "cards": _cards, "capitalise": _capitalise}
    style, script = (_part(name) for name in ("page.css", "page.js"))
    environment.globals |= {
        "version": __version__,
        "style": Markup(style),
        "script": Markup(script),
        "style_hash": _hash(style),
        "script_hash": _hash(script),
        "statuses": STATUS_WORDS,
        "differences": DIFFERENCE_WORDS,
        "effect_words": EFFECT_WORDS,
        "effect_kinds": KINDS,
        "affects": AFFECTS_WORDS,
        "moot_meaning": MOOT.meaning,
        "say_of": said,
    }
    return environment


def _part(name: str) -> str:
    return files("variant_engine.report").joinpath("templates", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """A part's hash as the policy writes it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _render(template: str, **context: Any) -> str:
    return _environment().get_template(template).render(**context)


# ---- pages ---------------------------------------------------------------------------------------------------------


def dossier_page(dossier: Dossier) -> str:
    """The page of a comparison, with all that the dossier has."""
    matrix = dossier.matrix
    source = "text" if matrix.texts else "ruleset"
    columns = _columns(dossier)
    by_name = {column.name: column for column in columns}
    rows = [_row(dossier, row) for row in matrix.rows]
    chapters = [(chapter, [row for row in rows if row.option.chapter == chapter]) for chapter in CHAPTERS]
    pairs = _pairs(dossier, by_name)
    return _render(
        "report.html.j2",
        title=f"Sixty-Six: where {counted(len(matrix.rulesets), source)} differ",
        lead=_lead(dossier, source),
        lineages=_lineages(dossier),
        matrix=matrix,
        columns=columns,
        chapters=[(chapter, some) for chapter, some in chapters if some],
        effects=dossier.effects,
        differ=matrix.differing,
        total=len(matrix.rows),
        used=matrix.statuses,
        any_moot=any(one.moot_by for row in matrix.rows for one in row.values.values()),
        kinds=[kind for kind in DIFFERENCES if matrix.of_kind(kind)],
        gap_of=dossier.gap,
        pairs=pairs,
        between=lambda one, two: next(pair for pair in pairs if set(pair.distance.names) == {one, two}),
        tree=tree(dossier.distances) if pairs else None,
        nearest=list(dossier.distances.nearest.items()) if pairs else [],
        gaps=[_Open(gaps) for gaps in dossier.gaps],
    )


def gaps_page(found: Gaps) -> str:
    """The page of what one text leaves open."""
    return _render("open.html.j2", title=f"What {found.ruleset} leaves open", gaps=[_Open(found)], matrix=None)


def witness_page(answer: Witness | NoWitness) -> str:
    """The page of one witness, or of what was covered without finding one."""
    one, two = answer.names
    if isinstance(answer, NoWitness):
        return _render("witness.html.j2", title=f"{one} and {two}", told=None, sentence=answer.sentence)
    return _render("witness.html.j2", title=f"Where {one} and {two} part", told=told(answer))


def _columns(dossier: Dossier) -> list[_Column]:
    plain = all(re.fullmatch(r"[A-Za-z0-9_-]+", name) for name in dossier.names)
    columns: list[_Column] = []
    for lineage, names in dossier.matrix.lineages.items():
        for name in names:
            slug = name if plain else f"source{len(columns) + 1}"
            columns.append(_Column(name, slug, dossier.ruleset(name), lineage, len(names) > 1))
    return columns


def _row(dossier: Dossier, row: Row) -> _Row:
    effect = dossier.effects.get(row.option.name)
    if effect is None:
        return _Row(row, (), (), ())
    answers = [(kind, kind.answer) for kind in effect.shown]
    by_kind = sorted(((kind, pair) for pair, kind in effect.pairs.items()), key=lambda one: KINDS.index(one[0]))
    return _Row(
        row,
        tuple((told(answer), kind) for kind, answer in answers if isinstance(answer, Witness)),
        tuple(kind for kind, answer in answers if isinstance(answer, NoWitness)),
        tuple((kind, tuple(pair for _, pair in some)) for kind, some in groupby(by_kind, lambda one: one[0])),
    )


def _pairs(dossier: Dossier, columns: dict[str, _Column]) -> list[_Pair]:
    if not dossier.pairs:
        return []
    distances = dossier.distances
    most = max(apart(distances, *pair.distance.names) for pair in dossier.pairs) or 1
    found = []
    for pair in dossier.pairs:
        one, two = pair.distance.names
        parts = isinstance(pair.answer, Witness)
        found.append(
            _Pair(
                pair.distance,
                told(pair.answer) if isinstance(pair.answer, Witness) else None,
                "" if parts else f"{one} and {two}: {pair.answer.sentence}",  # type: ignore[union-attr]
                f"pair.{columns[one].slug}.{columns[two].slug}",
                -(-_SHADES * apart(distances, one, two) // most),
            )
        )
    return found


def _lead(dossier: Dossier, source: str) -> str:
    matrix = dossier.matrix
    differ, total = len(matrix.differing), len(matrix.rows)
    voices = f" of {counted(len(matrix.lineages), 'lineage')}" if len(matrix.lineages) < len(matrix.rulesets) else ""
    told_of = f"{counted(len(matrix.rulesets), source)}{voices}: {_listed(dossier.names)}."
    lead = f"{told_of} On {total - differ} of {total} options all agree; on {differ} they do not."
    if not dossier.effects:
        return lead
    effects = [effect.kind for effect in dossier.effects.values()]
    counts = [f"{effects.count(kind)} {EFFECT_COUNTS[kind]}" for kind in KINDS if kind in effects]
    return f"{lead} Of these: {', '.join(counts)}."


def _lineages(dossier: Dossier) -> list[str]:
    sentences = []
    columns = {column.rulesets for column in dossier.matrix.columns}
    for lineage, names in dossier.matrix.lineages.items():
        if len(names) > 1:
            agree = "agree throughout and count once" if names in columns else "count once, but do not agree throughout"
            sentences.append(f"{_listed(names)} come from one text ({lineage}) and {agree}.")
    return sentences


def _listed(names: Iterable[str]) -> str:
    some: Sequence[str] = tuple(names)
    return some[0] if len(some) == 1 else f"{', '.join(some[:-1])} and {some[-1]}"
