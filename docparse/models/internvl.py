"""InternVL3 8B: InternViT tiles and a Qwen2.5 decoder; a general model, here for the settings of AirCache's paper.

Shape: config.json of OpenGVLab/InternVL3-8B-hf, the copy for transformers' own classes. Chat format: the chat template
written by transformers' convert_internvl_weights_to_hf.py. The instruction is OmniDocBench's for general models.
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


class InternVl(NativeFamily):
    """InternVL3 8B."""

    card = Card(
        name="internvl",
        repository="OpenGVLab/InternVL3-8B-hf",
        revision="259a3b64a14623c0ec91a045cb43f7c5af5fa6af",
        licence="MIT, its Qwen2.5 decoder Apache-2.0",
        parameters=7_944_373_760,
        purpose="general",
        rank=0,
        aliases=("internvl3", "internvl3-8b"),
    )
    model_types = ("internvl",)
    dialect = MarkdownDialect(math=OMNIDOCBENCH_MATH)
    page_instruction = OMNIDOCBENCH
    chat = "<|im_start|>user\n<img>{image}</img>\n{instruction}<|im_end|>\n<|im_start|>assistant\n"
    end_token = "<|im_end|>"
    image_token = "<IMG_CONTEXT>"
    special_tokens = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<img>", "</img>", "<IMG_CONTEXT>")
    config_class = "InternVLConfig"
    model_class = "InternVLForConditionalGeneration"
    images = "got_ocr2.image_processing_pil_got_ocr2.GotOcr2ImageProcessorPil"

    def full_config(self) -> PreTrainedConfig:
        return named(self.config_class)(
            text_config={
                "model_type": "qwen2",
                "vocab_size": 151674,
                "hidden_size": 3584,
                "intermediate_size": 18944,
                "num_hidden_layers": 28,
                "num_attention_heads": 28,
                "num_key_value_heads": 4,
                "max_position_embeddings": 32768,
                "rope_parameters": {"rope_type": "dynamic", "factor": 2.0, "rope_theta": 1_000_000.0},
            },
            vision_config={"attention_bias": True},
            tie_word_embeddings=False,
        )

    def tiny_config(self, vocabulary: int, special: Mapping[str, int]) -> PreTrainedConfig:
        return named(self.config_class)(
            text_config=tiny_text(
                "qwen2", vocabulary, rope_parameters={"rope_type": "dynamic", "factor": 2.0, "rope_theta": 10_000.0}
            ),
            vision_config={
                "attention_bias": True,
                "hidden_size": 32,
                "intermediate_size": 64,
                "num_hidden_layers": 2,
                "num_attention_heads": 2,
                "image_size": 56,
                "patch_size": 14,
            },
            image_seq_length=4,
            image_token_id=special["<IMG_CONTEXT>"],
            tie_word_embeddings=False,
        )

    def processor(self, folder: str) -> Processor:
        from docparse.models.internvl_views import InternVlProcessor
        from docparse.models.tokens import load_tokenizer

        config = self._config(folder)
        patches = config.vision_config.image_size[0] // config.vision_config.patch_size[0]
        cells = round(patches * config.downsample_ratio)
        return InternVlProcessor(
            load_tokenizer(folder), self.chat, self.image_token, self.image_processor(folder), cells
        )

    def preprocessing(self) -> Mapping[str, Any]:
        return {
            "size": {"height": 448, "width": 448},
            "min_patches": 1,
            "max_patches": 12,
            "image_mean": [0.485, 0.456, 0.406],
            "image_std": [0.229, 0.224, 0.225],
        }

    def tiny_preprocessing(self) -> Mapping[str, Any]:
        return {**self.preprocessing(), "size": {"height": 56, "width": 56}}
