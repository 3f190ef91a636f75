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
        purpose="document",
        rank=8,
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
    special_tokens = (
        *("<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>", "<｜▁pad▁｜>", "<image>"),
        *("<|ref|>", "<|/ref|>", "<|det|>", "<|/det|>", "<|grounding|>"),
    )
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
    towers: Mapping[str, Any] = {
        "clip-l-14-224": {"heads": 16, "image_size": 224, "layers": 24, "patch_size": 14, "width": 1024},
        "sam_vit_b": published.SAM,
    }
    tiny_towers: Mapping[str, Any] = {
        "clip-l-14-224": {"heads": 2, "image_size": 32, "layers": 2, "patch_size": 8, "width": 32},
        "sam_vit_b": published.TINY_SAM,
    }

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

    def full_config(self) -> PreTrainedConfig:
        given = published.config_file(self.architectures[0], published.LANGUAGE, published.VIEW, self.towers)
        return self.native(given)

    def tiny_config(self, vocabulary: int, special: Mapping[str, int]) -> PreTrainedConfig:
        return self.native(self.tiny_file(vocabulary, special[self.image_token]))

    def tiny_file(self, vocabulary: int, image: int) -> dict[str, Any]:
        """A twin's config.json; the image token's id, which the published code fixes, is added."""
        language = published.TINY_LANGUAGE | {"vocab_size": vocabulary}
        given = published.config_file(self.architectures[0], language, published.TINY_VIEW, self.tiny_towers)
        return given | {"image_token_id": image}

    def native(self, config: Mapping[str, Any]) -> PreTrainedConfig:
        """The native configuration for a published config.json. Raises `KeyError` where that lacks something."""
        encoder = self.encoder(config)
        sam = published.sam_config(config, encoder["hidden_size"])
        return named(self.config_class)(
            text_config=self.text(config),
            vision_config={"sam_config": sam, "encoder_config": encoder},
            image_token_id=config.get("image_token_id", published.IMAGE_TOKEN_ID),
        )

    def text(self, config: Mapping[str, Any]) -> dict[str, Any]:
        """The decoder's configuration: no sliding windows, unlike Unlimited-OCR's own."""
        text = published.text_config(config)
        return text | {"layer_types": ["full_attention"] * text["num_hidden_layers"]}

    def encoder(self, config: Mapping[str, Any]) -> dict[str, Any]:
        """The second vision tower's configuration: CLIP, on the first tower's output."""
        clip = config["vision_config"]["width"]["clip-l-14-224"]
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

    def read_config(self, folder: str) -> PreTrainedConfig:
        given = json.loads((Path(folder) / "config.json").read_text(encoding="utf-8"))
        return self.native(given) if "language_config" in given else super().read_config(folder)

    def processor(self, folder: str) -> Processor:
        from docparse.models.deepseek_views import DeepseekProcessor
        from docparse.models.tokens import load_tokenizer

        return DeepseekProcessor(load_tokenizer(folder), self.chat, self.image_token, *self.resolution(folder))

    def resolution(self, folder: str) -> tuple[Mode, int]:
        """The mode at the folder's scale, and pixels a patch. Raises `EnvironmentProblem`."""
        file = Path(folder) / "processor_config.json"
        try:
            given = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
            view = given.get("candidate_resolutions", [[published.VIEW]])[0][0]
            return self.resolutions[self.mode].scaled(view / published.VIEW), given.get("patch_size", published.PATCH)
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            raise EnvironmentProblem(f"{file}: cannot be read ({short(error)}): {mend(folder)}") from None

    def preprocessing(self) -> Mapping[str, Any]:
        """The published processor_config.json, as far as it is read here."""
        return {"candidate_resolutions": [[published.VIEW, published.VIEW]], "patch_size": published.PATCH}

    def save_processor(self, folder: str, tokenizer: Any, config: PreTrainedConfig) -> None:
        tokenizer.save_pretrained(folder)
        twin = {"candidate_resolutions": [[published.TINY_VIEW] * 2], "patch_size": published.TINY_SAM["patch_size"]}
        _write(folder, "processor_config.json", twin)
        _write(folder, "config.json", self.tiny_file(config.text_config.vocab_size, config.image_token_id))


def _write(folder: str, name: str, content: Mapping[str, Any]) -> None:
    (Path(folder) / name).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
