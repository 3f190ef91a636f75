"""The shipped model reads held-out pages, as PDFs and by the way that every page takes; drafts change nothing."""

import re
from functools import cache
from statistics import fmean

import pytest
import torch

from docparse.accel.stack import parse_stack
from docparse.bench.data.sources import builtin_pages
from docparse.bench.race import Race
from docparse.bench.rows import AR
from docparse.bench.scoring.metrics import character_error_rate
from docparse.layout.reader import PageReader
from docparse.models.names import locate
from docparse.settings import Settings
from docparse.vlm.engine import VlmEngine
from docparse.vlm.loaded import Vlm

METHODS = {AR: "none", "hsd": "hsd"}


@pytest.fixture(scope="module")
def pages():
    return builtin_pages("builtin", 10)


@pytest.fixture(scope="module")
def read(pages):
    """`read("hsd", 2)` -> what a method writes of the first pages; in float64, where no two logits tie."""
    family, snapshot = locate("tiny")
    folder, settings = str(snapshot.folder), Settings(images="none")
    model = family.load(folder, dtype=torch.float64, device="cpu")
    vlm = Vlm.of("tiny", family, model, family.processor(folder))
    scribes = {name: VlmEngine.of(vlm, parse_stack(stack), lambda name: vlm) for name, stack in METHODS.items()}
    race = Race(scribes, settings, PageReader(settings), drafts="truth")
    return cache(lambda name, count: [race.attempt(page, name) for page in pages[:count]])


@pytest.mark.thorough
def test_ten_pages_are_read_within_the_error_that_the_card_states(pages, read):
    card = (locate("tiny")[1].folder / "README.md").read_text(encoding="utf-8")
    stated = re.search(r"first ten of the pages, .*at most \*\*(0\.\d+)\*\*", card)
    assert stated
    written = [attempt.markdown for attempt in read("hsd", 10)]
    rates = [character_error_rate(text, str(page.truth)) for page, text in zip(pages, written, strict=True)]
    assert fmean(rates) <= float(stated[1])


def test_drafts_make_it_faster_and_change_nothing(read):
    for plain, drafted in zip(read(AR, 1), read("hsd", 1), strict=True):
        assert drafted.tokens == plain.tokens
        assert sum(len(output.steps) for output in drafted.outputs) < 0.8 * len(plain.tokens[0])
