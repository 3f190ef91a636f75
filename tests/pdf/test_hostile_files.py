"""Files that cannot be read fail with one line that says what to do; nothing else escapes."""

import io
import os

import pypdf
import pytest
from handmade import pdf, stream
from hypothesis import given
from hypothesis import strategies as st

from docparse.errors import DocparseError, InputError, PageError, PasswordError
from docparse.pdf import open_document

TEXT = b"BT /F1 12 Tf 50 300 Td (text) Tj ET"


def fails(source, kind, match, **options):
    with pytest.raises(kind, match=match) as caught:
        open_document(source, name="in put.pdf", **options).close()
    message = str(caught.value)
    assert message.startswith("in put.pdf: ")
    return message


def test_passwords():
    writer = pypdf.PdfWriter(io.BytesIO(pdf(TEXT)))
    writer.encrypt("secret", algorithm="RC4-40")
    writer.write(file := io.BytesIO())
    data = file.getvalue()
    without = fails(data, PasswordError, "encrypted.*--password")
    assert without != fails(data, PasswordError, "wrong password.*--password", password="guess")
    for needed in (data, pdf(TEXT)):  # one may be given needlessly
        with open_document(needed, name="in put.pdf", password="secret") as document:
            assert document.page(1).characters.text == "text"


@pytest.mark.parametrize(
    "data, match",
    [
        (b"", "empty"),
        (b"<html><body>404</body></html>", "not a PDF or an image"),
        (b"PK\x03\x04" + bytes(100), "not a PDF or an image"),
        (b"%PDF-1.7\n", "damaged or cut off"),
        (b"%PDF-1.7\n" + bytes(5000), "damaged or cut off"),
        (pdf([TEXT] * 5)[:120], "damaged or cut off"),
        (pdf([]), "no pages"),
    ],
)
def test_what_is_no_document(data, match):
    fails(data, InputError, match)


def test_missing_folder_and_unreadable(tmp_path):
    fails(tmp_path / "none.pdf", InputError, "no such file")
    fails(tmp_path, InputError, "is a folder")
    if os.geteuid() == 0:
        pytest.skip("root reads every file")
    path = tmp_path / "locked.pdf"
    path.write_bytes(b"%PDF-1.7")
    path.chmod(0)
    fails(path, InputError, "permission denied")


@pytest.mark.parametrize("number", [0, -1, 3])
def test_page_numbers_start_at_one_and_end_at_the_last(number):
    document = open_document(pdf([b"", b""]), name="two.pdf")
    with document, pytest.raises(InputError, match=f"no page {number}: the document has 2 pages"):
        document.page(number)


@pytest.mark.parametrize("reopen_after", [1, 100])
def test_pages_render_after_others_were_read(monkeypatch, reopen_after):
    monkeypatch.setattr("docparse.pdf.pdffile.REOPEN_AFTER", reopen_after)
    with open_document(pdf([b"0 0 0 rg 0 0 300 400 re f", b""]), name="two.pdf") as document:
        black, white = document.page(1), document.page(2)
        assert black.render(72).pixels.max() == 0
        assert white.render(72).pixels.min() == 255


@pytest.mark.parametrize(
    "content",
    [
        b"BT /F1 1e30 Tf 50 300 Td (huge) Tj ET",
        b"BT /F1 0 Tf 50 300 Td (zero) Tj ET",
        b"BT /F1 12 Tf 0 0 0 0 50 300 Tm (flat) Tj ET",
        b"1e38 0 0 1e38 0 0 cm 1 1 m 5 5 l S 0 0 9 9 re f BT /F1 9 Tf (far) Tj ET",
        b"BT /Missing 12 Tf 50 300 Td (text) Tj ET",
        b"q " * 5000 + TEXT,
        b"/X Do",
        b"\xff\xfe garbage ( [ << BT",
    ],
)
def test_odd_content_gives_a_page(content):
    loop = stream(b"/X Do BT /F1 9 Tf 9 9 Td (loop) Tj ET", b"/Type /XObject /Subtype /Form /BBox [0 0 9 9]")
    data = pdf(content, resources=b"/XObject << /X 100 0 R >>", objects={100: loop})
    with open_document(data, name="odd.pdf") as document:
        page = document.page(1)
        assert (page.width, page.height) == (300, 400)
        assert page.render(72).pixels.shape == (400, 300, 3)


@given(cut=st.floats(0, 1), flips=st.lists(st.tuples(st.floats(0, 0.999), st.integers(1, 255)), max_size=8))
def test_damaged_bytes_fail_as_documented_or_give_pages(cut, flips):
    data = bytearray(pdf([TEXT + b" 0 0 99 9 re f"] * 2))
    for place, change in flips:
        data[int(place * len(data))] ^= change
    data = bytes(data[: int(len(data) * (0.3 + 0.7 * cut))])
    try:
        with open_document(data, name="x.pdf") as document:
            for number in range(1, min(document.pages, 3) + 1):
                try:
                    document.page(number).render(36)
                except PageError as error:
                    assert str(error).startswith("the page ")  # whoever tells it names document and page
    except DocparseError as error:
        assert str(error).startswith("x.pdf: ")
