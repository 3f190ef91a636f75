r"""LaTeX as MathML, which browsers draw without any script or font from elsewhere.

`latex2mathml` reads the LaTeX; what it builds is printed here, element by element from a list of harmless ones, as it
does not escape text and passes links and colours on.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

from docparse.render.text import clean

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

LONGEST = 10_000  # characters: nobody reads a longer formula, and a hostile one should not hold up the page
_ELEMENTS = re.compile(
    "m(?:row|i|o|n|text|space|style|frac|sqrt|root|su[bp]|subsup|under|over|underover|table|tr|td|padded|phantom|enclose)"
)
_PARTS = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2, "msubsup": 3, "munderover": 3}
_ATTRIBUTES = re.compile(
    "accent(?:under)?|columnalign|depth|displaystyle|fence|form|height|largeop|linethickness|[lr]space|mathvariant"
    "|(?:max|min)size|movablelimits|notation|scriptlevel|separator|stretchy|symmetric|voffset|width"
)
_VALUE = re.compile(r"[\w.%+-]{1,24}")
_TAG = re.compile(r"\\tag(\*?)\s*\{([^{}]*)\}")
_REFUSED = re.compile(r"\\(?:[a-z]*def|let|[a-z]*command)(?![A-Za-z])")  # macros can grow without end
_PERCENT = re.compile(r"(?<!\\)((?:\\\\)*)%")  # would begin a comment and hide the rest
_ALIGNED = re.compile(r"\\(begin|end)\{(?:align|aligned|gather\*?|gathered)\}")  # to what it knows and does not number
_CHARACTER = re.compile(r"&#x([0-9A-Fa-f]{1,6});")  # how the library writes symbols
_LIMITS = {"msub": "munder", "msup": "mover", "msubsup": "munderover"}
_SUMS = frozenset("∑∏∐⋂⋃⋀⋁⨀⨁⨂⨄⨆")  # browsers know that the limits of these move
_NAMES = frozenset(["lim", "max", "min", "sup", "inf"])  # and have to be told for these
_UNREAD = re.compile(r"\\[A-Za-z]")  # a command that the library does not know stays in its output as text


def math_html(tex: str, *, display: bool = False) -> str:
    r"""Return a formula as a `math` element that holds its LaTeX as an annotation, safe for any text.

    A displayed formula stands in a `div`, its `\tag`s at the right margin. What cannot be converted is LaTeX as text in
    `\(...\)` or `\[...\]`, marked for MathJax.
    """
    body, numbers = _without_tags(tex) if display else (tex, "")
    converted = _rows(body, display)
    if converted is None:
        start, end, tag = (r"\[", r"\]", "div") if display else (r"\(", r"\)", "span")
        kind = "display" if display else "inline"
        return f'<{tag} class="math {kind} mathjax_process">{start}{escape(tex, quote=False)}{end}</{tag}>'
    note = f'<annotation encoding="application/x-tex">{escape(tex, quote=False)}</annotation>'
    kind = ' display="block"' if display else ""
    math = f"<math{kind}><semantics>{converted}{note}</semantics></math>"
    if not display:
        return math
    number = f'<span class="number">{escape(numbers, quote=False)}</span>' if numbers else ""
    return f'<div class="math display">{math}{number}</div>'


def _without_tags(tex: str) -> tuple[str, str]:
    r"""The LaTeX without `\tag{1}`, and what its tags print: "(1)"."""
    numbers = [words.strip() if star else f"({words.strip()})" for star, words in _TAG.findall(tex)]
    return _TAG.sub("", tex).strip(), " ".join(numbers)


@lru_cache(maxsize=1024)  # a paper writes the same few symbols again and again
def _rows(tex: str, display: bool) -> str | None:
    """Return what stands inside `math`, None where the library cannot read the LaTeX or reads only a part of it."""
    if not tex or len(tex) > LONGEST or _REFUSED.search(tex):
        return None
    from latex2mathml.converter import Converter

    source = _ALIGNED.sub(r"\\\1{align*}", _PERCENT.sub(r"\1\\%", tex))
    try:
        tree = Converter(display="block" if display else "inline").convert_to_element(source)
        return "".join(_printed(child) for child in tree)
    except Exception:  # whatever a parser trips over: the text is there to fall back on
        return None


def _printed(element: Element) -> str:
    """The element with everything in it. Raises `ValueError` for one that should not be there."""
    if not _ELEMENTS.fullmatch(element.tag) or len(element) != _PARTS.get(element.tag, len(element)):
        raise ValueError(element.tag)
    tag = _drawn_as(element)
    attributes = "".join(
        f' {name}="{value}"'
        for name, value in element.items()
        if _ATTRIBUTES.fullmatch(name) and _VALUE.fullmatch(value)
    )
    if tag == "mo" and element.text in _NAMES:
        attributes = ' movablelimits="true"'
    inner = escape(_text(element.text or ""), quote=False) + "".join(_printed(child) for child in element)
    return f"<{tag}{attributes}>{inner}</{tag}>"


def _drawn_as(element: Element) -> str:
    """Limits over and under a sum or `lim` (beside it in running text, as browsers see to); infinity as a letter."""
    if element.tag in _LIMITS and (base := element[0]).tag == "mo":
        moves = base.get("movablelimits") == "true" or base.text in _NAMES or _text(base.text or "") in _SUMS
        return _LIMITS[element.tag] if moves else element.tag
    return "mi" if element.tag == "mo" and _text(element.text or "") == "∞" else element.tag


def _text(raw: str) -> str:
    if _UNREAD.search(raw):
        raise ValueError(raw)
    return clean(_CHARACTER.sub(lambda match: chr(int(match[1], 16)), raw))
