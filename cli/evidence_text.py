"""A ruleset beside its text, as text."""

from __future__ import annotations

from variant_engine.compare.against_text import Claim, Reading, Sentence
from variant_engine.options import CHAPTERS

from .terminal import Paint, fill, table


def _clean(text: str) -> str:
    """A sentence of somebody's file without anything that a terminal would obey."""
    return "".join(c if c.isprintable() else " " if c.isspace() else "\N{REPLACEMENT CHARACTER}" for c in text)


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


class ReadingText:
    """Sets a reading in lines of at most ``width`` columns."""

    def __init__(self, reading: Reading, width: int, paint: Paint) -> None:
        self.reading = reading
        self.width = width
        self.paint = paint

    def by_place(self) -> str:
        """The text from beginning to end, below each sentence what rests on it; then what it does not say."""
        lines = self._head()
        for sentence in self.reading.sentences:
            lines += ["", *self._sentence(sentence)]
            for claim in sentence.claims:
                lines += self._claim(claim, sentence.place)
            lines += self._cases(sentence)
            if sentence.commentary:
                lines += self._fill(f"commentary: {sentence.commentary}", "  - ", "    ")
            if not sentence.covered:
                lines.append("  ! nothing cites this sentence, and it is not listed as commentary")
        if self.reading.silent:
            lines += ["", self.paint("The text is said to be silent on", "bold")]
            for claim in self.reading.silent:
                lines += self._fill(f"{claim.option.name}: {claim.value} ({claim.status}): {claim.why}", "  ", "    ")
        return "\n".join([*lines, *self._uncovered()])

    def by_option(self) -> str:
        """The options in registry order, below each value the sentences it cites; then the commentary."""
        lines = self._head()
        for chapter in CHAPTERS:
            claims = [claim for claim in self.reading.claims if claim.option.chapter == chapter]
            if claims:
                lines += ["", self.paint(chapter, "bold")]
            for claim in claims:
                lines += self._option(claim)
        noted = [sentence for sentence in self.reading.sentences if sentence.commentary]
        if noted:
            lines += ["", self.paint("commentary", "bold")]
            for sentence in noted:
                lines += [*self._sentence(sentence), *self._fill(sentence.commentary, "  - ", "    ")]
        return "\n".join([*lines, *self._uncovered()])

    def _head(self) -> list[str]:
        reading, source = self.reading, self.reading.rules.source
        counts = reading.counts
        title = fill(f"{reading.rules.id}: {reading.rules.title}", self.width, more="  ")
        lines = [self.paint(line, "bold") for line in title.splitlines()]
        if source is not None:
            lines += fill(f"{source.file}: the SHA-256 is right", self.width, more="  ").splitlines()
        told = (
            f"{_counted(counts['sentences'], 'sentence')} in {_counted(reading.lines, 'line')}: "
            f"{counts['cited']} cited by options, {counts['cases_only']} by cases alone, "
            f"{counts['commentary']} listed as commentary, {counts['uncovered']} not accounted for"
        )
        return [*lines, *fill(told, self.width, more="  ").splitlines()]

    def _fill(self, text: str, indent: str, more: str) -> list[str]:
        return fill(_clean(text), self.width, indent=indent, more=more).splitlines()

    def _sentence(self, sentence: Sentence) -> list[str]:
        lines = self._fill(f"{sentence.place} {sentence.text}", "", "  ")
        return [self.paint(line, "bold") for line in lines]

    def _cases(self, sentence: Sentence) -> list[str]:
        if not sentence.cases:
            return []
        names = "; ".join(sentence.cases)
        return self._fill(f"{_counted(len(sentence.cases), 'case')}: {names}", "  - ", "    ")

    def _claim(self, claim: Claim, place: str) -> list[str]:
        """A claim below one of its sentences; its reason only below the first of them."""
        others = [other for other in claim.places if other != place]
        first = next((other for other in self.reading.text if other in claim.places), place)
        told = "offered too" if claim.other else claim.status
        if others:
            told += f", with {', '.join(others)}"
        reason = ""
        if claim.why:
            reason = f": {claim.why}" if first == place else f": see {first}"
        return self._fill(f"{claim.option.name}: {claim.value} ({told}){reason}", "  = ", "    ")

    def _option(self, claim: Claim) -> list[str]:
        option = claim.option
        meaning = "" if option.is_number else f": {option.meaning(claim.value)}"
        if claim.other:
            lines = self._fill(f"also {claim.value}{meaning}", "    ", "      ")
        else:
            lines = ["", *self._fill(f"{option.name}: {option.question}", "  ", "    ")]
            lines += self._fill(f"{claim.value}{meaning} ({claim.status}; {claim.file}:{claim.line})", "    ", "      ")
        if claim.why:
            lines += self._fill(f"why: {claim.why}", "    ", "      ")
        for place in claim.places:
            lines += self._fill(f"{place} {self.reading.text.get(place, 'is not in the text')}", "    | ", "    |   ")
        return lines

    def _uncovered(self) -> list[str]:
        found = self.reading.uncovered
        if not found:
            return ["", "Every sentence is cited or listed as commentary."]
        rows = [("  " + sentence.place, _clean(sentence.text)) for sentence in found]
        return ["", self.paint("Not cited, and not listed as commentary", "bold"), *table(rows, self.width)]
