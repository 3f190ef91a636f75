"""Pages to one self-contained HTML file: semantic tags, everything escaped, nothing fetched from anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import TextIO

from docparse.render.flow import write_flow
from docparse.render.markdown import IN_ITEMS, heading_level, list_marker, task_box
from docparse.render.mathml import math_html
from docparse.render.mathtext import formula_latex
from docparse.render.options import RenderOptions
from docparse.render.tables import styled, to_html
from docparse.render.text import clean, code_lines, squeeze, tidy
from docparse.types import Block, Category, DocumentInfo, Page, Spans

CSS = """\
:root { color-scheme: light dark; --ink: #1d1d1f; --soft: #6b6b70; --line: #d4d4d8; --paper: #fdfdfc; --tint: #f3f3f1; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e4e2; --soft: #9b9b9f; --line: #3c3c40; --paper: #161617; --tint: #202022; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 Charter, "Bitstream Charter",
  "Iowan Old Style", Georgia, "Noto Serif", serif; text-rendering: optimizeLegibility; }
main { max-width: 44rem; margin: 0 auto; padding: 3rem 1.5rem 6rem; overflow-wrap: break-word; }
h1, h2, h3, h4, h5, h6 { font-family: system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; line-height: 1.25;
  margin: 2em 0 0.6em; text-wrap: balance; }
h1 { font-size: 1.9rem; margin-top: 1em; } h2 { font-size: 1.4rem; } h3 { font-size: 1.15rem; }
h4, h5, h6 { font-size: 1rem; } h5, h6 { color: var(--soft); }
p, ul, ol { margin: 0 0 1em; } ul, ol { padding-left: 1.6em; } li > ul, li > ol { margin: 0; }
figure { margin: 1.5em 0; text-align: center; }
img { max-width: 100%; height: auto; background: #fff; }
.caption { font-size: 0.9rem; color: var(--soft); }
.footnote { font-size: 0.875rem; line-height: 1.45; border-left: 2px solid var(--line); padding-left: 0.8em; }
.page-header, .page-footer { font-size: 0.8rem; color: var(--soft); }
.failed { border: 1px solid #c8553d; border-radius: 4px; padding: 0.6em 1em; color: #c8553d; }
.table { overflow-x: auto; margin: 1.5em 0; }
table { border-collapse: collapse; font-size: 0.9rem; line-height: 1.4; font-variant-numeric: tabular-nums;
  border-top: 2px solid var(--ink); border-bottom: 2px solid var(--ink); }
th, td { padding: 0.35em 0.8em; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { font-weight: 600; } thead { border-bottom: 1.5px solid var(--ink); background: var(--tint); }
math { font-family: "STIX Two Math", "Cambria Math", "Latin Modern Math", "Libertinus Math", math; }
math [mathvariant^="bold"] { font-weight: bold; } mtd[columnalign="left"] { text-align: left; }
mtd[columnalign="right"] { text-align: right; padding-right: 0; }
mtd[columnalign="right"] + mtd[columnalign="left"] { padding-left: 0; }
pre { overflow-x: auto; background: var(--tint); border: 1px solid var(--line); border-radius: 4px; padding: 0.7em 1em;
  line-height: 1.45; }
code { font-family: ui-monospace, monospace; font-size: 0.88em; }
.math { font-family: ui-monospace, monospace; }
.math.display { display: grid; grid-template-columns: minmax(max-content, 1fr) auto minmax(max-content, 1fr);
  align-items: center; text-align: center; overflow: auto hidden; padding: 0.3em 0; margin: 1em 0; }
.math.display > math { grid-column: 2; font-size: 1.1em; } .math.display.mathjax_process { display: block; }
.math .number { grid-column: 3; text-align: right; padding-left: 1em; font-family: Charter, "Bitstream Charter",
  "Iowan Old Style", Georgia, "Noto Serif", serif; }
sup, sub { font-size: 0.72em; line-height: 0; }
.page { position: relative; height: 0; }
.page a { position: absolute; right: 100%; margin-right: 1.2rem; top: 0.15em; font: 0.75rem system-ui, sans-serif;
  color: var(--soft); text-decoration: none; }
.page:target a { color: var(--ink); font-weight: 700; }
.page-breaks .page:not(:first-child) { height: auto; border-top: 1px dashed var(--line); margin: 3em 0 1.5em; }
@media (max-width: 52rem) { .page a { right: 0; margin: 0; } }
@media print { .page a { color: #999; } body { font-size: 10.5pt; } main { max-width: none; padding: 0; } }
"""
"""A readable column, light and dark, and fit to print."""


def write_html(info: DocumentInfo, pages: Iterable[Page], out: TextIO, options: RenderOptions) -> None:
    """Write the document to `out`, one page at a time.

    Every page has an anchor, `#page-7`. Mathematics is MathML; plain superscripts and subscripts of words are HTML.
    LaTeX that cannot be converted stays as text in `\\(...\\)` and `\\[...\\]`, in elements of class `math` (and
    `mathjax_process`, inside a body of class `mathjax_ignore`), ready for KaTeX or MathJax.
    """
    title = escape(squeeze(info.name))
    out.write(
        f'<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="docparse">\n<title>{title}</title>\n<style>\n{CSS}</style>\n</head>\n'
        f'<body class="mathjax_ignore{" page-breaks" if options.page_breaks else ""}">\n<main>\n'
    )
    write_flow(_Writer(out, options), pages, options)
    out.write("</main>\n</body>\n</html>\n")


def inline_html(spans: Spans) -> str:
    """Return spans as HTML: emphasis as tags, mathematics as MathML, all text escaped."""
    parts = []
    for span in tidy(spans, keep_breaks=True):
        if span.math:
            parts.append(_math(span.text))
            continue
        text = escape(span.text, quote=False).replace("\n", "<br>")
        parts.append(styled(f"<code>{text}</code>" if span.code else text, span))
    return "".join(parts)


# Plain scripts of words and numbers, such as a footnote's mark, CO_{2} or 10^{6}, are HTML in the font of the text.
_SCRIPT = r"[\^_]\{[\w\[\](),;.+*†‡§=−–-]+\}"
_SCRIPTS = re.compile(rf"([\w\[\](),;.-]*)({_SCRIPT}(?:{_SCRIPT})?)$")


def _math(tex: str) -> str:
    simple = _SCRIPTS.match(tex)
    if not simple or "_" in simple[1] or (simple[1].isalpha() and len(simple[1]) == 1):
        return math_html(tex)
    return simple[1] + re.sub(
        r"([\^_])\{(.*?)\}", lambda m: f"<sup>{m[2]}</sup>" if m[1] == "^" else f"<sub>{m[2]}</sub>", simple[2]
    )


class _Writer:
    """Prints blocks a line each; opens and closes lists as items come and go."""

    def __init__(self, out: TextIO, options: RenderOptions) -> None:
        self.out = out
        self.options = options
        self.lists: list[tuple[int, str]] = []  # level and tag of the open lists, each with an open <li>

    def page(self, page: Page) -> None:
        self.close()
        n = page.number
        self.out.write(f'<div class="page" id="page-{n}"><a href="#page-{n}" title="page {n}">{n}</a></div>\n')
        if page.status != "ok":
            reason = escape(squeeze(page.error or page.error_category or "error"))
            self.out.write(f'<p class="failed">{page.label.capitalize()} {page.status}: {reason}</p>\n')

    def block(self, block: Block) -> None:
        if block.category is Category.LIST_ITEM:
            self.item(block)
        elif text := block_html(block, self.options):
            self.close(block.level if block.category in IN_ITEMS else 0)
            self.out.write(text + "\n")

    def item(self, block: Block) -> None:
        marker, spans = list_marker(block)
        text = inline_html(spans)
        if not text:
            return
        tag, other = ("ul", "ol") if marker == "-" else ("ol", "ul")
        while self.lists and (self.lists[-1][0] > block.level or self.lists[-1] == (block.level, other)):
            self.out.write(f"</li>\n</{self.lists.pop()[1]}>\n")
        if self.lists and self.lists[-1] == (block.level, tag):
            self.out.write("</li>\n")
        else:
            self.out.write(f"<{tag}>\n")
            self.lists.append((block.level, tag))
        value = f' value="{int(marker[:-1])}"' if tag == "ol" else ""
        checked = " checked" if task_box(block) == "x" else ""
        box = f'<input type="checkbox" disabled{checked}> ' if task_box(block) else ""
        self.out.write(f'<li{value} dir="auto">{box}{text}')

    def close(self, level: int = 0) -> None:
        """Close all lists but those of the `level` outermost items."""
        while len(self.lists) > level:
            self.out.write(f"</li>\n</{self.lists.pop()[1]}>\n")

    def end(self) -> None:
        self.close()


def block_html(block: Block, options: RenderOptions) -> str:  # noqa: PLR0911
    """Any block but a list item as HTML on one line; empty where there is nothing to print."""
    words = inline_html(block.spans)
    match block.category:
        case Category.TITLE | Category.SECTION_HEADER:
            tag = f"h{heading_level(block)}"
            return f'<{tag} dir="auto">{words}</{tag}>' if words else ""
        case Category.TABLE if block.table is not None:
            return f'<div class="table">{to_html(block.table, inline_html)}</div>'
        case Category.FORMULA:
            tex, url = formula_latex(block), options.image_url(block.image) if block.image else ""
            text = math_html(tex, display=True) if tex else f"<p>{words}</p>" if words else ""
            picture = f'<figure><img src="{escape(url)}" alt="" loading="lazy"></figure>' if url else ""
            return "\n".join(part for part in (text, picture) if part)
        case Category.PICTURE | Category.TABLE if block.image and (url := options.image_url(block.image)):
            label = f'<figcaption dir="auto">{words}</figcaption>' if words else ""
            return f'<figure><img src="{escape(url)}" alt="" loading="lazy">{label}</figure>'
        case Category.FOOTNOTE:
            mark = f"<sup>{escape(clean(block.marker))}</sup> " if block.marker else ""
            return f'<p class="footnote" dir="auto">{mark}{words}</p>' if words else ""
        case Category.CODE:
            code = escape(code_lines(block.text), quote=False)
            return f"<pre><code>{code}</code></pre>" if code else ""
        case Category.TEXT | Category.PICTURE:  # a picture that is not shown leaves its words
            return f'<p dir="auto">{words}</p>' if words else ""
        case _:
            kind = "table-text" if block.category is Category.TABLE else block.category.value.lower()
            return f'<p class="{kind}" dir="auto">{words}</p>' if words else ""
