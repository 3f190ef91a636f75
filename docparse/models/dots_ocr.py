"""dots.ocr: its own vision tower and a Qwen2 decoder; writes a JSON list of boxes, categories and texts.

Shape: config.json of rednote-hilab/dots.ocr. Instructions: `prompt_layout_all_en` and `prompt_ocr` of
dots_ocr/utils/prompts.py there; pixel limits: dots_ocr/utils/consts.py. The repository was renamed to
dots-studio/dots.ocr in 2026; the hub answers to both names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from docparse.models.dialects.dots_json import DotsJson
from docparse.models.family import Card, Dialect
from docparse.models.native import NativeFamily
from docparse.types import Category

if TYPE_CHECKING:
    from transformers import PreTrainedConfig

LAYOUT_ALL = """Please output the layout information from the PDF image, including each layout element's bbox, its category, and the corresponding text content within the bbox.

1. Bbox format: [x1, y1, x2, y2]

2. Layout Categories: The possible categories are ['Caption', 'Footnote', 'Formula', 'List-item', 'Page-footer', 'Page-header', 'Picture', 'Section-header', 'Table', 'Text', 'Title'].

3. Text Extraction & Formatting Rules:
    - Picture: For the 'Picture' category, the text field should be omitted.
    - Formula: Format its text as LaTeX.
    - Table: Format its text as HTML.
    - All Others (Text, Title, etc.): Format their text as Markdown.

4. Constraints:
    - The output text must be the original text from the image, with no translation.
    - All layout elements must be sorted according to human reading order.

5. Final Output: The entire output must be a single JSON object.
"""  # noqa: E501
OCR = "Extract the text content from this image."


class DotsOcr(NativeFamily):
    """dots.ocr, 3.0 B parameters, 1.3 B of them vision."""

    card = Card(
        name="dots.ocr",
        repository="rednote-hilab/dots.ocr",
        revision="c0111ce6bc07803dbc267932ffef0ae3a51dc951",
        licence="MIT",
        parameters=3_039_179_264,
        purpose="document",
        rank=1,
        aliases=("dots", "dots-studio/dots.ocr"),
    )
    dialect = DotsJson()
    model_types = ("dots_ocr",)
    dpi, max_tokens = 200, 16384  # dots_ocr/parser.py of rednote-hilab/dots.ocr
    page_instruction = LAYOUT_ALL
    chat = "<|user|><|img|>{image}<|endofimg|>{instruction}<|endofuser|><|assistant|>"
    end_token = "<|endofassistant|>"
    image_token = "<|imgpad|>"
    special_tokens = (
        *("<|endoftext|>", "<|user|>", "<|endofuser|>", "<|assistant|>", "<|endofassistant|>"),
        *("<|img|>", "<|imgpad|>", "<|endofimg|>"),
    )
    config_class = "docparse.models.dots_model.DotsConfig"
    model_class = "docparse.models.dots_model.DotsModel"
    images = "qwen2_vl.image_processing_pil_qwen2_vl.Qwen2VLImageProcessorPil"

    def region_instruction(self, category: Category) -> str:
        return OCR

    def region_dialect(self, category: Category) -> Dialect:
        return self.dialect.markdown

    def full_config(self) -> PreTrainedConfig:
        from docparse.models.dots_model import DotsConfig

        return DotsConfig(
            vocab_size=151936,
            hidden_size=1536,
            intermediate_size=8960,
            num_hidden_layers=28,
            num_attention_heads=12,
            num_key_value_heads=2,
            max_position_embeddings=131072,
            rope_parameters={"rope_type": "default", "rope_theta": 1_000_000.0},
            rms_norm_eps=1e-6,
            tie_word_embeddings=False,
            image_token_id=151665,
        )

    def tiny_config(self, vocabulary: int, special: Mapping[str, int]) -> PreTrainedConfig:
        from docparse.models.dots_model import DotsConfig

        return DotsConfig(
            vocab_size=vocabulary,
            hidden_size=64,
            intermediate_size=128,
            num_hidden_layers=4,
            num_attention_heads=4,
            num_key_value_heads=2,
            max_position_embeddings=32768,
            rope_parameters={"rope_type": "default", "rope_theta": 10_000.0},
            tie_word_embeddings=False,
            image_token_id=special[self.image_token],
            vision_config={
                "embed_dim": 32,
                "hidden_size": 64,
                "intermediate_size": 64,
                "num_hidden_layers": 2,
                "num_attention_heads": 2,
            },
        )

    def preprocessing(self) -> Mapping[str, Any]:
        return {
            "image_processor_type": "Qwen2VLImageProcessor",
            "size": {"shortest_edge": 3136, "longest_edge": 11289600},
            "patch_size": 14,
            "temporal_patch_size": 1,
            "merge_size": 2,
        }
