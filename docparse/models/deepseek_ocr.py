"""DeepSeek-OCR (v1): a page as 73 to about 1,200 visual tokens, written as Markdown with a box before every block.

transformers has no class of this name; Unlimited-OCR (Baidu, 2026) goes on from the same architecture under the same
parameter names, with sliding windows in its decoder. Its classes with full attention in every layer are this model.
Sources: the files of the repository at the pinned revision, see `deepseek_published` and `deepseek_views`.

Not verified without the weights: that the tokenizer spells its special tokens as below.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docparse.errors import EnvironmentProblem
from docparse.logits import NoRepeatNGrams
from docparse.models import deepseek_published as published
from docparse.models.deepseek_published import Mode
from docparse.models.dialects.grounding import Grounding
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Card, Dialect, Processor
from docparse.models.native import NativeFamily, named
from docparse.models.registry import mend
from docparse.models.weights import short
from docparse.types import Category

if TYPE_CHECKING:
    from torch import nn
    from transformers import PreTrainedConfig

CELLS = (("<td>", 128821), ("</td>", 128822))  # may be repeated: a row of empty cells is no loop
PLAIN = MarkdownDialect(math=(r"\(", r"\)", r"\[", r"\]"), gap="  \n\n", indent="")  # grounded output without its tags


class DeepseekOcr(NativeFamily):
    """DeepSeek-OCR in one of its modes; Gundam, the page with tiles of it, is the published default for documents."""

    card = Card(
        name="deepseek-ocr",
        repository="deepseek-ai/DeepSeek-OCR",
        revision="9f30c71f441d010e5429c532364a86705536c53a",
        licence="MIT",
        parameters=3_336_106_240,
    )
    skipped_parameters = 602_112  # CLIP's own patch embedding, which nothing uses
    model_types: tuple[str, ...] = ("deepseek_vl_v2",)
    architectures: tuple[str, ...] = ("DeepseekOCRForCausalLM",)  # the published one first
    dialect: Dialect = Grounding()
    page_instruction = "<|grounding|>Convert the document to markdown."
    chat = "<｜begin▁of▁sentence｜>{image}\n{instruction}"  # the published "plain" format: no roles
    end_token = "<｜end▁of▁sentence｜>"
    logits = (NoRepeatNGrams(30, 90, CELLS),)  # README.md and run_dpsk_ocr_image.py of its GitHub repository at e4ac34e
    image_token = "<image>"
    config_class = "UnlimitedOcrConfig"
    model_class = "UnlimitedOcrForConditionalGeneration"
    resolutions: Mapping[str, Mode] = {
        "gundam": Mode(1024, tile=640),
        "tiny": Mode(512, squeezed=True),
        "small": Mode(640, squeezed=True),
        "base": Mode(1024),
        "large": Mode(1280),
    }
    modes: tuple[str, ...] = tuple(resolutions)
    second_tower = "clip-l-14-224"
    pictures_file = "processor_config.json"
    processor_class = "docparse.models.deepseek_views.DeepseekProcessor"

    def __init__(self, mode: str = "") -> None:
        self.mode = mode or next(iter(self.resolutions))

    def in_mode(self, mode: str) -> DeepseekOcr:
        return type(self)(mode)

    def recognises(self, config: Mapping[str, Any]) -> bool:
        return super().recognises(config) and not set(self.architectures).isdisjoint(config.get("architectures") or ())

    def region_instruction(self, category: Category) -> str:
        """Text without boxes, which a crop has no need of."""
        return "Free OCR."

    def region_dialect(self, category: Category) -> Dialect:
        return PLAIN

    def config_of(self, given: Mapping[str, Any]) -> PreTrainedConfig:
        """Of the published spelling, and of transformers' own."""
        return self.native(given) if "language_config" in given else super().config_of(given)

    def native(self, config: Mapping[str, Any]) -> PreTrainedConfig:
        """The native configuration for a published config.json. Raises `KeyError` where that lacks something."""
        ours = self.published["config.json"]  # with what only the published code says
        towers, given = (each["vision_config"]["width"] for each in (ours, config))
        sam, second = ({**towers[name], **given[name]} for name in ("sam_vit_b", self.second_tower))
        encoder = self.encoder(second)
        first = published.sam_config(sam, config["vision_config"]["image_size"], encoder["hidden_size"])
        return named(self.config_class)(
            text_config=self.text(config["language_config"]),
            vision_config={"sam_config": first, "encoder_config": encoder},
            image_token_id=config.get("image_token_id", ours["image_token_id"]),
        )

    def text(self, language: Mapping[str, Any]) -> dict[str, Any]:
        """The decoder's configuration: no sliding windows, unlike Unlimited-OCR's own."""
        text = published.text_config(language)
        return text | {"layer_types": ["full_attention"] * text["num_hidden_layers"]}

    def encoder(self, clip: Mapping[str, Any]) -> dict[str, Any]:
        """The second vision tower's configuration: CLIP, on the first tower's output."""
        return {
            "hidden_size": clip["width"],
            "intermediate_size": 4 * clip["width"],
            "num_hidden_layers": clip["layers"],
            "num_attention_heads": clip["heads"],
            "image_size": clip["image_size"],
            "patch_size": clip["patch_size"],
        }

    def load(self, folder: str, *, dtype: Any, device: str) -> nn.Module:
        model: Any = super().load(folder, dtype=dtype, device=device)
        if str(dtype) == "torch.float64":
            model.set_experts_implementation("eager")  # the grouped kernel knows no float64
        return model

    def processor(self, folder: str) -> Processor:
        from docparse.models.tokens import load_tokenizer

        given = load_tokenizer(folder), self.chat, self.image_token, *self.resolution(folder)
        return named(self.processor_class)(*given)

    def resolution(self, folder: str) -> tuple[Mode, int]:
        """The mode at the folder's scale, and pixels a patch. Raises `EnvironmentProblem`."""
        file, full = Path(folder) / self.pictures_file, dict(self.preprocessing())
        try:
            given = full | (json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {})
            scale = given["candidate_resolutions"][0][0] / full["candidate_resolutions"][0][0]
            return self.resolutions[self.mode].scaled(scale), given["patch_size"]
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            raise EnvironmentProblem(f"{file}: cannot be read ({short(error)}): {mend(folder)}") from None
