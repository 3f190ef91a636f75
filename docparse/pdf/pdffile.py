"""PDF files through pdfium: open, read a page into `PageContent`, render it."""

from __future__ import annotations

import ctypes
import mmap
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from docparse.errors import InputError, PageError
from docparse.guard import Guard
from docparse.pdf import marks, paths
from docparse.pdf.bidi import in_logical_order
from docparse.pdf.bitmaps import with_known_bitmaps
from docparse.pdf.characters import place, place_plainly
from docparse.pdf.content import Characters, PageContent, PageImage, TextQuality, capped_scale, no_boxes
from docparse.pdf.document import DocumentFile, Wanted
from docparse.pdf.graphics import Painted, drawings, read_graphics, see_through, visible
from docparse.pdf.hidden import find_hidden
from docparse.pdf.marks import roots
from docparse.pdf.native import address, native
from docparse.pdf.opening import fill_in, has_fields, open_pdf
from docparse.pdf.outlines import with_drawn_letters
from docparse.pdf.page_fonts import PageFonts
from docparse.pdf.ruby import with_readings
from docparse.pdf.slants import in_own_direction, laid_level
from docparse.pdf.space import PageSpace
from docparse.pdf.structure import read_structure
from docparse.pdf.textlayer import MAX_CHARACTERS, RawText, dominant_quadrant, read_raw
from docparse.pdf.tounicode import doubted, with_missing_letters
from docparse.pdf.triage import PAGE_SIZED, image_area, judge, measure, scan_ink
from docparse.pdf.type3 import with_named_fonts
from docparse.pdf.typefaces import bold_runs
from docparse.pdf.untold import with_untold
from docparse.sizes import counted
from docparse.types import Box, DocumentInfo

if TYPE_CHECKING:
    import pypdfium2

SMALL_IMAGE = 4.0  # points: rasters thinner than this are bullets, lines and pixels, not pictures
MAX_IMAGES = 2_000
MIN_LINES = 3  # of turned text that turn a page which has other text too
REOPEN_AFTER = 100  # pages: pdfium keeps every object it has parsed, about 0.8 MB a page, until the file is closed
ENDLESS = 1e6  # points
PIXEL_DPI = 60  # enough to see whether a scan holds more than its text layer


class PdfFile(DocumentFile):
    """A PDF. Keeps the page last asked for open, so rendering after reading costs no second parse."""

    def __init__(self, source: Path | bytes, *, name: str, sha256: str, password: str) -> None:
        self._source, self._password = source, password
        self._pdf, self._fonts = open_pdf(source, name, password), PageFonts(source, password)
        self._loaded = 0  # pages since the file was opened
        self._inherits = False  # fonts from the page tree, which filling in takes from the pages
        self._masks: bool | None = None
        self._page: tuple[int, pypdfium2.PdfPage] | None = None
        self.info = DocumentInfo(name=name, sha256=sha256, pages=len(self._pdf))
        if not self.pages:
            self.close()
            raise InputError(f"{name}: the PDF has no pages: nothing to convert")

    def close(self) -> None:
        if self._page is not None:
            self._page[1].close()
            self._page = None
        self._pdf.close()
        self._fonts.close()

    def _read_page(self, number: int, wanted: Wanted, guard: Guard) -> PageContent:
        page = self._load(number)
        warnings = ["its form fields, notes and stamps were not read"] if self._inherits and has_fields(page) else []
        raw = self._text_layer(page, number, guard, warnings) if wanted.text_layer else None
        known = set(raw.handle.tolist()) if raw is not None else set()
        painted = Painted()
        if wanted.graphics:
            painted = guard("graphics", lambda: read_graphics(address(page.raw), known), Painted)
        if wanted.text_layer and painted.letters:
            drawn = partial(with_drawn_letters, raw, painted.letters, painted.order)
            raw = guard("letters that are drawn", drawn, lambda: raw)
        if painted.shapes.truncated:
            warnings.append(
                "the page has too many drawings to examine all: lines of tables and pictures may be missing"
            )
        if raw is not None and not wanted.hidden_text:
            raw = guard("hidden text", partial(self._seen, page, raw, painted, wanted.graphics, warnings), lambda: raw)
        if raw is not None:
            raw = guard("order of the letters", partial(_as_read, raw, painted), lambda: raw)
        structure = None
        tagged = wanted.graphics and native().Catalog_IsTagged(address(self._pdf.raw))
        if raw is not None and tagged:  # the forms that text lies in are known from the graphics
            read = partial(read_structure, address(page.raw), raw, painted.forms)
            structure = guard("structure tree", read, lambda: None)
        space = guard("rotation", lambda: _space(page, raw, painted), lambda: _sheet(page))
        characters = None
        if raw is not None:
            bold = guard("bold type", partial(bold_runs, raw, painted), lambda: np.zeros(len(raw.handle), bool))
            placed = partial(place, raw, space, bold)
            characters = guard("characters", placed, partial(place_plainly, raw, space))
        quality = guard(
            "triage",
            lambda: self._quality(page, raw, painted, space, characters),
            lambda: TextQuality.GOOD if characters is not None else TextQuality.NONE,
        )
        width, height = space.size
        return PageContent(
            number=number,
            width=width,
            height=height,
            rotation=space.rotation,
            characters=characters,
            quality=quality,
            rulings=guard("strokes", lambda: paths.rulings(painted.shapes, space), no_boxes),
            images=guard("images", lambda: _images(painted, space), tuple),
            draw=lambda dpi: self._draw(self._load(number), space, dpi, warnings),
            warnings=warnings,
            panels=guard("panels", lambda: paths.panels(painted.shapes, space), no_boxes),
            drawings=guard("drawings", lambda: drawings(painted.shapes, space), no_boxes),
            structure=structure,
            marks=guard("marks", partial(_marks, painted, space), tuple),
        )

    def _text_layer(self, page: pypdfium2.PdfPage, number: int, guard: Guard, warnings: list[str]) -> RawText | None:
        """The text that pdfium reads, with the letters and the names of fonts that it misses."""
        read = guard("text layer", lambda: _text_of(page, warnings), lambda: None)
        if read is None:
            return None
        raw: RawText = read
        if raw.unmapped.any() or doubted(raw).any():
            missing = partial(with_missing_letters, raw, self._fonts.of(number))
            raw = guard("letters that pdfium does not map", missing, lambda: raw)
        if (raw.of_style(lambda style: not style.name) & raw.inked).any():
            named = partial(with_named_fonts, raw, self._fonts.of(number))
            raw = guard("names of Type 3 fonts", named, lambda: raw)
        raw = guard("TeX's bitmaps", partial(with_known_bitmaps, raw), lambda: raw)
        return guard("letters that fonts do not tell", partial(with_untold, raw), lambda: raw)

    def _seen(
        self, page: pypdfium2.PdfPage, raw: RawText, painted: Painted, drawn: bool, warnings: list[str]
    ) -> RawText | None:
        """The text that a person sees; `drawn` says whether what is drawn around it was read."""
        space = _space(page, None, painted)
        draw = partial(self._draw, page, space, PIXEL_DPI, warnings=[]) if drawn else None
        if draw is None:
            warnings.append("hidden text was checked without a picture of the page: some may remain")
        hidden = find_hidden(raw, painted, space, draw)
        count = int((hidden & raw.inked).sum())
        if not count:
            return raw
        warnings.append(f"{counted(count, 'character')} of hidden text left out (--hidden-text keeps them)")
        return raw.without(hidden) if not hidden.all() else None

    def _quality(
        self,
        page: pypdfium2.PdfPage,
        raw: RawText | None,
        painted: Painted,
        space: PageSpace,
        characters: Characters | None,
    ) -> TextQuality:
        evidence = measure(raw, painted, space)
        if evidence.covered >= 0.5 and self._has_masks():
            painted.images = see_through(self._pdf, page, painted.images)
            evidence = measure(raw, painted, space)
        if characters is not None and evidence.needs_pixels:
            pixels = self._draw(page, space, PIXEL_DPI, warnings=[])
            evidence = replace(evidence, scan_ink=scan_ink(pixels, characters.box))
        return judge(evidence)

    def _load(self, number: int) -> pypdfium2.PdfPage:
        import pypdfium2

        if self._page is not None and self._page[0] == number:
            return self._page[1]
        if self._page is not None:
            self._page[1].close()
            self._page = None
        if self._loaded >= REOPEN_AFTER:
            self._reopen()
        self._loaded += 1
        try:
            page = self._pdf[number - 1]
        except pypdfium2.PdfiumError:
            raise PageError("the page is damaged: repair the file (qpdf may help)") from None
        unseen = min(page.get_size()) <= 0  # a CropBox outside the MediaBox: an endless one shows all there is
        if unseen:
            page.set_cropbox(-ENDLESS, -ENDLESS, ENDLESS, ENDLESS)
            page.close()
            page = self._pdf[number - 1]
        if not self._inherits and has_fields(page):
            filled = fill_in(self._pdf, page, number - 1)
            if filled is None:
                self._inherits = True
                self._reopen()
                return self._load(number)
            page = filled
        self._page = (number, page)
        return page

    def _reopen(self) -> None:
        fresh = open_pdf(self._source, self.info.name, self._password)
        self._pdf.close()
        self._fonts.close()
        self._pdf, self._loaded = fresh, 0

    def _has_masks(self) -> bool:
        """Return whether any image of the file may be see-through; image dictionaries are never compressed."""
        if self._masks is None:
            if isinstance(self._source, bytes):
                self._masks = b"Mask" in self._source
            else:
                with open(self._source, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                    self._masks = data.find(b"Mask") >= 0
        return self._masks

    def _draw(self, page: pypdfium2.PdfPage, space: PageSpace, dpi: int, warnings: list[str]) -> PageImage:
        scale, warning = capped_scale(*space.size, dpi)
        if warning and warning not in warnings:
            warnings.append(warning)
        turn = (space.rotation - page.get_rotation()) % 360
        bitmap = page.render(scale=scale, rotation=turn, rev_byteorder=True, prefer_bgrx=False)
        try:
            pixels = np.array(bitmap.to_numpy()[:, :, :3])  # a copy: the bitmap's memory goes with it
        finally:
            bitmap.close()
        return PageImage(pixels=pixels, scale=scale)


def _as_read(raw: RawText, painted: Painted) -> RawText:
    return with_readings(laid_level(in_logical_order(in_own_direction(raw), painted)))


def _text_of(page: pypdfium2.PdfPage, warnings: list[str]) -> RawText | None:
    """The text layer; what of it is too much to be read is said in `warnings`."""
    from pypdfium2 import raw

    if _endless(page):
        warnings.append(f"more than {MAX_CHARACTERS:,} pieces of text: the text layer was not read")
        return None
    text_page = raw.FPDFText_LoadPage(page.raw)
    if not text_page:
        return None
    try:
        text = read_raw(address(text_page))
    finally:
        raw.FPDFText_ClosePage(text_page)
    if text is not None and text.left_out:
        warnings.append(f"only the first {len(text):,} of {len(text) + text.left_out:,} characters were read")
    return text


def _endless(page: pypdfium2.PdfPage) -> bool:
    """More text objects than characters are ever read: pdfium would take gigabytes to put them in order."""
    from pypdfium2 import raw

    count = raw.FPDFPage_CountObjects(page.raw)
    if count <= MAX_CHARACTERS:
        return False
    kinds = (raw.FPDFPageObj_GetType(raw.FPDFPage_GetObject(page.raw, index)) for index in range(count))
    return sum(kind == raw.FPDF_PAGEOBJ_TEXT for kind in kinds) > MAX_CHARACTERS


def _space(page: pypdfium2.PdfPage, text: RawText | None, painted: Painted) -> PageSpace:
    """The visible box, turned by /Rotate and then so that most of the text is upright."""
    from pypdfium2 import raw

    box = raw.FS_RECTF()
    raw.FPDF_GetPageBoundingBox(page.raw, ctypes.byref(box))
    space = PageSpace(box.left, box.bottom, box.right, box.top, page.get_rotation())
    if text is None or not text.inked.any():
        return space
    turn, lines, share = dominant_quadrant(text)
    # a library's note up the side of a scan or a figure must not turn the page over
    if lines >= MIN_LINES or (share == 1 and image_area(painted, space) < PAGE_SIZED):
        return replace(space, rotation=-90 * turn % 360)
    return space


def _sheet(page: pypdfium2.PdfPage) -> PageSpace:
    width, height = page.get_size()
    return PageSpace(0.0, 0.0, width, height, 0)


def _marks(painted: Painted, space: PageSpace) -> tuple[tuple[Box, str], ...]:
    return (*marks.placed(painted.shapes.marks, space), *roots(painted.shapes.lines, space))


def _images(painted: Painted, space: PageSpace) -> tuple[Box, ...]:
    boxes = visible(painted.images[:MAX_IMAGES], space)
    sides = np.minimum(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1])
    return tuple(Box(*row) for row in boxes[sides >= SMALL_IMAGE].tolist())
