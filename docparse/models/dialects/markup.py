"""How markup begins (what the first characters of a line of Markdown say that it is), and displayed formulas: their
delimiters, and the numbers that models write after or into them."""

from __future__ import annotations

import re

from docparse.models.dialects.tables import FIRST_LINE
from docparse.render.text import latex
from docparse.types import BOXES, BULLETS

_BULLETS = "-*+·" + BULLETS + BOXES
_GLUED = "•·●▪■"  # those that need no space behind them, `·` only where `DOTS` says so
ITEMS = ("bullet", "number", "letter")
_MARKERS = rf"""(?P<bullet>[{re.escape(_BULLETS)}]) | (?P<number>\d{{1,3}}[.)])
    | (?P<letter>\((?:[a-z]|[ivx]{{1,4}}|\d{{1,3}})\)|[a-z]\))"""
MARKER = re.compile(_MARKERS, re.VERBOSE)  # of a list item, as far as one can tell it from the first word of a text
# Lines of which several make `·` a bullet and no multiplication or radical: of a page, of the crop of a region.
DOTS = [re.compile(rf"^[ \t]*{dot}", re.MULTILINE) for dot in (r"·[ \t]", "[·•]")]
# What a line begins with; the name of the last group is the kind of markup.
START = re.compile(
    rf"""(?P<indent>[ \t]*+)(?:
      (?P<heading>\#{{1,6}})(?=[ \t]+\S)
    | (?P<fence>`{{3,}}|~{{3,}})(?=[ \t]*\w*[ \t\r]*$)
    | (?P<display>\$\$|\\\[)
    | (?:<(?:html|body|center|div)\b[^<>]*>\s*+){{0,4}}+(?P<html_table><table\b)
    | (?P<otsl><(?:[felux]cel|ched|rhed|srow)>)
    | (?P<picture>!\[|<img\b)
    | <(?P<wrapper>center|figcaption|header|footer|page_number|watermark|signature|div)\b[^<>]*>
    | (?P<ruler>(?:-{{3,}}|\*{{3,}}|_{{3,}})[ \t\r]*$)
    | {FIRST_LINE}(?P<pipes>)
    | (?:{_MARKERS})(?=[ \t]+\S|[ \t]*\Z|(?<=[{_GLUED}])[^\W\d_])
    )""",
    re.VERBOSE | re.MULTILINE,
)

_NO_BLANK_LINE = r"(?!\n[ \t\r]*\n)"
DISPLAY = re.compile(
    rf"\$\$(?P<dollars>(?:{_NO_BLANK_LINE}(?:[^\\$]|\\.|\$(?!\$)))*?)\$\$"
    rf"|\\\[(?P<brackets>(?:{_NO_BLANK_LINE}(?:[^\\]|\\[^\[\]]))*?)\\\]",
    re.DOTALL,
)
AFTER_DISPLAY = re.compile(r"(?P<mark>[.,;]?)[ \t]*(?P<number>\([\w.\-–']{1,12}\))?[ \t\r]*$", re.MULTILINE)
_TAG = re.compile(r"\\tag ?\{([^{}]*)\}$")
_QUAD_NUMBER = re.compile(r"(?<!\\)(?:\\q?quad|\\hfill)\s*\(([\w.\-–']{1,12})\)$")


def numbered(inner: str, number: str = "") -> str:
    """Return the LaTeX between two delimiters, its number as `\\tag{...}`; empty where there is none."""
    tex = _QUAD_NUMBER.sub(lambda quad: rf"\tag{{{quad[1]}}}", latex(inner))
    return " ".join(part for part in (tex, rf"\tag{{{number[1:-1]}}}" if number else "") if part)


_TOKEN = re.compile(r"\\\\|\\(?:begin|end)\{[a-z*]+\}(?:\{[lcr|]+\})?|\\[a-zA-Z]+|\\.|\S")
_OPENING, _CLOSING = ("(", "[", "{", r"\left"), (")", "]", "}", r"\right", ",", ".", ";", ":")


def spaced(tex: str) -> str:
    r"""LaTeX as GLM-OCR displays it: a space between any two tokens but inside of brackets, before punctuation, between
    the parts of a fraction, behind `\left` and between a command and its index: `\sum_ {i = 0} ^ {n} \frac {a}{b}`."""
    text, before = "", ""
    open_braces: list[str] = []  # the command before each
    closed, tag = "", _TAG.search(tex)
    tokens = _TOKEN.findall(tex[: tag.start()] if tag else tex)
    for token, after in zip(tokens, [*tokens[1:], ""], strict=True):
        script = token in ("_", "^") and re.fullmatch(r"\\[a-zA-Z]+", before)
        fraction = token == "{" and before == "}" and closed.endswith("frac")
        glued = before in _OPENING or before == r"\right" or token in _CLOSING or script or fraction
        glued = glued and not (token == "." and before.isdigit() and after.isdigit())
        text += token if glued or not text else f" {token}"
        if token == "{":
            open_braces.append(closed if fraction else before)
        elif token == "}" and open_braces:
            closed = open_braces.pop()
        before = token
    return f"{text} \\tag {{{tag[1]}}}".lstrip() if tag else text


def untagged(tex: str, number: str) -> str:
    """LaTeX with the number of a `\\tag{...}` written as `number` says."""
    return _TAG.sub(lambda tag: number.format(tag[1]), tex)
