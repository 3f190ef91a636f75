"""The pipeline reads ahead while the model writes, but not further than it may, and nothing waits for a slow stage but
the slow stage."""

import importlib
import json
import sys

from docparse.errors import ExitCode
from docparse.run import model_service
from docparse.run.convert import convert
from docparse.settings import Settings

STAGES = '''
"""A pipeline that takes 0.1 s for a page and a model that takes 0.3 s for one, two at a time; both say what they do."""

import json
import time
from pathlib import Path

from docparse.run.model_service import ModelService
from docparse.run.tasks import WorkerState, ReadPage
from docparse.run.worker import TaskAnswer, answer
from docparse.vlm.placing import Placed
from docparse.vlm.reader import WrittenPage

HERE = Path(__file__).parent


def say(what, page):
    with open(HERE / "events", "a") as file:
        file.write(json.dumps([time.monotonic(), what, page]) + "\\n")


class Watched(WorkerState):
    def __call__(self, task, tell):
        if isinstance(task, ReadPage):
            say("read", task.attempt.page)
            time.sleep(0.1)
        return super().__call__(task, tell)


class Slow(ModelService):
    def begin(self, ticket, task, tell):
        super().begin(ticket, task, tell)
        say("begin", task.attempt.page)
        self._at_work[ticket].view.clock.seconds["began"] = time.monotonic()

    def advance(self):
        time.sleep(0.01)
        late = [t for t, at in self._at_work.items() if time.monotonic() - at.view.clock.seconds["began"] > 0.3]
        ended = []
        for ticket in late:
            at = self._at_work.pop(ticket)
            say("end", at.task.attempt.page)
            ended.append((ticket, answer(self._finish, at, WrittenPage(Placed(at.draft.page.blocks, {}), ()))))
        return ended
'''


def test_the_pipeline_is_ahead_of_the_model_as_far_as_it_may(tmp_path, monkeypatch, three_page_pdf):
    (tmp_path / "slow_stages.py").write_text(STAGES)
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("slow_stages", None)
    stages = importlib.import_module("slow_stages")
    monkeypatch.setattr(model_service, "ModelService", stages.Slow)
    monkeypatch.setattr(sys.modules["docparse.run.workers"], "WorkerState", stages.Watched)
    copies = [tmp_path / f"{name}.pdf" for name in "ab"]
    for copy in copies:
        copy.write_bytes(three_page_pdf.read_bytes())
    settings = Settings(model="tiny", accel="none", device="cpu", threads=1, batch=2, ahead=3, workers=1)
    summary = convert([str(copy) for copy in copies], str(tmp_path / "out"), settings)
    assert summary.exit_code is ExitCode.OK
    events = sorted(map(json.loads, (tmp_path / "events").read_text().splitlines()))
    read = begun = ended = together = ahead = 0
    for _, what, _ in events:
        read, begun, ended = read + (what == "read"), begun + (what == "begin"), ended + (what == "end")
        together, ahead = max(together, begun - ended), max(ahead, read - begun)
    assert read == begun == ended == 6
    assert together == 2
    assert ahead <= 3 + 2  # those that wait, and those that the model was given while it was being loaded
    first_end = next(i for i, (_, what, _) in enumerate(events) if what == "end")
    assert sum(what == "read" for _, what, _ in events[:first_end]) > 2  # others are read while the first are written
