"""The layout picture: every page with its blocks drawn, numbered in reading order, coloured by category."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import numpy as np

from docparse.errors import DocparseError
from docparse.pdf.content import PageContent, PageImage
from docparse.types import Block, Category, Page

COLOURS: dict[Category, tuple[int, int, int]] = {
    Category.TITLE: (190, 18, 60),
    Category.SECTION_HEADER: (234, 88, 12),
    Category.TEXT: (37, 99, 235),
    Category.LIST_ITEM: (13, 148, 136),
    Category.TABLE: (126, 34, 206),
    Category.PICTURE: (21, 128, 61),
    Category.CAPTION: (101, 163, 13),
    Category.CODE: (71, 85, 105),
    Category.FORMULA: (219, 39, 119),
    Category.FOOTNOTE: (146, 64, 14),
    Category.PAGE_HEADER: (107, 114, 128),
    Category.PAGE_FOOTER: (107, 114, 128),
}


class PageSource(Protocol):
    """The part of `docparse.pdf.DocumentFile` that the overlay needs."""

    def page(self, number: int, *, text_layer: bool = True) -> PageContent: ...


def write_layout_pdf(document: PageSource, pages: Iterable[Page], out: Path, dpi: int = 110) -> None:
    """Write the layout picture of `pages` to the PDF `out`, one page in memory at a time.

    A page that failed or cannot be rendered again becomes an empty sheet that says so.
    """
    with out.open("wb") as file:
        pdf = JpegPdf(file)
        for page in pages:
            picture = draw_layout(page, _pixels(document, page, dpi))
            buffer = BytesIO()
            picture.save(buffer, "JPEG", quality=80)
            pdf.add(buffer.getvalue(), picture.size, _size(page))
        pdf.close()


def draw_layout(page: Page, image: PageImage) -> Any:
    """Return the page's picture (a `PIL.Image`) with its blocks drawn. `image` shows the page upright."""
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.fromarray(image.pixels).convert("RGB")
    draw = ImageDraw.Draw(picture, "RGBA")
    font = ImageFont.load_default(size=max(9.0, 6.5 * image.scale))
    for block in page.blocks:
        box = _corners(block, image.scale, picture.size)
        draw.rectangle(box, fill=(*COLOURS[block.category], 28), outline=COLOURS[block.category], width=2)
    for order, block in enumerate(page.blocks, start=1):
        box = _corners(block, image.scale, picture.size)
        _label(draw, font, f"{order} {block.category}", box, COLOURS[block.category], picture.size)
    if page.status == "failed":
        text = f"page {page.number} failed: {page.error_category or page.error or 'error'}"
        _label(draw, font, text, (10, 40, 10, 40), COLOURS[Category.TITLE], picture.size)
    return picture


def _label(
    draw: Any, font: Any, text: str, box: tuple[int, ...], colour: tuple[int, ...], size: tuple[int, int]
) -> None:
    """A small tag above the box's top left corner, moved inside the page where it would leave it."""
    x0, y0, x1, y1 = draw.textbbox((0, 0), text, font=font)
    width, height = x1 - x0 + 6, y1 - y0 + 4
    left = max(0, min(box[0], size[0] - width))
    top = box[1] - height if box[1] >= height else box[1]
    draw.rectangle((left, top, left + width, top + height), fill=(*colour, 200))
    draw.text((left + 3 - x0, top + 2 - y0), text, font=font, fill=(255, 255, 255))


def _corners(block: Block, scale: float, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """A block's box in pixels, ordered and inside the picture."""
    xs = sorted(min(max(0, round(x * scale)), size[0] - 1) for x in (block.box.x0, block.box.x1))
    ys = sorted(min(max(0, round(y * scale)), size[1] - 1) for y in (block.box.y0, block.box.y1))
    return xs[0], ys[0], xs[1], ys[1]


def _pixels(document: PageSource, page: Page, dpi: int) -> PageImage:
    """A page that failed is not opened again: it may be the one that crashes the PDF library."""
    if page.status == "failed":
        return _blank(page, dpi)
    try:
        return page_pixels(document, page, dpi)
    except DocparseError:
        return _blank(page, dpi)


def page_pixels(document: PageSource, page: Page, dpi: int) -> PageImage:
    """Return the page rendered the way `page` was read: upright and straight. Raises `DocparseError`."""
    content = document.page(page.number, text_layer=False)
    image = content.render(dpi).turned((page.rotation - content.rotation) % 360)
    return image.straightened(page.skew) if page.skew else image


def _blank(page: Page, dpi: int) -> PageImage:
    width, height = (round(length * dpi / 72) for length in _size(page))
    return PageImage(np.full((height, width, 3), 255, dtype=np.uint8), dpi / 72)


def _size(page: Page) -> tuple[float, float]:
    """Width and height in points; those of US letter where they are not known."""
    return page.width or 612.0, page.height or 792.0


class JpegPdf:
    """A PDF of pictures, one JPEG per page, written as it grows: memory holds one page and a list of offsets. Append
    pages with `add`; the file is a PDF once it is closed."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._offsets: dict[int, int] = {}
        self._position = 0
        self._pages: list[int] = []
        self._next = 3  # 1 is the catalog, 2 the page tree; both are written last
        self._write(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")

    def add(self, jpeg: bytes, pixels: tuple[int, int], points: tuple[float, float]) -> None:
        """Append a page of `points` (width, height) filled with an RGB `jpeg` of `pixels` (width, height)."""
        image, content, page = self._next, self._next + 1, self._next + 2
        self._next += 3
        width, height = points
        self._object(
            image,
            f"<< /Type /XObject /Subtype /Image /Width {pixels[0]} /Height {pixels[1]} /ColorSpace /DeviceRGB"
            f" /BitsPerComponent 8 /Filter /DCTDecode /Length {len(jpeg)} >>",
            jpeg,
        )
        draw = f"{width:.2f} 0 0 {height:.2f} 0 0 cm /Page Do".encode()
        self._object(content, f"<< /Length {len(draw)} >>", draw)
        self._object(
            page,
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.2f} {height:.2f}] /Contents {content} 0 R"
            f" /Resources << /XObject << /Page {image} 0 R >> >> >>",
        )
        self._pages.append(page)

    def close(self) -> None:
        """Write the page tree and the cross-reference table."""
        kids = " ".join(f"{page} 0 R" for page in self._pages)
        self._object(1, "<< /Type /Catalog /Pages 2 0 R >>")
        self._object(2, f"<< /Type /Pages /Kids [{kids}] /Count {len(self._pages)} >>")
        start = self._position
        lines = [f"{self._offsets[number]:010d} 00000 n \n" for number in range(1, self._next)]
        self._write(f"xref\n0 {self._next}\n0000000000 65535 f \n{''.join(lines)}".encode())
        self._write(f"trailer\n<< /Size {self._next} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode())

    def _object(self, number: int, head: str, stream: bytes | None = None) -> None:
        self._offsets[number] = self._position
        self._write(f"{number} 0 obj\n{head}\n".encode())
        if stream is not None:
            self._write(b"stream\n")
            self._write(stream)
            self._write(b"\nendstream\n")
        self._write(b"endobj\n")

    def _write(self, data: bytes) -> None:
        self._position += self._out.write(data)
