"""HunyuanOCR: XD-RoPE on four axes; visual tokens in rows with a token that ends each, and one before and after.

Shape and token ids: config.json of tencent/HunyuanOCR in its first version, whose files have 1.99 GB; the pinned
revision holds version 1.5. A folder's own config.json is what counts when weights are loaded. Instructions: tasks in
its README and in inference/utils/tasks.py of Tencent-Hunyuan/HunyuanOCR; the chat format is that of the tokenizer with
an empty system message. The licence excludes the European Union, the United Kingdom and South Korea.
"""

from __future__ import annotations

from docparse.logits import RepetitionPenalty
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Card
from docparse.models.native import NativeFamily
from docparse.types import Category

PAGE = (
    "提取文档图片中正文的所有信息用markdown格式表示，其中页眉、页脚部分忽略，表格用html格式表达，文档中公式用latex格式表示，"
    "按照阅读顺序组织进行解析。"
)
REGIONS = {Category.TABLE: "把图中的表格解析为HTML。", Category.FORMULA: "识别图片中的公式，用LaTeX格式表示。"}


class HunyuanOcr(NativeFamily):
    """HunyuanOCR, 1 B parameters."""

    card = Card(
        name="hunyuan-ocr",
        repository="tencent/HunyuanOCR",
        revision="de8f10ad2f00a0cefd790b526de8a65dcfdb3205",
        licence="Tencent Hunyuan Community (not in the EU, UK and South Korea)",
        parameters=996_208_112,
        aliases=("hunyuan",),
    )
    dialect = MarkdownDialect(points=True)
    model_types = ("hunyuan_vl",)
    position_axes = 4
    spare = ("image_sep",)  # version 1.5 comes without
    sees_together = False  # the last axis counts the pictures of a batch
    max_tokens = 16384  # README.md of Tencent-Hunyuan/HunyuanOCR
    page_instruction, crop_instruction, crop_instructions = PAGE, "提取图中的文字。", REGIONS
    crop_dialect = MarkdownDialect()  # coordinates are taken out of whole pages only (inference/utils/output_utils.py)
    chat = (
        "<｜hy_begin▁of▁sentence｜><｜hy_place▁holder▁no▁3｜>"
        "<｜hy_place▁holder▁no▁100｜>{image}<｜hy_place▁holder▁no▁101｜>{instruction}<｜hy_User｜>"
    )
    end_token = "<｜hy_place▁holder▁no▁2｜>"
    logits = (RepetitionPenalty(1.08),)  # inference/vLLM/infer_vllm_client.py at c55965d; version 1.0 had none
    image_token = "<｜hy_place▁holder▁no▁102｜>"
    classes = "HunYuanVL"
    images = "hunyuan_vl.image_processing_pil_hunyuan_vl.HunYuanVLImageProcessorPil"
    processor_class = "docparse.models.views.RowEndProcessor"
