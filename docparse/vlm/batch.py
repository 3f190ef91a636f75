"""Continuous batching: outputs join a running batch, and leave it as they end. A step proposes a tree for every row,
feeds all in one pass, accepts and commits; no row depends on the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from time import perf_counter

from docparse.engine.cache import SPARE, layout
from docparse.engine.session import DecodeSession
from docparse.engine.text_model import TextModel
from docparse.engine.tree import Tree
from docparse.errors import PageError
from docparse.vlm.generation import Step
from docparse.vlm.row import Row
from docparse.vlm.verify import GREEDY, accept, score

SPARE_NODES = 256  # positions kept free behind the longest output for one tree


class Batch:
    """The rows that are being decoded. What an error interrupts cannot go on: `close` without reuse. `peak_bytes` is
    the most that all of them held in the cache at once."""

    def __init__(self, model: TextModel) -> None:
        self.model = model
        self.rows: list[Row] = []
        self.peak_bytes = 0
        self._session = DecodeSession(model)

    def join(self, rows: Sequence[Row]) -> list[Row]:
        """Prefill these rows, beside those that run; return those that have ended with their first token. Raises
        `PageError` where the logits of one are no numbers: then none of them has joined."""
        session, tree = self._session, Tree.bare(0)
        logits = session.prefill([row.prompt for row in rows], [row.reader for row in rows])
        try:
            scores = score(logits, [tree] * len(rows), [GREEDY] * len(rows), [row.process for row in rows])
        except PageError:
            session.drop(range(len(self.rows), session.rows), wipe=True)
            raise
        held = session.cache.held_bytes()[len(self.rows) :]
        given = zip(rows, scores, session.prefill_seconds, session.kept_visual, held, strict=True)
        for row, first, seconds, kept, own in given:
            output = row.generation
            output.prefill_seconds, output.kept_visual_tokens = seconds, kept
            output.prefill_bytes = session.cache.shape.bytes(1, len(row.prompt))
            output.prompt_bytes = output.cache_bytes = own
            row.extend(tree, accept(tree, first))
        self.rows += rows
        return self._leave()

    def step(self) -> list[Row]:
        """Run one pass over every row's tree; return the rows that have ended."""
        for row in self.rows:
            if row.stop():
                row.finish("interrupted")
        ended = self._leave()
        if self.rows:
            self._pass()
        return ended + self._leave()

    @property
    def bytes(self) -> int:
        return self._session.cache.bytes

    def needs(self, prompt: int = 0, rows: int = 0) -> int:
        """Return the bytes of the cache and linear layers' states with so many rows more, of prompts this long."""
        cache = self._session.cache
        longest = int(cache.lengths.max(initial=0)) + SPARE_NODES
        states = (cache.rows + rows) * self._session.state_bytes
        positions = max(prompt + SPARE if prompt else 0, longest)
        return states + cache.shape.bytes(*layout(cache.rows + rows, positions))

    def release(self, row: Row) -> None:
        """This row leaves before its end, and its memory with it."""
        self.rows = [self.rows[i] for i in self._session.drop([self.rows.index(row)])]

    def close(self, *, reuse: bool = True) -> None:
        """No row runs any longer. `reuse` keeps the memory; not after an error, as masked values must be finite."""
        self._session.close(reuse=reuse)
        self._session = DecodeSession(self.model)
        self.rows = []

    def _pass(self) -> None:
        """Propose a tree for every row, feed all of them, accept, and commit."""
        session, rows = self._session, self.rows
        laps = [perf_counter()]
        trees = [row.propose() for row in rows]
        laps.append(perf_counter())
        acceptances = [row.acceptance for row in rows]
        scores = score(session.feed(trees), trees, acceptances, [row.process for row in rows])
        laps.append(perf_counter())  # fetching the scores has waited for the device
        verified = list(map(accept, trees, scores, acceptances))
        accepted = [row.extend(tree, each) for row, tree, each in zip(rows, trees, verified, strict=True)]
        laps.append(perf_counter())
        session.commit([each.path for each in verified])
        laps.append(perf_counter())
        self._record(trees, accepted, laps)

    def _record(self, trees: Sequence[Tree], accepted: Sequence[int], laps: Sequence[float]) -> None:
        """Note what a pass did, when each of its stages ended, and what the rows hold now."""
        rows, held = self.rows, self._session.cache.held_bytes()
        self.peak_bytes = max(self.peak_bytes, sum(held))
        spare = (self._session.cache.bytes - sum(held)) // len(rows)
        seconds = tuple(end - begin for begin, end in pairwise(laps))
        for row, tree, right, read, own in zip(rows, trees, accepted, self._session.read, held, strict=True):
            output, sources = row.generation, tree.sources
            offered = dict(Counter(sources[1:])) if len(sources) > 1 else {}
            output.steps.append(Step(len(sources), offered, right, seconds, tuple(read), len(rows)))
            output.cache_bytes = max(output.cache_bytes, own)
            output.spare_bytes = max(output.spare_bytes, spare)

    def _leave(self) -> list[Row]:
        ended = [i for i, row in enumerate(self.rows) if row.ended]
        if not ended:
            return []
        gone = [self.rows[i] for i in ended]
        self.rows = [self.rows[i] for i in self._session.drop(ended)]
        if not self.rows:
            self.close()  # the next batch may be another's
        return gone
