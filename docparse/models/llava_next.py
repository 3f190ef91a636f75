"""LLaVA-NeXT (v1.6) on Mistral 7B: CLIP tiles on a canvas; a general model, for VL-Cache's paper's settings.

Shape and chat format: config.json and chat_template.json of the repository at the pinned revision. The instruction is
OmniDocBench's for general models.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Card, Processor
from docparse.models.instructions import OMNIDOCBENCH, OMNIDOCBENCH_MATH
from docparse.models.native import NativeFamily, named, tiny_text

if TYPE_CHECKING:
    from transformers import PreTrainedConfig


class LlavaNext(NativeFamily):
    """LLaVA-NeXT, Mistral 7B."""

    card = Card(
        name="llava-next",
        repository="llava-hf/llava-v1.6-mistral-7b-hf",
        revision="52320fb52229c8d942b1dcb8b63b3dc8087bc83b",
        licence="Apache-2.0",
        parameters=7_566_747_648,
        purpose="general",
        rank=0,
        aliases=("llava-v1.6", "llava-1.6"),
    )
    model_types = ("llava_next",)
    dialect = MarkdownDialect(math=OMNIDOCBENCH_MATH)
    page_instruction = OMNIDOCBENCH
    chat = "<s>[INST] {image}\n{instruction} [/INST]"
    end_token = "</s>"
    image_token = "<image>"
    special_tokens = ("<s>", "</s>", "<image>")
    config_class = "LlavaNextConfig"
    model_class = "LlavaNextForConditionalGeneration"
    images = "llava_next.image_processing_pil_llava_next.LlavaNextImageProcessorPil"

    def full_config(self) -> PreTrainedConfig:
        return named(self.config_class)(
            text_config={
                "model_type": "mistral",
                "vocab_size": 32064,
                "intermediate_size": 14336,
                "num_key_value_heads": 8,
                "max_position_embeddings": 32768,
                "rms_norm_eps": 1e-5,
                "rope_parameters": {"rope_type": "default", "rope_theta": 1_000_000.0},
                "sliding_window": None,
            },
        )

    def tiny_config(self, vocabulary: int, special: Mapping[str, int]) -> PreTrainedConfig:
        return named(self.config_class)(
            text_config=tiny_text("mistral", vocabulary, sliding_window=None),
            vision_config={
                "model_type": "clip_vision_model",
                "hidden_size": 32,
                "intermediate_size": 64,
                "num_hidden_layers": 3,
                "num_attention_heads": 2,
                "image_size": 32,
                "patch_size": 8,
            },
            image_token_index=special["<image>"],
            image_grid_pinpoints=pinpoints(32),
            image_seq_length=16,
        )

    def processor(self, folder: str) -> Processor:
        from docparse.models.llava_views import LlavaProcessor
        from docparse.models.tokens import load_tokenizer

        vision = self._config(folder).vision_config
        cells = vision.image_size // vision.patch_size
        images = self.image_processor(folder)
        return LlavaProcessor(load_tokenizer(folder), self.chat, self.image_token, images, cells=cells)

    def preprocessing(self) -> Mapping[str, Any]:
        return _preprocessing(336)

    def tiny_preprocessing(self) -> Mapping[str, Any]:
        return _preprocessing(32)


def _preprocessing(side: int) -> Mapping[str, Any]:
    return {
        "size": {"shortest_edge": side},
        "crop_size": {"height": side, "width": side},
        "image_mean": [0.48145466, 0.4578275, 0.40821073],
        "image_std": [0.26862954, 0.26130258, 0.27577711],
        "image_grid_pinpoints": pinpoints(side),
    }


def pinpoints(side: int) -> list[list[int]]:
    """The published canvases, `[height, width]`: four tiles, or two or three in a line."""
    return [[side * rows, side * columns] for rows, columns in ((1, 2), (2, 1), (2, 2), (3, 1), (1, 3))]
