"""One output under way: where a token is appended, and where it is decided that it was the last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from docparse.accel.method import Acceptance, Proposer
from docparse.engine.hooks import WHOLE, RowMethods
from docparse.engine.prompt import Prompt
from docparse.engine.text_model import TextModel
from docparse.engine.tree import ROOT, Tree
from docparse.logits import LogitsRule, Sampling
from docparse.vlm.generation import Ending, Generation
from docparse.vlm.logits import RowLogits
from docparse.vlm.loop_guard import LoopGuard, LoopWatch
from docparse.vlm.verify import GREEDY, Verified


@dataclass(frozen=True)
class Limits:
    """When an output ends besides the model's own end token. `max_tokens` is one at least; `guard` stops loops;
    `ignore_end` goes on after an end token."""

    max_tokens: int = 8192
    guard: LoopGuard | None = LoopGuard()  # noqa: RUF009 - it is frozen
    ignore_end: bool = False


USUAL = Limits()


class Row:
    """An output under way, `generation`. `stop` is asked before every step; when it answers True the output ends as
    "interrupted" with the tokens that it has. `reader` holds the methods that evict or select rows of the cache, and
    `process` changes its logits: by `processors`, or (None) those of the model."""

    def __init__(
        self,
        model: TextModel,
        prompt: Prompt,
        proposer: Proposer | None = None,
        limits: Limits = USUAL,
        reader: RowMethods = WHOLE,
        stop: Callable[[], bool] = lambda: False,
        processors: Sequence[LogitsRule] | None = None,
    ) -> None:
        self.prompt = prompt
        self.proposer = proposer
        self.reader = reader
        self.stop = stop
        self.ended = False
        self.generation = Generation(prompt_tokens=len(prompt), visual_tokens=prompt.visual_tokens)
        processors = model.processors if processors is None else processors
        sampled = any(isinstance(each, Sampling) for each in processors)  # then only what was drawn is accepted
        self.acceptance: Acceptance = GREEDY if proposer is None or sampled else proposer.acceptance
        self.process = RowLogits(processors, prompt.ids, self.generation.tokens) if processors else None
        self._end = frozenset() if limits.ignore_end else model.end
        self._most = limits.max_tokens
        self._watch = None if limits.guard is None else LoopWatch(limits.guard)

    def propose(self) -> Tree:
        tokens = self.generation.tokens
        return Tree.bare(tokens[-1]) if self.proposer is None else self.proposer.propose(tokens)

    def finish(self, ending: Ending) -> None:
        self.ended = True
        self.generation.ending = ending

    def extend(self, tree: Tree, verified: Verified) -> int:
        """Append what was verified of a tree up to the output's end; return how many are draft tokens."""
        out, (path, free) = self.generation, verified
        tokens = [*(tree.tokens[node] for node in path), free]
        room = self._most - len(out.tokens)
        last = next((i for i, token in enumerate(tokens[:room]) if token in self._end), None)
        count = min(len(tokens), room) if last is None else last + 1
        loop = None if self._watch is None else self._watch.read(tokens[:count])
        if loop is not None and loop + 1 < count:
            count, last = loop + 1, None
        sources = [tree.sources[node] for node in path[:count]]
        out.tokens += tokens[:count]
        out.sources += [*sources, ROOT][:count]
        if last is not None:
            self.finish("stop")
        elif loop is not None:
            self.finish("loop")
        elif len(out.tokens) >= self._most:
            self.finish("length")
        return len(sources)
