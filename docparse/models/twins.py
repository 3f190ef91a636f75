"""Tiny random twins of a family: the same classes, parameter names and files as the published weights.

For tests and for trying the machinery: a twin's output means nothing, but it does not fall into a loop.
"""

from __future__ import annotations

import json
import math
import os
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from docparse.models.family import Family
from docparse.models.weights import quiet

if TYPE_CHECKING:
    from collections.abc import Iterable

VOCABULARY = 640  # byte-level BPE tokens, special ones apart
GAIN = 2.0
QUERY_KEY_NORMS = ("q_norm", "k_norm", "query_layernorm", "key_layernorm")


def make_twin(family: Family, folder: str | os.PathLike[str], *, seed: int = 0) -> None:
    """Write a twin of `family` into `folder` (made if absent): config, weights, tokenizer and preprocessor files.

    The same seed gives the same files.
    """
    tokenizer = train_tokenizer(family.special_tokens, family.end_token)
    special = {token: tokenizer.convert_tokens_to_ids(token) for token in family.special_tokens}
    with quiet():
        config = family.tiny_config(len(tokenizer), special)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model: Any = family.build(config)
        scatter(model, special.values())
    model.generation_config.eos_token_id = special[family.end_token]
    model.generation_config.pad_token_id = special[family.end_token]
    with quiet():
        model.save_pretrained(folder)
    family.save_processor(str(folder), tokenizer, config)
    _note_origin(Path(folder) / "config.json", family.card.repository)


def _note_origin(file: Path, repository: str) -> None:
    """Say in config.json, as older transformers did, where the weights come from: several families share a kind."""
    written = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({"_name_or_path": repository} | written, indent=2) + "\n", encoding="utf-8")


def train_tokenizer(special: Iterable[str], end_token: str, vocabulary: int = VOCABULARY) -> Any:
    """A byte-level BPE of `vocabulary` tokens trained on the package's own sample text, and the special tokens."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    text = (files("docparse") / "data" / "twin.txt").read_text(encoding="utf-8")
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    tokenizer.train_from_iterator(text.splitlines(keepends=True), trainer)
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in special])
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=end_token, pad_token=end_token)


def scatter(model: nn.Module, silent: Iterable[int]) -> None:
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
    for embedding in _vocabulary_matrices(model):
        nn.init.normal_(embedding, std=1.0)
        with torch.no_grad():
            embedding[list(silent)] *= 0.01


def _vocabulary_matrices(model: Any) -> list[torch.Tensor]:
    matrices = [model.get_input_embeddings().weight]
    if model.get_output_embeddings().weight is not matrices[0]:
        matrices.append(model.get_output_embeddings().weight)
    return matrices
