"""At how many dots per inch a page is drawn, for OCR and to see how it is turned."""

from __future__ import annotations

from docparse.pdf.content import PageContent

SMALL_DPI = 80  # a page that small still shows which way its lines run
COMMON_LENGTH = 792.0  # points: the long side of a US letter page


def small_dpi(content: PageContent) -> int:
    """Return the dpi for a look at the page as a whole: the same number of pixels for pages of any size."""
    return min(600, max(18, round(SMALL_DPI * COMMON_LENGTH / max(content.width, content.height))))


def ocr_dpi(content: PageContent, dpi: int) -> int:
    """Return the dpi for OCR where `dpi` was chosen for a page of common size.

    A page the size of a stamp is enlarged to that, but no further than makes its type as high as the detector wants
    it: finding lines takes time by the pixel.
    """
    enlargement = COMMON_LENGTH / max(content.width, content.height)
    if enlargement <= 1:
        return dpi
    from docparse.layout.ocr.detector import TYPE_HEIGHT, type_height

    height = type_height(content.render(dpi).pixels)
    needed = max(1.0, TYPE_HEIGHT / height) if height else enlargement
    return min(600, round(dpi * min(enlargement, needed)))
