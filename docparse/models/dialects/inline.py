"""Running text both ways: emphasis, LaTeX, entities and escapes as models write them.

Models seldom escape, so nothing is escaped unless the words would be read as markup, and the reader takes a character
for markup only where it can hardly be anything else: `b**4+a**3`, `2*3*4`, `$5 and $6` and `my_file_name` are words.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from html import escape, unescape

from docparse.render.text import tidy
from docparse.types import Span, Spans

Marks = tuple[str, str]  # what stands before and after LaTeX

_PARENTHESES: Marks = (r"\(", r"\)")
_SPECIAL = re.compile(r"[\\$*_`<&]")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_PAREN_MATH = re.compile(r"\\\(((?:[^\\]|\\[^()])+?)\\\)", re.DOTALL)
_SQUARE_MATH = re.compile(r"\\\[((?:[^\\]|\\[^\[\]])+?)\\\]", re.DOTALL)
_DOUBLE_MATH = re.compile(r"\$\$((?:[^\\$]|\\.)+?)\$\$", re.DOTALL)
_SINGLE_MATH = re.compile(r"\$((?:[^\\$]|\\.)+?)\$", re.DOTALL)
_MATHEMATICAL = re.compile(r"[\\^_=<>+]|^\s*\S\s*$")  # `\[1\]` is a reference, `$ n $` and `\[x = 1\]` are formulas
_STARS = re.compile(r"\\.|(\*+)", re.DOTALL)
_UNDERSCORES = re.compile(r"_((?:[^\\_]|\\.)+?)_", re.DOTALL)
_CODE = re.compile(r"`([^`\s](?:[^`\n]*[^`\s])?)`(?!`)")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]*);")
_BREAK = re.compile(r"<(?:br\s*/?|p)>", re.IGNORECASE)
_EMPTY_TAG = re.compile(r"</p>|</?(?:span|div|font)\b[^<>]*>", re.IGNORECASE)
_PAIRED_TAG = re.compile(r"<(b|strong|i|em|u|sup|sub)>(.*?)</\1>", re.IGNORECASE | re.DOTALL)
_ESCAPED_MATH = re.compile("&(?:lt|gt|amp);")
_DEEPEST = 4  # emphasis within emphasis


def write_spans(
    spans: Iterable[Span], math: Marks = ("$", "$"), *, emphasis: bool = True, breaks: bool = False, html: bool = False
) -> str:
    """`spans` on one line, with as few backslashes as give the same spans when read.

    With `breaks` a line break becomes `<br>`; with `html` the characters `& < >` become entities. Emphasis that no
    reader would see as such (inside a word, beside other emphasis) is left out.
    """
    wanted = tuple(tidy(tuple(spans), keep_breaks=breaks))
    if not emphasis:
        wanted = tuple(tidy(tuple(Span(span.text, math=span.math) for span in wanted), keep_breaks=breaks))
    for marks in (math, _PARENTHESES):
        for specials in ("", "$", "*", "$*", r"\$*_`<&"):
            text = _joined(wanted, marks, specials, html)
            if read_spans(text, breaks=breaks) == wanted:
                return text
    flat = tuple(Span(span.text, math=span.math) for span in wanted)
    return _joined(flat, math, r"\$*_`<&", html)


def read_spans(text: str, *, breaks: bool = False) -> Spans:
    """The spans of a line of model output, as `docparse.render.text.tidy` leaves them.

    `<sup>` and `<sub>` become LaTeX; tags and entities nobody knows stay text. With `breaks` a `<br>` is a line
    break, otherwise a space.
    """
    return tuple(tidy(tuple(_spans(text, False, False, 0)), keep_breaks=breaks))


def _joined(spans: Spans, math: Marks, specials: str, html: bool) -> str:
    parts = []
    for span in spans:
        text = span.text if span.math else "".join("\\" + c if c in specials else c for c in span.text)
        text = (escape(text, quote=False) if html else text).replace("\n", "<br>")
        mark = "**" * span.bold + "*" * span.italic
        parts.append(f"{math[0]}{text}{math[1]}" if span.math else f"{mark}{text}{mark[::-1]}")
    return "".join(parts)


def _spans(text: str, bold: bool, italic: bool, depth: int) -> Iterator[Span]:
    """Pieces of `text`, of which all are at least as bold and italic as said."""
    stars = _Stars(text)
    at = 0
    while special := _SPECIAL.search(text, at):
        start = special.start()
        yield Span(text[at:start], bold=bold, italic=italic)
        match text[start]:
            case "*":
                at, inner, marks = stars.emphasis(start)
                bolder, slanted = marks >= 2, marks % 2 == 1
                if marks and depth < _DEEPEST:
                    yield from _spans(inner, bold or bolder, italic or slanted, depth + 1)
                else:
                    yield Span(text[start:at], bold=bold, italic=italic)
            case "_" if (found := _UNDERSCORES.match(text, start)) and _stands_alone(found) and depth < _DEEPEST:
                at = found.end()
                yield from _spans(found[1], bold, True, depth + 1)
            case "<" if (found := _PAIRED_TAG.match(text, start)) and depth < _DEEPEST:
                at = found.end()
                yield from _tagged(found[1].lower(), found[2], bold, italic, depth)
            case _:
                at, words, is_math = _word(text, start)
                yield Span(words, math=is_math, bold=bold, italic=italic)
    yield Span(text[at:], bold=bold, italic=italic)


class _Stars:
    """Where runs of asterisks can close emphasis, found when first asked for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.closing: dict[int, list[int]] | None = None

    def emphasis(self, start: int) -> tuple[int, str, int]:
        """The end of what begins with the asterisk at `start`, its inside, and the number of its asterisks, 0 for
        asterisks that are words."""
        text = self.text
        end = start
        while text[end : end + 1] == "*":
            end += 1
        marks = end - start
        if marks > 3 or _is_word(text[start - 1 : start]) or not text[end : end + 1].strip():
            return end, "", 0
        places = self._closing().get(marks, [])
        index = bisect_left(places, end + 1)
        if index == len(places):
            return end, "", 0
        return places[index] + marks, text[end : places[index]], marks

    def _closing(self) -> dict[int, list[int]]:
        if self.closing is None:
            self.closing = {}
            for found in _STARS.finditer(self.text):
                before, after = self.text[found.start() - 1 : found.start()], self.text[found.end() : found.end() + 1]
                if found[1] and before.strip() and not _is_word(after):
                    self.closing.setdefault(len(found[1]), []).append(found.start())
        return self.closing


def _is_word(char: str) -> bool:
    return char.isascii() and char.isalnum()


def _stands_alone(found: re.Match[str]) -> bool:
    """Whether underscores are emphasis: about a word, not in one."""
    before, after = found.string[found.start() - 1 : found.start()], found.string[found.end() : found.end() + 1]
    return found[1] == found[1].strip() and not any(c.isalnum() or c == "_" for c in before + after)


def _tagged(tag: str, inner: str, bold: bool, italic: bool, depth: int) -> Iterator[Span]:
    if tag in ("sup", "sub"):
        script = _unescaped(inner).replace("$", "").strip()
        yield Span(f"{'^' if tag == 'sup' else '_'}{{{script}}}" if script else "", math=True)
    else:
        yield from _spans(inner, bold or tag in ("b", "strong"), italic or tag in ("i", "em"), depth + 1)


def _word(text: str, start: int) -> tuple[int, str, bool]:
    """The end of what begins with the special character at `start`, its text, and whether that is LaTeX."""
    for pattern in _PATTERNS.get(text[start], ()):
        found = pattern.match(text, start)
        if not found:
            continue
        if pattern in (_PAREN_MATH, _DOUBLE_MATH, _SQUARE_MATH, _SINGLE_MATH):
            if found[1].strip() and _is_math(found):
                return found.end(), _unescaped(found[1]), True
        elif pattern is _BREAK:
            return found.end(), "\n", False
        elif pattern is _EMPTY_TAG:
            return found.end(), "", False
        elif pattern is _ENTITY:
            return found.end(), unescape(found[0]), False
        else:
            return found.end(), found[1], False
    return start + 1, text[start], False


_PATTERNS = {
    "\\": (_PAREN_MATH, _SQUARE_MATH, _ESCAPE),
    "$": (_DOUBLE_MATH, _SINGLE_MATH),
    "`": (_CODE,),
    "<": (_BREAK, _EMPTY_TAG),
    "&": (_ENTITY,),
}


def _is_math(found: re.Match[str]) -> bool:
    """Formulas between brackets look like formulas; amounts of money are none."""
    inner = found[1]
    if found.re is _SQUARE_MATH:
        return _MATHEMATICAL.search(inner) is not None and not inner.isdigit()
    if found.re is not _SINGLE_MATH:
        return True
    if inner[0].isspace() or inner[-1].isspace():
        return inner[0].isspace() and inner[-1].isspace() and _MATHEMATICAL.search(inner) is not None
    return not (inner[0].isdigit() and found.string[found.end() : found.end() + 1].isdigit())


def _unescaped(latex: str) -> str:
    return _ESCAPED_MATH.sub(lambda entity: unescape(entity[0]), latex)
