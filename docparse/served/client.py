"""Many requests to one server at once: bounded, tried again where that may help, and each comes back exactly once."""

from __future__ import annotations

import asyncio
import logging
import queue
import random
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from typing import Self

from docparse.errors import EnvironmentProblem
from docparse.served.address import Address
from docparse.served.background import Background
from docparse.served.exchange import NoAnswer, exchange, open_client
from docparse.served.server_check import refused
from docparse.served.wire import (
    Nonsense,
    RequestFailure,
    RequestOutcome,
    ServedRequest,
    excerpt,
    outcome_of,
    refusal_of,
    without,
)

AGAIN = (408, 425, 429)  # and everything from 500 on
AWAY = (401, 403, 404, 502, 503, 504)  # what a server answers that is of no use to any request
GONE_AFTER = 5  # requests in a row, each tried as often as allowed
OPTIONAL = ("repetition_penalty", "vllm_xargs", "skip_special_tokens")  # fields that a server may not know
logger = logging.getLogger("docparse")
LONGEST_PAUSE = 60.0  # seconds; only a server's own Retry-After may ask for more, up to
LONGEST_WAIT = 300.0
ENCODERS = 2  # threads that make PNGs


class ServerGone(EnvironmentProblem):
    """The server answers nobody any more, or refuses everything: the run ends, and may be resumed."""


class Server:
    """A server's chat completions, asked by one thread of the caller.

    At most `in_flight` requests are sent at once, each for at most `timeout` seconds, and again up to `retries` times
    where that may help; the pause before is drawn from 0 to `pause` seconds, doubled each time (full jitter), or is
    what the server asks for. A request keeps its place while it pauses: a server that has too much gets less.
    """

    def __init__(
        self,
        url: str,
        *,
        model: str,
        in_flight: int = 16,
        timeout: float = 600.0,
        retries: int = 5,
        pause: float = 1.0,
        offline: bool = False,
    ) -> None:
        self.address = Address.of(url, offline=offline)
        self.model = model
        self.in_flight = in_flight
        self.timeout = timeout
        self.retries = retries
        self.pause = pause
        self.gone = ""  # why there is no use in asking any more
        self._url = f"{self.address.base}/chat/completions"
        self._numbers = count()
        self._open: set[int] = set()  # handed out, and neither come back nor cancelled
        self._done: queue.SimpleQueue[tuple[int, RequestOutcome]] = queue.SimpleQueue()
        self._tasks: dict[int, asyncio.Task[None]] = {}  # from here on: of the loop's thread
        self._away = 0  # requests in a row that were of no use
        self._too_many = float("inf")  # of `max_tokens`, from which on the server's context had no room
        self._unknown: set[str] = set()  # of `OPTIONAL`, what the server refuses
        self._slots = asyncio.Semaphore(in_flight)
        self._ended = asyncio.Event()
        self._client = open_client(self.address, kept=in_flight)
        self._encoders = ThreadPoolExecutor(ENCODERS, "docparse-png")
        self._background = Background("docparse-server")

    def __repr__(self) -> str:
        return f"Server({self.address.base!r}, model={self.model!r}, in_flight={self.in_flight})"

    # ---- for the caller's thread

    def submit(self, request: ServedRequest) -> int:
        """Return a handle by which the outcome comes back from `finished`. Raises `ServerGone`."""
        if self.gone:
            raise ServerGone(self.gone)
        handle = next(self._numbers)
        self._open.add(handle)
        self._background.loop.call_soon_threadsafe(self._start, handle, request)
        return handle

    @property
    def room(self) -> int:
        """Return how many more requests are worth submitting: a few wait as PNGs, so that no place is ever empty."""
        return max(0, self.in_flight + max(2, self.in_flight // 4) - len(self._open))

    def finished(self, seconds: float) -> list[tuple[int, RequestOutcome]]:
        """Return what has come back, each once, after waiting for up to `seconds` where nothing has."""
        found: list[tuple[int, RequestOutcome]] = []
        end = time.monotonic() + seconds
        while self._open:
            try:
                handle, outcome = self._done.get(not found, max(0.0, end - time.monotonic()))
            except queue.Empty:
                break
            if handle in self._open:
                self._open.remove(handle)
                found.append((handle, outcome))
        return found

    def cancel(self, handle: int) -> None:
        """Break a request off, also at the server; it does not come back."""
        self._open.discard(handle)
        self._background.loop.call_soon_threadsafe(self._stop, handle)

    def close(self) -> None:
        """Break off what is under way, and close all connections; a second time it does nothing."""
        if self._background.loop.is_closed():
            return
        self._open.clear()
        self._background.run(self._shut())
        self._background.close()
        self._encoders.shutdown(wait=False, cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- in the loop's thread

    def _start(self, handle: int, request: ServedRequest) -> None:
        task = self._background.loop.create_task(self._work(handle, request))
        self._tasks[handle] = task
        task.add_done_callback(lambda _: self._tasks.pop(handle, None))

    def _stop(self, handle: int) -> None:
        if task := self._tasks.get(handle):
            task.cancel()

    async def _shut(self) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._client.aclose()

    async def _work(self, handle: int, request: ServedRequest) -> None:
        try:
            limit, encode = request.max_tokens, request.encoded
            del request  # the pixels are let go of when they are a PNG
            body = await self._background.loop.run_in_executor(self._encoders, encode, self.model)
            del encode
            async with self._slots:
                outcome = await self._ask(body, limit)
        except Exception as error:  # whatever it is, the request comes back
            line = f"{type(error).__name__}: {excerpt(self.address.hide(str(error)))}"
            outcome = RequestOutcome(failure=RequestFailure("permanent", line))
        self._done.put((handle, outcome))

    async def _ask(self, body: bytes, limit: int) -> RequestOutcome:
        """Send a request until it has an answer, or as often as allowed."""
        for attempt in range(self.retries + 1):
            if self.gone:
                return RequestOutcome(failure=RequestFailure("gone", self.gone), attempts=attempt)
            began = time.monotonic()
            trial = await self._send(body, limit)
            self._away = self._away if trial.away else 0
            if not trial.again:
                break
            if attempt < self.retries:
                await self._rest(attempt, trial.wait)
        outcome = replace(trial.outcome, attempts=attempt + 1, seconds=time.monotonic() - began)
        return self._given_up(outcome) if trial.away else outcome

    async def _send(self, body: bytes, limit: int, refused_fields: frozenset[str] = frozenset()) -> _Trial:
        """`refused_fields` are those that the server named when it refused this request."""
        limited = limit < self._too_many
        left_out = self._unknown | refused_fields | (set() if limited else {"max_tokens"})
        sent = without(body, left_out) if left_out else body
        try:
            answer = await exchange(self._client, self._url, seconds=self.timeout, body=sent)
            if answer.status == 200:
                self._learn(refused_fields)
                return _Trial(outcome_of(answer.content))
        except NoAnswer as why:
            return self._failed(str(why), again=True, away=why.kind == "unreachable")
        except Nonsense as what:
            return self._failed(f"the answer is {what}", again=True)
        if limited and answer.status == 400 and "context length" in refusal_of(answer.content).lower():
            self._too_many = min(self._too_many, limit)
            return await self._send(body, limit)
        named = {name for name in OPTIONAL if name.encode() in answer.content and name.encode() in sent}
        if answer.status in (400, 422) and named:
            return await self._send(body, limit, refused_fields | named)
        again = answer.status >= 500 or answer.status in AGAIN
        line = refused(self.address, answer)
        return self._failed(line, again=again, away=answer.status in AWAY, wait=answer.wait)

    def _learn(self, refused_fields: frozenset[str]) -> None:
        """Leave fields out from now on without which the server has answered what it had refused with them."""
        if names := " and ".join(sorted(refused_fields - self._unknown)):
            logger.warning("%s refuses %s: it is asked without", self.address.base, names)
        self._unknown |= refused_fields

    def _failed(self, line: str, *, again: bool, away: bool = False, wait: float = 0.0) -> _Trial:
        failure = RequestFailure("temporary" if again else "permanent", f"{self.address.base}: {line}")
        return _Trial(RequestOutcome(failure=failure), again, away, wait)

    async def _rest(self, attempt: int, wait: float) -> None:
        """Pause before another attempt, but no longer than until the server is given up."""
        jitter = random.uniform(0.0, min(LONGEST_PAUSE, self.pause * 2.0**attempt))
        with suppress(TimeoutError):
            async with asyncio.timeout(min(wait, LONGEST_WAIT) + jitter):
                await self._ended.wait()

    def _given_up(self, outcome: RequestOutcome) -> RequestOutcome:
        """Count a request that the server was of no use to; after some in a row it counts as gone."""
        self._away += 1
        if self._away >= GONE_AFTER and outcome.failure is not None and not self.gone:
            self.gone = f"{outcome.failure.line}; {GONE_AFTER} requests in a row came to nothing"
            self._ended.set()
        return replace(outcome, failure=RequestFailure("gone", self.gone)) if self.gone else outcome


@dataclass(frozen=True)
class _Trial:
    """One sending of a request. `again`: another may do better; `away`: the server is of no use to any request now;
    `wait`: the seconds that it asks for."""

    outcome: RequestOutcome
    again: bool = False
    away: bool = False
    wait: float = 0.0
