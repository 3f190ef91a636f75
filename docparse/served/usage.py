"""How a family is asked on a server: what its makers send besides the picture and the instruction.

Sources: the vLLM recipes (github.com/vllm-project/recipes) of DeepSeek-OCR, DeepSeek-OCR-2, HunyuanOCR, GLM-OCR and
PaddleOCR-VL; dots_ocr/model/inference.py of rednote-hilab/dots.ocr; olmocr/pipeline.py of allenai/olmocr. All else
(roles, the tokens around a picture, a default system message) a server's chat template adds by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from docparse.logits import NoRepeatNGrams, RepetitionPenalty
from docparse.models.family import Family
from docparse.served.server_check import Served
from docparse.served.sizes import LONGEST_SIDES, served_size
from docparse.served.wire import ServedRequest


@dataclass(frozen=True)
class Usage:
    """`system`: a message before the user's (None: none). `text_first`: the instruction before the picture.
    For vLLM alone: `marker` before the instruction, in place of the one and a line break that vLLM puts there."""

    system: str | None = None
    text_first: bool = False
    marker: str = ""


USAGE: Mapping[str, Usage] = {
    "dots.ocr": Usage(marker="<|img|><|imgpad|><|endofimg|>"),
    "dots.mocr": Usage(marker="<|img|><|imgpad|><|endofimg|>"),
    "hunyuan-ocr": Usage(system=""),
    "olmocr": Usage(text_first=True),
}
# Other servers refuse the fields in which is said how to decode (`transformers serve`), or have none.
TAKES_FIELDS = ("vllm", "sglang")


def request_for(
    family: Family, served: Served, picture: np.ndarray, instruction: str, max_tokens: int
) -> ServedRequest:
    """Return the request for a picture (uint8 RGB [height, width, 3]) with the family's instruction for it. The
    request's own `picture` has the size that the model sees."""
    usage = USAGE.get(family.card.name, Usage())
    body = _fields(family, served.software) if served.software in TAKES_FIELDS else {}
    if served.software == "vllm":
        instruction = usage.marker + instruction
    return ServedRequest(_resized(family, picture), instruction, max_tokens, usage.text_first, usage.system, body)


def _fields(family: Family, software: str) -> dict[str, Any]:
    """Return how a local model decodes: special tokens are written out, as some are markup, and repeating is penalised
    as the family says, or not at all, whatever the published generation config has. Servers know no window of a
    penalty. The fields of a ban are for the logits processor that vLLM is to be started with: without, they do nothing.
    """
    fields: dict[str, Any] = {"skip_special_tokens": False, "repetition_penalty": 1.0}
    for rule in family.logits:
        if isinstance(rule, RepetitionPenalty):
            fields["repetition_penalty"] = rule.penalty
        elif isinstance(rule, NoRepeatNGrams) and software == "vllm":
            ids = [token for _, token in rule.allowed]
            given = {"ngram_size": rule.size, "window_size": rule.window, "whitelist_token_ids": ids}
            fields["vllm_xargs"] = given
    return fields


def _resized(family: Family, picture: np.ndarray) -> np.ndarray:
    """Resample as the families' own image processors do."""
    from PIL import Image

    height, width = picture.shape[:2]
    size = served_size(family, width, height)
    if size == (width, height):
        return picture
    image = Image.fromarray(picture)
    if longest := LONGEST_SIDES.get(family.card.name):
        image.thumbnail((longest, longest))
    return np.asarray(image.resize(size, Image.Resampling.BICUBIC))


def text_of(family: Family, text: str) -> str:
    """Return what a model wrote without the token that ends it, which some servers write out."""
    return text.removesuffix(family.end_token)
