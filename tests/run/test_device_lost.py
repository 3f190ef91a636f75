"""A model whose device fails for ever after: another worker tries the pages again, and only one is read without it."""

from __future__ import annotations

import importlib
import json
import sys

import pytest

from docparse.errors import ExitCode
from docparse.run import model_service
from docparse.run.convert import convert
from docparse.settings import Settings

SERVICE = '''
"""A model whose device fails while page 2 is at work, and then does nothing more for this process."""

import os
from pathlib import Path

import torch

from docparse.run.model_service import ModelService
from docparse.vlm import decoding

HERE = Path(__file__).parent


def noted(name):
    with open(HERE / name, "a") as file:
        file.write(f"{os.getpid()}\\n")


class Failing(ModelService):
    def __init__(self, settings, load):
        super().__init__(settings, load)
        noted("workers")
        text = self.reader.model.vlm.text
        head, lost = text.head, []

        def failing(hidden):
            pages = {each.task.attempt.page for each in self._at_work.values()}
            if lost or 2 in pages:
                lost.append(True)
                raise torch.AcceleratorError("CUDA error: device-side assert triggered\\nCompile with")
            return head(hidden)

        object.__setattr__(text, "head", failing)
        decoding.responds = lambda device: not lost
'''


@pytest.mark.thorough
def test_the_page_is_tried_again_elsewhere_and_then_read_without_the_model(three_page_pdf, tmp_path, monkeypatch):
    (tmp_path / "failing_service.py").write_text(SERVICE)
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("failing_service", None)
    monkeypatch.setattr(model_service, "ModelService", importlib.import_module("failing_service").Failing)
    quick = {"max_tokens": 8, "threads": 1, "layout_engine": "none", "accel": "none", "device": "cpu"}
    summary = convert([str(three_page_pdf)], str(tmp_path / "out"), Settings(model="tiny", **quick))
    assert summary.exit_code is ExitCode.PARTIAL
    assert len(set((tmp_path / "workers").read_text().split())) > 2
    text = (tmp_path / "out" / "three-pages.md").read_text()
    assert "<!-- page 2 partial: device -->" in text
    assert "This is the text of page two, and nothing else." in text
    lines = map(json.loads, (tmp_path / "out" / "docparse-journal.jsonl").read_text().splitlines())
    one, two, three = sorted((line for line in lines if line.get("page")), key=lambda line: line["page"])
    assert [line["engine"] for line in (one, two, three)] == ["tiny", "pipeline", "tiny"]
    assert [line.get("attempts") for line in (one, two, three)] == [1, 3, 1]
    assert two["error"] == "the device failed: CUDA error: device-side assert triggered; read without the model"
