"""HunyuanOCR: XD-RoPE on four axes; visual tokens in rows with a token that ends each, and one before and after.

Shape and token ids: config.json of tencent/HunyuanOCR in its first version, whose files have 1.99 GB; the pinned
revision holds version 1.5. A folder's own config.json is what counts when weights are loaded. Instructions: tasks in
its README and in inference/utils/tasks.py of Tencent-Hunyuan/HunyuanOCR; the chat format is that of the tokenizer with
an empty system message. The licence excludes the European Union, the United Kingdom and South Korea.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Card, Processor
from docparse.models.native import NativeFamily
from docparse.types import Category

if TYPE_CHECKING:
    from transformers import PreTrainedConfig

PAGE = (
    "提取文档图片中正文的所有信息用markdown格式表示，其中页眉、页脚部分忽略，表格用html格式表达，文档中公式用latex格式表示，"
    "按照阅读顺序组织进行解析。"
)
REGIONS = {Category.TABLE: "把图中的表格解析为HTML。", Category.FORMULA: "识别图片中的公式，用LaTeX格式表示。"}
TEXT = "提取图中的文字。"


class HunyuanOcr(NativeFamily):
    """HunyuanOCR, 1 B parameters."""

    card = Card(
        name="hunyuan-ocr",
        repository="tencent/HunyuanOCR",
        revision="de8f10ad2f00a0cefd790b526de8a65dcfdb3205",
        licence="Tencent Hunyuan Community (not in the EU, UK and South Korea)",
        parameters=996_208_112,
        purpose="document",
        rank=2,
        aliases=("hunyuan",),
    )
    dialect = MarkdownDialect()
    model_types = ("hunyuan_vl",)
    position_axes = 4
    sees_together = False  # the last axis counts the pictures of a batch
    max_tokens = 16384  # README.md of Tencent-Hunyuan/HunyuanOCR
    page_instruction = PAGE
    chat = (
        "<｜hy_begin▁of▁sentence｜><｜hy_place▁holder▁no▁3｜>"
        "<｜hy_place▁holder▁no▁100｜>{image}<｜hy_place▁holder▁no▁101｜>{instruction}<｜hy_User｜>"
    )
    end_token = "<｜hy_place▁holder▁no▁2｜>"
    image_token = "<｜hy_place▁holder▁no▁102｜>"
    special_tokens = (
        *("<｜hy_begin▁of▁sentence｜>", "<｜hy_end▁of▁sentence｜>", "<｜hy_▁pad▁｜>", "<｜hy_User｜>"),
        *("<｜hy_Assistant｜>", "<｜hy_place▁holder▁no▁2｜>", "<｜hy_place▁holder▁no▁3｜>"),
        *(f"<｜hy_place▁holder▁no▁{number}｜>" for number in range(100, 104)),
    )
    config_class = "HunYuanVLConfig"
    model_class = "HunYuanVLForConditionalGeneration"
    images = "hunyuan_vl.image_processing_pil_hunyuan_vl.HunYuanVLImageProcessorPil"

    def region_instruction(self, category: Category) -> str:
        return REGIONS.get(category, TEXT)

    def full_config(self) -> PreTrainedConfig:
        from transformers import HunYuanVLConfig

        return HunYuanVLConfig(
            text_config={
                "vocab_size": 120818,
                "hidden_size": 1024,
                "intermediate_size": 3584,
                "num_hidden_layers": 24,
                "num_attention_heads": 16,
                "num_key_value_heads": 8,
                "head_dim": 128,
                "max_position_embeddings": 32768,
                "bos_token_id": 120000,
                "eos_token_id": 120020,
                "rope_parameters": _rope(1000.0, [16, 16, 16, 16]),
            },
            vision_config={"out_hidden_size": 1024},
        )

    def tiny_config(self, vocabulary: int, special: Mapping[str, int]) -> PreTrainedConfig:
        from transformers import HunYuanVLConfig

        return HunYuanVLConfig(
            text_config={
                "vocab_size": vocabulary,
                "hidden_size": 64,
                "intermediate_size": 128,
                "num_hidden_layers": 4,
                "num_attention_heads": 4,
                "num_key_value_heads": 2,
                "head_dim": 16,
                "max_position_embeddings": 32768,
                "bos_token_id": special["<｜hy_begin▁of▁sentence｜>"],
                "eos_token_id": special[self.end_token],
                "pad_token_id": special["<｜hy_▁pad▁｜>"],
                "rope_parameters": _rope(1.0, [2, 2, 2, 2]),
            },
            vision_config={
                "hidden_size": 32,
                "intermediate_size": 64,
                "num_hidden_layers": 2,
                "num_attention_heads": 2,
                "out_hidden_size": 64,
                "max_image_size": 256,
            },
            image_token_id=special[self.image_token],
            im_start_id=special["<｜hy_place▁holder▁no▁100｜>"],
            im_end_id=special["<｜hy_place▁holder▁no▁101｜>"],
            im_newline_id=special["<｜hy_place▁holder▁no▁103｜>"],
        )

    def preprocessing(self) -> Mapping[str, Any]:
        return {
            "image_processor_type": "HunYuanVLImageProcessor",
            "size": {"shortest_edge": 512 * 512, "longest_edge": 2048 * 2048},
            "patch_size": 16,
            "temporal_patch_size": 1,
            "merge_size": 2,
        }

    def processor(self, folder: str) -> Processor:
        from docparse.models.patches import RowEndProcessor
        from docparse.models.tokens import load_tokenizer

        return RowEndProcessor(load_tokenizer(folder), self.image_processor(folder), self.chat, self.image_token)


def _rope(alpha: float, sections: list[int]) -> dict[str, Any]:
    return {
        "rope_type": "dynamic",
        "rope_theta": 10_000.0,
        "alpha": alpha,
        "factor": 1.0,
        "beta_fast": 32,
        "beta_slow": 1,
        "mscale": 1.0,
        "mscale_all_dim": 1.0,
        "mrope_section": sections,
    }
