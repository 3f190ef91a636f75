"""What people wrote onto a page, form fields and text notes, made part of the page so that it is read with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pypdfium2

MAX_ANNOTATIONS = 5_000


def with_forms(pdf: pypdfium2.PdfDocument) -> pypdfium2.PdfDocument:
    """Return `pdf`, where it has a form with what is filled in drawn: many programs store the values alone."""
    from pypdfium2 import raw

    if pdf.get_formtype() == raw.FORMTYPE_ACRO_FORM:
        pdf.init_forms()
    return pdf


def filled_in(page: pypdfium2.PdfPage) -> bool:
    """Flatten `page` in memory if it has form fields, free text or stamps; True means: close and load it again."""
    from pypdfium2 import raw

    count = min(raw.FPDFPage_GetAnnotCount(page.raw), MAX_ANNOTATIONS)
    wanted = (raw.FPDF_ANNOT_WIDGET, raw.FPDF_ANNOT_FREETEXT, raw.FPDF_ANNOT_STAMP)
    if not any(_subtype(page, index) in wanted for index in range(count)):
        return False
    return raw.FPDFPage_Flatten(page.raw, raw.FLAT_NORMALDISPLAY) == raw.FLATTEN_SUCCESS


def _subtype(page: pypdfium2.PdfPage, index: int) -> int:
    from pypdfium2 import raw

    annotation = raw.FPDFPage_GetAnnot(page.raw, index)
    if not annotation:
        return raw.FPDF_ANNOT_UNKNOWN
    try:
        return raw.FPDFAnnot_GetSubtype(annotation)
    finally:
        raw.FPDFPage_CloseAnnot(annotation)
