"""All that is wrong with files, texts and streams: rulesets and files of cases."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from .cases import unreadable
from .diagnostics import Diagnostic, Place, RuleFileError
from .loading import document_problems, file_problems
from .shipped import CASES
from .structure import check_cases
from .textfile import decoded, shown_name
from .yamlfile import MAX_BYTES, Document, load_yaml, parse_yaml


def check_files(paths: Iterable[str | os.PathLike[str]]) -> list[Diagnostic]:
    """All problems of all files, rulesets and ``*.cases.yaml``; those of parents that are not among them as well."""
    found: dict[Diagnostic, None] = {}
    for path in paths:
        if os.fspath(path).endswith(CASES):
            problems = _check_cases(lambda: load_yaml(path), Path(path))  # noqa: B023  (called at once)
        else:
            problems = file_problems(path)
        found |= dict.fromkeys(problems)
    return list(found)


def check_text(text: str, path: str | os.PathLike[str]) -> list[Diagnostic]:
    """All problems that a ruleset file or file of cases with this text would have, if it were written to ``path``."""
    shown = shown_name(path)
    if shown.endswith(CASES):
        return _check_cases(lambda: parse_yaml(text, shown), Path(path))
    return document_problems(lambda: parse_yaml(text, shown), Path(path), shown, named=True)


def check_content(content: bytes, path: str | os.PathLike[str] | None = None) -> list[Diagnostic]:
    """As :func:`check_text`, for the bytes of a file; without ``path`` it has no name that an id could differ from."""
    shown = "<standard input>" if path is None else shown_name(path)

    def document() -> Document:
        if len(content) > MAX_BYTES:
            raise RuleFileError([Diagnostic("Y105", f"there are more than {MAX_BYTES} bytes", Place.whole(shown))])
        return parse_yaml(decoded(content, shown), shown)

    if shown.endswith(CASES):
        return _check_cases(document, Path(path or shown))
    return document_problems(document, Path(path or "standard-input.yaml"), shown, named=path is not None)


def _check_cases(read: Callable[[], Document], path: Path) -> list[Diagnostic]:
    """All problems of a file of cases; ``path`` is where it lies, or would."""
    try:
        document = read()
    except RuleFileError as error:
        return list(error.diagnostics)
    problems = check_cases(document)
    return sorted([*problems.found, *unreadable(document, path, problems.touch)], key=Diagnostic.sort_key)
