"""Qwen2.5-VL: M-RoPE on three axes, window attention in the vision tower.

Shape: config.json of Qwen/Qwen2.5-VL-7B-Instruct. The instruction is OmniDocBench's for general models, which the
published scores of Qwen on documents come from; it makes the model write HTML tables and `\\( \\)` formulas.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Card, Dialect
from docparse.models.instructions import OMNIDOCBENCH, OMNIDOCBENCH_MATH
from docparse.models.native import NativeFamily

if TYPE_CHECKING:
    from transformers import PreTrainedConfig

SYSTEM = "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n"


class Qwen25Vl(NativeFamily):
    """Qwen2.5-VL 7B."""

    card = Card(
        name="qwen2.5-vl",
        repository="Qwen/Qwen2.5-VL-7B-Instruct",
        revision="cc594898137f460bfe9f0759e9844b3ce807cfb5",
        licence="Apache-2.0",
        parameters=8_292_166_656,
        purpose="general",
        rank=0,
        aliases=("qwen2.5-vl-7b",),
    )
    dialect: Dialect = MarkdownDialect(math=OMNIDOCBENCH_MATH)
    model_types = ("qwen2_5_vl",)
    position_axes = 3
    page_instruction = OMNIDOCBENCH
    chat = (
        SYSTEM + "<|im_start|>user\n<|vision_start|>{image}<|vision_end|>{instruction}<|im_end|>\n"
        "<|im_start|>assistant\n"
    )
    end_token = "<|im_end|>"
    image_token = "<|image_pad|>"
    special_tokens = (
        *("<|endoftext|>", "<|im_start|>", "<|im_end|>"),
        *("<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>"),
    )
    config_class = "Qwen2_5_VLConfig"
    model_class = "Qwen2_5_VLForConditionalGeneration"
    images = "qwen2_vl.image_processing_pil_qwen2_vl.Qwen2VLImageProcessorPil"

    def full_config(self) -> PreTrainedConfig:
        from transformers import Qwen2_5_VLConfig

        return Qwen2_5_VLConfig(
            text_config={
                "vocab_size": 152064,
                "hidden_size": 3584,
                "intermediate_size": 18944,
                "num_hidden_layers": 28,
                "num_attention_heads": 28,
                "num_key_value_heads": 4,
                "rms_norm_eps": 1e-6,
                "max_position_embeddings": 128000,
                "rope_parameters": rope(1_000_000, [16, 24, 24]),
            },
            vision_config={"hidden_size": 1280, "out_hidden_size": 3584},
        )

    def tiny_config(self, vocabulary: int, special: Mapping[str, int]) -> PreTrainedConfig:
        from transformers import Qwen2_5_VLConfig

        return Qwen2_5_VLConfig(
            text_config={
                "vocab_size": vocabulary,
                "hidden_size": 64,
                "intermediate_size": 128,
                "num_hidden_layers": 4,
                "num_attention_heads": 4,
                "num_key_value_heads": 2,
                "max_position_embeddings": 32768,
                "rope_parameters": rope(10_000, [4, 2, 2]),
                "bos_token_id": None,
                "eos_token_id": special[self.end_token],
            },
            vision_config={
                "depth": 2,
                "hidden_size": 32,
                "intermediate_size": 64,
                "num_heads": 2,
                "out_hidden_size": 64,
                "fullatt_block_indexes": [1],
            },
            image_token_id=special["<|image_pad|>"],
            video_token_id=special["<|video_pad|>"],
            vision_start_token_id=special["<|vision_start|>"],
            vision_end_token_id=special["<|vision_end|>"],
        )

    def preprocessing(self) -> Mapping[str, Any]:
        return {
            "image_processor_type": "Qwen2VLImageProcessor",
            "size": {"shortest_edge": 3136, "longest_edge": 12845056},
            "patch_size": 14,
            "temporal_patch_size": 2,
            "merge_size": 2,
        }


def rope(theta: int, sections: list[int]) -> dict[str, Any]:
    """Multimodal rotary positions: pairs of head dimensions by axis (time, height, width)."""
    return {"rope_type": "default", "rope_theta": theta, "mrope_section": sections}
