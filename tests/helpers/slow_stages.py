"""A pipeline that takes 0.1 s for a page and a model that takes 0.3 s for one, two at a time; both say what they do."""

import json
import os
import time
from dataclasses import dataclass

from docparse.run.model_service import ModelService
from docparse.run.tasks import ReadPage
from docparse.run.worker import answer
from docparse.vlm.placing import Placed
from docparse.vlm.reader import WrittenPage


def say(what, page):
    with open(os.environ["EVENTS"], "a") as file:
        file.write(json.dumps([time.monotonic(), what, page]) + "\n")


@dataclass(frozen=True)
class SlowPage(ReadPage):
    def run(self, state):
        say("read", self.attempt.page)
        time.sleep(0.1)
        return super().run(state)


class SlowModel(ModelService):
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
