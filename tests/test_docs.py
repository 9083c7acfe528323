"""The documentation as a site: every page is in it, links lead somewhere, and what is generated is up to date."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from variant_engine.codes import codes
from variant_engine.options import OPTIONS

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(path.name for path in DOCS.glob("*.md"))
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def names(nav: Any) -> list[str]:
    """The pages of a navigation, in order."""
    if isinstance(nav, str):
        return [nav]
    values = nav.values() if isinstance(nav, dict) else nav
    return [name for value in values for name in names(value)]


def test_every_page_is_in_the_navigation() -> None:
    found = names(yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))["nav"])
    assert sorted(found) == PAGES
    assert len(set(found)) == len(found)


def anchors(page: str) -> set[str]:
    """The headings of a page as links name them."""
    text = re.sub(r"^```.*?^```", "", (DOCS / page).read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES)
def test_links_between_pages_lead_somewhere(page: str) -> None:
    for link in _LINK.findall((DOCS / page).read_text("utf-8")):
        if "://" in link:
            continue
        target, _, anchor = link.partition("#")
        assert not target or target in PAGES, link
        assert not anchor or anchor in anchors(target or page), link


def generator() -> Any:
    spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_diagnostics_are_up_to_date() -> None:
    text = (DOCS / "diagnostics.md").read_text("utf-8")
    assert generator().diagnostics_page() == text
    assert anchors("diagnostics.md") >= {name.lower() for name in codes()}


def test_the_options_are_all_there() -> None:
    assert {option.name for option in OPTIONS} <= anchors("options.md")


@pytest.mark.slow
def test_the_options_are_up_to_date() -> None:
    """The deals that are told there are searched for again, and must be the same."""
    assert generator().options_page() == (DOCS / "options.md").read_text("utf-8")
