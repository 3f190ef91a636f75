"""DeepSeek-OCR: a page as 73 to about 1,200 visual tokens, written as Markdown with a box before every block; and its
successor, in which learned queries read each view of the page in an order of their own.

transformers has no class of this name, but Unlimited-OCR's with full attention in every layer are this model. The
published repository of DeepSeek-OCR-2 and its converted copy load into its own classes. No remote code is run.

Sources: config.json, modeling_deepseekocr.py and deepencoder.py at the pinned revisions, config.py of
github.com/deepseek-ai/DeepSeek-OCR (modes), transformers' convert_deepseek_ocr2_weights_to_hf.py (second tower). Not
verified without the weights: that the tokenizer spells its special tokens as below.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docparse.errors import EnvironmentProblem, one_line
from docparse.logits import NoRepeatNGrams
from docparse.models.dialects.grounding import Grounding
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Card, Dialect, Processor
from docparse.models.instructions import OMNIDOCBENCH_MATH
from docparse.models.native import NativeFamily, named
from docparse.models.registry import mend

if TYPE_CHECKING:
    from torch import nn
    from transformers import PreTrainedConfig

CELLS = (("<td>", 128821), ("</td>", 128822))  # may be repeated: a row of empty cells is no loop
PLAIN = MarkdownDialect(math=(r"\(", r"\)", r"\[", r"\]"), gap="  \n\n", indent="")  # grounded output without its tags

UNLIMITED = MarkdownDialect(
    math=OMNIDOCBENCH_MATH, gap="\n", indent="", headings=False, emphasis=False, furniture=True, spaced=True
)

# what transformers calls a size -> how config.json names it
TOWER = {"hidden_size": "width", "num_hidden_layers": "layers", "num_attention_heads": "heads"}
SAM = TOWER | {name: name for name in ("global_attn_indexes", "output_channels", "patch_size")}
CLIP = TOWER | {name: name for name in ("image_size", "patch_size")}
QWEN = TOWER | {"hidden_size": "dim", "num_key_value_heads": "kv_heads", "intermediate_size": "intermediate"}


@dataclass(frozen=True)
class Mode:
    """The side of the whole-page view in pixels, and of the 2 to `most` tiles (0: none) of a picture larger than one.
    `squeezed` views are not padded: the page is squeezed into the square."""

    view: int
    tile: int = 0
    squeezed: bool = False
    most: int = 9


class DeepseekOcr(NativeFamily):
    """DeepSeek-OCR in one of its modes; Gundam, the page with tiles of it, is the published default for documents."""

    card = Card(
        "deepseek-ocr", "deepseek-ai/DeepSeek-OCR", "9f30c71f441d010e5429c532364a86705536c53a", "MIT", 3_336_106_240
    )
    model_types: tuple[str, ...] = ("deepseek_vl_v2",)
    architectures: tuple[str, ...] = ("DeepseekOCRForCausalLM",)  # the published one first
    dialect: Dialect = Grounding()
    page_instruction = "<|grounding|>Convert the document to markdown."
    crop_instruction = "Free OCR."  # without boxes, which a crop has no need of
    crop_dialect: Dialect | None = PLAIN
    chat = "<｜begin▁of▁sentence｜>{image}\n{instruction}"  # the published "plain" format: no roles
    end_token = "<｜end▁of▁sentence｜>"
    logits = (NoRepeatNGrams(30, 90, CELLS),)  # README.md and run_dpsk_ocr_image.py of its GitHub repository at e4ac34e
    image_token = "<image>"
    classes = "UnlimitedOcr"
    resolutions: Mapping[str, Mode] = {
        "gundam": Mode(1024, tile=640),
        "tiny": Mode(512, squeezed=True),
        "small": Mode(640, squeezed=True),
        "base": Mode(1024),
        "large": Mode(1280),
    }
    second_tower = "clip-l-14-224"
    all_layers_full = True
    pictures_file = "processor_config.json"
    processor_class = "docparse.models.deepseek_views.DeepseekProcessor"

    def __init__(self, mode: str = "") -> None:
        self.modes = tuple(filter(None, self.resolutions))
        self.mode = mode or next(iter(self.resolutions))

    def in_mode(self, mode: str) -> DeepseekOcr:
        return type(self)(mode)

    def recognises(self, config: Mapping[str, Any]) -> bool:
        return super().recognises(config) and not set(self.architectures).isdisjoint(config.get("architectures") or ())

    def config_of(self, given: Mapping[str, Any]) -> PreTrainedConfig:
        """Return the configuration of the published spelling, and of transformers' own."""
        return self.native(given) if "language_config" in given else super().config_of(given)

    def native(self, config: Mapping[str, Any]) -> PreTrainedConfig:
        """Return the native configuration for a published config.json. Raises `KeyError` where that lacks something."""
        ours = self.published["config.json"]  # with what only the published code says
        towers, given = (each["vision_config"]["width"] for each in (ours, config))
        sam, second = ({**towers[name], **given[name]} for name in ("sam_vit_b", self.second_tower))
        encoder = self.encoder(second)
        first = _renamed(sam, SAM) | {"mlp_dim": 4 * sam["width"], "image_size": config["vision_config"]["image_size"]}
        first["downsample_channels"] = [sam["downsample_channels"][0], encoder["hidden_size"]]
        return self.class_of("Config")(
            text_config=self.text(config["language_config"], ours["language_config"]),
            vision_config={"sam_config": first, "encoder_config": encoder},
            image_token_id=config.get("image_token_id", ours["image_token_id"]),
        )

    def text(self, given: Mapping[str, Any], read: Iterable[str]) -> dict[str, Any]:
        """Return the decoder's configuration without sliding windows: `read` is what not only the published code
        reads."""
        text = {name: given[name] for name in read if name in given}
        dense, layers = text.pop("first_k_dense_replace"), text["num_hidden_layers"]
        text["mlp_layer_types"] = ["dense"] * dense + ["sparse"] * (layers - dense)
        text["rope_parameters"] = {"rope_type": "default", "rope_theta": given.get("rope_theta", 10000.0)}
        return text | ({"layer_types": ["full_attention"] * layers} if self.all_layers_full else {})

    def encoder(self, clip: Mapping[str, Any]) -> dict[str, Any]:
        """Return the second vision tower's configuration: CLIP, on the first tower's output."""
        return _renamed(clip, CLIP) | {"intermediate_size": 4 * clip["width"]}

    def load(self, folder: str, *, dtype: Any, device: str) -> nn.Module:
        model: Any = super().load(folder, dtype=dtype, device=device)
        if str(dtype) == "torch.float64":
            model.set_experts_implementation("eager")  # the grouped kernel knows no float64
        return model

    def processor(self, folder: str) -> Processor:
        from docparse.models.views import load_tokenizer

        mode, patch = self.resolution(folder)
        return named(self.processor_class)(load_tokenizer(folder), self.chat, self.image_token, mode=mode, patch=patch)

    def resolution(self, folder: str) -> tuple[Mode, int]:
        """Return the mode at the folder's scale, and pixels a patch. Raises `EnvironmentProblem`."""
        file, full = Path(folder) / self.pictures_file, dict(self.preprocessing())
        try:
            given = full | (json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {})
            scale = given["candidate_resolutions"][0][0] / full["candidate_resolutions"][0][0]
            mode = self.resolutions[self.mode]
            return replace(mode, view=round(mode.view * scale), tile=round(mode.tile * scale)), given["patch_size"]
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            raise EnvironmentProblem(f"{file}: cannot be read ({one_line(error)}): {mend(folder)}") from None


class DeepseekOcr2(DeepseekOcr):
    """DeepSeek-OCR-2: a view of 1024 pixels (256 tokens) and up to six tiles of 768 (144 tokens each)."""

    card = Card(
        name="deepseek-ocr-2",
        repository="deepseek-ai/DeepSeek-OCR-2",
        revision="aaa02f3811945a91062062994c5c4a3f4c0af2b0",
        licence="Apache-2.0",
        parameters=3_389_119_360,
        aliases=("deepseek-community/DeepSeek-OCR-2",),
    )
    logits = (NoRepeatNGrams(20, 50, CELLS),)  # run_dpsk_ocr2_pdf.py of its GitHub repository at 2f3699e
    model_types = ("deepseek_vl_v2", "deepseek_ocr2")
    architectures = ("DeepseekOCR2ForCausalLM", "DeepseekOcr2ForConditionalGeneration")
    classes = "DeepseekOcr2"
    resolutions: Mapping[str, Mode] = {"": Mode(1024, tile=768, most=6)}
    second_tower = "qwen2-0-5b"
    all_layers_full = False
    processor_class = "docparse.models.deepseek_views.Deepseek2Processor"

    def encoder(self, qwen: Mapping[str, Any]) -> dict[str, Any]:
        """Return the second vision tower's: a Qwen2 0.5B."""
        rope = {"rope_type": "default", "rope_theta": 1_000_000.0}
        return _renamed(qwen, QWEN) | {"rope_parameters": rope, "vocab_size": 1}


class UnlimitedOcr(DeepseekOcr):
    """Unlimited-OCR, page by page: DeepSeek-OCR's towers and decoder, in which each written token reads the picture,
    the instruction and the last 128 written tokens. Instruction, modes and settings: README.md and infer.py of
    github.com/baidu/Unlimited-OCR at 582efd9; tiles up to 32: transformers' image processor."""

    card = Card(
        "unlimited-ocr", "baidu/Unlimited-OCR", "3a7f4dbbbffcc6f9282712c5b0d7cc31b3812da5", "MIT", 3_336_106_240
    )
    model_types = ("unlimited-ocr", "unlimited_ocr")
    architectures = ("UnlimitedOCRForCausalLM", "UnlimitedOcrForConditionalGeneration")
    dialect: Dialect = Grounding(UNLIMITED, short=True)
    dpi, max_tokens = 300, 32768
    page_instruction = "document parsing."
    chat = "<｜begin▁of▁sentence｜>{image}{instruction}"
    logits = (NoRepeatNGrams(35, 128),)
    resolutions: Mapping[str, Mode] = {"gundam": Mode(1024, tile=640, most=32), "base": Mode(1024)}
    all_layers_full = False
    crop_instruction, crop_dialect = "", None  # a crop is a small page

    def text(self, given: Mapping[str, Any], read: Iterable[str]) -> dict[str, Any]:
        text = super().text(given, read)
        return text | {"sliding_window": text.pop("sliding_window_size")}


def _renamed(given: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    return {ours: given[theirs] for ours, theirs in names.items()}
