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


_TOKEN = re.compile(r"\\\\|\\(?:begin|end)\{[a-z*]+\}(?:\{[lcr|]+\})?|\\[a-zA-Z]+|\\.|\S")
_OPENING, _CLOSING = ("(", "[", "{", r"\left"), (")", "]", "}", r"\right", ",", ".", ";", ":")


def spaced(tex: str) -> str:
    r"""LaTeX as GLM-OCR displays it: a space between any two tokens but inside of brackets, before punctuation, between
    the parts of a fraction, behind `\left` and between a command and its index: `\sum_ {i = 0} ^ {n} \frac {a}{b}`."""
    text, before = "", ""
    open_braces: list[str] = []  # the command before each
    closed = ""
    tokens = _TOKEN.findall(tex)
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
    return text


def untagged(tex: str, number: str) -> str:
    """LaTeX with the number of a `\\tag{...}` written as `number` says."""
    return _TAG.sub(lambda tag: number.format(tag[1]), tex)
