"""Damage inside a PDF that stays well formed: streams are unpacked, changed and packed again, pages made strange."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Callable
from random import Random
from typing import Any

from soak_parts.mutate_bytes import cut_off, cut_out, flip_bytes, swap_chunks

NUMBER = re.compile(rb"(?<![\w./#-])-?\d*\.?\d+(?![\w.])")
HUGE = (b"1e38", b"99999999999", b"-99999999999", b"3.4028235e38", b"0.0000000001", b"-0", b"32768", b"0")
NESTS = ((b"q ", b"Q "), (b"BT ", b"ET "), (b"[ ", b"] "), (b"<< ", b">> "), (b"( ", b") "), (b"/A BMC ", b"EMC "))
LONGEST = 3 * 2**20  # bytes of a content stream: some 200,000 lines that are drawn
BOXES = ((0, 0, 0, 0), (0, 0, 1, 1), (0, 0, 14400, 14400), (0, 0, 1e6, 20), (-9e9, -9e9, 9e9, 9e9), (500, 500, 0, 0))


def edit_stream(random: Random, data: bytes) -> bytes:
    """Any stream of the file: content, font, character map, picture."""
    writer = _opened(data)
    streams = [one for one in map(_resolved, _references(writer)) if hasattr(one, "get_data") and one.get_data()]
    stream = random.choice(streams)
    stream.set_data(random.choice((flip_bytes, flip_bytes, cut_off, cut_out, swap_chunks))(random, stream.get_data()))
    return _written(writer)


def repeat_operators(random: Random, data: bytes) -> bytes:
    """Some lines of a page's content stand there up to many thousand times."""

    def change(content: bytes) -> bytes:
        lines = content.split(b"\n")
        begin = random.randrange(len(lines))
        part = b"\n".join(lines[begin : begin + random.randrange(1, 20)]) + b"\n"
        times = min(10 ** random.randrange(1, 6), LONGEST // len(part))
        return b"\n".join([*lines[:begin], part * times, *lines[begin:]])

    return _with_content(random, data, change)


def drop_operators(random: Random, data: bytes) -> bytes:
    """Every line of a page's content is left out with some chance."""
    share = random.choice((0.01, 0.1, 0.5))
    return _with_content(
        random,
        data,
        lambda content: b"\n".join(line for line in content.split(b"\n") if random.random() >= share),
    )


def huge_numbers(random: Random, data: bytes) -> bytes:
    """Numbers of a page's content become very large or very small."""
    share = random.choice((0.001, 0.01, 0.1))

    def other(match: re.Match[bytes]) -> bytes:
        return random.choice(HUGE) if random.random() < share else match[0]

    return _with_content(random, data, lambda content: NUMBER.sub(other, content))


def nest_deeply(random: Random, data: bytes) -> bytes:
    opening, closing = random.choice(NESTS)
    depth = 10 ** random.randrange(2, 6)
    closed = random.choice((0, depth // 2, depth))
    return _with_content(random, data, lambda content: opening * depth + content + closing * closed)


def strange_page(random: Random, data: bytes) -> bytes:
    """A page of no size, of a huge one, turned, or at a scale that nobody uses."""
    from pypdf.generic import ArrayObject, FloatObject, NameObject, NumberObject

    writer = _opened(data)
    page = random.choice(writer.pages)
    box = ArrayObject(FloatObject(value) for value in random.choice(BOXES))
    page[NameObject(random.choice(("/MediaBox", "/CropBox")))] = box
    page[NameObject("/Rotate")] = NumberObject(random.choice((0, 90, 180, 270, 45, -90, 2**31)))
    page[NameObject("/UserUnit")] = FloatObject(random.choice((1, 1, 0, -1, 75000, 0.001)))
    return _written(writer)


def repeat_page(random: Random, data: bytes) -> bytes:
    """The page tree names the same page many times, or itself."""
    from pypdf.generic import ArrayObject, NameObject, NumberObject

    writer = _opened(data)
    tree = writer.root_object["/Pages"]
    kids = list(tree["/Kids"])
    kids += [random.choice(kids)] * random.randrange(1, 12)
    if random.random() < 0.3:
        kids.insert(random.randrange(len(kids)), tree.indirect_reference)
    tree[NameObject("/Kids")] = ArrayObject(kids)
    tree[NameObject("/Count")] = NumberObject(random.choice((len(kids), len(kids), 1, 20_000, -1)))
    return _written(writer)


WAYS = (
    edit_stream,
    edit_stream,
    repeat_operators,
    drop_operators,
    huge_numbers,
    huge_numbers,
    nest_deeply,
    strange_page,
    repeat_page,
)


def _with_content(random: Random, data: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """The PDF with another content of one of its pages."""
    from pypdf.generic import DecodedStreamObject, NameObject

    writer = _opened(data)
    page = random.choice(writer.pages)
    stream = DecodedStreamObject()
    stream.set_data(change(page.get_contents().get_data()))
    page[NameObject("/Contents")] = writer._add_object(stream.flate_encode())
    return _written(writer)


def _opened(data: bytes) -> Any:
    from pypdf import PdfReader, PdfWriter

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    return PdfWriter(clone_from=PdfReader(io.BytesIO(data)))


def _references(writer: Any) -> list[Any]:
    """Every object that can be reached from the root, in the order of its number."""
    found: dict[int, Any] = {}
    waiting = [writer.root_object]
    while waiting:
        value = waiting.pop()
        if hasattr(value, "idnum"):
            if value.idnum not in found:
                found[value.idnum] = value
                waiting.append(value.get_object())
        elif isinstance(value, dict):
            waiting += [value.raw_get(key) for key in value]
        elif isinstance(value, list):
            waiting += list.__iter__(value)
    return [found[number] for number in sorted(found)]


def _resolved(reference: Any) -> Any:
    return reference.get_object()


def _written(writer: Any) -> bytes:
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()
