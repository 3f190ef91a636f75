"""A page of Markdown as a flat list of elements: paragraphs, tables as HTML, formulas; and how each is normalised.

The division and the normal forms are those of OmniDocBench's end-to-end evaluation (Ouyang et al., 2024), so that
numbers can be laid beside published ones.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "table", "formula", "inline"]

_IMAGE = re.compile(r"!\[.*?\]\(.*?\)")
_FENCE = re.compile(r"^```\w*[ \t]*$", re.MULTILINE)
_HTML_TABLE = re.compile(r"<table\b.*?</table>", re.DOTALL)
_PIPE_ROW = r"^[ \t]*\|.*\|[ \t]*$"
_PIPE_TABLE = re.compile(rf"{_PIPE_ROW}\n[ \t]*\|[ :|-]*-[ :|-]*\|[ \t]*$(?:\n{_PIPE_ROW})*", re.MULTILINE)
_DISPLAY = re.compile(r"\$\$(.+?)\$\$|\\\[(.+?)\\\]", re.DOTALL)
_INLINE = re.compile(r"\$(.+?)\$|\\\((.+?)\\\)")
_UNSPLIT_PIPE = re.compile(r"(?<!\\)\|")

# What says how a formula looks, not what it says.
_FORMULA_STYLE = re.compile(
    r"\\(?:math(?:bf|rm|normal|it|bb|cal|scr|frak|sf|tt)|text(?:bf)?|bold(?:math|symbol)|operatorname|bm|sym(?:bf)?it|symbf"
    r"|scriptscriptstyle|displaystyle|notag|setlength|coloneqq|(?:thick|thin|med|nobreak|negmed|en)?space|q?quad|left|right)"
    r"|\$\$"
)
_FORMULA_FRAME = re.compile(r"\\(?:tag|hspace|begin|end)\{.*?\}|\\arraycolsep.*?\}")


@dataclass(frozen=True)
class Element:
    """One piece of a page. `content` is as written (tables as HTML), `position` its first character's offset."""

    kind: Kind
    content: str
    position: int

    @property
    def normal(self) -> str:
        """Return the form in which it is compared."""
        if self.kind == "text":
            return normal_text(self.content)
        return self.content if self.kind == "table" else normal_formula(self.content)


def parse_markdown(markdown: str) -> list[Element]:
    """Return the elements of a page in text order; inline formulas are listed besides being part of their text."""
    found: list[Element] = []
    text = _FENCE.sub("", _IMAGE.sub("", markdown))

    def take(pattern: re.Pattern[str], kind: Kind) -> None:
        nonlocal text
        for match in pattern.finditer(text):
            content = pipe_table_to_html(match[0]) if pattern is _PIPE_TABLE else match[0]
            found.append(Element(kind, content, match.start()))
        text = pattern.sub(lambda match: " " * len(match[0]), text)

    take(_HTML_TABLE, "table")
    take(_DISPLAY, "formula")
    take(_PIPE_TABLE, "table")
    found += [Element("inline", match[0], match.start()) for match in _INLINE.finditer(text)]
    # A page without an empty line was written a paragraph a line.
    gap = r"\n[ \t]*\n" if re.search(r"\n[ \t]*\n", text.strip()) else r"\n"
    position = 0
    for part in re.split(f"({gap})", text):
        if part.strip():
            found.append(Element("text", "\n".join(filter(None, map(str.strip, part.split("\n")))), position))
        position += len(part)
    return sorted(found, key=lambda element: element.position)


def pipe_table_to_html(block: str) -> str:
    """Return a GFM table as an HTML table; its delimiter row is dropped, short rows stay short."""
    rows = [_UNSPLIT_PIPE.split(line.strip().removeprefix("|").removesuffix("|")) for line in block.strip().split("\n")]
    body = "".join(
        "<tr>"
        + "".join(f"<td>{html.escape(cell.strip().replace(chr(92) + '|', '|'), False)}</td>" for cell in row)
        + "</tr>"
        for row in rows[:1] + rows[2:]
    )
    return f"<table>{body}</table>"


def table_cells(table: str) -> list[str]:
    """Return the texts of an HTML table's cells, row by row, without the empty ones."""
    cells = re.findall(r"<t[dh]\b[^>]*>(.*?)</t[dh]>", table, re.DOTALL)
    return [text for cell in cells if (text := html.unescape(re.sub(r"<[^>]+>", "", cell)).strip())]


def normal_text(text: str) -> str:
    """Return letters, digits and underscores alone, inline formulas as Unicode. As published, the two-character strings
    `/t`, `/n`, `\\t` and `\\n` go as well, even where they belong to a word."""
    text = _INLINE.sub(_formula_as_unicode, text)
    return re.sub(r"[^\w]", "", re.sub(r"\\t|\\n|/t|/n", "", text.replace("\t", "").replace("\n", "")))


def _formula_as_unicode(match: re.Match[str]) -> str:
    from pylatexenc.latex2text import LatexNodes2Text

    latex = re.sub(r"\\([\\_&%^])", "", match[1] or match[2])
    if not set(latex) & set(r"\^_"):
        return match[0]
    try:
        return LatexNodes2Text().latex_to_text(latex + " " * latex.endswith("\\")).strip()
    except Exception:  # whatever a converter of broken LaTeX may raise: the source is compared instead
        return match[0]


def normal_formula(latex: str) -> str:
    """LaTeX without delimiters, numbering, environments, spacing and font commands, in lower case."""
    latex = latex.strip().strip("$").strip("\n")
    bracketed = re.search(r"\\\[(.+?)(?<!\\)\\\]", latex, re.DOTALL)
    latex = _FORMULA_FRAME.sub("", bracketed[1].strip() if bracketed else latex).strip(".")
    return re.sub(r"\s", "", _FORMULA_STYLE.sub("", latex)).lower()
