"""PDFs written by hand: every byte of a page is in the test that needs it."""

import zlib

HELVETICA = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
FORM = b"/Type /XObject /Subtype /Form /Resources << /Font << /F1 %s >> >> /BBox [%%s] " % HELVETICA


def pdf(content, *, media=(0, 0, 300, 400), page=b"", fonts=None, resources=b"", objects=None, catalog=b""):
    """Return a PDF with a page for every content stream, one or a list of them. `page` and `catalog` are entries of
    every page and of the catalog; `objects` are numbered from 100 up."""
    contents = [content] if isinstance(content, bytes) else content
    named = b" ".join(b"/%s %s" % (name.encode(), font) for name, font in (fonts or {"F1": HELVETICA}).items())
    box = b"[" + b" ".join(b"%g" % value for value in media) + b"]"
    numbered = {1: b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalog}
    kids = range(3, 3 + 2 * len(contents), 2)
    for number, drawn in zip(kids, contents, strict=True):
        numbered[number] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox %s /Contents %d 0 R %s /Resources << /Font << %s >> %s >> >>"
            % (box, number + 1, page, named, resources)
        )
        numbered[number + 1] = stream(drawn)
    numbered[2] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(b"%d 0 R" % k for k in kids), len(kids))
    return assemble(numbered | (objects or {}))


def stream(data: bytes, entries: bytes = b"") -> bytes:
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(data), entries, data)


def form(data: bytes, box: bytes, entries: bytes = b"") -> bytes:
    """Return a form XObject that knows Helvetica as F1."""
    return stream(data, FORM % box + entries)


def gray_image(width: int, height: int, pixels: bytes, entries: bytes = b"") -> bytes:
    """Return an image XObject of 8-bit gray pixels."""
    head = b"/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray /BitsPerComponent 8 "
    return stream(zlib.compress(pixels), head % (width, height) + b"/Filter /FlateDecode " + entries)


def tounicode(mapping: dict[int, str]) -> bytes:
    """Return a ToUnicode CMap for one-byte codes."""
    rows = (b"<%02X> <%s>" % (code, text.encode("utf-16-be").hex().encode()) for code, text in mapping.items())
    return stream(
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def\n"
        b"1 begincodespacerange <00> <FF> endcodespacerange\n%d beginbfchar\n%s\nendbfchar\n"
        b"endcmap CMapName currentdict /CMap defineresource pop end end" % (len(mapping), b"\n".join(rows))
    )


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
