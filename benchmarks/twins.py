"""Tiny random twins of a family: the same classes, parameter names and files as the published weights.

For tests and for trying the machinery: a twin's output means nothing, but it does not fall into a loop. Its files are
the published ones, shrunk by the rules of this module; `OTHERWISE` has what does not follow from them.
"""

from __future__ import annotations

import math
import os
import sys
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from docparse.errors import DocparseError
from docparse.models.family import Family
from docparse.models.loading import quiet
from docparse.models.registry import family_named
from docparse.vlm.random_weights import CONFIG, Files, full_files, ids_of, train_tokenizer, write_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

GAIN = 2.0
QUERY_KEY_NORMS = ("q_norm", "k_norm", "query_layernorm", "key_layernorm")
DECODER = {
    **{"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 4},
    **{"num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16, "rope_theta": 1e4},
    **{"linear_num_key_heads": 2, "linear_num_value_heads": 4, "linear_key_head_dim": 16, "linear_value_head_dim": 12},
    **{"full_attention_interval": 2, "partial_rotary_factor": 1.0},
    **{"moe_intermediate_size": 32, "n_routed_experts": 8, "n_shared_experts": 1, "num_experts_per_tok": 2},
}
PAIRS = 8  # of a head's dimensions, which rotary positions share out
VISION = {  # the first three lines as most call them, then as DeepSeek does
    **{"embed_dim": 32, "hidden_size": 32, "intermediate_size": 64, "depth": 3, "num_hidden_layers": 3},
    **{"num_heads": 2, "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 16, "max_image_size": 256},
    **{"out_hidden_size": 64, "fullatt_block_indexes": [1], "deepstack_visual_indexes": [0, 1]},
    **{"dim": 32, "width": 32, "intermediate": 64, "layers": 3, "heads": 2, "kv_heads": 1},
    **{"global_attn_indexes": [1], "downsample_channels": [16, 32], "output_channels": 16},
}
AS_DECODER = {CONFIG: {"vision_config": {"hidden_size": 64}}}  # the decoder's width
OTHERWISE: dict[str, dict[str, Any]] = {  # family -> file -> what does not follow from these rules
    **{name: AS_DECODER for name in ("dots.ocr", "dots.mocr", "mineru2.5", "mineru2.5-pro")},
    "granite-docling": {"preprocessor_config.json": {"max_image_size": {"longest_edge": 64}}},
    "lighton-ocr": {CONFIG: {"vision_config": {"image_size": 168}}},  # the largest side, of any shape
    "unlimited-ocr": {CONFIG: {"language_config": {"sliding_window_size": 12}}},  # shorter than outputs
}
TILE = 4  # patches along each side of a tile
PIXELS = ("size", "crop_size", "image_grid_pinpoints", "candidate_resolutions")


def make_twin(
    family: Family,
    folder: str | os.PathLike[str],
    *,
    seed: int = 0,
    otherwise: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Write a twin of `family` into `folder` (made if absent): config, weights, tokenizer and preprocessor files.

    The same seed gives the same files. `otherwise` has, by file, what this twin does not have of the rules.
    """
    tokenizer = train_tokenizer(family.special_tokens, family.end_token)
    special = ids_of(family, tokenizer)
    made = twin_files(family, special, len(tokenizer), otherwise)
    with quiet(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model: Any = family.build(family.config_of(made[CONFIG]))
        scatter(model, special.values())
    model.generation_config.eos_token_id = special[family.end_token]
    model.generation_config.pad_token_id = special[family.end_token]
    with quiet():
        model.save_pretrained(folder)
    # Say, as older transformers did, where the weights come from: several families share a kind.
    made[CONFIG] = {"_name_or_path": family.card.repository} | made[CONFIG]
    write_files(folder, tokenizer, made)


def twin_files(
    family: Family, special: Mapping[str, int], vocabulary: int, otherwise: Mapping[str, Any] = MappingProxyType({})
) -> Files:
    """Return the same for a twin: a few narrow layers, and small pictures."""
    full = full_files(family, special)
    over = _merged(OTHERWISE.get(family.card.name, {}), otherwise)
    config = _merged(_shrunken(full[CONFIG], DECODER | {"vocab_size": vocabulary}), over.get(CONFIG, {}))
    scale = _side(config) / _side(full[CONFIG])
    pictures = {name: _smaller(given, scale) for name, given in full.items() if name != CONFIG}
    return _merged(pictures, over) | {CONFIG: _scaled(config, scale)}


def _shrunken(given: Mapping[str, Any], sizes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration, or one inside it, in which what `sizes` names is that; as many heads stay as many."""
    small = {key: sizes[key] if key in sizes and value else value for key, value in given.items()}
    heads = given.get("num_attention_heads")
    if heads and given.get("num_key_value_heads") == heads:
        small["num_key_value_heads"] = small["num_attention_heads"]
    for key, value in given.items():
        if isinstance(value, dict):
            small[key] = _shrunken(value, VISION if key == "vision_config" else sizes)
        elif key == "image_size":
            side = TILE * _first(given.get("patch_size", TILE * 16))
            small[key] = [side, side] if isinstance(value, list) else side
        elif key == "mrope_section":
            shares = [PAIRS * each // sum(value) for each in value]
            small[key] = [shares[0] + PAIRS - sum(shares), *shares[1:]]
    return small


def _merged(given: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return `given` with what `over` says otherwise, dictionaries into dictionaries."""
    both = {key: _merged(given[key], value) for key, value in over.items() if isinstance(given.get(key), dict)}
    return {**given, **over, **both}


def _first(side: Any) -> int:
    """Return one of two equal sides."""
    return int(next(iter(side.values())) if isinstance(side, dict) else side[0] if isinstance(side, list) else side)


def _side(config: Mapping[str, Any]) -> int:
    """Return the side of the pictures that the vision tower is made for; 1 for those of any size."""
    return _first(config["vision_config"].get("image_size", 1))


def _smaller(pictures: Mapping[str, Any], scale: float) -> dict[str, Any]:
    """Return a preprocessor_config.json with pictures of 4 to 96 visual tokens where the area is limited, of fewer
    pixels where sides are."""
    if "merge_size" not in pictures:
        return _scaled(pictures, scale)
    cell = (pictures["patch_size"] * pictures["merge_size"]) ** 2
    return {**pictures, "size": {"shortest_edge": 4 * cell, "longest_edge": 96 * cell}}


def _scaled(given: Mapping[str, Any], scale: float) -> dict[str, Any]:
    def scaled(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: scaled(each) for key, each in value.items()}
        return [scaled(each) for each in value] if isinstance(value, list) else round(value * scale)

    return {key: scaled(value) if key in PIXELS else value for key, value in given.items()}


def scatter(model: Any, silent: Iterable[int]) -> None:
    """Random weights under which greedy outputs depend on all that was written, so that they do not loop.

    With the small weights that training starts from, a model repeats its last token. Sharp attention is what helps: at
    `GAIN` 2 scores have a standard deviation near 4, and 300 greedy tokens of Qwen3-VL's twin hold 297 distinct
    trigrams (187 where its query and key norms stay at 1). Tokens `silent` (the special ones) have embeddings near zero
    and are never written.
    """
    for name, parameter in model.named_parameters():
        if parameter.dim() >= 2:
            nn.init.normal_(parameter, std=GAIN / math.sqrt(parameter[0].numel()))
        elif name.endswith("bias"):
            nn.init.normal_(parameter, std=0.1)
        elif any(norm in name for norm in QUERY_KEY_NORMS):
            nn.init.constant_(parameter, GAIN)
    into, out = model.get_input_embeddings().weight, model.get_output_embeddings().weight
    for embedding in (into,) if out is into else (into, out):
        nn.init.normal_(embedding, std=1.0)
        with torch.no_grad():
            embedding[list(silent)] *= 0.01


def main() -> None:
    """`python benchmarks/twins.py FAMILY FOLDER` makes the twin of a family."""
    if len(sys.argv) != 3:
        raise SystemExit("usage: python benchmarks/twins.py FAMILY FOLDER")
    name, folder = sys.argv[1:]
    family = family_named(name)
    if family is None:
        raise SystemExit(f"{name}: no such family: `docparse models list` shows all")
    try:
        make_twin(family, folder)
    except DocparseError as error:
        raise SystemExit(str(error)) from None


if __name__ == "__main__":
    main()
