"""Pages and regions read with fewer visual tokens, from the setting to what the page says of it."""

import msgspec
import pytest

from docparse.layout.reader import PageReader
from docparse.pdf import open_document
from docparse.settings import Settings
from docparse.vlm.engine import VlmEngine
from docparse.vlm.reader import read_page, reading

BASE = Settings(device="cpu", dtype="float32", layout_engine="none", max_tokens=24)
READ_AS = {"dots.ocr": 1, "deepseek-ocr": 2, "glm-ocr": 4}  # views: of the page, or one of each of its regions


@pytest.mark.parametrize(
    ("name", "accel"),
    [
        ("dots.ocr", "rtprune:ratio=0.25"),
        ("dots.ocr", "rtprune"),
        ("dots.ocr", "divprune"),
        ("deepseek-ocr", "visionzip-like"),
        ("glm-ocr", "random:keep=0.5"),
    ],
)
def test_the_setting_is_what_is_done(name, accel, one_page_pdf, twin_folder):
    folder = str(twin_folder(name))
    pages = []
    with open_document(one_page_pdf, name="page.pdf") as document:
        for chosen in ("none", accel):
            settings = msgspec.structs.replace(BASE, model=folder, accel=chosen)
            reader = reading(VlmEngine.load(settings), settings)
            pages.append(read_page(document.page(1), reader, PageReader(settings)).page)
    plain, page = pages
    removed = sum(view.total - view.kept for view in page.decoding.pruned)
    assert len(page.decoding.pruned) == READ_AS[name]
    assert removed > 0
    assert page.decoding.visual_tokens == plain.decoding.visual_tokens - removed
    assert page.decoding.prompt_tokens == plain.decoding.prompt_tokens - removed
    assert plain.decoding.pruned == () and "prune" not in plain.seconds
    assert page.seconds["prune"] > 0
