"""The decode loop: propose, forward, accept, commit, until every row has ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from time import perf_counter

from docparse.engine.generation import Ending, Generation, Step
from docparse.engine.guard import Guard, LoopWatch
from docparse.engine.prompt import Prompt
from docparse.engine.reading import Reader
from docparse.engine.seams import Acceptance, Proposer, Verified
from docparse.engine.session import Session
from docparse.engine.text_model import TextModel
from docparse.engine.tree import ROOT, Tree
from docparse.engine.verify import GREEDY, NO_NUMBERS, accept, score
from docparse.errors import PageError

MOST_NODES = 256  # positions kept free behind the longest output for one tree


@dataclass(frozen=True)
class Limits:
    """When an output ends besides the model's own end token.

    `guard` stops loops (True: with the usual settings); `ignore_end` goes on after an end token.
    """

    max_tokens: int = 8192
    guard: bool | Guard = True
    ignore_end: bool = False

    def watch(self) -> LoopWatch | None:
        if not self.guard:
            return None
        return LoopWatch(Guard() if self.guard is True else self.guard)


class Row:
    """One output under way: where a token is appended, and where it is decided that it was the last."""

    def __init__(self, model: TextModel, prompt: Prompt, proposer: Proposer | None, limits: Limits) -> None:
        self.proposer = proposer
        self.acceptance: Acceptance = GREEDY if proposer is None else proposer.acceptance
        self.ended = False
        self.generation = Generation(prompt_tokens=len(prompt), visual_tokens=prompt.visual_tokens)
        self._end = frozenset() if limits.ignore_end else model.end
        self._most = limits.max_tokens
        self._watch = limits.watch()

    def propose(self) -> Tree:
        tokens = self.generation.tokens
        return Tree.bare(tokens[-1]) if self.proposer is None else self.proposer.propose(tokens)

    def append(self, token: int, source: str = ROOT, origin: tuple[int, int] = (-1, 0)) -> None:
        """The output's next token; `ended` says whether it is the last."""
        out = self.generation
        out.tokens.append(token)
        out.sources.append(source)
        out.origins.append(origin)
        looping = self._watch is not None and self._watch.loops(token)
        if token in self._end:
            self.finish("stop")
        elif looping:
            self.finish("loop")
        elif len(out.tokens) >= self._most:
            self.finish("length")

    def extend(self, verified: Verified) -> tuple[Verified, dict[str, int]]:
        """Append what was verified up to the output's end; accepted draft tokens by source."""
        tree = verified.tree
        accepted: Counter[str] = Counter()
        for node in verified.path:
            self.append(tree.tokens[node], tree.sources[node], tree.origins[node])
            accepted[tree.sources[node]] += 1
            if self.ended:
                return Verified(tree, verified.path, verified.free, cut=True), dict(accepted)
        self.append(verified.free)
        return verified, dict(accepted)

    def finish(self, ending: Ending) -> None:
        self.ended = True
        self.generation.ending = ending


def generate(
    model: TextModel,
    prompts: Sequence[Prompt],
    proposers: Sequence[Proposer | None] | None = None,
    limits: Limits | Sequence[Limits] = Limits(),
    *,
    readers: Sequence[Reader] = (),
    stop: Callable[[], bool] | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> list[Generation]:
    """Greedy outputs of a batch of prompts, one for each; `limits` may be one for each, too.

    `proposers` (one for each row, or None) only save passes where their acceptance has `tau = 1`: the tokens are those
    of the plain loop. `readers` (one for each row, or none at all) hold the methods that evict or select rows of the
    cache. `stop` is asked before every step; when it answers True the rows still under way end
    as "interrupted" with the tokens they have; `watch` hears before every step how many rows have ended and how many
    tokens there are. Raises `PageError` where the logits are no numbers.
    """
    each = [limits] * len(prompts) if isinstance(limits, Limits) else limits
    rows = [Row(model, *one) for one in zip(prompts, proposers or [None] * len(prompts), each, strict=True)]
    if not rows or min(limit.max_tokens for limit in each) < 1:
        return [row.generation for row in rows]
    bound = max(len(prompt) + limit.max_tokens for prompt, limit in zip(prompts, each, strict=True)) + MOST_NODES
    session = Session(model, bound=bound)
    try:
        _decode(session, rows, prompts, readers, stop, watch)
    except BaseException:
        session.close(reuse=False)
        raise
    session.close()
    for row in rows:
        row.generation.cache_bytes = session.cache.peak
    return [row.generation for row in rows]


def _decode(
    session: Session,
    rows: Sequence[Row],
    prompts: Sequence[Prompt],
    readers: Sequence[Reader],
    stop: Callable[[], bool] | None,
    watch: Callable[[int, int], None] | None,
) -> None:
    """Prefill, and step after step until every row has ended."""
    logits = session.prefill(prompts, readers)
    if logits.isnan().any():
        raise PageError(NO_NUMBERS)
    firsts = logits.argmax(dim=-1).tolist()
    for row, first, *prefill in zip(rows, firsts, session.prefill_seconds, session.kept_visual, strict=True):
        row.generation.prefill_seconds, row.generation.kept_visual_tokens = prefill
        row.append(first)
    active = _drop_ended(session, rows)
    while active:
        if stop is not None and stop():
            for row in active:
                row.finish("interrupted")
            break
        if watch is not None:
            watch(len(rows) - len(active), sum(len(row.generation.tokens) for row in rows))
        _step(session, active)
        active = _drop_ended(session, active)


def _step(session: Session, rows: Sequence[Row]) -> None:
    """One pass over every row's tree, and what it gave."""
    laps = [perf_counter()]
    trees = [row.propose() for row in rows]
    laps.append(perf_counter())
    acceptances = [row.acceptance for row in rows]
    scores = score(session.feed(trees), trees, acceptances)  # fetching them waits for the device
    laps.append(perf_counter())
    verified = [accept(tree, i, scores, acceptances[i]) for i, tree in enumerate(trees)]
    outcomes = [row.extend(each) for row, each in zip(rows, verified, strict=True)]
    laps.append(perf_counter())
    session.commit([each.path for each in verified])
    laps.append(perf_counter())
    propose, forward, judge, commit = (after - before for before, after in pairwise(laps))
    for i, (row, (outcome, accepted)) in enumerate(zip(rows, outcomes, strict=True)):
        tree = outcome.tree
        proposed = dict(Counter(tree.sources[1:]))
        read = tuple(session.read[i]) if session.read else ()
        row.generation.steps.append(Step(len(tree), proposed, accepted, (propose, forward, judge, commit), read))
        if row.proposer is not None:
            row.proposer.observe(outcome, laps[-1] - laps[0])


def _drop_ended(session: Session, rows: Sequence[Row]) -> list[Row]:
    """Finished rows leave the batch."""
    ended = [i for i, row in enumerate(rows) if row.ended]
    return [rows[i] for i in session.drop(ended)] if ended else list(rows)
