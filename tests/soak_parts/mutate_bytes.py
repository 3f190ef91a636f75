"""Damage to a file as a row of bytes, and to a PDF as text."""

from __future__ import annotations

import re
from random import Random

OBJECT = re.compile(rb"\d+ \d+ obj\b.*?\bendobj\s*", re.DOTALL)
STREAM = re.compile(rb"stream\r?\n(.+?)endstream", re.DOTALL)
NUMBER = re.compile(rb"/[A-Za-z0-9]+\s*\[?\s*(-?\d+(?:\.\d+)?)")
KNOWN = re.compile(
    rb"/(?:Length|Count|Width|Height|Size|First|N|Prev|BitsPerComponent|Columns|Predictor|Colors|Rotate|FirstChar"
    rb"|LastChar|MissingWidth|Parent|Kids|Contents|MediaBox|Root|Pages)\s*\[?\s*(-?\d+)"
)
XREF = re.compile(rb"\b\d{10} \d{5} [nf]|startxref\s+(\d+)")
NAME = re.compile(rb"/[A-Za-z]{2,}")
STRANGE = (b"0", b"-1", b"1", b"2147483647", b"2147483648", b"-2147483648", b"99999999999999999999", b"1e999", b"null")


def flip_bytes(random: Random, data: bytes) -> bytes:
    """Return `data` with up to 64 other bytes."""
    changed = bytearray(data)
    for _ in range(2 ** random.randrange(7)):
        changed[random.randrange(len(changed))] ^= random.randrange(1, 256)
    return bytes(changed)


def cut_off(random: Random, data: bytes) -> bytes:
    return data[: random.randrange(1, len(data))]


def cut_out(random: Random, data: bytes) -> bytes:
    begin, end = sorted(random.sample(range(len(data)), 2))
    return data[:begin] + data[min(end, begin + len(data) // 4) :]


def swap_chunks(random: Random, data: bytes) -> bytes:
    length = random.randrange(1, max(2, len(data) // 8))
    first, second = sorted(random.randrange(max(1, len(data) - length)) for _ in range(2))
    second = max(second, first + length)
    middle = data[first + length : second]
    return (
        data[:first] + data[second : second + length] + middle + data[first : first + length] + data[second + length :]
    )


def zero_chunk(random: Random, data: bytes) -> bytes:
    begin = random.randrange(len(data))
    length = min(len(data) - begin, 2 ** random.randrange(4, 13))
    return data[:begin] + bytes(length) + data[begin + length :]


def repeat_object(random: Random, data: bytes) -> bytes:
    """One object of the PDF stands a second time at another place."""
    found = list(OBJECT.finditer(data))
    copy, place = random.choice(found), random.choice(found)
    return data[: place.start()] + copy[0] + data[place.start() :]


def drop_object(random: Random, data: bytes) -> bytes:
    found = random.choice(list(OBJECT.finditer(data)))
    return data[: found.start()] + data[found.end() :]


def change_number(random: Random, data: bytes) -> bytes:
    """A number of a dictionary becomes one that makes no sense, or another one of the file."""
    found = list(KNOWN.finditer(data)) if random.random() < 0.7 else list(NUMBER.finditer(data))
    place = random.choice(found)
    value = random.choice(STRANGE) if random.random() < 0.7 else random.choice(found)[1]
    return data[: place.start(1)] + value + data[place.end(1) :]


def change_name(random: Random, data: bytes) -> bytes:
    """A key or a name becomes another one of the file."""
    found = list(NAME.finditer(data))
    place = random.choice(found)
    return data[: place.start()] + random.choice(found)[0] + data[place.end() :]


def change_offset(random: Random, data: bytes) -> bytes:
    place = random.choice(list(XREF.finditer(data)))
    digits = random.choice([at for at in range(*place.span()) if data[at : at + 1].isdigit()])
    return data[:digits] + str(random.randrange(10)).encode() + data[digits + 1 :]


def fill_stream(random: Random, data: bytes) -> bytes:
    """Random bytes in a stream as it lies in the file."""
    place = random.choice(list(STREAM.finditer(data)))
    begin, end = sorted(random.randrange(place.start(1), place.end(1) + 1) for _ in range(2))
    return data[:begin] + random.randbytes(end - begin) + data[end:]


ANY = (flip_bytes, cut_off, cut_out, swap_chunks, zero_chunk)
PDF = (repeat_object, drop_object, change_number, change_number, change_name, change_offset, fill_stream)
