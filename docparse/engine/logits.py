"""What is done to logits before the most probable token is taken, so that a model repeats itself less.

Every node of a draft tree has a history of its own: the prompt, the output so far and the path to the node. So the
logits after a node are processed as plain decoding would process them there, and verification at `tau = 1` accepts just
what plain decoding writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, Any, Protocol

from docparse.engine.tree import Tree

if TYPE_CHECKING:  # families name their rules, and are there without torch
    from torch import Tensor

Pairs = Sequence[tuple[int, int]]  # of a node and a token


class LogitsProcessor(Protocol):
    """One rule, as data. Rules of one row are applied in their order."""

    def known(self, tokenizer: Any) -> LogitsProcessor:
        """Return the rule with the token ids of this tokenizer."""

    def apply(self, logits: Tensor, history: History, paths: Sequence[list[int]]) -> None:
        """Change logits `[N, V]` in place; node n comes after `history` and the tokens `paths[n]`."""


@dataclass(frozen=True)
class RepetitionPenalty:
    """A token that was there before is less likely: a positive logit is divided by `penalty`, a negative one
    multiplied, once however often it was there.

    It was there in the prompt or the output, as in transformers 5 (`RepetitionPenaltyLogitsProcessor`) and in vLLM
    (`vllm/model_executor/layers/utils.py`, `apply_penalties`); with a `window` among the last so many tokens of the
    output, as llama.cpp and Ollama count (`repeat_last_n`, 64).
    """

    penalty: float
    window: int = 0

    def known(self, tokenizer: Any) -> RepetitionPenalty:
        return self

    def apply(self, logits: Tensor, history: History, paths: Sequence[list[int]]) -> None:
        """See `LogitsProcessor`."""
        if self.window:
            tail = history.output[-self.window :]
            self._lower(logits, _index(_pairs(set((tail + path)[-self.window :]) for path in paths), logits))
            return
        self._lower(logits, (slice(None), history.see(logits)))
        self._lower(logits, _index(_pairs(set(path) - history.seen for path in paths), logits))

    def _lower(self, logits: Tensor, index: tuple[Any, Tensor]) -> None:
        was = logits[index]
        logits[index] = (was / self.penalty).where(was > 0, was * self.penalty)


@dataclass(frozen=True)
class NoRepeatNGrams:
    """A token is banned where it would complete `size` tokens (2 or more) that stand in the last `window` tokens of the
    output already. The prompt does not count. Tokens `allowed`, each a spelling and its published id, are never banned;
    elsewhere in the repeated tokens they count like others.

    So do `NoRepeatNGramLogitsProcessor` of deepseek-ai/DeepSeek-OCR (process/ngram_norepeat.py at e4ac34e) and of vLLM
    (vllm/model_executor/models/deepseek_ocr.py at 029329a), which give it the output's tokens only.
    """

    size: int
    window: int
    allowed: tuple[tuple[str, int], ...] = ()

    def known(self, tokenizer: Any) -> NoRepeatNGrams:
        """Return the rule with the ids that this tokenizer has for `allowed`; what it has not cannot be written."""
        ids = [(spelling, tokenizer.backend_tokenizer.token_to_id(spelling)) for spelling, _ in self.allowed]
        return replace(self, allowed=tuple(each for each in ids if each[1] is not None))

    def apply(self, logits: Tensor, history: History, paths: Sequence[list[int]]) -> None:
        """See `LogitsProcessor`."""
        tail, allowed = history.output[-self.window :], {token for _, token in self.allowed}
        if pairs := _pairs(self._completing(tail + path) - allowed for path in paths):
            logits[_index(pairs, logits)] = -inf

    def _completing(self, tokens: list[int]) -> set[int]:
        """Return what came after the last `size - 1` tokens where the window has them before."""
        before = self.size - 1
        ending, last = tokens[-before:], tokens[-1] if tokens else -1
        starts = range(max(0, len(tokens) - self.window), len(tokens) - before)
        return {
            tokens[i + before] for i in starts if tokens[i + before - 1] == last and tokens[i : i + before] == ending
        }


@dataclass(eq=False)
class History:
    """What a row has read and written. `output` grows as the row does; `seen` and `ids`, the same on the device, follow
    when they are needed, with the tokens of the `prompt` among them."""

    prompt: Tensor
    output: list[int]
    seen: set[int] = field(default_factory=set)
    ids: Tensor | None = None
    _read: int = 0  # tokens of the output that `seen` knows

    def see(self, logits: Tensor) -> Tensor:
        """Take in what came since the last time; return `ids`."""
        import torch

        came = set(self.output[self._read :])
        if self.ids is None:  # a placeholder of the prompt need not be in the vocabulary
            came |= {token for token in self.prompt.unique().tolist() if 0 <= token < logits.shape[-1]}
            self.ids = torch.empty(0, dtype=torch.long, device=logits.device)
        came -= self.seen
        self.seen |= came
        self._read = len(self.output)
        if came:
            self.ids = torch.cat([self.ids, torch.tensor(sorted(came)).to(logits.device, non_blocking=True)])
        return self.ids


class RowLogits:
    """Processes the logits of one row. `output` is the row's list of tokens, which grows."""

    def __init__(self, processors: Sequence[LogitsProcessor], prompt: Tensor, output: list[int]) -> None:
        self._processors = processors
        self._history = History(prompt, output)

    def __call__(self, logits: Tensor, tree: Tree | None = None) -> Tensor:
        """Return the processed logits `[N, V]` after the tree's nodes, of which the root is the output's last token, or
        after the prompt. They are computed in float32 at least, as transformers and vLLM do."""
        import torch

        paths = _paths(tree)
        with torch.inference_mode():
            processed = logits.float() if logits.dtype.itemsize < 4 else logits.clone()
            for processor in self._processors:
                processor.apply(processed, self._history, paths)
        return processed


def _paths(tree: Tree | None) -> list[list[int]]:
    """Return the tokens from the root to each node, without the root's."""
    paths: list[list[int]] = [[]]
    if tree is not None:
        for token, parent in zip(tree.tokens[1:], tree.parents[1:], strict=True):
            paths.append([*paths[parent], token])
    return paths


def _pairs(tokens: Iterable[set[int]]) -> Pairs:
    return [(node, token) for node, each in enumerate(tokens) for token in each]


def _index(pairs: Pairs, logits: Tensor) -> tuple[Tensor, Tensor]:
    """Return nodes and tokens on the device; nobody waits for them to get there."""
    import torch

    nodes, tokens = torch.tensor(pairs, dtype=torch.long).view(-1, 2).T.to(logits.device, non_blocking=True)
    return nodes, tokens
