"""Sheets as a PDF with a text layer (drawn words, or a scan's picture with invisible ones), a point for each pixel,
written by pdfium through pypdfium2."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image

from docparse.synthetic.fonts import FOLDER
from docparse.synthetic.pixels import draw, turned
from docparse.synthetic.sheet import Rectangle, Run, Sheet

INVISIBLE = 3  # text rendering mode of PDF 32000, table 106


def write_pdf(sheets: Iterable[Sheet], path: Path) -> None:
    document = _document(sheets)
    document.save(path)
    document.close()


def rendered(sheet: Sheet, scale: float = 1.0) -> np.ndarray:
    """Grey levels of the page as pdfium draws it at `scale` pixels a point, then brought to one pixel a point: uint8
    `(height, width)`. Beside `pixels.draw` it is the look that the page has when it comes from a PDF."""
    document = _document([sheet])
    image = document[0].render(scale=scale, grayscale=True).to_pil()
    document.close()
    return np.asarray(image.resize((sheet.width, sheet.height), Image.Resampling.BICUBIC))


def _document(sheets: Iterable[Sheet]) -> pypdfium2.PdfDocument:
    document = pypdfium2.PdfDocument.new()
    fonts: dict[str, pdfium.FPDF_FONT] = {}
    for sheet in sheets:
        page = document.new_page(sheet.width, sheet.height)
        if sheet.noise:
            _picture(document, page, sheet)
        else:
            _rectangle(page, sheet, (0, 0, sheet.width, sheet.height), sheet.paper)
            for rule in sheet.rules:
                _rectangle(page, sheet, rule, sheet.ink)
        for run in sheet.runs():
            if run.face not in fonts:
                fonts[run.face] = _font(document, run.face)
            _text(document, page, sheet, run, fonts[run.face])
        page.gen_content()
        page.close()
    return document


def _font(document: pypdfium2.PdfDocument, face: str) -> pdfium.FPDF_FONT:
    data = (FOLDER / f"{face}.ttf").read_bytes()
    buffer = (ctypes.c_ubyte * len(data)).from_buffer_copy(data)
    return pdfium.FPDFText_LoadFont(document, buffer, len(data), pdfium.FPDF_FONT_TRUETYPE, True)


def _text(
    document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage, sheet: Sheet, run: Run, font: pdfium.FPDF_FONT
) -> None:
    piece = pdfium.FPDFPageObj_CreateTextObj(document, font, run.size)
    units = (run.text + "\0").encode("utf-16-le")
    pdfium.FPDFText_SetText(piece, ctypes.cast(ctypes.create_string_buffer(units), ctypes.POINTER(ctypes.c_ushort)))
    if sheet.noise:
        pdfium.FPDFTextObj_SetTextRenderMode(piece, INVISIBLE)
    pdfium.FPDFPageObj_SetFillColor(piece, sheet.ink, sheet.ink, sheet.ink, 255)
    x, y = turned(sheet, run.x, run.baseline)
    angle = math.radians(sheet.skew)
    cosine, sine = math.cos(angle), math.sin(angle)
    pdfium.FPDFPageObj_Transform(piece, cosine, sine, -sine, cosine, x, sheet.height - y)
    pdfium.FPDFPage_InsertObject(page, piece)


def _rectangle(page: pypdfium2.PdfPage, sheet: Sheet, box: Rectangle, grey: int) -> None:
    x0, y0, x1, y1 = box
    piece = pdfium.FPDFPageObj_CreateNewRect(x0, sheet.height - y1, x1 - x0, y1 - y0)
    pdfium.FPDFPageObj_SetFillColor(piece, grey, grey, grey, 255)
    pdfium.FPDFPath_SetDrawMode(piece, pdfium.FPDF_FILLMODE_ALTERNATE, False)
    pdfium.FPDFPage_InsertObject(page, piece)


def _picture(document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage, sheet: Sheet) -> None:
    image = pypdfium2.PdfImage.new(document)
    image.set_bitmap(pypdfium2.PdfBitmap.from_pil(Image.fromarray(draw(sheet))))
    image.set_matrix(pypdfium2.PdfMatrix().scale(sheet.width, sheet.height))
    page.insert_obj(image)
