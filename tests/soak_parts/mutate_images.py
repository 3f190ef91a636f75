"""Damage to pictures: sizes that no machine can hold, directories that point nowhere, broken EXIF."""

from __future__ import annotations

import io
import struct
import zlib
from random import Random

SIZES = (0, 1, 2, 65_535, 65_500, 30_000, 100_000, 2**31 - 1, 2**32 - 1)


def absurd_size(random: Random, data: bytes) -> bytes:
    """The head of the picture tells another width or height."""
    size = random.choice(SIZES)
    if data.startswith(b"\x89PNG"):
        at = 16 + 4 * random.randrange(2)
        head = data[:at] + struct.pack(">I", size) + data[at + 4 :]
        return head[:29] + struct.pack(">I", zlib.crc32(head[12:29])) + head[33:]
    if data.startswith(b"BM"):
        at = 18 + 4 * random.randrange(2)
        return data[:at] + struct.pack("<I", size) + data[at + 4 :]
    if data.startswith(b"\xff\xd8"):
        frame = next(at for at in range(len(data) - 1) if data[at] == 0xFF and data[at + 1] in (0xC0, 0xC1, 0xC2))
        at = frame + 5 + 2 * random.randrange(2)
        return data[:at] + struct.pack(">H", size & 0xFFFF) + data[at + 2 :]
    return change_tiff(random, data)


def change_tiff(random: Random, data: bytes) -> bytes:
    """An entry of a TIFF's directory gets another value: a size, an offset, a compression."""
    order = {b"II*\0": "<", b"MM\0*": ">"}[data[:4]]
    directories, at = [], struct.unpack_from(order + "I", data, 4)[0]
    while at and at not in directories:
        directories.append(at)
        count = struct.unpack_from(order + "H", data, at)[0]
        at = struct.unpack_from(order + "I", data, at + 2 + 12 * count)[0]
    directory = random.choice(directories)
    entry = directory + 2 + 12 * random.randrange(struct.unpack_from(order + "H", data, directory)[0])
    at, form, values = random.choice(((0, "H", (256, 257, 259, 277, 339)), (2, "H", range(14)), (8, "I", SIZES)))
    changed = bytearray(data)
    struct.pack_into(order + form, changed, entry + at, random.choice(values))
    return bytes(changed)


def cut_tiff(random: Random, data: bytes) -> bytes:
    """A picture of several pages that ends within one of them."""
    if data[:2] not in (b"II", b"MM"):
        raise ValueError("not a TIFF")
    return data[: random.randrange(len(data) // 8, len(data))]


def break_exif(random: Random, data: bytes) -> bytes:
    """The picture as JPEG with EXIF of random bytes, or of an orientation that there is not."""
    from PIL import Image

    out = io.BytesIO()
    exif = b"Exif\0\0" + random.choice(
        (
            random.randbytes(random.randrange(1, 200)),
            b"II*\0" + struct.pack("<I", random.choice(SIZES)),
            b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x0112, 3, 1, random.choice((0, 9, 99, 65_535)), 0, 0),
        )
    )
    with Image.open(io.BytesIO(data)) as picture:
        picture.convert("RGB").save(out, "JPEG", exif=exif)
    return out.getvalue()


def other_mode(random: Random, data: bytes) -> bytes:
    """The picture in a mode that is rare for pages: one bit, a palette, transparency, CMYK, 16 bits, one pixel."""
    from PIL import Image

    out = io.BytesIO()
    mode, form = random.choice((("1", "PNG"), ("P", "PNG"), ("LA", "PNG"), ("CMYK", "TIFF"), ("I;16", "PNG")))
    with Image.open(io.BytesIO(data)) as picture:
        other = picture.convert("L").convert(mode)
    if random.random() < 0.3:
        other = other.resize(random.choice(((1, 1), (1, 2000), (2000, 1), (5, 5))))
    other.save(out, form)
    return out.getvalue()


WAYS = (absurd_size, absurd_size, change_tiff, cut_tiff, break_exif, other_mode)
