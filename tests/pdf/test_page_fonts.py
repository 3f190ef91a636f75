"""The fonts of pages, as the file has them."""

import io

import pypdf
import pytest

from docparse.pdf.page_fonts import PageFonts


@pytest.fixture
def opened(monkeypatch):
    """How often pypdf opens a file."""
    times = []
    own = pypdf.PdfReader.__init__

    def counted(self, *given, **named):
        times.append(1)
        own(self, *given, **named)

    monkeypatch.setattr(pypdf.PdfReader, "__init__", counted)
    return times


def test_a_file_is_opened_once_for_all_of_its_pages_and_only_if_one_is_asked_for(opened):
    writer, target = pypdf.PdfWriter(), io.BytesIO()
    for _ in range(4):
        writer.add_blank_page(100, 100)
    writer.write(target)
    fonts = PageFonts(target.getvalue(), "")
    pages = [fonts.of(number) for number in (1, 2, 3, 4)]
    assert opened == []
    assert [list(page) for page in pages] == [[], [], [], []]
    assert len(opened) == 1
    fonts.close()
    assert list(fonts.of(2)) == []
    assert len(opened) == 2
