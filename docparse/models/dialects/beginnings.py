"""How markup begins: what the first characters of a line of Markdown say that it is."""

from __future__ import annotations

import re

from docparse.models.dialects.tables import FIRST_LINE
from docparse.types import BOXES, BULLETS

_BULLETS = "-*+·" + BULLETS + BOXES
_GLUED = "•·●▪■"  # those that need no space behind them
ITEMS = ("bullet", "number", "letter")
_MARKERS = rf"""(?P<bullet>[{re.escape(_BULLETS)}]) | (?P<number>\d{{1,3}}[.)])
    | (?P<letter>\((?:[a-z]|[ivx]{{1,4}}|\d{{1,3}})\)|[a-z]\))"""
MARKER = re.compile(_MARKERS, re.VERBOSE)  # of a list item, as far as one can tell it from the first word of a text
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
