"""Requests answered by a server: the same questions and markup as with a model in this process, without drafts."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from docparse.accel.method import Drafting
from docparse.errors import PageError
from docparse.models.family import Family, Frame
from docparse.served import RequestOutcome, Served, Server, ServerGone, request_for, text_of
from docparse.served.wire import ServedRequest
from docparse.settings import Settings
from docparse.vlm.drafts import Text
from docparse.vlm.generation import Generation
from docparse.vlm.loop_guard import before_loop
from docparse.vlm.reader import VlmReader
from docparse.vlm.requests import VlmAnswer, VlmRequest

WAIT = 0.05  # seconds in which an answer may come, before it is looked whether there is more to ask
LONGEST = 600.0  # seconds of one request, unless a page may take less


@dataclass(frozen=True)
class ServedModel:
    """See `requests.Model`: a family that a server has under the name `served`."""

    family: Family
    served: Served
    tokenizer: None = None
    method: Drafting | None = None


class Serving:
    """See `requests.RequestQueue`."""

    def __init__(self, model: ServedModel, server: Server) -> None:
        self.model = model
        self.server = server
        self._waiting: deque[VlmRequest] = deque()
        self._sent: dict[int, tuple[VlmRequest, ServedRequest]] = {}

    def submit(self, requests: Sequence[VlmRequest]) -> None:
        self._waiting.extend(requests)

    def restarted(self) -> Serving:
        for handle in self._sent:
            self.server.cancel(handle)
        return Serving(self.model, self.server)

    def advance(self) -> list[tuple[VlmRequest, VlmAnswer | Exception]]:
        """See `requests.RequestQueue`. Raises `ServerGone` where the server answers nobody any more."""
        done: list[tuple[VlmRequest, VlmAnswer | Exception]] = []
        while self._waiting and self.server.room:
            request = self._waiting.popleft()
            if request.stop():
                done.append((request, VlmAnswer.unread(request)))
                continue
            with request.clock("encode"):
                picture, instruction = request.pixels, request.instruction
                sent = request_for(self.model.family, self.model.served, picture, instruction, request.max_tokens)
                if request.sampling is not None:
                    sent = replace(sent, body={**sent.body, **asdict(request.sampling)})
            self._sent[self.server.submit(sent)] = request, sent
        for handle, outcome in self.server.finished(0.0 if done else WAIT):
            request, sent = self._sent.pop(handle)
            done.append((request, self._answer(request, sent, outcome)))
        return done + self._late()

    def _late(self) -> list[tuple[VlmRequest, VlmAnswer | Exception]]:
        late = [handle for handle, (request, _) in self._sent.items() if request.stop()]
        for handle in late:
            self.server.cancel(handle)
        return [(request, VlmAnswer.unread(request)) for request, _ in map(self._sent.pop, late)]

    def _answer(self, request: VlmRequest, sent: ServedRequest, outcome: RequestOutcome) -> VlmAnswer | Exception:
        if outcome.failure is not None:
            if outcome.failure.kind == "gone":
                raise ServerGone(outcome.failure.line)
            return PageError(outcome.failure.line, "model")
        height, width = sent.picture.shape[:2]
        frame = Frame(request.box, width, height)
        request.clock.add("server", outcome.seconds)
        characters = text_of(self.model.family, outcome.text)
        if outcome.ending == "length":  # nobody has watched it for loops
            characters = characters[: before_loop([ord(character) for character in characters])]
        with request.clock("parse"):
            reading = request.dialect.read(characters, frame)
        count = outcome.tokens  # a server does not say which they are: as if all were equally long
        ends = tuple(len(characters) * number // count for number in range(1, count + 1))
        written = Generation([0] * count, [""] * count, ending=outcome.ending)
        return VlmAnswer(frame, written, Text(characters, ends), reading)


def served_reader(settings: Settings, served: Served, family: Family, in_flight: int) -> VlmReader:
    """Return a reader whose pages a server writes. Raises `EnvironmentProblem` where that is forbidden."""
    seconds = min(LONGEST, settings.page_seconds)
    server = Server(settings.server, model=served.name, in_flight=in_flight, timeout=seconds, offline=settings.offline)
    model = ServedModel(family, served)
    return VlmReader(model, settings, Serving(model, server))
