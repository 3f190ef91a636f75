"""Scans in a script that the recogniser cannot read say so; small, noisy and multilingual ones that it can do not."""

import dataclasses

import cv2
import numpy as np
import pytest

from docparse.layout.ocr.scripts import unreadable
from docparse.layout.reader import PageReader
from docparse.pdf import open_document
from docparse.pdf.content import PageImage, TextQuality
from docparse.settings import Settings

CYRILLIC = (
    "Утренний поезд опять опоздал, и никто на платформе не возражал, потому что после недели дождей вышло солнце, и "
    "река под станцией была полна маленьких лодок. Кассир продавал чай из окна и записывал каждую чашку в книгу."
)
GREEK = (
    "Το πρωινό τρένο άργησε πάλι και κανείς στην αποβάθρα δεν φάνηκε να ενοχλείται, γιατί μετά από μια εβδομάδα βροχής "
    "είχε βγει ο ήλιος και το ποτάμι κάτω από τον σταθμό ήταν γεμάτο μικρές βάρκες."
)
GEORGIAN = (
    "დილის მატარებელმა ისევ დააგვიანა და ბაქანზე არავინ წუხდა, რადგან ერთკვირიანი წვიმის შემდეგ მზე გამოვიდა და "
    "სადგურის ქვემოთ მდინარე პატარა ნავებით იყო სავსე."
)
LATIN = (
    "Der Morgenzug kam wieder zu spät, and nobody on the platform seemed to mind, parce que le soleil était revenu "
    "après une semaine de pluie; řeka pod nádražím byla plná lodiček."
)


FONTS = '("Libertinus Serif", "DejaVu Sans Mono")'


def page(text, size=11):
    return f"#set page(width: 380pt, height: 200pt, margin: 30pt)\n#set text(size: {size}pt, font: {FONTS})\n{text}"


def noisy(image):
    grain = np.random.default_rng(2).normal(0, 14, image.pixels.shape)
    blurred = cv2.GaussianBlur(image.pixels, (0, 0), 0.9)
    return PageImage(np.clip(0.8 * blurred + 30 + grain, 0, 255).astype(np.uint8), image.scale)


@pytest.mark.parametrize(
    "text, size, noise, unread",
    [(GEORGIAN, 11, True, True), (GEORGIAN, 11, False, True), (LATIN, 7, True, False), (LATIN, 16, False, False)],
    ids=["noisy Georgian", "Georgian", "small Latin", "large Latin"],
)
def test_print_in_a_script_that_is_not_read_is_told_and_other_print_is_not_complained_of(
    draw, ocr, text, size, noise, unread
):
    image = draw(page(text, size))
    said = unreadable(ocr.read(noisy(image) if noise else image).lines)
    assert "is not readable by OCR" in said if unread else said == ""


def read_page(path, quality=None, **settings):
    settings = {"layout_engine": "none", "images": "none"} | settings
    with open_document(path, name=path.name) as document:
        content = document.page(1)
        if quality is not None:
            content = dataclasses.replace(content, quality=quality)
        return PageReader(Settings(**settings)).read(content).page


def test_a_page_that_was_not_read_is_partial_and_keeps_what_there_is(typst_pdf):
    found = read_page(typst_pdf(page(GEORGIAN), "georgian"), ocr="force")
    assert (found.status, found.error_category) == ("partial", "script")
    assert found.error.startswith("Georgian is not readable by OCR")  # the text layer names it
    assert "--text-layer only" in found.error


@pytest.mark.parametrize("quality", [TextQuality.BROKEN, TextQuality.OCR_LAYER])
def test_a_doubted_layer_in_such_a_script_is_kept(typst_pdf, quality):
    found = read_page(typst_pdf(page(CYRILLIC), "cyrillic"), quality)
    assert found.status == "ok"
    assert "Утренний поезд" in " ".join(block.text for block in found.blocks)


def test_a_doubted_layer_in_a_script_that_is_read_is_not(typst_pdf):
    found = read_page(typst_pdf(page(LATIN), "latin"), TextQuality.BROKEN)
    assert {block.source for block in found.blocks} == {"ocr"}
