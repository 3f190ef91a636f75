"""Damaged documents for `tests/soak.py`, from a seed: the same seed and number give the same bytes.

A file is damaged as a row of bytes; a PDF also as text, and inside while it stays well formed (streams are unpacked,
changed and packed again, pages made strange).
"""

import io
import logging
import re
from dataclasses import dataclass
from random import Random

OWN_SHARE = 0.5  # of the damaged documents come from the user's own, where there are some
SCAN_SHARE = 0.15  # need OCR, which takes a second a page and more
TWICE_SHARE = 0.25  # are damaged in two ways
LARGEST = 4 * 2**20  # bytes of a document that is worth damaging
LONGEST = 3 * 2**20  # bytes of a content stream: some 200,000 lines that are drawn

OBJECT = re.compile(rb"\d+ \d+ obj\b.*?\bendobj\s*", re.DOTALL)
NUMBER = re.compile(rb"/[A-Za-z0-9]+\s*\[?\s*(-?\d+(?:\.\d+)?)")
KNOWN = re.compile(
    rb"/(?:Length|Count|Width|Height|Size|First|N|Prev|BitsPerComponent|Columns|Predictor|Colors|Rotate|FirstChar"
    rb"|LastChar|MissingWidth|Parent|Kids|Contents|MediaBox|Root|Pages)\s*\[?\s*(-?\d+)"
)
XREF = re.compile(rb"\b\d{10} \d{5} [nf]|startxref\s+(\d+)")
OPERAND = re.compile(rb"(?<![\w./#-])-?\d*\.?\d+(?![\w.])")
STRANGE = (b"0", b"-1", b"1", b"2147483647", b"2147483648", b"-2147483648", b"99999999999999999999", b"1e999", b"null")
HUGE = (b"1e38", b"99999999999", b"-99999999999", b"3.4028235e38", b"0.0000000001", b"-0", b"32768", b"0")
NESTS = ((b"q ", b"Q "), (b"BT ", b"ET "), (b"[ ", b"] "), (b"<< ", b">> "), (b"( ", b") "), (b"/A BMC ", b"EMC "))
BOXES = ((0, 0, 0, 0), (0, 0, 1, 1), (0, 0, 14400, 14400), (0, 0, 1e6, 20), (-9e9, -9e9, 9e9, 9e9), (500, 500, 0, 0))


@dataclass(frozen=True)
class Sources:
    """`light` documents are read in a fraction of a second, `scans` need OCR; `own` are those the user named."""

    light: list
    scans: list
    own: list


@dataclass(frozen=True)
class Mutant:
    """A damaged document; its name says from what and how it was made."""

    name: str
    data: bytes


def mutant(seed, number, sources):
    """Return damaged document `number` of `seed`."""
    random = Random(f"{seed}/mutation/{number}")
    source = random.choice(_kind(random, sources))
    data = source.read_bytes()
    ways = PDF_WAYS if source.suffix.lower() == ".pdf" else ANY_WAYS
    names = []
    for _ in range(2 if random.random() < TWICE_SHARE else 1):
        name, data = _damage(random, data, random.choice(ways))
        names.append(name)
    return Mutant(f"{number:05d}-{'-'.join(names)}-{source.stem[:40]}{source.suffix.lower()}", data)


def _kind(random, sources):
    own = [path for path in sources.own if path.stat().st_size <= LARGEST]
    if own and random.random() < OWN_SHARE:
        return own
    return sources.scans if random.random() < SCAN_SHARE else sources.light


def _damage(random, data, way):
    """What cannot be damaged in this way, such as a document without streams, has its bytes flipped."""
    try:
        damaged = way(random, data)
    except Exception:  # pypdf and Pillow meet documents here that nobody can read
        damaged = data
    if damaged != data:
        return way.__name__, damaged
    return flip_bytes.__name__, flip_bytes(random, data)


# ---- a row of bytes


def flip_bytes(random, data):
    """Up to 64 other bytes."""
    changed = bytearray(data)
    for _ in range(2 ** random.randrange(7)):
        changed[random.randrange(len(changed))] ^= random.randrange(1, 256)
    return bytes(changed)


def cut_off(random, data):
    return data[: random.randrange(1, len(data))]


def cut_out(random, data):
    begin, end = sorted(random.sample(range(len(data)), 2))
    return data[:begin] + data[min(end, begin + len(data) // 4) :]


# ---- a PDF as text


def repeat_object(random, data):
    """One object of the PDF stands a second time at another place."""
    found = list(OBJECT.finditer(data))
    copy, place = random.choice(found), random.choice(found)
    return data[: place.start()] + copy[0] + data[place.start() :]


def drop_object(random, data):
    return _replaced(data, random.choice(list(OBJECT.finditer(data))), b"")


def change_number(random, data):
    """A number of a dictionary becomes one that makes no sense, or another one of the file."""
    found = list((KNOWN if random.random() < 0.7 else NUMBER).finditer(data))
    place = random.choice(found)
    return _replaced(data, place, random.choice(STRANGE) if random.random() < 0.7 else random.choice(found)[1], 1)


def change_offset(random, data):
    place = random.choice(list(XREF.finditer(data)))
    digit = random.choice([at for at in range(*place.span()) if data[at : at + 1].isdigit()])
    return data[:digit] + str(random.randrange(10)).encode() + data[digit + 1 :]


def _replaced(data, place, value, group=0):
    return data[: place.start(group)] + value + data[place.end(group) :]


# ---- inside a PDF


def edit_stream(random, data):
    """Any stream of the file: content, font, character map, picture."""
    writer = _opened(data)
    reached = [one.get_object() for one in _references(writer)]
    stream = random.choice([one for one in reached if hasattr(one, "get_data") and one.get_data()])
    stream.set_data(random.choice((flip_bytes, flip_bytes, cut_off, cut_out))(random, stream.get_data()))
    return _written(writer)


def repeat_operators(random, data):
    """Some lines of a page's content stand there up to many thousand times."""

    def change(lines):
        begin = random.randrange(len(lines))
        part = lines[begin : begin + random.randrange(1, 20)]
        times = min(10 ** random.randrange(1, 6), LONGEST // (1 + len(b"\n".join(part))))
        return [*lines[:begin], *part * times, *lines[begin:]]

    return _with_lines(random, data, change)


def huge_numbers(random, data):
    """Numbers of a page's content become very large or very small."""
    share = random.choice((0.001, 0.01, 0.1))

    def other(match):
        return random.choice(HUGE) if random.random() < share else match[0]

    return _with_lines(random, data, lambda lines: [OPERAND.sub(other, line) for line in lines])


def nest_deeply(random, data):
    opening, closing = random.choice(NESTS)
    depth = 10 ** random.randrange(2, 6)
    closed = random.choice((0, depth // 2, depth))
    return _with_lines(random, data, lambda lines: [opening * depth, *lines, closing * closed])


def strange_page(random, data):
    """A page of no size, of a huge one, turned, or at a scale that nobody uses."""
    from pypdf.generic import ArrayObject, FloatObject, NameObject, NumberObject

    writer = _opened(data)
    page = random.choice(writer.pages)
    box = ArrayObject(FloatObject(value) for value in random.choice(BOXES))
    page[NameObject(random.choice(("/MediaBox", "/CropBox")))] = box
    page[NameObject("/Rotate")] = NumberObject(random.choice((0, 90, 180, 270, 45, -90, 2**31)))
    page[NameObject("/UserUnit")] = FloatObject(random.choice((1, 1, 0, -1, 75000, 0.001)))
    return _written(writer)


def repeat_page(random, data):
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


def _with_lines(random, data, change):
    """The PDF with other lines of content on one of its pages."""
    from pypdf.generic import DecodedStreamObject, NameObject

    writer = _opened(data)
    page = random.choice(writer.pages)
    stream = DecodedStreamObject()
    stream.set_data(b"\n".join(change(page.get_contents().get_data().split(b"\n"))))
    page[NameObject("/Contents")] = writer._add_object(stream.flate_encode())
    return _written(writer)


def _opened(data):
    from pypdf import PdfReader, PdfWriter

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    return PdfWriter(clone_from=PdfReader(io.BytesIO(data)))


def _references(writer):
    """Every object that can be reached from the root, in the order of its number."""
    found, waiting = {}, [writer.root_object]
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


def _written(writer):
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


ANY_WAYS = (flip_bytes, cut_off, cut_out)
TEXT_WAYS = (repeat_object, drop_object, change_number, change_number, change_offset)
INNER_WAYS = (edit_stream, edit_stream, repeat_operators, huge_numbers, huge_numbers, nest_deeply, strange_page,
              repeat_page)  # fmt: skip
PDF_WAYS = (*ANY_WAYS, *TEXT_WAYS, *INNER_WAYS)
