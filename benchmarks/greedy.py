"""Prompts decoded to their ends, for measurements and tests: what a batch does with rows that all begin together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from docparse.accel.method import Proposer
from docparse.engine.hooks import WHOLE, RowMethods
from docparse.engine.prompt import Prompt
from docparse.engine.text_model import TextModel
from docparse.logits import LogitsRule
from docparse.vlm.batch import Batch
from docparse.vlm.generation import Generation
from docparse.vlm.row import USUAL, Limits, Row


def generate(
    model: TextModel,
    prompts: Sequence[Prompt],
    proposers: Sequence[Proposer | None] | None = None,
    limits: Limits | Sequence[Limits] = USUAL,
    *,
    readers: Sequence[RowMethods] = (),
    stop: Callable[[], bool] = lambda: False,
    processors: Sequence[Sequence[LogitsRule]] = (),
) -> list[Generation]:
    """Return the greedy output of each prompt; `limits` may be one for each, too.

    `proposers` (one for each row, or None) only save passes where their acceptance has `tau = 1`: the tokens are those
    of the plain loop. `readers` (one for each row, or none at all) hold the methods that evict or select rows of the
    cache. `stop` is asked before every step; when it answers True the rows still under way end as "interrupted" with
    the tokens they have. `processors` (some for each row, or none at all) stand for those of the model. Raises
    `PageError` where the logits are no numbers.
    """
    count = len(prompts)
    each = [limits] * count if isinstance(limits, Limits) else limits
    parts = zip(prompts, proposers or [None] * count, each, readers or [WHOLE] * count, strict=True)
    given = processors or [model.processors] * count
    rows = [Row(model, *part, processors=own) for part, own in zip(parts, given, strict=True)]
    batch = Batch(model)
    try:
        batch.join(rows)
        while batch.rows:
            if stop():
                for row in batch.rows:
                    row.finish("interrupted")
            batch.step()
    except BaseException:
        batch.close(reuse=False)
        raise
    batch.close()
    return [row.generation for row in rows]
