r"""LaTeX as it stands between dollar signs: that of displayed formulas, and all of it so that a Markdown parser which
knows no mathematics sees nothing in it.

Renderers that do not know `$` read what stands there as Markdown, tags and links included, and what stands there was
printed on somebody's page or written by a model. So what would be markup is spelled another way that LaTeX reads as
before, mostly by a space, which mathematics ignores. Emphasis is left: `_` and `*` mean something in LaTeX, and at
worst a letter is italic.
"""

from __future__ import annotations

import re

from docparse.render.escape import starts_block
from docparse.render.text import latex, squeeze
from docparse.types import Block

_TAG = re.compile(r"<(?=[A-Za-z/!?$])")  # a tag, a comment, an address: a letter or a sign right after the bracket
_ENTITY = re.compile(r"&(?=#?[A-Za-z0-9]+;)")
_LINK = re.compile(r"\](?=[(\[])")
_BACKTICK = re.compile(r"(\\.)|(``|`)", re.DOTALL)  # with a backslash it is an accent, and no code span
_QUOTES = {"``": "“", "`": "‘"}
_NUMBER = re.compile(r"(?<!quad) +\\tag\{((?:[^{}]|\{[^{}]*\})*)\}")
_SIGN = re.compile(r"([-+*]) +(?=\S)")
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


def inline_math(tex: str) -> str:
    """Return `tex` with nothing in it that opens a tag, a link, a picture, an entity or a code span."""
    tex = _ENTITY.sub("& ", _TAG.sub("< ", tex))
    tex = _LINK.sub("] ", tex)
    return _BACKTICK.sub(lambda match: match[1] or _QUOTES[match[2]], tex)


def cell_math(tex: str) -> str:
    """Return the same without the pipes that would end a table cell."""
    return inline_math(tex).replace(r"\|", r"\Vert ").replace("|", r"\vert ").rstrip()


def _with_room(number: re.Match[str]) -> str:
    r"""A `\tag` behind half an em for each of its characters and brackets."""
    wide, narrow = divmod(max(4, len(number[1]) + 2) // 2, 2)
    return r" \qquad" * wide + r" \quad" * narrow + " " + number[0].strip()


def display_math(tex: str) -> str:
    r"""Return one line that can stand by itself between two lines of `$$`: it begins no list, quote or heading.

    Where the page is no wider than the formula, renderers print a `\tag` over its end, so that gets as much room as it
    is wide.
    """
    tex = _NUMBER.sub(_with_room, inline_math(tex))
    tex = _SIGN.sub(r"\1", tex, count=1) if _SIGN.match(tex) else tex
    return f"{{}}{tex}" if starts_block(tex) else tex
