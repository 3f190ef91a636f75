"""What DeepSeek published with its OCR models: config.json in the terms of transformers' classes, and the modes.

Both models are published as `deepseek_vl_v2` and differ in `architectures`. Sizes that only the published code fixes
are written out here; no remote code is run. Sources: config.json, modeling_deepseekocr.py and deepencoder.py of the two
repositories, config.py of github.com/deepseek-ai/DeepSeek-OCR (modes), and transformers'
convert_deepseek_ocr2_weights_to_hf.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

READ = (  # of `language_config`; the rest only the published code reads
    *("bos_token_id", "eos_token_id", "first_k_dense_replace", "hidden_size", "intermediate_size"),
    *("max_position_embeddings", "moe_intermediate_size", "n_group", "n_routed_experts", "n_shared_experts"),
    *("num_attention_heads", "num_experts_per_tok", "num_hidden_layers", "num_key_value_heads"),
    *("topk_group", "topk_method", "vocab_size"),
)


@dataclass(frozen=True)
class Mode:
    """A resolution: the side of the whole-page view in pixels, and that of the tiles (0: none).

    `squeezed` views are not padded: the page is squeezed into the square. A picture no larger than a tile is not cut;
    any other is cut into `least` to `most` tiles.
    """

    view: int
    tile: int = 0
    squeezed: bool = False
    least: int = 2
    most: int = 9

    def scaled(self, factor: float) -> Mode:
        """The mode of a twin, whose views are smaller by `factor`."""
        return Mode(round(self.view * factor), round(self.tile * factor), self.squeezed, self.least, self.most)


def text_config(given: Mapping[str, Any]) -> dict[str, Any]:
    """The native text configuration for a published `language_config`."""
    text = {name: given[name] for name in READ if name in given}
    dense, layers = text.pop("first_k_dense_replace"), text["num_hidden_layers"]
    text["mlp_layer_types"] = ["dense"] * dense + ["sparse"] * (layers - dense)
    text["rope_parameters"] = {"rope_type": "default", "rope_theta": given.get("rope_theta", 10000.0)}
    return text


def sam_config(sam: Mapping[str, Any], view: int, out: int) -> dict[str, Any]:
    """The first vision tower, on views of `view` pixels, whose output the second one, `out` wide, goes on with."""
    return {
        "hidden_size": sam["width"],
        "num_hidden_layers": sam["layers"],
        "num_attention_heads": sam["heads"],
        "global_attn_indexes": sam["global_attn_indexes"],
        "mlp_dim": 4 * sam["width"],
        "downsample_channels": [sam["downsample_channels"][0], out],
        "image_size": view,
        "output_channels": sam["output_channels"],
        "patch_size": sam["patch_size"],
    }
