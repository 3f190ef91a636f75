"""Every family reads a page through the same reader, and acceleration changes nothing of what it writes."""

import msgspec
import pytest

from docparse.accel.hsd import Hsd
from docparse.layout.reader import PageReader
from docparse.models.registry import family_named
from docparse.pdf import open_document
from docparse.settings import Settings
from docparse.types import Page
from docparse.vlm.engine import VlmEngine
from docparse.vlm.loaded import load
from docparse.vlm.reader import read_page, reading

SETTINGS = Settings(model="twin", layout_engine="none", max_tokens=24)


def without_figures(page: Page) -> list:
    return [msgspec.structs.replace(block, draft_tokens=0) for block in page.blocks]


@pytest.mark.families
def test_a_page_is_read_the_same_with_and_without_drafts(name, one_page_pdf, twin_folder):
    family = family_named(name)
    vlm = load(str(twin_folder(name)), device="cpu", dtype="float32")
    pipeline = PageReader(SETTINGS)
    pages = []
    with open_document(one_page_pdf, name="page.pdf") as document:
        for method in (None, Hsd(), Hsd(regions="always")):
            reader = reading(VlmEngine(vlm, method), SETTINGS)
            pages.append(read_page(document.page(1), reader, pipeline).page)
    plain = pages[0]
    for page in pages:
        assert page.engine == family.card.name
        assert page.decoding.tokens == sum(block.tokens for block in page.blocks) > 0
        assert page.decoding.accepted == sum(block.draft_tokens for block in page.blocks)
        assert without_figures(page) == without_figures(plain)
        assert (page.status, page.error, page.warnings) == (plain.status, plain.error, plain.warnings)
        assert page.decoding.visual_tokens > 0
    if family.reads == "page":
        assert pages[2].decoding.regions == 4  # a heading, two paragraphs, a page number
