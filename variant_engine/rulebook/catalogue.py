"""The catalogues: ``.po`` files for translators, ``.mo`` files for :mod:`gettext`, kept in step with the sentences.

``python -m variant_engine.rulebook.catalogue`` adds new messages to every ``.po`` file, drops those no longer used,
and compiles the ``.mo`` files. With ``--check`` it writes nothing and exits with 1 if anything would change. For a new
language give its code, ``python -m variant_engine.rulebook.catalogue nl``, and add its folder to ``pyproject.toml``.
"""

from __future__ import annotations

import ast
import re
import struct
import sys
from dataclasses import dataclass
from pathlib import Path

from .language import DOMAIN, LOCALE, PLACEHOLDER
from .phrases import messages as phrases
from .templates import ANSWERS, CHAPTERS, TALONS

_HEADER = "Language: {code}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n\
Content-Transfer-Encoding: 8bit\nPlural-Forms: nplurals=2; plural=(n != 1);\n"
_WIDEST = 110


@dataclass(frozen=True, slots=True)
class Message:
    """A message with its plural (or none), its translations (empty where there is none yet), and where it is used."""

    text: str
    plural: str | None
    translations: tuple[str, ...]
    used: str = ""

    @property
    def key(self) -> tuple[str, str | None]:
        """What tells messages apart."""
        return self.text, self.plural


class CatalogueError(ValueError):
    """A ``.po`` file that cannot be read. The message names the line."""


def wanted() -> list[Message]:
    """Every message that a catalogue should have, in the order of the book, each once."""
    found: dict[str, Message] = {}

    def add(text: str, used: str, plural: str | None = None) -> None:
        found.setdefault(text, Message(text, plural, ("", "") if plural else ("",), used))

    for name, title, templates in CHAPTERS:
        add(title, f"heading of the chapter {name}")
        for topic, cases in templates.items():
            for case, text in cases.items():
                add(text, f"{name}: {topic}, {case}")
    for case, text in TALONS.items():
        add(text, f"play: when, {case}")
    for case, text in ANSWERS.items():
        add(text, f"play: follow, head, ruff: {case}")
    for message in phrases():
        if isinstance(message, tuple):
            add(message[0], "numbers and units", message[1])
        else:
            add(message, "around the text")
    return list(found.values())


# ---- .po files ------------------------------------------------------------------------------------------------------

_LINE = re.compile(r'^(?:(msgid|msgid_plural|msgstr(?:\[\d+\])?)\s+)?(".*")$')


def read_po(text: str) -> tuple[str, list[Message]]:
    """The header and the messages of a ``.po`` file."""
    found: list[dict[str, str]] = []
    key = ""
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        match = _LINE.match(line)
        if match is None:
            raise CatalogueError(f"line {number}: this is no line of a catalogue: {line[:60]}")
        key = match[1] or key
        if match[1] == "msgid":
            found.append({})
        if not found or not key:
            raise CatalogueError(f"line {number}: text without a msgid before it")
        try:
            found[-1][key] = found[-1].get(key, "") + str(ast.literal_eval(match[2]))
        except (SyntaxError, ValueError):
            raise CatalogueError(f"line {number}: the quotation marks are not right") from None
    header = ""
    result = []
    for entry in found:
        if not entry["msgid"]:
            header = entry.get("msgstr", "")
            continue
        strings = tuple(entry[name] for name in sorted(entry) if name.startswith("msgstr"))
        result.append(Message(entry["msgid"], entry.get("msgid_plural"), strings))
    return header, result


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _entry(key: str, text: str) -> list[str]:
    if len(text) + len(key) + 3 <= _WIDEST and "\n" not in text.rstrip("\n"):
        return [f"{key} {_quoted(text)}"]
    lines = [f'{key} ""']
    for piece in text.splitlines(keepends=True):
        line = ""
        for word in re.findall(r"\S+\s*|\s+", piece):
            if line and len(line) + len(word) > _WIDEST - 2:
                lines.append(_quoted(line))
                line = ""
            line += word
        lines.append(_quoted(line))
    return lines


def write_po(header: str, messages: list[Message]) -> str:
    """The text of a ``.po`` file."""
    lines = ["# The messages of the rulebooks. Translate the msgstr; docs/glossary.md has the words of the field."]
    lines += ['msgid ""', *_entry("msgstr", header), ""]
    for message in messages:
        lines.append(f"#. {message.used}")
        lines += _entry("msgid", message.text)
        if message.plural is None:
            lines += _entry("msgstr", message.translations[0])
        else:
            lines += _entry("msgid_plural", message.plural)
            for place, text in enumerate(message.translations):
                lines += _entry(f"msgstr[{place}]", text)
        lines.append("")
    return "\n".join(lines)


def updated(text: str) -> str:
    """A ``.po`` file brought into step with the sentences: what is new stands untranslated, what is unused is gone."""
    header, old = read_po(text)
    known = {message.key: message.translations for message in old}
    fresh = [Message(one.text, one.plural, known.get(one.key, one.translations), one.used) for one in wanted()]
    return write_po(header, fresh)


# ---- .mo files ------------------------------------------------------------------------------------------------------


def compiled(text: str) -> bytes:
    """The ``.mo`` file for a ``.po`` file; messages that are not translated are left to English."""
    header, messages = read_po(text)
    pairs = {b"": header.encode()}
    for message in messages:
        if all(message.translations):
            key = message.text if message.plural is None else f"{message.text}\0{message.plural}"
            pairs[key.encode()] = "\0".join(message.translations).encode()
    keys = sorted(pairs)
    # Seven words of header, then two tables of length and offset, then the texts, each ended by a zero byte.
    start = 28 + 16 * len(keys)
    tables: tuple[list[int], list[int]] = ([], [])
    texts = b""
    for table, strings in zip(tables, (keys, [pairs[key] for key in keys]), strict=True):
        for string in strings:
            table += [len(string), start + len(texts)]
            texts += string + b"\0"
    head = struct.pack("<7I", 0x950412DE, 0, len(keys), 28, 28 + 8 * len(keys), 0, 0)
    return head + struct.pack(f"<{4 * len(keys)}I", *tables[0], *tables[1]) + texts


def problems(text: str) -> list[str]:
    """What a translator has still to do: messages without a translation, and places that are not the same."""
    found = []
    for message in read_po(text)[1]:
        originals = (message.text, message.plural or message.text)
        for place, (original, translation) in enumerate(zip(originals, message.translations, strict=False)):
            places = PLACEHOLDER.findall(translation)
            if message.plural is not None and place == 0 and not places:
                # "einen Spielpunkt": a singular may spell its number out.
                places = PLACEHOLDER.findall(original)
            if not translation:
                found.append(f"not translated: {message.text}")
            elif sorted(places) != sorted(PLACEHOLDER.findall(original)):
                found.append(f"other places in the translation: {message.text}")
    return found


def catalogues() -> list[Path]:
    """The ``.po`` files."""
    return sorted(LOCALE.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def main(arguments: list[str]) -> int:
    """Bring the catalogues into step, or with ``--check`` see whether they are."""
    check = "--check" in arguments
    for code in arguments:
        path = LOCALE / code / "LC_MESSAGES" / f"{DOMAIN}.po"
        if not code.startswith("-") and not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(write_po(_HEADER.format(code=code), []), encoding="utf-8", newline="\n")
    stale = []
    for path in catalogues():
        old = path.read_text(encoding="utf-8")
        new = updated(old)
        binary = path.with_suffix(".mo")
        content = compiled(new)
        if new != old or not binary.exists() or binary.read_bytes() != content:
            stale.append(path)
            if not check:
                path.write_text(new, encoding="utf-8", newline="\n")
                binary.write_bytes(content)
        for problem in problems(new):
            print(f"{path}: {problem}", file=sys.stderr)
    if check and stale:
        print(f"out of date: {', '.join(map(str, stale))}; run python -m {__spec__.name}", file=sys.stderr)
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
