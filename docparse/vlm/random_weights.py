"""A family at its published size with random weights: how fast it is can be measured, what it writes means nothing."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import torch

from docparse.errors import UsageError
from docparse.models.family import Family
from docparse.models.names import known_family
from docparse.vlm.loaded import Vlm, out_of_memory_is_told, planned

VOCABULARY = 640  # byte-level BPE tokens, special ones apart
CONFIG = "config.json"
IDS = ("token_id", "token_index", "start_id", "end_id", "newline_id")  # how names of token ids end in config.json
LABEL = "random-weights"  # in place of a revision: it goes wherever a revision is shown

Files = dict[str, dict[str, Any]]  # name -> content


def random_weights(name: str, *, device: str = "auto", dtype: str = "auto", seed: int = 0) -> Vlm:
    """Return the family `name` at its published size, with random weights and a small tokenizer.

    Layers, vocabulary and picture sizes are the published ones, so that a forward pass costs what it costs with real
    weights. Raises `UsageError` for an unknown name or one that is shipped with its weights, `EnvironmentProblem` as
    `load` does.
    """
    family = known_family(name)
    if not family.card.repository:
        raise UsageError(f"--random-weights: {name} comes with weights of its own: leave it out")
    plan = planned(name, family.card.parameters, device, dtype)
    tokenizer = train_tokenizer(family.special_tokens, family.end_token)
    made = full_files(family, ids_of(family, tokenizer))  # its ids are all below the published vocabulary
    config = family.config_of(made[CONFIG])
    with out_of_memory_is_told(name, plan), _building(plan.device.name, getattr(torch, plan.dtype), seed):
        model: Any = family.build(config).eval()
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    with tempfile.TemporaryDirectory(prefix="docparse-") as folder:
        write_files(folder, tokenizer, made)
        processor = family.processor(folder)
    return Vlm.of(family.card.name, family, model, processor, LABEL)


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


def ids_of(family: Family, tokenizer: Any) -> dict[str, int]:
    """Return the family's special tokens -> their ids."""
    return {token: tokenizer.convert_tokens_to_ids(token) for token in family.special_tokens}


def write_files(folder: str | os.PathLike[str], tokenizer: Any, made: Files) -> None:
    """Write what a family's processor reads, and config.json, as the published repository has them."""
    tokenizer.save_pretrained(folder)
    for name, content in made.items():
        (Path(folder) / name).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def full_files(family: Family, special: Mapping[str, int]) -> Files:
    """Return the published files, with the token ids of a tokenizer that has other ones."""
    published = family.published
    ids = {id: special[token] for token, id in published.pop("tokens").items() if id is not None}
    del published["source"]
    return published | {CONFIG: _with_ids(published[CONFIG], ids)}


def _with_ids(value: Any, ids: Mapping[int, int], key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _with_ids(each, ids, name) for name, each in value.items()}
    return ids[value] if key.endswith(IDS) and value is not None else value


def train_tokenizer(special: Iterable[str], end_token: str) -> Any:
    """Return a byte-level BPE trained on the package's own sample text, and the special tokens."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    text = (files("docparse") / "data" / "twin.txt").read_text(encoding="utf-8")
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    tokenizer.train_from_iterator(text.splitlines(keepends=True), trainer)
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in special])
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=end_token, pad_token=end_token)
