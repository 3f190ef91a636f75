"""What a model's authors do to its logits so that it repeats itself less, and how they draw tokens where it does all
the same: rules, as data. `vlm.logits` applies them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any


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
        """Return the rule for this tokenizer."""
        return self


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

    def banned(self, output: Sequence[int]) -> set[int]:
        """Return the tokens that may not come after these."""
        before = self.size - 1
        ending, last = output[-before:], output[-1] if output else -1
        starts = range(max(0, len(output) - self.window), len(output) - before)
        completing = {
            output[i + before] for i in starts if output[i + before - 1] == last and output[i : i + before] == ending
        }
        return completing - {token for _, token in self.allowed}


@dataclass(frozen=True)
class Sampling:
    """A token is drawn by its probability at `temperature`, of those that together have `top_p` of it, the most
    probable first. What is drawn follows from the `seed` and from the token's place in the output alone: the same noise
    (Gumbel's, whose largest sum with the logits is such a draw) is added to the logits however many are computed at
    once, so that drafts are verified as they are without it."""

    temperature: float
    top_p: float = 1.0
    seed: int = 0

    def known(self, tokenizer: Any) -> Sampling:
        """Return the rule for this tokenizer."""
        return self


LogitsRule = RepetitionPenalty | NoRepeatNGrams | Sampling
