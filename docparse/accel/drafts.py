"""Draft tokens: what somebody thinks the model will write, in the model's own tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docparse.accel.costs import PassCosts
    from docparse.engine.prompt import Prompt
    from docparse.engine.text_model import TextModel

# Sources, best first; the names are those of the journal and of reports.
TEXT_LAYER, OCR, REGION, OUTPUT, EARLIER, PROMPT = "text-layer", "ocr", "region", "output", "earlier-page", "prompt"
MODEL = "model"


@dataclass(frozen=True)
class DraftTokens:
    """One draft of a whole page or of a region. A block of it begins at each offset in `starts` (ascending).

    A page's draft is one sequence in the pipeline's reading order, so that a match runs on across the seam between two
    blocks where model and pipeline agree on the order; where they do not, `starts` say where else to go on.
    """

    tokens: tuple[int, ...]
    source: str
    starts: tuple[int, ...] = (0,)


@dataclass(frozen=True)
class DraftModel:
    """A smaller model with the same tokens, and the picture as its own prompt."""

    text: TextModel
    prompt: Prompt


@dataclass(frozen=True)
class Speculation:
    """The input of a proposing method for one output: drafts (best first), the prompt's ids, and the costs of a pass.

    Without `costs` the size of trees is not adapted. `model` is there for the method that drafts with a smaller model.
    """

    drafts: Sequence[DraftTokens] = ()
    prompt: Sequence[int] = ()
    costs: PassCosts | None = None
    model: DraftModel | None = None
