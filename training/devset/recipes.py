"""Documents of many kinds: what a report, a letter, a résumé, a set of slides holds, in invented words."""

from __future__ import annotations

import random
from collections.abc import Callable

from training.devset.content import Document, Element, Item
from training.devset.invention import Invention

UNORDERED = ("disc", "disc", "dash", "square", "typed", "arrow", "image", "check")
ORDERED = ("decimal", "decimal", "paren", "alpha", "roman")
SECTIONS = ("Experience", "Education", "Skills", "Publications", "Languages", "Projects", "Profile")  # of a résumé
RULES = ("grid", "rows", "book", "none", "zebra", "head")


class Writer:
    """Writes elements; remembers what is settled for a whole document: its list signs, numbers, tables."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.say = rng, Invention(rng)
        self.numbered = rng.random() < 0.4
        self.bullets = [rng.choice(UNORDERED), rng.choice(UNORDERED)]
        self.ordered = rng.choice(ORDERED)
        self.rules = rng.choice(RULES)
        self.above = rng.random() < 0.5
        self.word = {"figure": rng.choice(("Figure", "Fig.")), "table": rng.choice(("Table", "Table", "Tab."))}
        self.stop = rng.choice((".", ":", ".", " –"))
        self.strong, self.short, self.chapters = rng.random() < 0.3, rng.random() < 0.4, rng.random() < 0.25
        self.count = [0] * 6
        self.captions = {"figure": 0, "table": 0}
        self.mark = 0

    def heading(self, level: int = 1, low: int = 1, high: int = 6, text: str = "") -> Element:
        number = ""
        if self.numbered and level <= 3:
            self.count[level - 1] += 1
            self.count[level:] = [0] * (6 - level)
            number = ".".join(str(max(1, n)) for n in self.count[:level])
            number += "." if self.stop == "." and level == 1 else ""
        return Element("heading", text or self.say.heading(low, high), level=level, number=number)

    def text(self, low: int = 2, high: int = 6, notes: bool = False) -> Element:
        element = Element("text", self.say.prose(low, high))
        if notes and self.rng.random() < 0.3:
            self.mark += 1
            element.notes = [(str(self.mark), self.say.prose(1, 2, rich=False))]
        return element

    def line(self, text: str) -> Element:
        return Element("line", text)

    def listing(
        self, depth: int = 0, ordered: bool | None = None, low: int = 2, high: int = 6, long: float = 0.4
    ) -> Element:
        rng = self.rng
        ordered = rng.random() < 0.4 if ordered is None else ordered
        style = rng.choice((self.ordered, "alpha", "roman")) if ordered and depth else self.ordered
        style = style if ordered else self.bullets[min(depth, 1)]
        lengthy, capital = rng.random() < long, rng.random() < 0.8
        items = []
        for _ in range(rng.randint(low, high)):
            text = self.say.prose(1, 3) if lengthy else self.say.phrase(1, 9)
            item = Item(text if capital else text[:1].lower() + text[1:])
            if depth < 2 and rng.random() < (0.22 if depth == 0 else 0.1):
                item.inner = self.listing(depth + 1, low=2, high=4, long=long)
            elif lengthy and depth == 0 and rng.random() < 0.12:
                item.more = [self.say.prose(1, 2)]
            items.append(item)
        return Element("list", items=items, style=style)

    def caption(self, kind: str) -> str:
        self.captions[kind] += 1
        number = f"{max(1, self.count[0])}.{self.captions[kind]}" if self.chapters else str(self.captions[kind])
        label = f"{self.word[kind]} {number}{self.stop}"
        said = self.say.phrase(2, 6) if self.short else self.say.prose(1, 2, rich=False)
        return f"**{label}** {said}" if self.strong else f"{label} {said}"

    def table(self, caption: float = 0.6, rows: tuple[int, int] = (2, 9), columns: tuple[int, int] = (2, 5)) -> Element:
        cells = self.say.table(self.rng.randint(*rows), self.rng.randint(*columns))
        said = self.caption("table") if self.rng.random() < caption else ""
        return Element("table", rows=cells, caption=said, caption_above=self.above, style=self.rules)

    def figure(self) -> Element:
        return Element("figure", caption=self.caption("figure") if self.rng.random() < 0.85 else "")

    def code(self, low: int = 2, high: int = 16) -> Element:
        return Element("code", lines=self.say.code(low, high))

    def terms(self, low: int = 2, high: int = 6) -> Element:
        mono = self.rng.random() < 0.4
        items = []
        for _ in range(self.rng.randint(low, high)):
            term = f"--{self.say.word()}" if mono else self.say.phrase(1, 4)
            items.append(Item(term, more=[self.say.prose(1, 3)]))
        return Element("terms", items=items, style="mono" if mono else "plain")

    def formula(self) -> Element:
        return Element("formula", self.rng.choice(("a = b + c", "E = m c^2", "x = y - 2 z", "f = g h")))

    def toc(self, entries: int = 9) -> Element:
        page, items = 1, []
        for i in range(entries):
            page += self.rng.randint(0, 6)
            number = f"{i + 1} " if self.numbered else ""
            items.append(Item(number + self.say.heading(1, 6), more=[str(page)]))
        return Element("toc", items=items)

    def aside(self) -> Element:
        inner = [Element("heading", self.say.heading(1, 3), level=4)]
        for _ in range(2):
            inner.append(self.text(1, 2) if self.rng.random() < 0.7 else self.listing(2, low=2, high=4, long=0))
        return Element("aside", inner=inner)

    def admonition(self) -> Element:
        """A note or a warning: its name, then what it says; no heading, although it looks like one."""
        word = self.rng.choice(("Note", "Warning", "Tip", "Important", "Example", "Caution"))
        return Element("note", inner=[Element("line", f"**{word}**"), self.text(1, 2)])

    def section(self, level: int, kinds: str, parts: int) -> list[Element]:
        """A heading and what stands under it; `kinds` are letters, drawn as often as they occur."""
        makers: dict[str, Callable[[], Element]] = {
            "p": self.text, "n": lambda: self.text(notes=True), "s": lambda: self.text(1, 2), "l": self.listing,
            "t": self.table, "f": self.figure, "c": self.code, "d": self.terms, "m": self.formula,
            "a": self.admonition, "q": lambda: Element("quote", self.say.prose(1, 3, rich=False)),
            "i": lambda: Element("text", f"**{self.say.phrase(1, 4)}.** {self.say.prose(1, 4)}"),
        }  # fmt: skip
        body = [self.heading(level)]
        for i in range(self.rng.randint(1, parts)):
            kind = self.rng.choice(kinds)
            if kind in "lcd" and i == 0 and self.rng.random() < 0.7:  # an introduction
                body.append(Element("text", self.say.sentence()[:-1] + ":"))
            body.append(makers[kind]())
        return body

    def sections(self, count: int, kinds: str, parts: int = 4) -> list[Element]:
        body: list[Element] = []
        level = 1
        for i in range(count):
            level = 1 if i == 0 else max(1, min(3, level + self.rng.choice((-1, -1, 0, 0, 1))))
            body += self.section(level, kinds, parts)
        return body

    def edges(self) -> tuple[list[str], list[str]]:
        """A running header and footer: up to three pieces each."""
        say, rng = self.say, self.rng
        name = rng.choice((say.heading(2, 5), say.firm(), f"{say.name()} · {say.heading(1, 3)}"))
        number = rng.choice(("{page}", "Page {page}", "– {page} –", "{page} / 12", "p. {page}"))
        choices: tuple[tuple[list[str], list[str]], ...] = (
            ([name], [number]), ([], [number]), ([name, number], []), ([name, say.heading(1, 4)], [number]),
            ([], [name, number]), ([name, "", number], [say.firm()]), ([say.date(), name], ["", number]), ([], []),
        )  # fmt: skip
        return rng.choice(choices)


def _document(writer: Writer, body: list[Element], edges: bool = True) -> Document:
    header, footer = writer.edges() if edges else ([], [])
    return Document(body, header, footer)


def report(rng: random.Random) -> Document:
    w = Writer(rng)
    body = [Element("title", w.say.heading(3, 9))]
    if rng.random() < 0.5:
        body.append(Element("line", w.say.phrase(3, 8), style="subtitle"))
    if rng.random() < 0.5:
        body += [w.line(w.say.firm()), w.line(w.say.date())]
    if rng.random() < 0.5:
        named = rng.choice(("Contents", "Table of contents", "Summary"))
        body += [Element("heading", named, level=1), w.toc(rng.randint(5, 14))]
    body += w.sections(rng.randint(5, 9), "ppnnsltfqia")
    return _document(w, body)


def paper(rng: random.Random) -> Document:
    w = Writer(rng)
    w.numbered = rng.random() < 0.7
    names = ", ".join(w.say.name() for _ in range(rng.randint(1, 4)))
    body = [Element("title", w.say.heading(5, 12)), w.line(names), w.line(f"{w.say.firm()}, {w.say.place()}")]
    if rng.random() < 0.6:
        numbered, w.numbered = w.numbered, False
        body += [w.heading(1, text=rng.choice(("Abstract", "Summary"))), w.text(3, 6)]
        w.numbered = numbered
    else:
        body += [Element("text", f"**Abstract.** {w.say.prose(3, 6)}")]
    body += w.sections(rng.randint(5, 8), "ppppnnlfttmi")
    w.numbered = False
    body += [w.heading(1, text="References")]
    items = [Item(f"{w.say.name()}, {w.say.name()}. {w.say.phrase(4, 9)}. *{w.say.phrase(2, 4)}*, {rng.randint(1, 99)}:{rng.randint(1, 999)}, {rng.randint(1960, 2025)}.") for _ in range(rng.randint(4, 12))]  # fmt: skip
    body += [Element("list", items=items, style=rng.choice(("bracket", "decimal")))]
    return _document(w, body)


def manual(rng: random.Random) -> Document:
    w = Writer(rng)
    body = [Element("title", w.say.heading(2, 6)), w.text(1, 3)]
    body += w.sections(rng.randint(5, 9), "psscccllldtaa", 5)
    return _document(w, body)


def reference(rng: random.Random) -> Document:
    """Documentation of an interface: signatures, terms, code."""
    w = Writer(rng)
    w.numbered = False
    body = [Element("title", w.say.heading(1, 4)), w.text(1, 3)]
    for _ in range(rng.randint(4, 7)):
        body += [w.heading(rng.choice((1, 2)), 1, 3), w.code(1, 1), w.text(1, 3), w.terms(1, 4)]
        body += rng.choice(([w.code(3, 14)], [w.text(1, 1)], [w.listing(long=0.2)], [w.table(0.1)]))
    return _document(w, body)


def letter(rng: random.Random) -> Document:
    w, say = Writer(rng), Invention(rng)
    street = f"{rng.randint(1, 99)} {say.word().title()} Street"
    body = [w.line(say.firm()), w.line(street), w.line(f"{rng.randint(1000, 9999)} {say.place()}"), w.line(say.date())]
    body += [w.line(say.name()), w.line(say.firm()), w.line(say.place())]
    if rng.random() < 0.7:
        body.append(Element("heading", rng.choice(("", "Re: ", "Subject: ")) + say.phrase(3, 7), level=1))
    body.append(w.line(f"Dear {say.name()},"))
    body += [w.text(1, 4) for _ in range(rng.randint(2, 5))]
    if rng.random() < 0.6:
        body += [Element("text", say.sentence()[:-1] + ":"), w.listing(long=0.3), w.text(1, 2)]
    body += [w.line("Yours sincerely,"), w.line(say.name()), w.line(say.heading(1, 3))]
    return _document(w, body, edges=rng.random() < 0.4)


def resume(rng: random.Random) -> Document:
    w, say = Writer(rng), Invention(rng)
    w.numbered = False
    contact = f"{say.place()} | {say.word()}@{say.word()}.example"
    contact += f" | +{rng.randint(10, 99)} {rng.randint(100000, 999999)}"
    body = [Element("title", say.name()), w.line(say.heading(2, 4)), w.line(contact)]
    for name in rng.sample(SECTIONS, 5):
        body.append(w.heading(1, text=name))
        if name in ("Skills", "Languages"):
            listed, phrases = w.listing(2, False, 3, 6, 0), ", ".join(say.phrase(1, 2) for _ in range(6))
            body.append(rng.choice((listed, w.line(phrases))))
        elif name == "Profile":
            body.append(w.text(1, 3))
        else:
            for _ in range(rng.randint(1, 3)):
                body.append(Element("heading", f"{say.heading(1, 4)}, {say.firm()}", level=2))
                body += [w.line(f"{say.date()} – {say.date()}"), w.listing(2, False, 2, 4, 0.5)]
    return _document(w, body, edges=rng.random() < 0.2)


def slides(rng: random.Random) -> Document:
    w, say = Writer(rng), Invention(rng)
    w.numbered = False
    body = [Element("title", say.heading(3, 7)), w.line(say.name()), w.line(say.date())]
    for _ in range(rng.randint(4, 7)):
        body.append(Element("heading", say.heading(2, 6), level=1, style="page"))
        body += rng.choice(([w.listing(1, low=3, high=5, long=0.1)], [w.text(1, 1), w.listing(2, low=2, high=4, long=0)],
                            [w.table(0.2, (2, 5), (2, 4))], [w.figure()], [w.code(3, 7)]))  # fmt: skip
    return _document(w, body, edges=rng.random() < 0.5)


def cards(rng: random.Random) -> Document:
    w, say = Writer(rng), Invention(rng)
    w.numbered = False

    def card() -> Element:
        inner = [Element("heading", say.heading(1, 3), level=2), w.text(1, 2)]
        if rng.random() < 0.3:
            inner[1:] = [w.listing(2, low=2, high=4, long=0)]
        return Element("card", inner=inner)

    body = [Element("title", say.heading(2, 6)), w.text(1, 2)]
    for _ in range(rng.randint(1, 3)):
        body += [w.heading(1), Element("cards", inner=[card() for _ in range(rng.choice((3, 4, 6)))])]
    return _document(w, body)


def magazine(rng: random.Random) -> Document:
    w = Writer(rng)
    w.numbered = False
    body = [Element("title", w.say.heading(3, 8)), w.line(f"By {w.say.name()}"), w.text(3, 6)]
    for _ in range(rng.randint(4, 7)):
        body += w.section(rng.choice((1, 1, 2)), "ppppqi", 4)
        if rng.random() < 0.3:
            body.append(w.aside())
        if rng.random() < 0.3:
            body.append(w.figure())
    return _document(w, body)


def form(rng: random.Random) -> Document:
    w, say = Writer(rng), Invention(rng)
    body = [Element("title", say.heading(2, 5)), w.text(1, 2)]
    for _ in range(rng.randint(2, 4)):
        body.append(w.heading(1, 1, 4))
        for _ in range(rng.randint(3, 7)):
            label = say.phrase(1, 3)
            asked = f"{label}: {say.name()}", f"{label}:", f"**{label}:** {say.date()}", f"☐ {label}"
            body.append(w.line(rng.choice(asked)))
        if rng.random() < 0.5:
            body.append(w.table(0.1, (2, 5), (2, 4)))
    return _document(w, body)


def law(rng: random.Random) -> Document:
    """Clauses: numbered paragraphs, lettered points, headings in between."""
    w, say = Writer(rng), Invention(rng)
    w.numbered = rng.random() < 0.5
    w.ordered = rng.choice(("decimal", "paren", "alpha"))
    body = [Element("title", say.heading(3, 8))]
    for i in range(rng.randint(4, 8)):
        named = "" if w.numbered else rng.choice((f"Article {i + 1}", f"§ {i + 1} {say.phrase(1, 3)}", ""))
        body.append(w.heading(1, 1, 5, text=named))
        points = [w.listing(0, True, 2, 5, 1.0)], [w.text(1, 4), w.listing(1, True, 2, 5, 0.6)]
        body += rng.choice((*points, [w.text(), w.text()]))
    return _document(w, body)


def novel(rng: random.Random) -> Document:
    w = Writer(rng)
    w.numbered = False
    body: list[Element] = []
    for i in range(rng.randint(2, 3)):
        body.append(Element("heading", rng.choice((f"Chapter {i + 1}", w.say.heading(1, 5))), level=1))
        body += [w.text(2, 8, notes=rng.random() < 0.2) for _ in range(rng.randint(4, 9))]
        if rng.random() < 0.3:
            body.append(Element("quote", w.say.prose(1, 3, rich=False)))
    return _document(w, body)


def minutes(rng: random.Random) -> Document:
    w, say = Writer(rng), Invention(rng)
    body = [Element("title", say.heading(2, 5)), w.line(f"{say.date()}, {say.place()}")]
    body.append(w.line(f"**Present:** {', '.join(say.name() for _ in range(5))}"))
    for _ in range(rng.randint(4, 7)):
        body.append(w.heading(1))
        body += rng.choice(([w.text(1, 3)], [w.text(1, 2), w.listing(1)], [w.table(0.1)], [w.listing(0)],
                            [w.line(f"{say.name()}: {say.sentence()}")]))  # fmt: skip
    return _document(w, body)


def questions(rng: random.Random) -> Document:
    """Questions and answers, an exam, a recipe: short headings or bold questions over short texts."""
    w, say = Writer(rng), Invention(rng)
    body = [Element("title", say.heading(2, 5))]
    for _ in range(rng.randint(5, 9)):
        body.append(Element("heading", say.sentence()[:-1] + "?", level=1) if rng.random() < 0.6 else w.heading(1))
        body += rng.choice(([w.text(1, 3)], [w.listing(0)], [w.text(1, 2), w.listing(0, True, 3, 6, 0.5)],
                            [w.text(1, 1), w.text(1, 3)]))  # fmt: skip
    return _document(w, body)


_ALL = report, paper, manual, reference, letter, resume, slides, cards, magazine, form, law, novel, minutes, questions
RECIPES = {recipe.__name__: recipe for recipe in _ALL}
