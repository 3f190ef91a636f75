"""Images that can be seen through: their masks are applied only when pdfium renders them, so they are rendered."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import numpy as np

from docparse.pdf.graphics import Painted

if TYPE_CHECKING:
    import pypdfium2

MAX_RENDERED = 4  # images of a page, the largest first
OPAQUE = 0.5  # share of opaque pixels from which an image hides what is under it


def see_through(document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage, painted: Painted) -> list[bool]:
    """Return for each image of `painted` whether most of it is transparent. Only the largest are looked at."""
    clear = list(painted.image_clear)
    areas = [(right - left) * (top - bottom) for left, bottom, right, top in painted.images]
    for index in sorted(range(len(areas)), key=lambda i: -areas[i])[:MAX_RENDERED]:
        clear[index] = clear[index] or _mostly_clear(document, page, painted.image_handles[index])
    return clear


def _mostly_clear(document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage, handle: int) -> bool:
    import pypdfium2
    from pypdfium2 import raw

    image = ctypes.cast(handle, raw.FPDF_PAGEOBJECT)
    bitmap = raw.FPDFImageObj_GetRenderedBitmap(document.raw, page.raw, image)
    if not bitmap:
        return False
    wrapped = pypdfium2.PdfBitmap.from_raw(bitmap)
    wrapped.warn_on_close = False  # nothing outlives it: only a mean leaves this function
    try:
        pixels = wrapped.to_numpy()
        return pixels.ndim == 3 and pixels.shape[2] == 4 and float(np.mean(pixels[:, :, 3] > 127)) < OPAQUE
    finally:
        wrapped.close()
