"""Numbers that docs/methods.md quotes and that are cheap to measure again."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

from docparse.accel.stack import parse_stack
from docparse.bench.data.sources import pages_from
from docparse.bench.race import Race, RacePlan
from docparse.bench.rows import AR
from docparse.layout.reader import PageReader
from docparse.settings import Settings
from docparse.vlm.engine import VlmEngine
from docparse.vlm.loaded import load

METHODS = Path(__file__).parents[2] / "docs" / "methods.md"
QUOTED = re.compile(
    r"([\d.]+) % of the tokens of the first twelve built-in pages, against ([\d.]+) % with `mode=code`\s+"
    r"\(`docparse bench --pages (\d+)"
)


def test_rtprune_removes_as_many_tokens_as_is_quoted() -> None:
    ours, code, count = QUOTED.search(METHODS.read_text(encoding="utf-8")).groups()  # type: ignore[union-attr]
    vlm = load("tiny", device="cpu", offline=True)
    settings = Settings(images="none", max_tokens=1, dpi=vlm.family.dpi)
    stacks = {AR: "none", ours: "rtprune", code: "rtprune(mode=code)"}
    engines = {name: VlmEngine.of(vlm, parse_stack(text), partial(load, device="cpu")) for name, text in stacks.items()}
    race = Race(RacePlan(engines, settings, drafts="none"), PageReader(settings))
    pages = pages_from("builtin", int(count))
    for quoted in (ours, code):
        answers = [answer for page in pages for answer in race.attempt(page, quoted).written.answers]
        views = [view for answer in answers for view in answer.pruned]
        removed = 100 * (1 - sum(view.kept for view in views) / sum(view.total for view in views))
        assert removed == pytest.approx(float(quoted), abs=0.05)
