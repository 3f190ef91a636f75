"""LLaVA-OneVision 7B: SigLIP tiles on a canvas and a Qwen2 decoder; a general model, for AirCache's paper's settings.

Shape and chat format: config.json and chat_template.json of the repository at the pinned revision; the vocabulary is
Qwen2's with two tokens more, rounded up to 64, as transformers' convert_llava_onevision_weights_to_hf.py makes it.
The instruction is OmniDocBench's for general models. Not verified without the weights: the size of the vocabulary.
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


class LlavaOneVision(NativeFamily):
    """LLaVA-OneVision 7B (ov)."""

    card = Card(
        name="llava-onevision",
        repository="llava-hf/llava-onevision-qwen2-7b-ov-hf",
        revision="0d50680527681998e456c7b78950205bedd8a068",
        licence="Apache-2.0",
        parameters=8_030_807_584,
        purpose="general",
        rank=0,
        aliases=("llava-onevision-7b",),
    )
    model_types = ("llava_onevision",)
    dialect = MarkdownDialect(math=OMNIDOCBENCH_MATH)
    page_instruction = OMNIDOCBENCH
    chat = "<|im_start|>user {image}\n{instruction}<|im_end|><|im_start|>assistant\n"
    end_token = "<|im_end|>"
    image_token = "<image>"
    special_tokens = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<image>", "<video>")
    config_class = "LlavaOnevisionConfig"
    model_class = "LlavaOnevisionForConditionalGeneration"
    images = "llava_onevision.image_processing_pil_llava_onevision.LlavaOnevisionImageProcessorPil"

    def full_config(self) -> PreTrainedConfig:
        return named(self.config_class)(
            text_config={
                "model_type": "qwen2",
                "vocab_size": 152128,
                "hidden_size": 3584,
                "intermediate_size": 18944,
                "num_hidden_layers": 28,
                "num_attention_heads": 28,
                "num_key_value_heads": 4,
                "max_position_embeddings": 32768,
                "rope_parameters": {"rope_type": "default", "rope_theta": 1_000_000.0},
            },
        )

    def tiny_config(self, vocabulary: int, special: Mapping[str, int]) -> PreTrainedConfig:
        return named(self.config_class)(
            text_config=tiny_text("qwen2", vocabulary),
            vision_config={
                "model_type": "siglip_vision_model",
                "hidden_size": 32,
                "intermediate_size": 64,
                "num_hidden_layers": 2,
                "num_attention_heads": 2,
                "image_size": 32,
                "patch_size": 8,
                "vision_use_head": False,
            },
            image_token_index=special["<image>"],
            video_token_index=special["<video>"],
            image_grid_pinpoints=pinpoints(32),
        )

    def processor(self, folder: str) -> Processor:
        from docparse.models.llava_views import LlavaProcessor
        from docparse.models.tokens import load_tokenizer

        config = self._config(folder)
        cells = config.vision_config.image_size // config.vision_config.patch_size
        most = int(config.vision_aspect_ratio.removeprefix("anyres_max_"))
        images = self.image_processor(folder)
        return LlavaProcessor(load_tokenizer(folder), self.chat, self.image_token, images, cells=cells, most=most)

    def preprocessing(self) -> Mapping[str, Any]:
        return {
            "size": {"height": 384, "width": 384},
            "image_mean": [0.5, 0.5, 0.5],
            "image_std": [0.5, 0.5, 0.5],
            "image_grid_pinpoints": pinpoints(384),
        }

    def tiny_preprocessing(self) -> Mapping[str, Any]:
        return {
            **self.preprocessing(),
            "size": {"height": 32, "width": 32},
            "image_grid_pinpoints": pinpoints(32),
        }


def pinpoints(side: int) -> list[list[int]]:
    """The published canvases, `[height, width]`: 1 to 6 tiles each way."""
    return [[side * rows, side * columns] for rows in range(1, 7) for columns in range(1, 7)]
