"""A family at its published size with random weights: how fast it is can be measured, what it writes means nothing."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from docparse.errors import UsageError
from docparse.models.family import Family
from docparse.models.names import known_family
from docparse.models.twins import CONFIG, full_files, ids_of, make_twin, train_tokenizer, write_files
from docparse.vlm.load import out_of_memory_is_told, planned
from docparse.vlm.loaded import Vlm

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
    files = full_files(family, ids_of(family, tokenizer))  # its ids are all below the published vocabulary
    config = family.config_of(files[CONFIG])
    with out_of_memory_is_told(name, plan), _building(plan.device.name, getattr(torch, plan.dtype), seed):
        model: Any = family.build(config).eval()
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    with tempfile.TemporaryDirectory(prefix="docparse-") as folder:
        write_files(folder, tokenizer, files)
        processor = family.processor(folder)
    return Vlm.of(family.card.name, family, model, processor, LABEL)


def _twin(family: Family, device: str, dtype: str, seed: int) -> Vlm:
    with tempfile.TemporaryDirectory(prefix="docparse-") as folder:
        make_twin(family, folder, seed=seed)
        plan = planned(family.card.name, 0, device, dtype)
        model: Any = family.load(folder, dtype=getattr(torch, plan.dtype), device=plan.device.name)
        return Vlm.of(family.card.name, family, model, family.processor(folder), TWIN_LABEL)


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
