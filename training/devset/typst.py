"""Documents as Typst markup, in four families of templates of their own."""

from __future__ import annotations

import random
import re

from training.devset.content import Document, Element

TYPST_FAMILIES = {"typst-article": ("report", "law", "questions"), "typst-manual": ("manual", "reference", "minutes"),
                  "typst-paper": ("paper", "magazine"), "typst-deck": ("slides", "cards"), "typst-vita": ("resume", "letter", "form")}  # fmt: skip
SIGNS = {"disc": "•", "dash": "–", "square": "▪", "typed": "•", "arrow": "➤", "check": "✓", "image": "◆"}
NUMBERS = {"decimal": "1.", "paren": "1)", "alpha": "(a)", "roman": "i.", "bracket": "[1]"}
FONTS = ("Libertinus Serif", "New Computer Modern", "Liberation Sans", "DejaVu Serif", "Noto Sans", "TeX Gyre Pagella")


class TypstWriter:
    """One document as a Typst file."""

    def __init__(self, rng: random.Random, family: str) -> None:
        self.rng, self.family = rng, family
        self.line_numbers = rng.random() < 0.3

    def document(self, document: Document) -> str:
        return "\n\n".join([self._preamble(document), *map(self.element, document.body)]) + "\n"

    def _preamble(self, document: Document) -> str:
        rng, deck = self.rng, self.family == "typst-deck"
        size = rng.uniform(15, 20) if deck else rng.uniform(8.5, 11.5)
        columns = rng.choice((2, 2, 1)) if self.family == "typst-paper" else 1
        papers = ("a4", "us-letter", "a5" if self.family == "typst-article" else "a4")
        paper = "presentation-16-9" if deck else rng.choice(papers)
        margin = rng.uniform(1.4, 3)
        bold = 'weight: "bold"'
        head = rng.choice((bold, 'weight: "regular"', f'{bold}, style: "italic"', f'{bold}, fill: rgb("#1a4d8f")'))
        caps = rng.choice(("it", "it", "smallcaps(it)", "upper(it)", "align(center, it)"))
        least = 1.2 if "regular" in head else rng.choice((1.0, 1.1, 1.2))
        sizes = [least * rng.uniform(1.2, 1.5), least * rng.uniform(1.05, 1.2), least]
        lines = [
            f'#set page(paper: "{paper}", margin: {margin:.1f}cm, columns: {columns}, header: [{_edge(document.header)}], footer: [{_edge(document.footer)}])',
            f'#set text(font: "{rng.choice(FONTS)}", size: {size:.1f}pt, lang: "en")',
            f"#set par(justify: {rng.choice(('true', 'false'))}, leading: {rng.uniform(0.5, 0.85):.2f}em, spacing: {rng.uniform(0.9, 1.5):.2f}em{rng.choice(('', ', first-line-indent: 1.3em'))})",
            *(f"#show heading.where(level: {i + 2}): set text(size: {s:.2f}em, {head})" for i, s in enumerate(sizes)),
            f"#show heading.where(level: 1): set text(size: {rng.uniform(1.5, 2.3):.2f}em)",
            f"#show heading.where(level: 2): it => {caps}",
            f"#show heading: set block(above: {rng.uniform(0.9, 1.8):.1f}em, below: {rng.uniform(0.5, 1):.1f}em)",
            f"#show raw: set text(size: {rng.uniform(0.85, 1.05):.2f}em)",
            rng.choice(("", "#show raw.where(block: true): block.with(fill: luma(240), inset: 6pt, width: 100%)",
                        "#show raw.where(block: true): block.with(stroke: 0.5pt, inset: 6pt)")),
            f"#set list(indent: {rng.choice((0, 0.5, 1))}em, body-indent: {rng.uniform(0.4, 0.9):.1f}em)",
            f"#set enum(indent: {rng.choice((0, 0.5, 1))}em)",
            f"#set table(stroke: {rng.choice(('0.5pt', 'none', '(x: none, y: 0.5pt)'))}, inset: {rng.uniform(3, 6):.0f}pt)",
            "#set footnote.entry(gap: 0.4em)",
        ]  # fmt: skip
        return "\n".join(line for line in lines if line)

    def element(self, element: Element) -> str:
        match element.kind:
            case "title":
                return f"= {inline(element.text)}"
            case "heading":
                number = f"{_escape(element.number)} " if element.number else ""
                page = "#pagebreak()\n" if element.style == "page" else ""
                return f"{page}{'=' * (element.level + 1)} {number}{inline(element.text)}"
            case "line" | "text":
                return self._text(element)
            case "quote":
                return f"#quote(block: true)[{inline(element.text)}]"
            case "list":
                return "#" + self._list(element)
            case "terms":
                pairs = (f"*{inline(i.text)}*\n\n#pad(left: 1.5em)[{inline(i.more[0])}]" for i in element.items)
                return "\n\n".join(pairs)
            case "code":
                return self._code(element)
            case "table":
                return self._with_caption(element, self._table(element))
            case "figure":
                size = f"width: {self.rng.randint(40, 100)}%, height: {self.rng.randint(2, 4)}cm"
                return self._with_caption(element, f"rect({size}, fill: gradient.linear(blue, white))")
            case "formula":
                return f"#align(center)[${element.text}$]"
            case "toc":
                rows = (f"{_escape(i.text)} #box(width: 1fr, repeat[.]) {i.more[0]}" for i in element.items)
                return " \\\n".join(rows)
            case "cards":
                cells = ",\n".join(
                    f"block(stroke: 0.6pt, inset: 8pt, width: 100%, breakable: false)[{self._inner(card)}]"
                    for card in element.inner
                )
                return f"#grid(columns: {self.rng.choice((2, 3))}, gutter: 10pt,\n{cells})"
            case "aside" | "note":
                return f"#block(fill: luma(235), inset: 8pt)[{self._inner(element)}]"
        raise ValueError(element.kind)

    def _inner(self, element: Element) -> str:
        return "\n\n".join(map(self.element, element.inner))

    def _text(self, element: Element) -> str:
        notes = "".join(f"#footnote[{inline(text)}]" for _, text in element.notes)
        return inline(element.text) + notes

    def _list(self, element: Element) -> str:
        items = []
        for item in element.items:
            parts = [inline(item.text), *map(inline, item.more)]
            inner = f"#{self._list(item.inner)}" if item.inner else ""
            items.append("[" + "\n\n".join(parts) + ("\n" + inner if inner else "") + "]")
        if element.style in NUMBERS:
            return f'enum(numbering: "{NUMBERS[element.style]}", {", ".join(items)})'
        return f"list(marker: [{SIGNS[element.style]}], {', '.join(items)})"

    def _code(self, element: Element) -> str:
        lines = [line.replace("`", "'") for line in element.lines]
        if self.line_numbers and len(lines) > 2:
            lines = [f"{i + 1:>3}  {line}" for i, line in enumerate(lines)]
        return "```\n" + "\n".join(lines) + "\n```"

    def _table(self, element: Element) -> str:
        cells = ", ".join(f"[{inline(cell)}]" for row in element.rows for cell in row)
        return f"table(columns: {len(element.rows[0])}, {cells})"

    def _with_caption(self, element: Element, inner: str) -> str:
        if not element.caption:
            return f"#{inner}"
        parts = [inline(element.caption), f"#{inner}"][:: 1 if element.caption_above else -1]
        return "#block(breakable: false)[#set align(center)\n" + "\n\n".join(parts) + "]"


def _edge(pieces: list[str]) -> str:
    number = '#context counter(page).display("1")'
    return " #h(1fr) ".join(_escape(piece).replace("{page}", number) for piece in pieces)


def _escape(text: str) -> str:
    return re.sub(r"([\\#$*_`<>@\[\]~/=+\-])", r"\\\1", text)


def inline(text: str) -> str:
    """Typst of lightly marked-up text."""
    out = []
    for part in re.split(r"(\*\*.+?\*\*|\*.+?\*|`.+?`)", text):
        if part.startswith("**"):
            out.append(f"#strong[{_escape(part[2:-2])}]")
        elif part.startswith("*") and len(part) > 1:
            out.append(f"#emph[{_escape(part[1:-1])}]")
        elif part.startswith("`") and len(part) > 1:
            out.append(f'#raw("{part[1:-1]}")')
        else:
            out.append(_escape(part))
    return "".join(out)
