"""From a name or a folder to a model that can read: files found, memory counted, weights loaded."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from docparse.accel.kernels import check_kernels
from docparse.engine.weights import Unfit
from docparse.errors import EnvironmentProblem
from docparse.models.auto_model import what_fits
from docparse.models.names import locate
from docparse.vlm.checkpoint import CheckpointFact, checkpoint_facts
from docparse.vlm.loaded import Vlm
from docparse.weights import memory, weightfiles
from docparse.weights.device import find_device

Tell = Callable[[str], None]
logger = logging.getLogger("docparse")


def load(
    name: str, *, device: str = "auto", dtype: str = "auto", offline: bool = False, tell: Tell | None = None
) -> Vlm:
    """The model `name`: a family, `family:mode`, or a folder with weights. Nothing is downloaded.

    `dtype` `auto` is bfloat16, on a CPU float32 where it fits. `tell` receives a line on what was chosen. Raises
    `UsageError` for a name nobody knows, `EnvironmentProblem` for weights that are missing or damaged, a device that
    is not here, and a model for which there is not enough memory.
    """
    family, snapshot = locate(name, offline=offline)
    held = weightfiles.parameters(snapshot.folder)
    plan = planned(name, held, device, dtype)
    if tell is not None:
        tell(f"model: {name}{_short(snapshot.revision)}, {plan}")
    folder = str(snapshot.folder)
    with out_of_memory_is_told(name, plan):
        model: Any = family.load(folder, dtype=getattr(torch, plan.dtype), device=plan.device.name)
        vlm = Vlm.of(name, family, model, family.processor(folder), snapshot.revision)
        unfit = vlm.text.lean
    if isinstance(unfit, Unfit):
        (tell or logger.warning)(f"model: {name} decodes by its own modules, not by the faster lean decoder: {unfit}")
    for said in compared(vlm, folder, held):
        if not said.same:
            (tell or logger.warning)(f"model: {name}: warning: the {said.about} of the checkpoint differs: {said.text}")
    return vlm


def compared(vlm: Vlm, folder: str, held: int) -> list[CheckpointFact]:
    """Return what the files of a loaded model's folder say beside what the adapter has; `held` is the number of its
    parameters: far fewer than published are a copy for tests, with pictures of its own size."""
    trained = held > vlm.family.card.parameters // 100
    return checkpoint_facts(
        folder, vlm.family, vlm.processor, end=vlm.family.own_end_tokens(vlm.processor), trained=trained
    )


def planned(name: str, parameters: int, device: str, dtype: str) -> memory.MemoryPlan:
    """Where and as what a model of so many parameters runs. Raises `EnvironmentProblem` where it does not fit, and
    `UsageError` where the kernels that are asked for do not run there."""
    plan = memory.plan(parameters, find_device(device), dtype)
    if not plan.fits:
        raise EnvironmentProblem(f"{name} {plan.shortage()}: {what_fits(plan.device)}")
    check_kernels(plan.device.name)
    return plan


@contextmanager
def out_of_memory_is_told(name: str, plan: memory.MemoryPlan) -> Iterator[None]:
    """Somebody else may have taken the memory since it was counted."""
    try:
        yield
    except (torch.OutOfMemoryError, MemoryError):
        line = f"{name} did not fit into {plan.device.what} after all: {what_fits(plan.device)}"
        raise EnvironmentProblem(line) from None


def _short(revision: str) -> str:
    return f" at {revision[:12]}" if revision else ""
