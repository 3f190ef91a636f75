"""Verdicts on difficult real pages, where the data folder is at hand."""

import pytest

from docparse.pdf import open_document


@pytest.mark.parametrize(
    ("path", "quality", "rotation"),
    [
        ("gnarly/ambiguous.pdf", "good", 0),
        ("gnarly/edgar-rotated90.pdf", "good", 0),
        ("gnarly/edgar_image.pdf", "none", 0),
        ("gnarly/horribleocr.pdf", "ocr-layer", 0),
        ("gnarly/lots_of_sci_tables.pdf", "good", 0),
        ("gnarly/newspaper.pdf", "ocr-layer", 0),
        ("gnarly/not_parsing.pdf", "good", 0),
        ("gnarly/some_ocr1.pdf", "ocr-layer", 0),
        ("olmocr-bench-sample/pdfs/blank_book_pg1.pdf", "none", 0),
        ("olmocr-bench-sample/pdfs/lincoln_letter.pdf", "none", 0),
        ("olmocr-bench-sample/pdfs/small_page_size.pdf", "ocr-layer", 0),
        ("olmocr-bench-sample/pdfs/math_2503_04086.pdf", "good", 0),
    ],
)
def test_verdicts(data_dir, path, quality, rotation):
    file = data_dir / path
    if not file.is_file():
        pytest.skip(f"{path} is not in DOCPARSE_DATA_DIR")
    with open_document(file, name=file.name) as document:
        page = document.page(1)
    assert (page.quality, page.rotation) == (quality, rotation)
    if "rotated" in path:  # sideways text under /Rotate
        assert page.height > page.width and "Edgar, King of England" in page.characters.text
