"""Weights of a folder into a transformers class, or one line that says what is wrong with them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from docparse.errors import EnvironmentProblem, one_line
from docparse.models.registry import mend
from docparse.weights.weightfiles import damage, parameters

FEW_PARAMETERS = 100_000_000  # parameters that may be missing before the missing ones are looked for by name


def load_weights(
    model_class: Any, config: Any, folder: str, *, dtype: Any, device: str, spare: Collection[str] = ()
) -> Any:
    """`model_class` with the weights in `folder`, in evaluation mode on `device`. Parameters `spare` may be missing.

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
        raise EnvironmentProblem(f"{folder}: the weights cannot be loaded: {one_line(error)}") from None
    report["missing_keys"] = {name for name in report["missing_keys"] if not name.endswith(tuple(spare))}
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
    if asked - held > FEW_PARAMETERS:
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
