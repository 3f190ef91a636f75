"""Formulas of Word in files that write the numbers of Cambria Math's glyphs in the place of codes."""

import pytest
from handmade import pdf, tounicode


def font(name):
    return b"<< /Type /Font /Subtype /Type1 /BaseFont /%b /ToUnicode 100 0 R >>" % name


def text_of(read, said, name=b"ABCDEF+CambriaMath"):
    mapping = dict(enumerate(said, 0x41))
    typed = b" ".join(b"(%c) Tj 30 0 Td" % code for code in mapping)
    content = b"BT /F1 10 Tf 20 300 Td " + typed + b" ET"
    found = read(pdf(content, fonts={"F1": font(name)}, objects={100: tounicode(mapping)})).characters
    return "".join(found.text.split())


@pytest.mark.parametrize(
    "said, printed",
    [
        ("ݕൌݔଶ൅1", "𝑦=𝑥2+1"), ("௫௡ିଵ", "𝑥𝑛−1"), ("ߪߤ߱ߨ", "𝜎𝜇𝜔𝜋"), ("ఙఓ", "𝜎𝜇"), ("೔೙భశ", "𝑖𝑛1+"), ("ܠܣ݄", "𝐱𝐴ℎ"),
        ("ሺሻሼሽሾሿ", "(){}[]"), ("ቀቁ൜൤൨", "(){[]"), ("ሺ∞ஸ", "(∞≤"), ("෍න׬ඥ", "∑∫∫√"), ("׊א׌׏ת׫", "∀∈∃∇∩∪"),
    ],
)  # fmt: skip
def test_numbers_of_glyphs_are_read_as_what_they_print(read, said, printed):
    assert sorted(text_of(read, said)) == sorted(printed)  # pdfium turns what it takes for Hebrew


def test_letters_of_other_fonts_stay(read):
    assert text_of(read, "ଵଶ", name=b"ABCDEF+Kalinga") == "ଵଶ"
