"""A model whose device fails for ever after: another worker tries the page again, and the run goes on."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import pytest

from docparse.convert import convert
from docparse.errors import ExitCode
from docparse.settings import Settings

DESK = '''
"""A worker whose device fails at page 2 every time, at page 3 once, and then does nothing more for this process."""

import os
from pathlib import Path

import torch

from docparse.jobs.tasks import AtDesk, ReadPage
from docparse.vlm import writing

HERE = Path(__file__).parent


def noted(name):
    """Whether it was noted before."""
    with open(HERE / name, "a+") as file:
        file.seek(0)
        before = file.read()
        file.write(f"{os.getpid()}\\n")
    return bool(before)


class Desk(AtDesk):
    def __init__(self, settings):
        super().__init__(settings)
        noted("workers")
        text = self.desk.model.scribe.vlm.text
        head, lost = text.head, []

        def failing(hidden):
            if lost or self.page == 2 or (self.page == 3 and not noted("page 3")):
                lost.append(True)
                raise torch.AcceleratorError("CUDA error: device-side assert triggered\\nCompile with")
            return head(hidden)

        object.__setattr__(text, "head", failing)
        writing.responds = lambda device: not lost

    def __call__(self, task, tell):
        self.page = task.attempt.page if isinstance(task, ReadPage) else 0
        return super().__call__(task, tell)
'''


def test_the_page_is_tried_again_elsewhere_and_then_read_without_the_model(
    three_page_pdf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "failing_desk.py").write_text(DESK)
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("failing_desk", None)
    monkeypatch.setattr(sys.modules["docparse.convert"], "AtDesk", importlib.import_module("failing_desk").Desk)
    quick = {"max_tokens": 8, "threads": 1, "layout_engine": "none", "accel": "none", "device": "cpu"}
    summary = convert([str(three_page_pdf)], str(tmp_path / "out"), Settings(model="tiny", **quick))
    assert summary.exit_code is ExitCode.PARTIAL
    assert len(set((tmp_path / "workers").read_text().split())) == 4
    text = (tmp_path / "out" / "three-pages.md").read_text()
    assert "<!-- page 2 partial: device -->" in text
    assert "This is the text of page two, and nothing else." in text
    lines = map(json.loads, (tmp_path / "out" / "docparse-journal.jsonl").read_text().splitlines())
    one, two, three = (line for line in lines if line.get("page"))
    assert [line["engine"] for line in (one, two, three)] == ["tiny", "pipeline", "tiny"]
    assert [line.get("attempts") for line in (one, two, three)] == [1, 3, 2]
    assert two["error"] == "the device failed: CUDA error: device-side assert triggered; read without the model"
