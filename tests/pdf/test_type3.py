"""Type 3 fonts: browsers make them of web fonts, with descriptors that pdfium does not read."""

from handmade import pdf, stream, tounicode

WIDTHS = {
    "Face-Roman": (500, 280, 720, 610, 440),
    "Face-Italic": (470, 250, 690, 640, 400),
    "Face-Bold": (560, 310, 830, 700, 520),
}
LETTERS = "aimnt"


def face(first, name, widths, descriptor=True):
    """A font of boxes with the letters' widths, and its objects from number `first` on."""
    objects = {first + k: stream(b"%d 0 d0 0 0 %d 500 re f" % (w, w - 60)) for k, w in enumerate(widths)}
    procedures = b" ".join(b"/g%d %d 0 R" % (k, first + k) for k in range(len(widths)))
    names = b" ".join(b"/g%d" % k for k in range(len(widths)))
    about = b"<< /Type /FontDescriptor /FontName /AAAAAA+%s /Flags 4 /ItalicAngle 0 >>" % name.encode()
    objects |= {first + 10: tounicode(dict(enumerate(LETTERS, 1))), first + 11: about}
    font = (
        b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 900 600] /FontMatrix [.001 0 0 .001 0 0]"
        b" /FirstChar 1 /LastChar %d /Widths [%s] /CharProcs << %s >>"
        b" /Encoding << /Type /Encoding /Differences [1 %s] >> /ToUnicode %d 0 R %s >>"
    )
    described = b"/FontDescriptor %d 0 R" % (first + 11) if descriptor else b""
    array = b" ".join(b"%d" % width for width in widths)
    return font % (len(widths), array, procedures, names, first + 10, described), objects


def page(faces, descriptor=True):
    """A line in each of the faces, by name the widths of their letters."""
    found = [face(100 + 20 * k, name, widths, descriptor) for k, (name, widths) in enumerate(faces.items())]
    text = b" ".join(b"BT /F%d 12 Tf 30 %d Td <0102030405> Tj ET" % (k, 300 - 20 * k) for k in range(len(faces)))
    objects = {number: body for _, own in found for number, body in own.items()}
    return pdf(text, fonts={f"F{k}": font for k, (font, _) in enumerate(found)}, objects=objects)


def styles(content):
    chars = content.characters
    marks = [chars.fonts[font] for font, letter in zip(chars.font, chars.text, strict=True) if letter == "m"]
    return [(font.name, font.weight >= 600, font.italic) for font in marks]


def test_the_descriptors_of_type_3_fonts_name_them_and_tell_their_styles(read):
    assert styles(read(page(WIDTHS))) == [
        ("Face-Roman", False, False), ("Face-Italic", False, True), ("Face-Bold", True, False),
    ]  # fmt: skip


def test_fonts_without_descriptors_stay_nameless(read):
    assert {name for name, *_ in styles(read(page(WIDTHS, descriptor=False)))} == {""}


def test_a_font_that_two_in_the_file_may_be_stays_nameless(read):
    twice = dict.fromkeys(("Face-Bold", "Face-Roman"), WIDTHS["Face-Roman"])
    assert styles(read(page(twice))) == [("", False, False)] * 2


def test_a_letter_that_a_map_calls_a_line_end_is_that_of_its_code(read):
    """As Ghostscript makes one of CR, the name of a glyph in bitmaps of TeX's fonts."""
    font = (
        b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 900 600] /FontMatrix [.001 0 0 .001 0 0] /FirstChar 97"
        b" /LastChar 101 /Widths [500 500 500 500 500] /CharProcs << /g 100 0 R >> /ToUnicode 101 0 R"
        b" /Encoding << /Type /Encoding /Differences [97 /g /g /g /g /g] >> >>"
    )
    told = tounicode({0x61: "a", 0x63: "\r", 0x65: "e"})
    objects = {100: stream(b"500 0 0 0 440 500 d1 0 0 440 500 re f"), 101: told}
    drawn = pdf(b"BT /F1 12 Tf 30 300 Td (acea) Tj ET", fonts={"F1": font}, objects=objects)
    assert read(drawn).characters.text == "acea"
