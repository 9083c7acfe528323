"""Reading a page of a report as a program sees it: its elements, checked for being well nested."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

_EMPTY = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "rect", "wbr"}
#: In SVG, written with a slash at the end.
_DRAWN = {"rect", "line"}


@dataclass
class Element:
    name: str
    attributes: dict[str, str]
    parent: Element | None
    children: list[Element | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        parts = [child if isinstance(child, str) else child.text for child in self.children]
        return "".join(parts)

    @property
    def words(self) -> str:
        return " ".join(self.text.split())

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()

    def all(self, name: str = "", cls: str = "") -> Iterator[Element]:
        for child in self.children:
            if isinstance(child, Element):
                if (not name or child.name == name) and (not cls or cls in child.classes):
                    yield child
                yield from child.all(name, cls)

    def one(self, name: str = "", cls: str = "") -> Element:
        return next(self.all(name, cls))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = Element("", {}, None)
        self.at = self.root

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), f"<{tag}> has an attribute twice: {names}"
        element = Element(tag, {name: value or "" for name, value in attrs}, self.at)
        self.at.children.append(element)
        if tag not in _EMPTY:
            self.at = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in _DRAWN, f"<{tag}/> is no empty element"
        self.at.children.append(Element(tag, {name: value or "" for name, value in attrs}, self.at))

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.at.name, f"</{tag}> at line {self.getpos()[0]} closes <{self.at.name}>"
        assert self.at.parent is not None
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        self.at.children.append(data)


def read(page: str) -> Element:
    """The page's root; fails if its elements are not well nested."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert reader.at is reader.root, f"<{reader.at.name}> is not closed"
    return reader.root


def by_id(root: Element) -> dict[str, Element]:
    """The elements that have an id, which must be all different."""
    found: dict[str, Element] = {}
    for element in root.all():
        name = element.attributes.get("id")
        if name is not None:
            assert name not in found, f"the id {name} is there twice"
            found[name] = element
    return found
