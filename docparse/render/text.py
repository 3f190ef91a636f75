"""Running text before it gets any markup: clean characters, single spaces, neighbours of one style merged."""

from __future__ import annotations

import re

import msgspec

from docparse.types import Span, Spans

# What neither Markdown, HTML nor UTF-8 can carry: control characters, lone surrogates, noncharacters.
_UNPRINTABLE = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_SPACES = re.compile("[ \t\n\r\f\v\x1c-\x1f\x85\u2028\u2029]+")
_BREAKS = re.compile("[ \t]*[\n\r\x85\u2028\u2029][ \t\n\r\x85\u2028\u2029]*")
_LONE_BACKSLASH = re.compile(r"(?<!\\)(?:\\\\)*(\\)$")
_BARE_DOLLAR = re.compile(r"(?<!\\)((?:\\\\)*)\$")
_JOINTS = (Span(" "), Span("-"))  # between two spans of one style they are of it too, though they may be set plain


def clean(text: str) -> str:
    """`text` without the characters that no output format can carry."""
    return _UNPRINTABLE.sub("", text)


def squeeze(text: str) -> str:
    """`text` cleaned, on one line, with single spaces."""
    return _SPACES.sub(" ", clean(text))


def code_lines(text: str) -> str:
    """`text` as lines of code: cleaned, without space at the ends of lines and without blank lines around."""
    lines = [clean(line).rstrip() for line in text.splitlines()]
    return "\n".join(lines).strip("\n")


def one_line(spans: Spans) -> str:
    """Return the words of `spans` without markup, as one trimmed line."""
    return squeeze("".join(span.text for span in spans)).strip()


def latex(text: str) -> str:
    """LaTeX that may stand between dollar signs: trimmed, no bare `$` inside, no backslash at the end."""
    text = _BARE_DOLLAR.sub(r"\1\\$", squeeze(text).strip())
    return text[:-1].rstrip() if _LONE_BACKSLASH.search(text) else text


def tidy(spans: Spans, *, keep_breaks: bool = False) -> list[Span]:
    """Return spans with clean text, without empty ones, and with no two neighbours alike.

    Spaces are single, absent at both ends, and never at the edge of a bold, italic or math span; one between two bold
    spans, or two in italics, is as they are, and so is a hyphen. With `keep_breaks` a line break stays as one "\\n",
    else it is a space.
    """
    pieces: list[Span] = []
    for span in spans:
        if span.math:
            pieces += _edges_out(span, latex(span.text), span.text)
        else:
            text = _lines(span.text) if keep_breaks else squeeze(span.text)
            pieces += _edges_out(span, text.strip(" \n"), text) if _styled(span) else [Span(text)]
    return _trimmed(_merged(pieces))


def _lines(text: str) -> str:
    return "\n".join(squeeze(line) for line in _BREAKS.split(clean(text)))


def _edges_out(span: Span, inner: str, whole: str) -> list[Span]:
    """The span with the spaces at its edges as plain spans of their own."""
    before, after = whole[:1].isspace(), whole[-1:].isspace()
    if not inner:
        return [Span(" ")] if before else []
    plain = not span.math and not span.code
    middle = Span(inner, math=span.math, bold=span.bold and plain, italic=span.italic and plain, code=span.code)
    return [*([Span(" ")] if before else []), middle, *([Span(" ")] if after else [])]


def _merged(pieces: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for piece in pieces:
        if not piece.text:
            continue
        last = merged[-1] if merged else None
        if last and _style(last) == _style(piece):
            merged[-1] = _with_text(last, last.text + (" " if last.math else "") + piece.text)
        elif (piece.bold or piece.italic) and last in _JOINTS and [*map(_style, merged[-2:-1])] == [_style(piece)]:
            merged[-2:] = [_with_text(piece, merged[-2].text + last.text + piece.text)]
        else:
            merged.append(piece)
    return merged


def _trimmed(pieces: list[Span]) -> list[Span]:
    """Without doubled spaces where pieces meet and without space at the two ends."""
    result: list[Span] = []
    spaced = True
    for piece in pieces:
        text = (
            piece.text if piece.math else re.sub(" *\n[ \n]*|  +", lambda m: "\n" if "\n" in m[0] else " ", piece.text)
        )
        if spaced:
            text = text.lstrip()
        if text:
            spaced = text[-1].isspace()
            result.append(_with_text(piece, text))
    while result and not (text := result[-1].text.rstrip()):
        result.pop()
    if result:
        result[-1] = _with_text(result[-1], text)
    return result


def _with_text(span: Span, text: str) -> Span:
    return span if text == span.text else msgspec.structs.replace(span, text=text)


def _style(span: Span) -> tuple[bool, ...]:
    return span.math, span.bold, span.italic, span.code


def _styled(span: Span) -> bool:
    return any(_style(span))
