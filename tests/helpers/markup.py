"""HTML as a browser sees it."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "link", "wbr", "br", "hr", "img", "input"}


class Markup(HTMLParser):
    """The tags, attributes and texts of a piece of HTML; fails where tags do not nest or there is a comment."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []  # tag, name, value
        self.open: list[str] = []
        self._texts: list[tuple[frozenset[str], str]] = []  # with the tags that are open there
        self.feed(html)
        self.close()
        assert not self.open

    def texts(self, *, within: str = "", without: tuple[str, ...] = ()) -> list[str]:
        return [text for tags, text in self._texts if (not within or within in tags) and not tags & set(without)]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self._texts.append((frozenset(self.open), data))

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)
