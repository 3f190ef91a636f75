"""dots.ocr as modules, as in rednote-hilab/dots.ocr: a vision transformer over patches in front of a Qwen2 decoder.

transformers has no class for it. Parameters are named as in the published weights. Source: modeling_dots_vision.py and
configuration_dots.py: gated MLPs, rotary positions over rows and columns, 2 x 2 patches merged.
"""

from __future__ import annotations

from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from transformers import Qwen2Config, Qwen2ForCausalLM
from transformers.models.glm4v.configuration_glm4v import Glm4vVisionConfig
from transformers.models.glm4v.modeling_glm4v import Glm4vVisionAttention
from transformers.models.qwen2_vl.modeling_qwen2_vl import PatchMerger
from transformers.vision_utils import get_vision_cu_seqlens, get_vision_position_ids

DEFAULTS = {  # configuration_dots.py; transformers makes a configuration without a file, too
    **{"embed_dim": 1536, "hidden_size": 1536, "intermediate_size": 4224, "num_hidden_layers": 42},
    **{"num_attention_heads": 12, "num_channels": 3, "patch_size": 14, "spatial_merge_size": 2},
    **{"temporal_patch_size": 1, "rms_norm_eps": 1e-5},
}


class DotsConfig(Qwen2Config):
    """A Qwen2 configuration with a dictionary for the vision tower."""

    model_type = "dots_ocr"

    image_token_id: int = 151665
    vision_config: dict[str, Any] | None = None

    def __post_init__(self, **kwargs: Any) -> None:
        self.vision_config = DEFAULTS | (self.vision_config or {})
        super().__post_init__(**kwargs)


class DotsForConditionalGeneration(Qwen2ForCausalLM):
    """Qwen2 whose image placeholders are replaced by the vision tower's output, one row each."""

    config_class = DotsConfig

    def __init__(self, config: DotsConfig) -> None:
        super().__init__(config)
        self.vision_tower = VisionTower(config.vision_config or DEFAULTS)
        self.post_init()

    def forward(
        self,
        input_ids: Tensor | None = None,
        pixel_values: Tensor | None = None,
        image_grid_thw: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        mm_token_type_ids: Tensor | None = None,
        **kwargs: Any,
    ) -> Any:
        if pixel_values is not None and input_ids is not None:
            seen = self.vision_tower(pixel_values.to(self.dtype), image_grid_thw)
            inputs_embeds = self.model.embed_tokens(input_ids)
            places = (input_ids == self.config.image_token_id)[..., None].expand_as(inputs_embeds)
            inputs_embeds, input_ids = inputs_embeds.masked_scatter(places, seen.to(inputs_embeds.dtype)), None
        return super().forward(input_ids=input_ids, inputs_embeds=inputs_embeds, **kwargs)

    def prepare_inputs_for_generation(self, *args: Any, **kwargs: Any) -> Any:
        """Prepare a step of transformers' own `generate`: the picture goes in with the prompt only."""
        inputs = cast(Any, super()).prepare_inputs_for_generation(*args, **kwargs)
        return inputs if kwargs.get("is_first_iteration") else inputs | {"pixel_values": None}


class VisionTower(nn.Module):
    """Patches `[N, C * patch * patch]` of pictures, `image_grid_thw [I, 3]` -> visual tokens `[N / merge^2, D]`."""

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        self.merge = config["spatial_merge_size"]
        width, heads = config["embed_dim"], config["num_attention_heads"]
        self.rotary = width // heads // 4  # frequencies for rows, and as many for columns
        self.patch_embed = nn.ModuleDict({"patchifier": PatchEmbed(config)})
        self.blocks = nn.ModuleList(Block(config) for _ in range(config["num_hidden_layers"]))
        self.post_trunk_norm = nn.RMSNorm(width, eps=config["rms_norm_eps"])
        self.merger = PatchMerger(config["hidden_size"], width, self.merge)

    def forward(self, patches: Tensor, grids: Tensor) -> Tensor:
        hidden = self.patch_embed["patchifier"](patches)
        rotation = self.rotation(grids)
        ends = get_vision_cu_seqlens(grids)  # of the pictures: no patch reads one of another
        for block in self.blocks:
            hidden = block(hidden, rotation, ends)
        return self.merger(self.post_trunk_norm(hidden))

    def rotation(self, grids: Tensor) -> tuple[Tensor, Tensor]:
        """Cosines and sines `[N, head size]` of each patch's row and column, in the order of the patches: the
        `merge x merge` patches of a visual token follow each other."""
        frequencies = 10_000.0 ** -(torch.arange(self.rotary, device=grids.device) / self.rotary)
        places = get_vision_position_ids(grids, self.merge)
        angles = (places[..., None] * frequencies).flatten(1).repeat(1, 2)
        return angles.cos(), angles.sin()


class PatchEmbed(nn.Module):
    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        width, size = config["embed_dim"], config["patch_size"]
        self.shape = (config["num_channels"], size, size)
        self.proj = nn.Conv2d(config["num_channels"], width, kernel_size=size, stride=size)
        self.norm = nn.RMSNorm(width, eps=config["rms_norm_eps"])

    def forward(self, patches: Tensor) -> Tensor:
        return self.norm(self.proj(patches.view(-1, *self.shape)).flatten(1))


class Block(nn.Module):
    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        width, eps = config["embed_dim"], config["rms_norm_eps"]
        self.norm1, self.norm2 = nn.RMSNorm(width, eps=eps), nn.RMSNorm(width, eps=eps)
        sizes: dict[str, Any] = {"hidden_size": width, "num_heads": config["num_attention_heads"]}
        self.attn = Glm4vVisionAttention(Glm4vVisionConfig(**sizes, attn_implementation="sdpa"))  # type: ignore[call-arg]
        self.mlp = GatedMlp(width, config["intermediate_size"])

    def forward(self, hidden: Tensor, rotation: tuple[Tensor, Tensor], ends: Tensor) -> Tensor:
        hidden = hidden + self.attn(self.norm1(hidden), ends, rotation)
        return hidden + self.mlp(self.norm2(hidden))


class GatedMlp(nn.Module):
    """SwiGLU."""

    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.fc1 = nn.Linear(width, inner, bias=False)
        self.fc2 = nn.Linear(inner, width, bias=False)
        self.fc3 = nn.Linear(width, inner, bias=False)

    def forward(self, hidden: Tensor) -> Tensor:
        return self.fc2(F.silu(self.fc1(hidden)) * self.fc3(hidden))
