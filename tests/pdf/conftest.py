"""PDFs written by hand: every byte of a page is in the test that needs it."""

import zlib
from collections.abc import Callable

import pytest

HELVETICA = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"


def build_pdf(
    content: bytes | list[bytes],
    *,
    media: tuple[float, ...] = (0, 0, 300, 400),
    page: bytes = b"",
    fonts: dict[str, bytes] | None = None,
    resources: bytes = b"",
    objects: dict[int, bytes] | None = None,
) -> bytes:
    """A PDF of one page per content stream; `page` is added to each page, `objects` are numbered from 100 up."""
    contents = [content] if isinstance(content, bytes) else content
    fonts = fonts or {"F1": HELVETICA}
    fontdict = b" ".join(b"/%s %s" % (name.encode(), font) for name, font in fonts.items())
    box = b"[" + b" ".join(b"%g" % value for value in media) + b"]"
    numbered: dict[int, bytes] = {1: b"<< /Type /Catalog /Pages 2 0 R >>"}
    kids = []
    for index, stream in enumerate(contents):
        number = 3 + 2 * index
        kids.append(b"%d 0 R" % number)
        numbered[number] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox %s /Contents %d 0 R %s /Resources << /Font << %s >> %s >> >>"
            % (box, number + 1, page, fontdict, resources)
        )
        numbered[number + 1] = stream_object(stream)
    numbered[2] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
    numbered |= objects or {}
    return assemble(numbered)


def stream_object(data: bytes, entries: bytes = b"") -> bytes:
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(data), entries, data)


def assemble(numbered: dict[int, bytes]) -> bytes:
    out = bytearray(b"%PDF-1.7\n")
    offsets = {}
    for number in sorted(numbered):
        offsets[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, numbered[number])
    start = len(out)
    out += b"xref\n0 1\n0000000000 65535 f \n"
    for number, offset in offsets.items():
        out += b"%d 1\n%010d 00000 n \n" % (number, offset)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (max(numbered) + 1, start)
    return bytes(out)


def gray_image(width: int, height: int, pixels: bytes, entries: bytes = b"") -> bytes:
    """An image XObject of 8-bit gray pixels."""
    head = b"/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray /BitsPerComponent 8 " % (
        width,
        height,
    )
    return stream_object(zlib.compress(pixels), head + b"/Filter /FlateDecode " + entries)


@pytest.fixture(scope="session")
def make_pdf() -> Callable[..., bytes]:
    return build_pdf


@pytest.fixture(scope="session")
def make_stream() -> Callable[..., bytes]:
    return stream_object


@pytest.fixture(scope="session")
def make_image() -> Callable[..., bytes]:
    return gray_image
