"""A displayed formula as LaTeX, from spans that are partly LaTeX and partly characters."""

from __future__ import annotations

import re

from docparse.render.text import latex, squeeze
from docparse.types import Block

_EQUATION_NUMBER = re.compile(r"\s*\(\s*([\w.\-–']{1,12})\s*\)\s*$")
_TOKENS = re.compile(r"(?P<words>[^\W\d_]{3,}(?: [^\W\d_]{2,})*)|(?P<special>[\\{}$&#%_^~])")
_FUNCTION = re.compile(
    "(?:arg|cosh?|cot|deg|det|dim|exp|gcd|inf|ker|lim|ln|log|max|min|sec|sinh?|sup|tanh?)$"  # as LaTeX names them
)
_SPECIAL = {"\\": r"\backslash ", "^": r"\hat{}", "~": r"\sim "}


def formula_latex(block: Block) -> str:
    """Return the LaTeX of a formula block; empty if none of its words are mathematics.

    Characters between LaTeX spans are mathematics too; runs of three letters and more are words (`\\text`) or function
    names. A number in parentheses at the end becomes a `\\tag`.
    """
    if not any(span.math for span in block.spans):
        return ""
    parts = []
    for index, span in enumerate(block.spans):
        if span.math:
            parts.append(latex(span.text))
        elif index == len(block.spans) - 1 and (number := _EQUATION_NUMBER.match(span.text)):
            parts.append(rf"\tag{{{number[1].replace('_', '')}}}")
        else:
            parts.append(_TOKENS.sub(_token, squeeze(span.text).strip()))
    return " ".join(part for part in parts if part)


def _token(match: re.Match[str]) -> str:
    if special := match["special"]:
        return _SPECIAL.get(special, f"\\{special}")
    words = match["words"]
    return f"\\{words} " if _FUNCTION.match(words) else rf"\text{{{words}}}"
