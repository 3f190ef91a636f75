"""Qwen3-VL: M-RoPE on three axes, vision features added inside the first decoder layers (deepstack).

Shapes: config.json of Qwen/Qwen3-VL-8B-Instruct and Qwen/Qwen3-VL-2B-Instruct. The instruction is OmniDocBench's for
general models. Qwen's own `qwenvl markdown` is not used: it writes tables in LaTeX, with boxes in comments.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Card
from docparse.models.instructions import OMNIDOCBENCH, OMNIDOCBENCH_MATH
from docparse.models.native import NativeFamily

if TYPE_CHECKING:
    from transformers import PreTrainedConfig


class Qwen3Vl(NativeFamily):
    """Qwen3-VL 8B."""

    card = Card(
        name="qwen3-vl",
        repository="Qwen/Qwen3-VL-8B-Instruct",
        revision="0c351dd01ed87e9c1b53cbc748cba10e6187ff3b",
        licence="Apache-2.0",
        parameters=8_767_123_696,
        purpose="general",
        rank=0,
        aliases=("qwen3-vl-8b",),
    )
    dialect = MarkdownDialect(math=OMNIDOCBENCH_MATH)
    model_types = ("qwen3_vl",)
    patch_size = 16  # pixels; other models of these classes have another
    position_axes = 3
    end_token = "<|im_end|>"
    special_tokens = (
        *("<|endoftext|>", "<|im_start|>", "<|im_end|>"),
        *("<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>"),
    )
    config_class = "Qwen3VLConfig"
    model_class = "Qwen3VLForConditionalGeneration"
    images = "qwen2_vl.image_processing_pil_qwen2_vl.Qwen2VLImageProcessorPil"
    image_token = "<|image_pad|>"
    chat = "<|im_start|>user\n<|vision_start|>{image}<|vision_end|>{instruction}<|im_end|>\n<|im_start|>assistant\n"
    page_instruction = OMNIDOCBENCH

    def recognises(self, config: Mapping[str, Any]) -> bool:
        vision = config.get("vision_config") or {}
        return super().recognises(config) and vision.get("patch_size", Qwen3Vl.patch_size) == self.patch_size

    def full_config(self) -> PreTrainedConfig:
        from transformers import Qwen3VLConfig

        return Qwen3VLConfig(
            text_config={
                "hidden_size": 4096,
                "intermediate_size": 12288,
                "num_hidden_layers": 36,
                "num_attention_heads": 32,
                "num_key_value_heads": 8,
                "head_dim": 128,
                "max_position_embeddings": 262144,
                "rope_parameters": _rope(5_000_000, [24, 20, 20]),
            },
            vision_config={"out_hidden_size": 4096},
        )

    def tiny_config(self, vocabulary: int, special: Mapping[str, int]) -> PreTrainedConfig:
        from transformers import Qwen3VLConfig

        return Qwen3VLConfig(
            text_config={
                "vocab_size": vocabulary,
                "hidden_size": 64,
                "intermediate_size": 128,
                "num_hidden_layers": 4,
                "num_attention_heads": 4,
                "num_key_value_heads": 2,
                "head_dim": 16,
                "max_position_embeddings": 32768,
                "rope_parameters": _rope(10_000, [4, 2, 2]),
            },
            vision_config={
                "depth": 3,
                "hidden_size": 32,
                "intermediate_size": 64,
                "num_heads": 2,
                "out_hidden_size": 64,
                "num_position_embeddings": 64,
                "deepstack_visual_indexes": [0, 1],
            },
            image_token_id=special["<|image_pad|>"],
            video_token_id=special["<|video_pad|>"],
            vision_start_token_id=special["<|vision_start|>"],
            vision_end_token_id=special["<|vision_end|>"],
        )

    def preprocessing(self) -> Mapping[str, Any]:
        return {
            "size": {"shortest_edge": 65536, "longest_edge": 16777216},
            "patch_size": 16,
            "temporal_patch_size": 2,
            "merge_size": 2,
            "image_mean": [0.5, 0.5, 0.5],
            "image_std": [0.5, 0.5, 0.5],
            "image_processor_type": "Qwen2VLImageProcessorFast",
        }


class Qwen3Vl2B(Qwen3Vl):
    """Qwen3-VL 2B: small enough to draft for the larger one."""

    card = Card(
        name="qwen3-vl-2b",
        repository="Qwen/Qwen3-VL-2B-Instruct",
        revision="89644892e4d85e24eaac8bacfd4f463576704203",
        licence="Apache-2.0",
        parameters=2_127_532_032,
        purpose="general",
        rank=0,
    )

    def full_config(self) -> PreTrainedConfig:
        from transformers import Qwen3VLConfig

        return Qwen3VLConfig(
            text_config={
                "hidden_size": 2048,
                "intermediate_size": 6144,
                "num_hidden_layers": 28,
                "num_attention_heads": 16,
                "num_key_value_heads": 8,
                "head_dim": 128,
                "max_position_embeddings": 262144,
                "rope_parameters": _rope(5_000_000, [24, 20, 20]),
            },
            vision_config={
                "depth": 24,
                "hidden_size": 1024,
                "intermediate_size": 4096,
                "out_hidden_size": 2048,
                "deepstack_visual_indexes": [5, 11, 17],
            },
            tie_word_embeddings=True,
        )


def _rope(theta: int, sections: list[int]) -> dict[str, Any]:
    return {"rope_type": "default", "rope_theta": theta, "mrope_section": sections, "mrope_interleaved": True}
