"""GLM-OCR: reads single elements; what and where they are, a layout model says.

Shape: config.json of zai-org/GLM-OCR, without the layer that predicts a second token ahead (its weights are skipped).
Instructions: the three tasks of its model card. The chat format follows the GLM-4V models of transformers; the
published chat_template.jinja could not be compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.element_family import ElementFamily
from docparse.models.family import Card
from docparse.models.qwen25_vl import rope

if TYPE_CHECKING:
    from transformers import PreTrainedConfig


class GlmOcr(ElementFamily):
    """GLM-OCR 0.9B."""

    card = Card(
        name="glm-ocr",
        repository="zai-org/GLM-OCR",
        revision="ca5d8b3e287e52589e37c28385d9655ee4372f9d",
        licence="MIT",
        parameters=1_325_258_240,
        purpose="document",
        rank=5,
    )
    skipped_parameters = 217_852_416  # the layer that predicts a second token, with embeddings and head of its own
    dialect = MarkdownDialect()
    model_types = ("glm_ocr",)
    position_axes = 3
    dpi = 200  # pdf_dpi in glmocr/config.yaml of zai-org/GLM-OCR, where max_tokens is 8192
    page_instruction = "Text Recognition:"
    chat = "[gMASK]<sop><|user|>\n<|begin_of_image|>{image}<|end_of_image|>{instruction}<|assistant|>\n"
    end_token = "<|user|>"
    image_token = "<|image|>"
    special_tokens = (
        *("<|endoftext|>", "[gMASK]", "<sop>", "<|user|>", "<|assistant|>", "<|begin_of_image|>", "<|image|>"),
        *("<|end_of_image|>", "<|begin_of_video|>", "<|video|>", "<|end_of_video|>"),
    )
    config_class = "GlmOcrConfig"
    model_class = "GlmOcrForConditionalGeneration"
    images = "glm46v.image_processing_pil_glm46v.Glm46VImageProcessorPil"

    def full_config(self) -> PreTrainedConfig:
        from transformers import GlmOcrConfig

        return GlmOcrConfig(
            text_config={
                "hidden_size": 1536,
                "intermediate_size": 4608,
                "head_dim": 128,
                "rope_parameters": rope(10_000, [16, 24, 24]) | {"partial_rotary_factor": 1.0},
            },
            vision_config={},
        )

    def tiny_config(self, vocabulary: int, special: Mapping[str, int]) -> PreTrainedConfig:
        from transformers import GlmOcrConfig

        return GlmOcrConfig(
            text_config={
                "vocab_size": vocabulary,
                "hidden_size": 64,
                "intermediate_size": 128,
                "num_hidden_layers": 4,
                "num_attention_heads": 4,
                "num_key_value_heads": 2,
                "head_dim": 16,
                "max_position_embeddings": 32768,
                "rope_parameters": rope(10_000, [4, 2, 2]) | {"partial_rotary_factor": 1.0},
            },
            vision_config={
                "depth": 2,
                "hidden_size": 32,
                "intermediate_size": 64,
                "num_heads": 2,
                "out_hidden_size": 64,
                "image_size": 112,
            },
            image_token_id=special[self.image_token],
            video_token_id=special["<|video|>"],
            image_start_token_id=special["<|begin_of_image|>"],
            image_end_token_id=special["<|end_of_image|>"],
            video_start_token_id=special["<|begin_of_video|>"],
            video_end_token_id=special["<|end_of_video|>"],
        )

    def preprocessing(self) -> Mapping[str, Any]:
        return {
            "image_processor_type": "Glm46VImageProcessor",
            "size": {"shortest_edge": 12544, "longest_edge": 9633792},  # of two frames: half of it is a picture's limit
            "patch_size": 14,
            "temporal_patch_size": 2,
            "merge_size": 2,
        }
