"""Requests answered by a model in this process, many at once: they join the running batch as memory and the cost of a
pass allow. Where memory runs out, the batch is halved and begins again."""

from __future__ import annotations

import logging
import sys
from collections import deque
from collections.abc import Sequence

import torch

from docparse.errors import DeviceLost, PageError, ran_out_of_memory
from docparse.machine import available_memory
from docparse.vlm.batch import Batch
from docparse.vlm.engine import Encoding, Started, VlmEngine
from docparse.vlm.requests import VlmAnswer, VlmRequest
from docparse.vlm.row import Row
from docparse.weights.device import responds

CACHE_SHARE = 0.5  # of the memory that is free, what the cache may take: it is copied as it grows, and passes want some
MAX_ROWS = {"cpu": 16}  # rows of a batch where nobody has measured what they cost,
MAX_ROWS_OTHERWISE = 64  # and on a GPU
ANSWERS_BEFORE_DOUBLING = 64  # answers after which a batch that was halved may be twice as large again
# Of the rows must be free before new ones join: prompts run faster together, and all others wait for them.
FREE_FRACTION = 8

Answered = list[tuple[VlmRequest, VlmAnswer | Exception]]
logger = logging.getLogger("docparse")


class BatchDecoder:
    """Requests on their way through one model. `max_rows` (0: what pays) are decoded at once."""

    def __init__(self, engine: VlmEngine, max_rows: int = 0) -> None:
        self.engine = engine
        self._pays = max_rows or best_row_count(engine)
        self.max_rows = self._pays
        self._waiting: deque[VlmRequest] = deque()
        self._alone: deque[VlmRequest] = deque()  # of a pass that failed: one of them may be why
        self._under_way: dict[int, Started] = {}  # by the identity of their rows
        self._batch = Batch(engine.vlm.text)
        self._tried_again = False
        self._answered = 0  # since memory ran out last
        self._budget = 0
        if engine.costs is not None:
            for power in range(self._pays.bit_length()):
                engine.costs.of(1 << power)  # measured now, not while others wait

    @property
    def busy(self) -> bool:
        return bool(self._waiting or self._alone or self._under_way)

    @property
    def peak_bytes(self) -> int:
        """Return the most bytes that all rows held in the cache at once."""
        return self._batch.peak_bytes

    def submit(self, requests: Sequence[VlmRequest]) -> None:
        self._waiting.extend(requests)

    @torch.no_grad()
    def advance(self) -> Answered:
        """See `requests.RequestQueue`: let requests join, and decode one step of all."""
        done: Answered = []
        joining: list[Encoding] = []
        try:
            self._next(joining, done)
            if joining:
                self._join(joining, done)
            self._make_room()
            if self._batch.rows:
                if self.engine.costs is not None:
                    self.engine.costs.rows = len(self._batch.rows)
                self._end(self._batch.step(), done)
                self._tried_again = False
        except Exception as error:
            failed = [started.encoding.request for started in self._under_way.values()]
            failed += [each.request for each in joining if each.request not in failed]
            problem = self._problem(error)
        else:
            self._tell()
            return done
        self._recover(failed, problem, done)  # here, where the error and the tensors that its traceback held are gone
        return done

    def restarted(self) -> BatchDecoder:
        self._batch.close(reuse=False)
        return BatchDecoder(self.engine, self._pays)

    # ---- who is next

    def _next(self, joining: list[Encoding], done: Answered) -> None:
        if self._alone:
            if not self._batch.rows:
                self._prepare(self._alone.popleft(), joining, done)
            return
        free = self.max_rows - len(self._batch.rows)
        if self._batch.rows and free < max(1, self.max_rows // FREE_FRACTION):
            return
        if self._waiting:
            text = self.engine.vlm.text
            spare = sum(each.nbytes for each in text.spare.caches)
            self._budget = round(CACHE_SHARE * (free_memory(text.device) + spare + self._batch.bytes))
        while self._waiting and len(joining) < free and self._fits(joining):
            self._prepare(self._waiting.popleft(), joining, done)

    def _prepare(self, request: VlmRequest, joining: list[Encoding], done: Answered) -> None:
        """A request for which there is no time left, or that cannot be prepared, is done."""
        if request.stop():
            done.append((request, VlmAnswer.unread(request)))
            return
        try:
            joining.append(self.engine.encode(request))
        except Exception as error:
            if not responds(self.engine.vlm.text.device):
                raise
            done.append((request, VlmAnswer.unread(request, "memory") if ran_out_of_memory(error) else error))

    def _join(self, joining: Sequence[Encoding], done: Answered) -> None:
        started = list(self.engine.start(joining))
        self._under_way |= {id(each.row): each for each in started}
        try:
            self._end(self._batch.join([each.row for each in started]), done)
        except PageError as error:  # of one of them: the others are tried alone, and those that run go on
            failed = [self._under_way.pop(id(each.row)).encoding.request for each in started]
            if len(failed) == 1:
                done.append((failed[0], error))
            else:
                self._alone.extend(failed)

    def _fits(self, joining: Sequence[Encoding]) -> bool:
        """Return whether there is memory for one more of the usual length. The first one always fits."""
        if not self._batch.rows and not joining:
            return True
        encodings = [*joining, *(started.encoding for started in self._under_way.values())]
        longest = max(len(each.encoded.visual) for each in encodings)
        return self._batch.needs(longest, len(joining) + 1) <= self._budget

    def _make_room(self) -> None:
        """Outputs grow: where they no longer fit together, the youngest waits, and begins again."""
        while len(self._batch.rows) > 1 and self._batch.needs() > self._budget:
            youngest = min(self._batch.rows, key=lambda row: len(row.generation.tokens))
            self._batch.release(youngest)
            self._waiting.appendleft(self._under_way.pop(id(youngest)).encoding.request)

    # ---- who is done

    def _end(self, rows: Sequence[Row], done: Answered) -> None:
        for row in rows:
            self._answered += 1
            if self._answered % ANSWERS_BEFORE_DOUBLING == 0:  # memory may have been short for a moment only
                self.max_rows = min(self._pays, 2 * self.max_rows)
            started = self._under_way.pop(id(row))
            started.encoding.request.progress(len(row.generation.tokens), True)
            try:
                done.append((started.encoding.request, self.engine.answer(started)))
            except Exception as error:  # of one answer
                done.append((started.encoding.request, error))

    def _tell(self) -> None:
        for started in self._under_way.values():
            started.encoding.request.progress(len(started.row.generation.tokens), False)

    # ---- what goes wrong

    def _problem(self, error: Exception) -> Exception:
        """The error without what it holds. Raises `DeviceLost`."""
        if not responds(self.engine.vlm.text.device):
            first, *_ = str(error).split("\n")
            raise DeviceLost(f"the device failed: {first}") from error
        if ran_out_of_memory(error):
            return MemoryError("the device has not enough memory for this page: use a lower --dpi or --max-tokens")
        logger.debug("a pass failed", exc_info=error)
        return error.with_traceback(None)

    def _recover(self, failed: list[VlmRequest], problem: Exception, done: Answered) -> None:
        """Begin again: after want of memory with half the batch, otherwise one by one, so that the failing one is
        alone."""
        self._under_way.clear()
        self._batch.close(reuse=False)
        hungry = isinstance(problem, MemoryError)
        if hungry:
            self.engine.free()
        if len(failed) > 1 and hungry:
            self.max_rows, self._answered = max(1, len(failed) // 2), 0
            self._waiting.extendleft(reversed(failed))
        elif len(failed) > 1:
            self._alone.extend(failed)
        elif hungry and not self._tried_again and failed:
            self._tried_again = True  # with all memory given back it may fit
            self._alone.appendleft(failed[0])
        else:
            self._tried_again = False
            done += [(each, VlmAnswer.unread(each, "memory") if hungry else problem) for each in failed]
            if not failed:
                raise problem


def best_row_count(engine: VlmEngine) -> int:
    """Return how many rows a batch may have: as many as pay, where passes are measured."""
    if engine.costs is not None:
        return engine.costs.best_rows()
    return MAX_ROWS.get(engine.vlm.text.device.type, MAX_ROWS_OTHERWISE)


def free_memory(device: torch.device) -> int:
    """Return the bytes that a process may still take on a device; where that is not known, very many."""
    if device.type == "cuda":
        free, _ = torch.cuda.mem_get_info(device)
        return free + torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
    return available_memory() or sys.maxsize
