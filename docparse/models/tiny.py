"""The model that comes with docparse: a Qwen3-VL of five million parameters, trained on `docparse.synthetic` alone.

It makes speed and accuracy of every method measurable on any machine without a download. It has seen seven fonts,
the Latin alphabet and invented pages, so it is an instrument and no converter; `auto` never picks it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from docparse.models import store
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Card, Sight
from docparse.models.qwen3_vl import Qwen3Vl

if TYPE_CHECKING:
    from transformers import PreTrainedConfig


class Tiny(Qwen3Vl):
    """The classes of Qwen3-VL with patches of 8 px, so that a visual token is 16 x 16 px, and a token a character."""

    card = Card(
        name="tiny",
        repository="",
        revision="",
        licence="Apache-2.0",
        parameters=5_456_768,
        purpose="measuring",
        rank=0,
        note="shipped with docparse to measure methods with; not for real documents",
    )
    dialect = MarkdownDialect(tables="gfm")  # docparse's own Markdown, which is what its training pages are written in
    patch_size = 8
    chat = "<|vision_start|>{image}<|vision_end|>{instruction}<|im_start|>"
    page_instruction = ""
    sight = Sight(smallest=(256, 48), largest=(512, 512), cell=16, type_size=12.0)

    def full_config(self) -> PreTrainedConfig:
        """As it is shipped."""
        shipped = store.shipped(self.card)
        assert shipped is not None, "the package is not whole"
        return self.read_config(str(shipped.folder))

    def tiny_config(self, vocabulary: int, special: Mapping[str, int]) -> PreTrainedConfig:
        config: Any = super().tiny_config(vocabulary, special)
        config.vision_config.patch_size = self.patch_size
        config.vision_config.temporal_patch_size = 1
        config.vision_config.deepstack_visual_indexes = []
        return config

    def preprocessing(self) -> Mapping[str, Any]:
        return {
            "size": {"shortest_edge": 256 * 32, "longest_edge": 512 * 512},
            "patch_size": self.patch_size,
            "temporal_patch_size": 1,
            "merge_size": 2,
            "image_mean": [0.5, 0.5, 0.5],
            "image_std": [0.5, 0.5, 0.5],
            "image_processor_type": "Qwen2VLImageProcessorFast",
        }
