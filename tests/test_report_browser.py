"""The page on the five texts in a real browser: filters, keyboard, witnesses, no errors, and axe-core's rules."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

import variant_engine as ve
from cli.main import app
from variant_engine.compare.gaps import find_gaps
from variant_engine.compare.witness import find_witness
from variant_engine.report.dossier import bare
from variant_engine.report.page import dossier_page, gaps_page, witness_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# The browser's driver leaves sockets to the end of the process.
pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore::ResourceWarning")]

ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP, PHONE = {"width": 1366, "height": 900}, {"width": 390, "height": 844}
SHOWN = "tr.row:not([hidden])"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page that ``sixtysix report`` writes."""
    file = tmp_path_factory.mktemp("report") / "page.html"
    result = CliRunner().invoke(app, ["report", "-o", str(file)], prog_name="sixtysix")
    assert result.exit_code == 0, result.output
    return file.as_uri()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    assert chromium, "these tests need Debian's package chromium"
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=ARGS)
        yield launched
        launched.close()


@pytest.fixture
def opened(browser: Browser, address: str) -> Iterator[Any]:
    """Opens the page; afterwards nothing may have been complained of, and nothing asked of a network."""
    contexts, complaints = [], []

    def opening(size: Any = DESKTOP, fragment: str = "", **settings: Any) -> Page:
        context = browser.new_context(viewport=size, **settings)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda asked: complaints.append(asked.url) if asked.url.startswith("http") else None)
        page.goto(address + fragment)
        return page

    yield opening
    for context in contexts:
        context.close()
    assert complaints == []


def test_it_loads_and_filters(opened: Any) -> None:
    from playwright.sync_api import expect

    page = opened()
    assert page.title() == "Sixty-Six: where 5 texts differ"
    assert page.locator(SHOWN).count() == 30
    assert page.locator("#shown").inner_text() == "30 of 76 rows are shown"
    page.get_by_label("all", exact=True).check()
    assert page.locator(SHOWN).count() == 76
    page.get_by_label("that differ").check()
    page.get_by_label("Chapter").select_option("closing")
    assert {row.get_attribute("id").split("_")[0] for row in page.locator(SHOWN).all()} == {"closing"}
    page.get_by_role("button", name="Reset").click()
    expect(page.locator(SHOWN)).to_have_count(30)
    page.get_by_label("Kind of difference").select_option("contradiction")
    assert page.locator(SHOWN).count() == page.locator('tr.row[data-difference="contradiction"]').count() > 0
    page.get_by_label("Does it matter").select_option("parts in play")
    page.get_by_label("Words").fill("last_trick quitted")
    assert [row.get_attribute("id") for row in page.locator(SHOWN).all()] == ["look_back"]
    page.get_by_label("Words").fill("no such words")
    assert page.locator("#nothing").is_visible()
    page.get_by_role("button", name="Show all rows that differ").click()
    expect(page.locator(SHOWN)).to_have_count(30)


def test_a_cell_opens_its_reasoning_by_keyboard_and_gives_the_focus_back(opened: Any) -> None:
    page = opened()
    reasoning = page.locator('[id="closing_draw.foster"]')
    assert not reasoning.is_visible()
    cell = page.locator("tr#closing_draw td.cell a").nth(1)
    cell.focus()
    page.keyboard.press("Enter")
    assert reasoning.is_visible()
    assert page.evaluate("document.activeElement.id") == "closing_draw.foster"
    assert page.locator("tr#closing_draw th a").get_attribute("aria-expanded") == "true"
    text = reasoning.inner_text()
    assert "either" in text
    assert "¶32.2" in text
    assert "stated" in text
    page.keyboard.press("Escape")
    assert not reasoning.is_visible()
    assert cell.evaluate("cell => cell === document.activeElement")
    # The option's name opens and closes the row as well.
    page.locator("tr#closing_draw th a").press("Enter")
    assert reasoning.is_visible()
    page.locator("tr#closing_draw th a").click()
    assert not reasoning.is_visible()
    assert page.locator("tr#closing_draw th a").get_attribute("aria-expanded") == "false"


def test_escape_closes_the_row_opened_last_wherever_the_focus_is(opened: Any) -> None:
    page = opened()
    first, second = page.locator('[id="closing_draw.foster"]'), page.locator('[id="exchange_when.foster"]')
    page.locator("tr#closing_draw td.cell a").nth(1).press("Enter")
    page.locator("tr#exchange_when td.cell a").nth(1).press("Enter")
    page.get_by_label("Words").focus()
    page.keyboard.press("Escape")
    assert first.is_visible()
    assert not second.is_visible()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Escape")
    assert not first.is_visible()
    page.keyboard.press("Escape")
    assert page.locator("tr.more.opened").count() == 0


def test_a_witness_is_shown_with_its_cards(opened: Any) -> None:
    page = opened()
    page.locator("tr#exchange_when a.show").press("Enter")
    deal = page.locator('[id="exchange_when.deal1"]')
    assert deal.locator(".scene").first.is_visible()
    assert deal.locator(".scene").first.locator(".card").count() == 24
    assert deal.locator(".verdict").count() == 2
    assert "A holds" in deal.inner_text()
    assert page.evaluate("document.activeElement.id") == "exchange_when.deal1"


def test_a_distance_opens_the_pair(opened: Any) -> None:
    page = opened()
    page.locator(".heat td a").first.click()
    pair = page.locator('[id="pair.handbook.foster"]')
    assert pair.locator(".scene").first.is_visible()
    pair.locator("a", has_text="head_").or_(pair.locator("a", has_text="closing_")).first.click()
    assert page.locator("tr.more.opened").count() == 1


def test_an_address_within_the_page_opens_even_what_the_filter_hides(opened: Any) -> None:
    page = opened(fragment="#pack_cards.foster")
    assert page.locator('[id="pack_cards.foster"]').is_visible()


def test_without_scripts_all_can_be_read(opened: Any) -> None:
    page = opened(java_script_enabled=False)
    assert page.locator("tr.row").count() == 76
    assert not page.locator("#filters").is_visible()
    page.locator("tr.more summary", has_text="closing_draw").first.click()
    assert page.locator('[id="closing_draw.foster"]').is_visible()
    assert page.locator('[id="closing_draw.deal1"] .scene').first.is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_axe_finds_nothing(opened: Any, size: Any, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = opened(size, color_scheme=scheme)
    page.locator("tr#closing_draw td.cell a").first.click()
    page.locator("tr#exchange_when a.show").click()
    page.evaluate("for (const part of document.querySelectorAll('details.pair, details.gaps')) part.open = true")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_axe_finds_nothing_on_the_smaller_pages_and_on_many_columns(browser: Browser, tmp_path: Path) -> None:
    from axe_playwright_python.sync_playwright import Axe

    foster, handbook, *rest = (ve.load(head.id) for head in ve.rulesets())
    many = [foster, handbook, *rest, foster.replace(head_open="required"), handbook.replace(head_open="required")]
    pages = {
        "witness": witness_page(find_witness(foster, handbook)),
        "gaps": gaps_page(find_gaps(handbook, [foster], deals=20)),
        "matrix": dossier_page(bare(many, [f"{rules.id}-{number}" for number, rules in enumerate(many)])),
    }
    for name, text in pages.items():
        file = tmp_path / f"{name}.html"
        file.write_text(text, "utf-8")
        for size in (DESKTOP, PHONE):
            page = browser.new_page(viewport=size)  # type: ignore[arg-type]
            page.goto(file.as_uri())
            found = Axe().run(page)
            assert found.violations_count == 0, f"{name}: {found.generate_report()}"
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
            page.close()


@pytest.mark.parametrize("size", [DESKTOP, {"width": 1000, "height": 700}, PHONE, {"width": 320, "height": 600}])
def test_nothing_is_wider_than_the_window(opened: Any, size: Any) -> None:
    page = opened(size)
    page.locator("tr#exchange_when a.show").click()
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_printed_it_is_black_on_white_and_holds_what_is_open(opened: Any, tmp_path: Path) -> None:
    page = opened(color_scheme="dark")
    page.locator("tr#exchange_when a.show").click()
    page.emulate_media(media="print")
    assert not page.locator("#filters").is_visible()
    assert page.locator('[id="exchange_when.deal1"] .scene').first.is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    ink = page.evaluate("getComputedStyle(document.body).color")
    assert max(int(part) for part in ink.removeprefix("rgb(").removesuffix(")").split(",")) < 60
    file = tmp_path / "page.pdf"
    page.pdf(path=file)
    assert file.read_bytes().startswith(b"%PDF")
