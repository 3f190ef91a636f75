"""Every family reads a page through the same reader, and acceleration changes nothing of what it writes."""

import msgspec
import pytest

from docparse.accel.hsd import Hsd
from docparse.accel.stack import Stack
from docparse.models.registry import family_named
from docparse.settings import Settings
from docparse.vlm.engine import VlmEngine
from docparse.vlm.loaded import load

SETTINGS = Settings(model="twin", layout_engine="none", max_tokens=24)


def without_figures(page):
    return [msgspec.structs.replace(block, draft_tokens=0) for block in page.blocks]


@pytest.mark.families
def test_a_page_is_read_the_same_with_and_without_drafts(name, read_small, twin_folder):
    family = family_named(name)
    vlm = load(str(twin_folder(name)), device="cpu", dtype="float32")
    stacks = ((), (Hsd(),), (Hsd(regions="always"),))
    pages = [read_small(VlmEngine(vlm, Stack(methods)), SETTINGS) for methods in stacks]
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
