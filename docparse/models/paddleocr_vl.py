"""PaddleOCR-VL: reads single elements; what and where they are, a layout model says.

Shape: transformers' defaults, which are those of PaddlePaddle/PaddleOCR-VL (config.json), with an output head of its
own. Two parts of the published vision tower take no part in reading. Instructions: the four tasks
of its model card; the chat format is that of its chat_template.jinja. The
delimiters round formulas could not be verified without the weights.
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


class PaddleOcrVl(ElementFamily):
    """PaddleOCR-VL 0.9B."""

    card = Card(
        name="paddleocr-vl",
        repository="PaddlePaddle/PaddleOCR-VL",
        revision="7fa00a8c55b735ba51ba49a9058f3f9c57a99a11",
        licence="Apache-2.0",
        parameters=958_588_736,
        purpose="document",
        rank=3,
        aliases=("paddle-vl",),
    )
    # `packing_position_embedding` (32768 x 1152) and the pooling head of the vision tower
    skipped_parameters = 37_748_736 + 15_238_352
    dialect = MarkdownDialect(tables="otsl", math=(r"\( ", r" \)", r"\[ ", r" \]"))
    model_types = ("paddleocr_vl",)
    position_axes = 3
    page_instruction = "OCR:"
    chat = "<|begin_of_sentence|>User: <|IMAGE_START|>{image}<|IMAGE_END|>{instruction}\nAssistant: "
    end_token = "</s>"
    image_token = "<|IMAGE_PLACEHOLDER|>"
    special_tokens = (
        *("<unk>", "<s>", "</s>", "<|begin_of_sentence|>", "<|end_of_sentence|>"),
        *("<|IMAGE_START|>", "<|IMAGE_PLACEHOLDER|>", "<|IMAGE_END|>", "<|video_pad|>"),
    )
    config_class = "PaddleOCRVLConfig"
    model_class = "PaddleOCRVLForConditionalGeneration"
    images = "paddleocr_vl.image_processing_pil_paddleocr_vl.PaddleOCRVLImageProcessorPil"

    def full_config(self) -> PreTrainedConfig:
        from transformers import PaddleOCRVLConfig

        return PaddleOCRVLConfig(
            text_config={"rope_parameters": rope(500_000, [16, 24, 24]), "tie_word_embeddings": False},
            vision_config={},
            tie_word_embeddings=False,
        )

    def tiny_config(self, vocabulary: int, special: Mapping[str, int]) -> PreTrainedConfig:
        from transformers import PaddleOCRVLConfig

        return PaddleOCRVLConfig(
            text_config={
                "vocab_size": vocabulary,
                "hidden_size": 64,
                "intermediate_size": 128,
                "num_hidden_layers": 4,
                "num_attention_heads": 4,
                "num_key_value_heads": 2,
                "head_dim": 16,
                "max_position_embeddings": 32768,
                "pad_token_id": special["<unk>"],
                "bos_token_id": special["<s>"],
                "eos_token_id": special[self.end_token],
                "rope_parameters": rope(10_000, [4, 2, 2]),
                "tie_word_embeddings": False,
            },
            vision_config={
                "hidden_size": 32,
                "intermediate_size": 64,
                "num_hidden_layers": 2,
                "num_attention_heads": 2,
                "image_size": 112,
            },
            image_token_id=special[self.image_token],
            video_token_id=special["<|video_pad|>"],
            tie_word_embeddings=False,
            vision_start_token_id=special["<|IMAGE_START|>"],
            vision_end_token_id=special["<|IMAGE_END|>"],
        )

    def preprocessing(self) -> Mapping[str, Any]:
        return {
            "image_processor_type": "PaddleOCRVLImageProcessor",
            "size": {"shortest_edge": 147384, "longest_edge": 2822400},
            "patch_size": 14,
            "temporal_patch_size": 1,
            "merge_size": 2,
            "image_mean": [0.5, 0.5, 0.5],
            "image_std": [0.5, 0.5, 0.5],
        }
