"""A PDF opened, with what people wrote onto its pages: form fields and text notes are read with the page."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from docparse.errors import InputError, PasswordError

if TYPE_CHECKING:
    import pypdfium2

MAX_ANNOTATIONS = 5_000
EMPTY_TREE_WINDOW = 1 << 20  # a PDF without pages is small
STRAYS = 0.02  # of the letters of a page may be others once it is filled in; of 152 pages none were, of one nearly all


def open_pdf(source: Path | bytes, name: str, password: str) -> pypdfium2.PdfDocument:
    """Return the PDF, open. Raises `InputError` and `PasswordError`."""
    import pypdfium2
    from pypdfium2 import raw

    try:
        data: Path | bytes = source
        if isinstance(source, Path):
            try:
                str(source).encode("utf-8")
            except UnicodeEncodeError:  # pdfium takes UTF-8 names only
                data = source.read_bytes()
        return with_forms(pypdfium2.PdfDocument(data, password=password or None))
    except pypdfium2.PdfiumError as error:
        code = getattr(error, "err_code", None)
        if code == raw.FPDF_ERR_PASSWORD and not password:
            raise PasswordError(f"{name}: the PDF is encrypted: give its password with --password") from None
        if code == raw.FPDF_ERR_PASSWORD:
            raise PasswordError(f"{name}: wrong password: give the right one with --password") from None
        if code == raw.FPDF_ERR_SECURITY:
            raise PasswordError(f"{name}: the PDF is encrypted in an unsupported way: save it without") from None
        if _counts_no_pages(source):
            raise InputError(f"{name}: the PDF has no pages: nothing to convert") from None
        raise InputError(f"{name}: the PDF is damaged or cut off: get it again or repair it (qpdf may help)") from None
    except OSError as error:
        raise InputError(f"{name}: cannot be read: {error.strerror or error}") from None


def _counts_no_pages(source: Path | bytes) -> bool:
    """pdfium refuses a sound PDF with an empty page tree as it refuses a damaged one; the file tells which."""
    if not isinstance(source, bytes):
        with open(source, "rb") as file:
            source = file.read(EMPTY_TREE_WINDOW)
    return re.search(rb"/Count\s+0\b", source) is not None and re.search(rb"/Type\s*/Page\b", source) is None


def with_forms(pdf: pypdfium2.PdfDocument) -> pypdfium2.PdfDocument:
    """Return `pdf`, where it has a form with what is filled in drawn: many programs store the values alone."""
    from pypdfium2 import raw

    if pdf.get_formtype() == raw.FORMTYPE_ACRO_FORM:
        pdf.init_forms()
    return pdf


def has_fields(page: pypdfium2.PdfPage) -> bool:
    """Return whether `page` has form fields, free text or stamps, which `fill_in` makes part of it."""
    from pypdfium2 import raw

    count = min(raw.FPDFPage_GetAnnotCount(page.raw), MAX_ANNOTATIONS)
    wanted = (raw.FPDF_ANNOT_WIDGET, raw.FPDF_ANNOT_FREETEXT, raw.FPDF_ANNOT_STAMP)
    return any(_subtype(page, index) in wanted for index in range(count))


def fill_in(pdf: pypdfium2.PdfDocument, page: pypdfium2.PdfPage, index: int) -> pypdfium2.PdfPage | None:
    """Return page `index`, from 0, filled in, for `page`, which is closed. None means that the file is to be opened
    again: pdfium took the fonts from a page that inherits them from the page tree."""
    from pypdfium2 import raw

    before = _letters(page)
    if page.get_mediabox(fallback_ok=False) is None:  # inherited: pdfium would make the page a US letter
        page.set_mediabox(*page.get_bbox())
    raw.FPDFPage_Flatten(page.raw, raw.FLAT_NORMALDISPLAY)
    page.close()
    page = pdf[index]
    if (before - _letters(page)).total() <= STRAYS * before.total():
        return page
    page.close()
    return None


def _letters(page: pypdfium2.PdfPage) -> Counter[str]:
    text = page.get_textpage()
    try:
        return Counter("".join(text.get_text_range().split()))
    finally:
        text.close()


def _subtype(page: pypdfium2.PdfPage, index: int) -> int:
    from pypdfium2 import raw

    annotation = raw.FPDFPage_GetAnnot(page.raw, index)
    if not annotation:
        return raw.FPDF_ANNOT_UNKNOWN
    try:
        return raw.FPDFAnnot_GetSubtype(annotation)
    finally:
        raw.FPDFPage_CloseAnnot(annotation)
