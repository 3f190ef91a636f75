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

IMAGE_TOKEN_ID = 128815  # `<image>`
TINY_VIEW = 128
VIEW, PATCH = 1024, 16  # pixels: `candidate_resolutions` and `patch_size` of the published processor_config.json

LANGUAGE: dict[str, Any] = {  # `language_config` of both, without what only the published code reads
    "bos_token_id": 0,
    "eos_token_id": 1,
    "first_k_dense_replace": 1,
    "hidden_size": 1280,
    "intermediate_size": 6848,
    "max_position_embeddings": 8192,
    "moe_intermediate_size": 896,
    "n_group": 1,
    "n_routed_experts": 64,
    "n_shared_experts": 2,
    "num_attention_heads": 10,
    "num_experts_per_tok": 6,
    "num_hidden_layers": 12,
    "num_key_value_heads": 10,
    "topk_group": 1,
    "topk_method": "greedy",
    "vocab_size": 129280,
}
TINY_LANGUAGE = LANGUAGE | {
    "hidden_size": 64,
    "intermediate_size": 128,
    "moe_intermediate_size": 32,
    "n_routed_experts": 8,
    "n_shared_experts": 1,
    "num_attention_heads": 4,
    "num_experts_per_tok": 2,
    "num_hidden_layers": 4,
    "num_key_value_heads": 4,
}
SAM: dict[str, Any] = {
    "downsample_channels": [512, 1024],
    "global_attn_indexes": [2, 5, 8, 11],
    "heads": 12,
    "layers": 12,
    "width": 768,
}
TINY_SAM: dict[str, Any] = {
    "global_attn_indexes": [1],
    "heads": 2,
    "layers": 2,
    "width": 32,
    "downsample_channels": [16, 32],
    "output_channels": 16,
    "patch_size": 8,
}


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


def config_file(architecture: str, language: Mapping[str, Any], view: int, towers: Mapping[str, Any]) -> dict[str, Any]:
    """A config.json as published; `towers` are the vision towers by their published names."""
    return {
        "architectures": [architecture],
        "model_type": "deepseek_vl_v2",
        "language_config": dict(language),
        "vision_config": {"image_size": view, "width": dict(towers)},
    }


def text_config(config: Mapping[str, Any]) -> dict[str, Any]:
    """The native text configuration for a published config.json."""
    given = config["language_config"]
    text = {name: given[name] for name in LANGUAGE if name in given}
    dense, layers = text.pop("first_k_dense_replace"), text["num_hidden_layers"]
    text["mlp_layer_types"] = ["dense"] * dense + ["sparse"] * (layers - dense)
    text["rope_parameters"] = {"rope_type": "default", "rope_theta": given.get("rope_theta", 10000.0)}
    return text


def sam_config(config: Mapping[str, Any], out: int) -> dict[str, Any]:
    """The first vision tower, whose output the second one, `out` wide, goes on with.

    The last two sizes are fixed in the published code; only twins' files hold them.
    """
    sam = config["vision_config"]["width"]["sam_vit_b"]
    return {
        "hidden_size": sam["width"],
        "num_hidden_layers": sam["layers"],
        "num_attention_heads": sam["heads"],
        "global_attn_indexes": sam["global_attn_indexes"],
        "mlp_dim": 4 * sam["width"],
        "downsample_channels": [sam["downsample_channels"][0], out],
        "image_size": config["vision_config"]["image_size"],
        "output_channels": sam.get("output_channels", 256),
        "patch_size": sam.get("patch_size", PATCH),
    }
