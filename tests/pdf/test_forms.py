"""Forms: boxes that are ticked and fields that are filled in are part of the page."""

import handmade

from docparse.layout.text.marks import with_marks
from docparse.layout.text.word_finding import words_of

TEXT = b"BT /F1 11 Tf 60 250 Td (I agree) Tj 0 -20 Td (I do not) Tj -20 -30 Td (Name:) Tj 0 -20 Td (Country:) Tj "
TEXT += b"0 -20 Td (Title:) Tj ET"
TICKED, EMPTY = b"1 w 0.5 0.5 9 9 re S 2 2 m 8 8 l 2 8 m 8 2 l S", b"1 w 0.5 0.5 9 9 re S"
LOOKS = b"/AP << /N << /Yes 110 0 R /Off 111 0 R >> >>"


def field(rect, entries):
    return b"<< /Type /Annot /Subtype /Widget /Rect [%s] /F 4 /P 3 0 R %s >>" % (rect, entries)


def test_values_are_text_and_boxes_are_marks(read):
    """Of the first two text fields the file holds nothing but their values; the third has a look of its own."""
    fields = b"[100 0 R 101 0 R 102 0 R 103 0 R 104 0 R]"
    objects = {
        100: field(b"40 248 50 258", b"/FT /Btn /T (yes) /V /Yes /AS /Yes " + LOOKS),
        101: field(b"40 228 50 238", b"/FT /Btn /T (no) /V /Off /AS /Off " + LOOKS),
        102: field(b"100 196 300 212", b"/FT /Tx /T (name) /V (Ada Lovelace) /DA (/F1 11 Tf 0 g)"),
        103: field(b"100 176 300 192", b"/FT /Ch /Ff 131072 /T (land) /V (Norway) /Opt [(Norway)] /DA (/F1 11 Tf 0 g)"),
        104: field(b"100 156 300 172", b"/FT /Tx /T (title) /V (Countess) /AP << /N 112 0 R >>"),
        110: handmade.form(TICKED, b"0 0 10 10"),
        111: handmade.form(EMPTY, b"0 0 10 10"),
        112: handmade.form(b"BT /F1 11 Tf 2 4 Td (Countess) Tj ET", b"0 0 200 16"),
    }
    catalog = b"/AcroForm << /Fields %s /DR << /Font << /F1 %s >> >> >>" % (fields, handmade.HELVETICA)
    content = read(
        handmade.pdf(TEXT, media=(0, 0, 400, 300), page=b"/Annots " + fields, catalog=catalog, objects=objects)
    )
    words = with_marks(words_of(content.characters), content.marks)
    said = [word.text for word in sorted(words, key=lambda word: (round(word.baseline / 6), word.box.x0))]
    assert " ".join(said) == "☑ I agree ☐ I do not Name: Ada Lovelace Country: Norway Title: Countess"


def test_a_page_whose_fonts_a_form_would_take_keeps_its_text(read):
    """It inherits its font, whose codes mean nothing without it."""
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [65 /N /a /m /e] >> >>"
    objects = {
        2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 /Resources << /Font << /F1 %s >> >> >>" % font,
        3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 300] /Contents 4 0 R /Annots [100 0 R] >>",
        100: field(b"100 196 300 212", b"/FT /Tx /T (name) /V (Ada) /AP << /N 101 0 R >>"),
        101: handmade.form(b"BT /F1 11 Tf 2 4 Td (Ada) Tj ET", b"0 0 200 16"),
    }
    content = read(
        handmade.pdf(
            b"BT /F1 11 Tf 40 200 Td (ABCD) Tj ET", catalog=b"/AcroForm << /Fields [100 0 R] >>", objects=objects
        )
    )
    assert [word.text for word in words_of(content.characters)] == ["Name"]
    assert content.warnings == ["its form fields, notes and stamps were not read"]


def test_a_page_that_inherits_its_size_keeps_it_when_it_is_filled_in(read):
    """pdfium gives such a page that of a US letter, and what stands above would count as off the page."""
    objects = {
        2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 400 2000] >>",
        3: b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 %s >> >> /Annots [100 0 R] >>"
        % handmade.HELVETICA,
        100: field(b"100 196 300 212", b"/FT /Tx /T (name) /V (Ada) /AP << /N 101 0 R >>"),
        101: handmade.form(b"BT /F1 11 Tf 2 4 Td (Ada) Tj ET", b"0 0 200 16"),
    }
    text = b"BT /F1 11 Tf 40 1900 Td (Above) Tj 0 -1700 Td (Name:) Tj ET"
    content = read(handmade.pdf(text, catalog=b"/AcroForm << /Fields [100 0 R] >>", objects=objects))
    assert (content.width, content.height) == (400, 2000)
    assert sorted(word.text for word in words_of(content.characters)) == ["Above", "Ada", "Name:"]
