"""Displayed formulas: their delimiters, and the numbers that models write after or into them."""

from __future__ import annotations

import re

from docparse.render.text import latex

_NO_BLANK_LINE = r"(?!\n[ \t\r]*\n)"
DISPLAY = re.compile(
    rf"\$\$(?P<dollars>(?:{_NO_BLANK_LINE}(?:[^\\$]|\\.|\$(?!\$)))*?)\$\$"
    rf"|\\\[(?P<brackets>(?:{_NO_BLANK_LINE}(?:[^\\]|\\[^\[\]]))*?)\\\]",
    re.DOTALL,
)
AFTER_DISPLAY = re.compile(r"(?P<mark>[.,;]?)[ \t]*(?P<number>\([\w.\-–']{1,12}\))?[ \t\r]*$", re.MULTILINE)
_TAG = re.compile(r"\\tag\{([^{}]*)\}$")
_QUAD_NUMBER = re.compile(r"(?<!\\)(?:\\q?quad|\\hfill)\s*\(([\w.\-–']{1,12})\)$")


def numbered(inner: str, number: str = "") -> str:
    """The LaTeX between two delimiters, its number as `\\tag{...}`; empty where there is none."""
    tex = _QUAD_NUMBER.sub(lambda quad: rf"\tag{{{quad[1]}}}", latex(inner))
    return " ".join(part for part in (tex, rf"\tag{{{number[1:-1]}}}" if number else "") if part)


def untagged(tex: str, number: str) -> str:
    """LaTeX with the number of a `\\tag{...}` written as `number` says."""
    return _TAG.sub(lambda tag: number.format(tag[1]), tex)
