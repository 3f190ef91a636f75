"""Rows written by hand, and a tiny random model that really reads pages."""

from dataclasses import replace
from functools import partial

import pytest

from docparse.accel.stack import parse_stack
from docparse.bench.data.pages import BenchPage
from docparse.bench.race import Race
from docparse.bench.report import Measured, report
from docparse.bench.rows import AR, PageRow
from docparse.layout.reader import PageReader
from docparse.settings import Settings
from docparse.vlm.engine import VlmEngine
from docparse.vlm.row import Limits

TOKENS = 20


@pytest.fixture(scope="session")
def row():
    """`row(page, method, decode=2.0, drafts=1.0, picture=0.5, ...)` -> a row of a hundred tokens in as many steps."""

    def build(page, method, *, decode=1.0, drafts=0.0, picture=1.0, **more):
        seconds = dict.fromkeys(("regions", "vision", "prefill", "markup"), 0.0)
        seconds |= {"decode": decode, "drafts": drafts, "picture": picture}
        usual = {
            **{"model": "m", "category": "letters", "run": 0, "tokens": 100, "steps": 100, "steps_with_candidates": 0},
            **{"accepted": 0, "accepted_per_step": (), "accepted_by_source": {}, "proposed_by_source": {}},
            **{"region_tokens": 0, "region_steps": 0, "prompt_tokens": 10, "visual_tokens": 5, "kept_visual_tokens": 5},
            **{"kv_prefill_bytes": 100, "kv_prompt_bytes": 80, "kv_bytes": 100, "kv_spare_bytes": 20},
            **{"peak_memory": 10, "attention_flops": 1e6, "endings": ("stop",), "identical": True, "distance": 0.0},
        }
        return PageRow(page=page, method=method, seconds=seconds, **(usual | more))

    return build


@pytest.fixture(scope="session")
def report_of():
    """`report_of(rows, drafts="oracle", ...)` -> a report of these rows by the model `m`."""

    def build(rows, **more):
        model = Measured(
            **{"name": "m", "revision": "", "random_weights": False, "parameters": 5},
            **{"device": "cpu", "dtype": "float32", "token_per_character": False},
        )
        methods = {each.method: each.method for each in rows}
        about = {"models": (model,), "methods": methods, "lossless": (AR, "hsd"), "data": "builtin"}
        return report(rows, **(about | {"drafts": "pipeline", "warm_up_seconds": 1.0, "settings": {}} | more))

    return build


@pytest.fixture(scope="session")
def twin(twin):
    """Qwen3-VL's twin."""
    return replace(twin("qwen3-vl"), name="twin")


@pytest.fixture(scope="session")
def race_of(twin):
    """`race_of("hsd", "lookup", drafts="oracle", ...)` -> a race of these methods behind plain decoding."""

    def build(*methods, **plan):
        settings = Settings(images="none", max_tokens=TOKENS, layout_engine="none", dpi=72)
        scribe = partial(VlmEngine.of, twin, placed=None, limits=Limits(guard=None, ignore_end=True))
        named = {AR: scribe(parse_stack("none"))} | {name: scribe(parse_stack(name)) for name in methods}
        named = {name: replace(each, costs=None) for name, each in named.items()}  # every draft is worth a try
        return Race(named, settings, PageReader(settings), **plan)

    return build


@pytest.fixture(scope="session")
def three_pages(three_page_pdf):
    return [BenchPage(three_page_pdf, number, "text", three_page_pdf.name, truth="page") for number in (1, 2, 3)]
