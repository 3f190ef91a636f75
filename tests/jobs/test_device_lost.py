"""A model whose device fails for ever after: another worker tries the page again, and the run goes on."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import pytest

from docparse.convert import convert
from docparse.errors import ExitCode
from docparse.jobs import model
from docparse.settings import Settings

SERVICE = '''
"""A model whose device fails at page 2 every time, at page 3 once, and then does nothing more for this process."""

import os
from pathlib import Path

import torch

from docparse.jobs.model import ModelService
from docparse.vlm import decoding

HERE = Path(__file__).parent


def noted(name):
    """Whether it was noted before."""
    with open(HERE / name, "a+") as file:
        file.seek(0)
        before = file.read()
        file.write(f"{os.getpid()}\\n")
    return bool(before)


class Failing(ModelService):
    def __init__(self, settings):
        super().__init__(settings)
        noted("workers")
        text = self.reader.model.vlm.text
        head, lost = text.head, []

        def failing(hidden):
            pages = {each.task.attempt.page for each in self._at_work.values()}
            if lost or 2 in pages or (3 in pages and not noted("page 3")):
                lost.append(True)
                raise torch.AcceleratorError("CUDA error: device-side assert triggered\\nCompile with")
            return head(hidden)

        object.__setattr__(text, "head", failing)
        decoding.responds = lambda device: not lost
'''


def test_the_page_is_tried_again_elsewhere_and_then_read_without_the_model(
    three_page_pdf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "failing_service.py").write_text(SERVICE)
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("failing_service", None)
    monkeypatch.setattr(model, "ModelService", importlib.import_module("failing_service").Failing)
    quick = {"max_tokens": 8, "threads": 1, "layout_engine": "none", "accel": "none", "device": "cpu"}
    summary = convert([str(three_page_pdf)], str(tmp_path / "out"), Settings(model="tiny", **quick))
    assert summary.exit_code is ExitCode.PARTIAL
    assert len(set((tmp_path / "workers").read_text().split())) == 3
    text = (tmp_path / "out" / "three-pages.md").read_text()
    assert "<!-- page 2 partial: device -->" in text
    assert "This is the text of page two, and nothing else." in text
    lines = map(json.loads, (tmp_path / "out" / "docparse-journal.jsonl").read_text().splitlines())
    one, two, three = (line for line in lines if line.get("page"))
    assert [line["engine"] for line in (one, two, three)] == ["tiny", "pipeline", "tiny"]
    assert [line.get("attempts") for line in (one, two, three)] == [1, 3, 1]
    assert two["error"] == "the device failed: CUDA error: device-side assert triggered; read without the model"
