"""Putting a sentence into a language: the catalogue, numbers in words, and the places in the sentence filled in."""

from __future__ import annotations

import gettext
import re
from collections.abc import Mapping
from pathlib import Path

from ..hints import listed, nearest
from ..options import BY_NAME
from .phrases import NOTHING, NUMBERS, UNITS

DOMAIN = "rulebook"
LOCALE = Path(__file__).resolve().parent.parent / "locale"

#: A place in a template: ``{name}``, or ``{#name}`` for a number without its unit.
PLACEHOLDER = re.compile(r"\{(#?\w+)\}")

Values = Mapping[str, str | int]


class LanguageError(LookupError):
    """There is no catalogue for a language. The message is a sentence for people."""


def languages() -> tuple[str, ...]:
    """The languages that rulebooks can be written in, English first."""
    found = sorted(path.parent.parent.name for path in LOCALE.glob(f"*/LC_MESSAGES/{DOMAIN}.mo"))
    return ("en", *found)


class Language:
    """One language. Raises :class:`LanguageError` for one without a catalogue."""

    def __init__(self, code: str = "en") -> None:
        if code not in languages():
            meant = nearest(code, languages())
            known = f"did you mean '{meant}'?" if meant else f"there are {listed(languages())}"
            raise LanguageError(f"no catalogue is written in the language '{code}'; {known}")
        self.code = code
        self._catalogue: gettext.NullTranslations = gettext.NullTranslations()
        if code != "en":
            self._catalogue = gettext.translation(DOMAIN, LOCALE, [code])

    def say(self, message: str, words: Mapping[str, object] | None = None) -> str:
        """A message in this language with its places filled in."""
        text = self._catalogue.gettext(message)
        return PLACEHOLDER.sub(lambda place: str((words or {})[place[1]]), text)

    def say_values(self, message: str, values: Values, words: Mapping[str, str] | None = None) -> str:
        """A message in this language, its places filled from the values of options, and from ``words`` before them."""
        text = self._catalogue.gettext(message)
        return PLACEHOLDER.sub(lambda place: (words or {}).get(place[1]) or self._number_of(place[1], values), text)

    def _number_of(self, place: str, values: Values) -> str:
        name = place.removeprefix("#")
        number = int(values[name])
        return self.number(number) if place.startswith("#") else self.counted(number, BY_NAME[name].unit)

    def number(self, number: int) -> str:
        """A number: in words up to twelve."""
        return self._catalogue.gettext(NUMBERS[number]) if number < len(NUMBERS) else str(number)

    def counted(self, number: int, unit: str) -> str:
        """A number of something, or that there is nothing of it."""
        if number == 0:
            return self._catalogue.gettext(NOTHING)
        text = self._catalogue.ngettext(*UNITS[unit], number)
        return PLACEHOLDER.sub(lambda _: self.number(number), text)
