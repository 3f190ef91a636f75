"""The model: a small native `Qwen3VLForConditionalGeneration`."""

from __future__ import annotations

from dataclasses import dataclass

from transformers import Qwen3VLConfig, Qwen3VLForConditionalGeneration

from training import tokens


@dataclass(frozen=True)
class Shape:
    """Sizes of the two towers."""

    vision_width: int = 192
    vision_layers: int = 3
    vision_heads: int = 4
    vision_mlp: int = 512
    width: int = 256
    layers: int = 6
    heads: int = 4
    key_heads: int = 2
    mlp: int = 512


def config(shape: Shape) -> Qwen3VLConfig:
    """Patches of 8 pixels, 2 x 2 of them merged, so that one visual token is 16 x 16 pixels.

    The learned position grid of the vision tower is kept at zero: rotary positions do without it, and pages of any
    size look alike to the tower (a learned grid would be stretched to every size).
    """
    rope = {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [12, 10, 10], "mrope_interleaved": True}
    return Qwen3VLConfig(
        vision_config={
            "depth": shape.vision_layers, "hidden_size": shape.vision_width, "intermediate_size": shape.vision_mlp,
            "num_heads": shape.vision_heads, "in_channels": 3, "patch_size": 8, "spatial_merge_size": 2,
            "temporal_patch_size": 1, "out_hidden_size": shape.width, "num_position_embeddings": 4,
            "deepstack_visual_indexes": [], "rope_parameters": {"rope_type": "axial", "rope_theta": 100.0},
        },
        text_config={
            "vocab_size": tokens.VOCABULARY, "hidden_size": shape.width, "intermediate_size": shape.mlp,
            "num_hidden_layers": shape.layers, "num_attention_heads": shape.heads,
            "num_key_value_heads": shape.key_heads, "head_dim": 64, "max_position_embeddings": 4096,
            "rope_parameters": rope, "bos_token_id": tokens.BOS, "eos_token_id": tokens.EOS,
            "pad_token_id": tokens.PAD, "tie_word_embeddings": True,
        },
        image_token_id=tokens.IMAGE, video_token_id=tokens.VIDEO, vision_start_token_id=tokens.VISION_START,
        vision_end_token_id=tokens.VISION_END, tie_word_embeddings=True,
    )  # fmt: skip


def build(shape: Shape) -> Qwen3VLForConditionalGeneration:
    """A model with random weights."""
    model = Qwen3VLForConditionalGeneration(config(shape))
    grid = model.model.visual.pos_embed.weight
    grid.data.zero_()
    grid.requires_grad_(False)
    return model
