"""Documents as HTML, cut into pages by a script, so that Chromium prints them with running heads and footnotes."""

from __future__ import annotations

import html
import random

from training.devset.content import Document, Element, Item, marked

COUNTERS = {"decimal": "{}.", "paren": "{})", "alpha": "({})", "roman": "{}.", "bracket": "[{}]"}
SIGNS = {"disc": "•", "dash": "–", "square": "▪", "typed": "•", "arrow": "➤", "check": "✓"}
ROMAN = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv".split()

# Moves blocks one by one into pages; a page is full when its body overflows. A heading goes along with what follows.
PAGINATE = """
for (const doc of document.querySelectorAll('.doc')) {
  const blocks = [...doc.children].filter(b => !b.matches('template')), edge = doc.querySelector('template');
  doc.replaceChildren(); let body, notes, count = 0;
  const open = () => { count += 1;
    const page = document.createElement('div'); page.className = 'page'; page.append(edge.content.cloneNode(true));
    page.innerHTML = page.innerHTML.replaceAll('{page}', String(count)); doc.append(page);
    body = page.querySelector('.body'); notes = page.querySelector('.notes'); };
  const full = () => body.scrollHeight > body.clientHeight + 1 || body.scrollWidth > body.clientWidth + 1;
  open();
  for (const block of blocks) {
    if (block.matches('.newpage') && body.children.length) open();
    const own = [...block.querySelectorAll('span.note')]; body.append(block); own.forEach(n => notes.append(n));
    if (full() && body.children.length > 1) {
      const moved = [block];
      while (moved[0].previousElementSibling && moved[0].previousElementSibling.matches('.head, .lead')
             && moved[0].previousElementSibling.previousElementSibling) moved.unshift(moved[0].previousElementSibling);
      moved.forEach(b => b.remove()); own.forEach(n => n.remove()); open();
      moved.forEach(b => body.append(b)); own.forEach(n => notes.append(n));
    }
  }
}
"""


class HtmlWriter:
    """One document as the inside of a `<div class=doc>`."""

    def __init__(self, rng: random.Random) -> None:
        self.run_in = rng.random() < 0.5
        self.native = rng.random() < 0.5  # the browser's own list signs, else typed ones
        self.line_numbers = rng.random() < 0.3
        self.leaders = rng.random() < 0.7
        self.columns = rng.choice((2, 3))

    def document(self, document: Document, name: str) -> str:
        edges = _edge("header", document.header) + _edge("footer", document.footer)
        frame = f'<template>{edges}<div class="body"></div><div class="notes"></div></template>'
        return f'<div class="doc {name}">{frame}{"".join(map(self.element, document.body))}</div>'

    def element(self, element: Element) -> str:
        match element.kind:
            case "title":
                return _p("h1", element.text, "title head")
            case "heading":
                tag = f"h{min(6, element.level + 1)}"
                number = f'<span class="num">{element.number}</span> ' if element.number else ""
                text = number + inline(element.text)
                page = " newpage" if element.style == "page" else ""
                return f'<{tag} class="head{page}">{text}</{tag}>'
            case "line":
                return _p("p", element.text, f"line {element.style}")
            case "text":
                return self._text(element)
            case "quote":
                return f"<blockquote>{_p('p', element.text)}</blockquote>"
            case "list":
                return self._list(element)
            case "terms":
                inner = "".join(
                    _p("dt", item.text, element.style) + "".join(_p("dd", more) for more in item.more)
                    for item in element.items
                )
                return f"<dl>{inner}</dl>"
            case "code":
                return self._code(element)
            case "table":
                return self._with_caption(element, self._table(element))
            case "figure":
                return self._with_caption(element, '<div class="plot"></div>')
            case "formula":
                text = element.text.replace("^2", "²")
                return f'<p class="formula"><i>{text}</i></p>'
            case "toc":
                return "".join(self._entry(item) for item in element.items)
            case "cards":
                return f'<div class="cards c{self.columns}">{"".join(map(self.element, element.inner))}</div>'
            case "card" | "aside" | "note":
                return f'<div class="{element.kind}">{"".join(map(self.element, element.inner))}</div>'
        raise ValueError(element.kind)

    def _text(self, element: Element) -> str:
        marks = "".join(f"<sup>{mark}</sup>" for mark, _ in element.notes)
        notes = "".join(f'<span class="note"><sup>{mark}</sup> {inline(text)}</span>' for mark, text in element.notes)
        text = inline(element.text) + marks
        lead = " lead" if element.text.endswith(":") else ""
        return f'<p class="para{lead}">{text}{notes}</p>'

    def _list(self, element: Element) -> str:
        ordered = element.style in COUNTERS
        typed = not self.native or element.style in ("typed", "bracket")
        rows = []
        for i, item in enumerate(element.items):
            sign = _sign(element.style, i) if typed and element.style != "image" else ""
            mark = f'<span class="mark">{sign}</span> ' if sign else ""
            inner = mark + inline(item.text)
            inner += "".join(_p("p", more, "again") for more in item.more)
            inner += self._list(item.inner) if item.inner else ""
            rows.append(f'<li class="typed">{inner}</li>' if typed else f"<li>{inner}</li>")
        tag = "ol" if ordered else "ul"
        return f'<{tag} class="s-{element.style} {"typed" if typed else "native"}">{"".join(rows)}</{tag}>'

    def _code(self, element: Element) -> str:
        lines = [html.escape(line) or " " for line in element.lines]
        if self.line_numbers and len(lines) > 2:
            lines = [f'<span class="ln">{i + 1:>3}</span>  {line}' for i, line in enumerate(lines)]
        return f"<pre><code>{chr(10).join(lines)}</code></pre>"

    def _table(self, element: Element) -> str:
        rows = []
        for i, row in enumerate(element.rows):
            cells = (f"<{tag}>{inline(cell)}</{tag}>" for cell in row for tag in ["td" if i else "th"])
            rows.append(f"<tr>{''.join(cells)}</tr>")
        return f'<table class="r-{element.style}">{"".join(rows)}</table>'

    def _with_caption(self, element: Element, inner: str) -> str:
        said = _p("p", element.caption, "caption") if element.caption else ""
        return f'<div class="float">{said + inner if element.caption_above else inner + said}</div>'

    def _entry(self, item: Item) -> str:
        dots = '<span class="dots"></span>' if self.leaders else '<span class="gap"></span>'
        return f'<div class="toc"><span>{inline(item.text)}</span>{dots}<span class="pg">{item.more[0]}</span></div>'


def _edge(side: str, pieces: list[str]) -> str:
    spans = "".join(f"<span>{html.escape(piece, quote=False)}</span>" for piece in pieces)
    return f'<div class="{side}">{spans}</div>'


def _p(tag: str, text: str, classes: str = "") -> str:
    return f'<{tag} class="{classes}">{inline(text)}</{tag}>'


def _sign(style: str, i: int) -> str:
    if style not in COUNTERS:
        return SIGNS[style]
    number = chr(97 + i % 26) if style == "alpha" else ROMAN[i % 15] if style == "roman" else str(i + 1)
    return COUNTERS[style].format(number)


def inline(text: str) -> str:
    """HTML of lightly marked-up text."""
    return marked(html.escape(text, quote=False), "<b>{}</b>", "<i>{}</i>", "<code>{}</code>")
