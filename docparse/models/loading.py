"""Weights of a folder into a transformers class, or one line that says what is wrong with them."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from docparse.errors import EnvironmentProblem
from docparse.models.registry import mend
from docparse.weights.weightfiles import damage, parameters

FEW = 100_000_000  # parameters that may be missing before the missing ones are looked for by name


def load_weights(model_class: Any, config: Any, folder: str, *, dtype: Any, device: str) -> Any:
    """`model_class` with the weights in `folder`, in evaluation mode on `device`.

    Raises `EnvironmentProblem` for files that are missing, cut off or damaged, and for weights that are not all there,
    too many, or of another shape than the configuration says.
    """
    for file, trouble in damage(Path(folder)):
        raise EnvironmentProblem(f"{folder}: {file} {trouble}: {mend(folder)}")
    _about_all_there(model_class, config, folder)
    try:
        with quiet():
            model, report = model_class.from_pretrained(
                folder,
                config=config,
                dtype=dtype,
                local_files_only=True,
                use_safetensors=True,
                output_loading_info=True,
                ignore_mismatched_sizes=True,  # they are listed, and refused below
            )
    except (OSError, RuntimeError, ValueError, KeyError) as error:
        raise EnvironmentProblem(f"{folder}: the weights cannot be loaded: {short(error)}") from None
    report["missing_keys"] = {name for name in report["missing_keys"] if is_read(model, name)}
    _complete(folder, report)
    return model.eval().to(device)


@contextmanager
def quiet() -> Iterator[None]:
    """transformers without its progress bars and warnings; missing weights, for one, we report ourselves."""
    from transformers.utils import logging

    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()


def _about_all_there(model_class: Any, config: Any, folder: str) -> None:
    """Counted before transformers fills what is missing with random numbers, for which memory may not suffice."""
    import torch

    with torch.device("meta"):
        asked = sum(parameter.numel() for parameter in model_class(config).parameters())
    held = parameters(Path(folder))
    if asked - held > FEW:
        trouble = f"its weight files hold {held:,} parameters where its config.json asks for {asked:,}"
        raise EnvironmentProblem(f"{folder}: {trouble}: it is partial or of another family; {mend(folder)}")


def _complete(folder: str, report: dict[str, Any]) -> None:
    for kind, advice in (
        ("mismatched", "its config.json belongs to other weights"),
        ("missing", "it is partial or of another family"),
        ("unexpected", "it is of another family or size"),
    ):
        names: Collection[Any] = report[f"{kind}_keys"]
        if names:
            first = sorted(name if isinstance(name, str) else name[0] for name in names)[0]
            raise EnvironmentProblem(f"{folder}: {len(names)} {kind} weights, first {first}: {advice}; {mend(folder)}")


def is_read(model: Any, parameter: str) -> bool:
    """Whether any forward reads a parameter, as far as the code of its module's file tells: HunyuanOCR's class in
    transformers declares one that its checkpoints lack and no forward touches."""
    owner, _, name = parameter.rpartition(".")
    files = {parent.__module__ for parent in type(model.get_submodule(owner)).__mro__}
    files -= {"builtins", "torch.nn.modules.module"}  # of every module there is
    return any(file.startswith("torch.") or name in _names_read(file) for file in files)


@cache
def _names_read(module: str) -> frozenset[str]:
    """Return the attributes and words in a file's functions, but those that only make or fill parameters."""
    making = ("__init__", "_init_weights")
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name not in making]
    nodes = [node for function in functions for node in ast.walk(function)]
    words = (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return frozenset(words) | {node.attr for node in nodes if isinstance(node, ast.Attribute)}


def short(error: Exception) -> str:
    """An error of another package in one line."""
    return " ".join(str(error).split())[:200]
