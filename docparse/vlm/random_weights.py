"""A family at its published size with random weights: how fast it is can be measured, what it writes means nothing."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from docparse.errors import UsageError
from docparse.models.family import Family
from docparse.models.names import known_family
from docparse.models.native import NativeFamily
from docparse.models.twins import make_twin, train_tokenizer
from docparse.vlm.load import out_of_memory_is_told, planned
from docparse.vlm.loaded import Vlm

if TYPE_CHECKING:
    from transformers import PreTrainedConfig

LABEL = "random-weights"  # in place of a revision: it goes wherever a revision is shown
TWIN_LABEL = f"{LABEL}-twin"  # another size, another speed


def random_weights(name: str, *, device: str = "auto", dtype: str = "auto", twin: bool = False, seed: int = 0) -> Vlm:
    """The family `name`, at its published size or as its tiny twin, with random weights and a twin's tokenizer.

    Layers, vocabulary and picture sizes are the published ones, so that a forward pass costs what it costs with real
    weights. Raises `UsageError` for an unknown name or one that is shipped with its weights, `EnvironmentProblem` as
    `load` does.
    """
    family = known_family(name)
    if twin:
        return _twin(family, device, dtype, seed)
    if not family.card.repository:
        raise UsageError(f"--random-weights: {name} comes with weights of its own; drop it")
    plan = planned(name, family.card.parameters, device, dtype)
    tokenizer = train_tokenizer(family.special_tokens, family.end_token)
    config = _with_token_ids(family, tokenizer)
    with out_of_memory_is_told(name, plan), _building(plan.device.name, getattr(torch, plan.dtype), seed):
        model: Any = family.build(config).eval()
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    with tempfile.TemporaryDirectory(prefix="docparse-") as folder:
        config.save_pretrained(folder)
        family.save_processor(folder, tokenizer, config)
        _publish_picture_sizes(family, Path(folder))
        processor = family.processor(folder)
    return Vlm.of(family.card.name, family, model, processor, LABEL)


def _twin(family: Family, device: str, dtype: str, seed: int) -> Vlm:
    with tempfile.TemporaryDirectory(prefix="docparse-") as folder:
        make_twin(family, folder, seed=seed)
        plan = planned(family.card.name, 0, device, dtype)
        model: Any = family.load(folder, dtype=getattr(torch, plan.dtype), device=plan.device.name)
        return Vlm.of(family.card.name, family, model, family.processor(folder), TWIN_LABEL)


def _with_token_ids(family: Family, tokenizer: Any) -> PreTrainedConfig:
    """The published shape with the token ids of a twin's tokenizer: its ids are all below the published vocabulary."""
    special = {token: tokenizer.convert_tokens_to_ids(token) for token in family.special_tokens}
    full, tiny = family.full_config(), family.tiny_config(len(tokenizer), special)
    _copy_token_ids(tiny, full)
    return full


def _copy_token_ids(source: PreTrainedConfig, target: PreTrainedConfig) -> None:
    for name, value in vars(source).items():
        if name.endswith(("token_id", "token_ids", "token_index")) and value is not None:
            setattr(target, name, value)
        elif hasattr(value, "to_dict") and hasattr(target, name):
            _copy_token_ids(value, getattr(target, name))


def _publish_picture_sizes(family: Family, folder: Path) -> None:
    """In place of a twin's small pictures, in the file where the family keeps them."""
    for file in (folder / "preprocessor_config.json", folder / "processor_config.json"):
        if file.exists() and isinstance(family, NativeFamily):
            file.write_text(json.dumps(dict(family.preprocessing())), encoding="utf-8")


@contextmanager
def _building(device: str, dtype: torch.dtype, seed: int) -> Iterator[None]:
    """Parameters are made on the device and in the dtype at once: there is no room for a copy."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        with torch.random.fork_rng(), torch.device(device):
            torch.manual_seed(seed)
            yield
    finally:
        torch.set_default_dtype(before)
