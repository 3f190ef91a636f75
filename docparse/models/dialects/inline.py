"""Running text both ways: emphasis, LaTeX, entities and escapes as models write them.

Models seldom escape, so nothing is escaped unless the words would be read as markup, and the reader takes a character
for markup only where it can hardly be anything else: `b**4+a**3`, `2*3*4`, `$5 and $6` and `my_file_name` are words.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from html import escape, unescape
from itertools import groupby, zip_longest

from docparse.render.text import tidy
from docparse.types import Span, Spans

Marks = tuple[str, str]  # what stands before and after LaTeX

_PARENTHESES: Marks = (r"\(", r"\)")
_SPECIAL, _IN_TAGS = re.compile(r"[\\$*_`<&]"), re.compile("[<&]")
_MATHEMATICAL = re.compile(r"[\\^_=<>+]|^\s*\S\s*$")  # `\[Spi04\]` is a reference, `$ n $` and `\[x = 1\]` are formulas
_STARS = re.compile(r"\\.|(\*+)", re.DOTALL)
_UNDERSCORES = re.compile(r"_((?:[^\\_]|\\.)+?)_", re.DOTALL)
_OPENING_TAG = re.compile(r"<(b|strong|i|em|u)>", re.IGNORECASE)
_ESCAPED_MATH = re.compile("&(?:lt|gt|amp);")
_SCRIPT, _SIDES = re.compile(r"([\^_])\{([^\W_][^{}\\^_$&<>]*|[*†‡])\}"), {"^": "sup", "_": "sub"}
_DEEPEST = 4  # emphasis within emphasis


def write_spans(
    spans: Iterable[Span],
    math: Marks = ("$", "$"),
    *,
    emphasis: bool = True,
    breaks: bool = False,
    html: bool = False,
    escaped: str = "",
) -> str:
    """`spans` on one line, with as few backslashes as give the same spans when read.

    The characters in `escaped` always get one. With `breaks` a line break becomes `<br>`; with `html` the characters
    `& < >` become entities. Emphasis that no reader would see as such (inside a word, beside other emphasis) is left
    out.
    """
    wanted = tidied(_apart(tidied(spans, breaks)), breaks)
    flat = tidied((Span(span.text, math=span.math) for span in wanted), breaks)
    if all(not span.math and not _SPECIAL.search(span.text) for span in wanted) and wanted == flat:
        return _joined(wanted, math, escaped, html)
    for styled in (wanted, flat) if emphasis and wanted != flat else (flat,):
        for marks in (math, _PARENTHESES):
            for specials in ("", "$", "*", "$*", r"\$*_`", r"\$*_`<&"):
                text = _joined(styled, marks, escaped + specials, html)
                if read_spans(text, breaks=breaks) == styled:
                    return text
    return _joined(flat, math, escaped, html)


def write_tags(spans: Iterable[Span]) -> str:
    """`spans` on one line of HTML, LaTeX in `math`."""
    parts = []
    for span in tidied(spans):
        text = escape(span.text, quote=False)
        if span.math:
            script = _SCRIPT.fullmatch(text)
            text = f"<{_SIDES[script[1]]}>{script[2]}</{_SIDES[script[1]]}>" if script else f"<math>{text}</math>"
        text = f"<i>{text}</i>" if span.italic else text
        parts.append(f"<b>{text}</b>" if span.bold else text)
    return "".join(parts)


def read_spans(text: str, *, breaks: bool = False, tags: bool = False) -> Spans:
    """Return the spans of a line of model output, tidied.

    `<sup>` and `<sub>` become LaTeX; tags and entities nobody knows stay text. With `breaks` a `<br>` is a line
    break, otherwise a space; with `tags` only HTML is markup, and Markdown is words.
    """
    pieces = []
    for _, run in groupby(
        _Line(text, _IN_TAGS if tags else _SPECIAL).spans(Span(""), 0),
        lambda piece: (piece.math, piece.bold, piece.italic),
    ):
        alike = list(run)
        pieces += alike if alike[0].math else [_styled(alike[0], "".join(piece.text for piece in alike))]
    return tidied(pieces, breaks)


def _apart(spans: Spans) -> Iterator[Span]:
    """`spans` without the emphasis that touches a letter or other emphasis."""
    before = ""
    for span, following in zip_longest(spans, spans[1:], fillvalue=Span("")):
        after = "" if following.math else following.text[:1]
        plain = span.math or (before != "*" and not _is_word(before) and not _is_word(after))
        yield span if plain else Span(span.text)
        before = "*" if plain and (span.bold or span.italic) else "" if span.math else span.text[-1:]


def tidied(spans: Iterable[Span], breaks: bool = False) -> Spans:
    """Return the spans that `tidy` would leave as they are."""
    given = tuple(spans)
    while (tidier := tuple(tidy(given, keep_breaks=breaks))) != given:
        given = tidier
    return given


def _joined(spans: Spans, math: Marks, specials: str, html: bool) -> str:
    parts = []
    for span in spans:
        text = span.text if span.math else "".join("\\" + c if c in specials else c for c in span.text)
        text = (escape(text, quote=False) if html else text).replace("\n", "<br>")
        mark = "*" * (2 * span.bold + span.italic)
        parts.append(f"{math[0]}{text}{math[1]}" if span.math else f"{mark}{text}{mark}")
    return "".join(parts)


class _Line:
    """A line of markup. What can close emphasis is found once, so that no text takes more than linear time."""

    def __init__(self, text: str, special: re.Pattern[str]) -> None:
        self.text = text
        self.special = special
        self.stars: dict[int, list[int]] | None = None  # length of a run of asterisks -> where such a run can close
        self.unclosed: set[str] = set()

    def spans(self, style: Span, depth: int) -> Iterator[Span]:
        """Pieces of the line, all at least as bold and italic as `style`."""
        at = 0
        while special := self.special.search(self.text, at):
            start = special.start()
            yield _styled(style, self.text[at:start])
            at, inner, inner_style = self._emphasis(start, style)
            if inner_style and depth < _DEEPEST:
                yield from _Line(inner, self.special).spans(inner_style, depth + 1)
            elif inner_style:
                yield _styled(style, self.text[start:at])
            elif at > start:
                yield _styled(style, inner)
            else:
                at, piece = _token(self.text, start)
                yield piece if piece.math else _styled(style, piece.text)
        yield _styled(style, self.text[at:])

    def _emphasis(self, start: int, style: Span) -> tuple[int, str, Span | None]:
        """The end of the emphasis at `start` (`start`: there is none), what is in it, and how that looks (None:
        words)."""
        if self.text[start] == "*":
            end, inner, marks = self._starred(start)
            more = Span("", bold=style.bold or marks > 1, italic=style.italic or marks % 2 == 1)
            return end, inner, more if marks else None
        if self.text[start] == "_" and (found := _UNDERSCORES.match(self.text, start)) and _stands_alone(found):
            return found.end(), found[1], Span("", bold=style.bold, italic=True)
        if (opening := _OPENING_TAG.match(self.text, start)) and (closing := self._closing_tag(opening)):
            inner, tag = self.text[opening.end() : closing.start()], opening[1].lower()
            bold, italic = style.bold or tag in ("b", "strong"), style.italic or tag in ("i", "em")
            return closing.end(), inner, Span("", bold=bold, italic=italic)
        return start, "", None

    def _starred(self, start: int) -> tuple[int, str, int]:
        """The end of what begins with the asterisk at `start`, its inside, and how many asterisks are about it: 0
        for asterisks that are words, which are their own inside."""
        text, end = self.text, start
        while text[end : end + 1] == "*":
            end += 1
        marks = end - start
        if marks <= 3 and not _is_word(text[start - 1 : start]) and text[end : end + 1].strip():
            places = self._closing_stars().get(marks, [])
            index = bisect_left(places, end + 1)
            if index < len(places):
                return places[index] + marks, text[end : places[index]], marks
        return end, text[start:end], 0

    def _closing_stars(self) -> dict[int, list[int]]:
        if self.stars is None:
            self.stars = {}
            for found in _STARS.finditer(self.text):
                before, after = self.text[found.start() - 1 : found.start()], self.text[found.end() : found.end() + 1]
                if found[1] and before.strip() and not _is_word(after):
                    self.stars.setdefault(len(found[1]), []).append(found.start())
        return self.stars

    def _closing_tag(self, opening: re.Match[str]) -> re.Match[str] | None:
        tag = opening[1].lower()
        ending = re.compile(f"</{tag}>", re.IGNORECASE | re.ASCII)
        closing = None if tag in self.unclosed else ending.search(self.text, opening.end())
        if closing is None:
            self.unclosed.add(tag)
        return closing


def _styled(style: Span, text: str) -> Span:
    return Span(text, bold=style.bold, italic=style.italic)


def _is_word(char: str) -> bool:
    return char.isascii() and char.isalnum()


def _stands_alone(found: re.Match[str]) -> bool:
    """Return whether underscores are emphasis: about a word, not in one."""
    before, after = found.string[found.start() - 1 : found.start()], found.string[found.end() : found.end() + 1]
    return found[1] == found[1].strip() and not any(c.isalnum() or c == "_" for c in before + after)


def _token(text: str, start: int) -> tuple[int, Span]:
    """The end of what begins with the special character at `start`, and what it stands for."""
    for pattern, meaning in _TOKENS.get(text[start], ()):
        if (found := pattern.match(text, start)) and (span := meaning(found)):
            return found.end(), span
    return start + 1, Span(text[start])


def _math(found: re.Match[str]) -> Span | None:
    return Span(_unescaped(found[1].strip()), math=True) if found[1].strip() else None


def _bracketed(found: re.Match[str]) -> Span | None:
    return _math(found) if _MATHEMATICAL.search(found[1]) and not found[1].isdigit() else None


def _dollars(found: re.Match[str]) -> Span | None:
    """Amounts of money are no formulas, nor are words between two dollar signs with spaces inside."""
    inner, after = found[1], found.string[found.end() : found.end() + 1]
    if inner[0].isspace() or inner[-1].isspace():
        return _math(found) if inner[0].isspace() and inner[-1].isspace() and _MATHEMATICAL.search(inner) else None
    return None if inner[0].isdigit() and after.isdigit() else _math(found)


def _doubled(found: re.Match[str]) -> Span | None:
    """Words between two `$$` with a space inside are no formula."""
    return _math(found) if found[1] == found[1].strip() or _MATHEMATICAL.search(found[1]) else None


def _script(found: re.Match[str]) -> Span:
    inner = _unescaped(found[2]).replace("$", "").strip()
    return Span(f"{'^' if found[1].lower() == 'sup' else '_'}{{{inner}}}" if inner else "", math=bool(inner))


def _unescaped(latex: str) -> str:
    return _ESCAPED_MATH.sub(lambda entity: unescape(entity[0]), latex)


_PATTERNS: dict[str, tuple[tuple[str, Callable[[re.Match[str]], Span | None]], ...]] = {
    "\\": (
        (r"\\\(((?:[^\\]|\\[^()])+?)\\\)", _math),
        (r"\\\[((?:[^\\]|\\[^\[\]])+?)\\\]", _bracketed),
        (r"\\([!-/:-@\[-`{-~])", lambda found: Span(found[1])),
    ),
    "$": ((r"\$\$((?:[^\\$]|\\.)+?)\$\$", _doubled), (r"\$((?:[^\\$]|\\.)+?)\$", _dollars)),
    "`": ((r"`([^`\s](?:[^`\n]*[^`\s])?)`(?!`)", lambda found: Span(found[1])),),
    "<": (
        (r"<(sup|sub)>([^<]*)</\1>", _script),
        (r"<math\b[^<>]*>([^<]*(?:<(?!/?math\b)[^<]*)*)</math>", _math),
        (r"<input\b([^<>]*)>", lambda found: Span("☑" if "checked" in found[1].lower() else "☐")),
        (r"<(?:br\s*/?|p)>", lambda found: Span("\n")),
        (r"</p>|</?(?:span|div|font|del|small|big|code)\b[^<>]*>|<a\s+href[^<>]*>|</a>", lambda found: Span("")),
    ),
    "&": ((r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]*);", lambda found: Span(unescape(found[0]))),),
}
_TOKENS = {
    first: [(re.compile(pattern, re.DOTALL | re.IGNORECASE), meaning) for pattern, meaning in pairs]
    for first, pairs in _PATTERNS.items()
}
