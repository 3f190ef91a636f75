"""A loaded model: found by its name, its weights, its processor, and the way from a picture to a prompt."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import nn

from docparse.accel import rtprune
from docparse.accel.auto import PageFacts
from docparse.accel.costs import CostCurve
from docparse.accel.drafts import DraftTokens
from docparse.accel.kernels import check_kernels
from docparse.accel.pruning import Picture
from docparse.engine.prompt import Prompt
from docparse.engine.text_model import TextModel
from docparse.engine.weights import Unfit
from docparse.errors import EnvironmentProblem
from docparse.models.auto_model import fitting_plan, what_fits
from docparse.models.family import HALF, Encoded, Family, Processor
from docparse.models.names import locate
from docparse.models.views import grid_boxes
from docparse.vlm.capture import DecoderInputs, decoder_inputs, device_inputs, side_by_side
from docparse.vlm.checkpoint import CheckpointFact, checkpoint_facts
from docparse.weights import memory, weightfiles
from docparse.weights.device import find_device

if TYPE_CHECKING:
    from PIL.Image import Image
    from transformers import PreTrainedModel

CELL = 32  # pixels of a side of the patches whose density is averaged
Tell = Callable[[str], None]
logger = logging.getLogger("docparse")


@dataclass(frozen=True)
class Vlm:
    """Everything needed to read a picture. `name` is what the user called it (family name or folder), `folder` where
    the weights are from (None: they are random)."""

    name: str
    family: Family
    model: nn.Module
    processor: Processor
    text: TextModel
    revision: str = ""
    folder: Path | None = None

    @classmethod
    def of(
        cls,
        name: str,
        family: Family,
        model: PreTrainedModel,
        processor: Processor,
        revision: str = "",
        folder: Path | None = None,
    ) -> Vlm:
        """Return the model with the text model wired as the family says."""
        decoder = family.decoder(model)
        text = TextModel(
            decoder=decoder,
            head=partial(family.head, model),
            end=family.end_tokens(model, processor),
            axes=family.position_axes,
            key=f"{family.card.name} {_shape(decoder)}|{model.device.type}|{model.dtype}",
            processors=tuple(each.known(processor.tokenizer) for each in family.logits),
        )
        return cls(name, family, model, processor, text, revision, folder)

    def encode(self, image: Image | np.ndarray, instruction: str) -> Encoded:
        """Tokenize and preprocess; the vision tower does not run yet."""
        return self.processor.encode(image, instruction)

    def prompt(self, encoded: Encoded) -> Prompt:
        """Run the vision tower and merge its output into the prompt."""
        return self.prompts([encoded])[0]

    def prompts(self, encoded: Sequence[Encoded]) -> list[Prompt]:
        """Return the same for several pictures, in one pass where their inputs go together."""
        inputs = [device_inputs(each.inputs, self.model) for each in encoded]
        together = inputs[0] if len(inputs) == 1 else None
        if len(inputs) > 1 and self.family.sees_together:
            together = side_by_side(inputs)
        if together is None:
            return [self.prompts([each])[0] for each in encoded]
        visual = [each.visual for each in encoded]
        caught = decoder_inputs(self.model, self.text.decoder, together, self.text.axes, visual)
        return [_prompt(*each) for each in zip(encoded, inputs, caught, strict=True)]


def _prompt(encoded: Encoded, inputs: Mapping[str, Any], caught: DecoderInputs) -> Prompt:
    device = caught.embeds.device
    return Prompt(
        ids=inputs["input_ids"][0],
        embeds=caught.embeds,
        positions=caught.positions,
        next_position=caught.next_position,
        visual=encoded.visual.to(device),
        structural=encoded.structural.to(device),
        boxes=encoded.boxes.to(device),
        deepstack=caught.deepstack,
    )


def _shape(decoder: nn.Module) -> str:
    """Digest of the decoder's configuration: what a pass costs depends on its shape, not on where its weights lie."""
    config: Any = decoder.config
    facts = {key: value for key, value in config.to_dict().items() if not key.startswith("_")}
    return hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()[:12]


def page_facts(
    vlm: Vlm, encoded: Encoded, pixels: np.ndarray | None, drafts: Sequence[DraftTokens], costs: CostCurve
) -> PageFacts:
    """Return what `--accel auto` is told about a picture before the model sees it; without `pixels` no density."""
    longest = max(drafts, key=lambda draft: len(draft.tokens), default=None)
    return PageFacts(
        source=longest.source if longest else "",
        drafted=len(longest.tokens) if longest else 0,
        prompt=len(encoded.visual),
        visual=int(encoded.visual.sum()),
        density=0.0 if pixels is None else text_density(pixels),
        weight_bytes=sum(weight.nbytes for weight in vlm.text.decoder.parameters()),
        row_bytes=vlm.text.shape.bytes(1, 1),
        layers=vlm.text.layers,
        costs=costs,
        device=vlm.text.device.type,
        windowed=vlm.text.window is not None,
    )


def text_density(pixels: np.ndarray) -> float:
    """Return the share of a picture's pixels that are on an edge, as `--accel auto` sees it."""
    height, width = pixels.shape[:2]
    boxes = grid_boxes(max(1, height // CELL), max(1, width // CELL))
    return rtprune.text_density(Picture(pixels, width, height, HALF), boxes, rtprune.RtPrune.theta)


def load(
    name: str, *, device: str = "auto", dtype: str = "auto", offline: bool = False, tell: Tell | None = None
) -> Vlm:
    """Return the model `name`: a family, `family:mode`, or a folder with weights. Nothing is downloaded.

    `dtype` `auto` is bfloat16, on a CPU float32 where it fits. `tell` receives a line on what was chosen. Raises
    `UsageError` for a name nobody knows, `EnvironmentProblem` for weights that are missing or damaged, a device that
    is not here, and a model for which there is not enough memory.
    """
    family, snapshot = locate(name, offline=offline)
    held = weightfiles.parameters(snapshot.folder)
    plan = planned(name, held, device, dtype)
    if tell is not None:
        revision = f" at {snapshot.revision[:12]}" if snapshot.revision else ""
        tell(f"model: {name}{revision}, {plan}")
    folder = str(snapshot.folder)
    with out_of_memory_is_told(name, plan):
        model: Any = family.load(folder, dtype=getattr(torch, plan.dtype), device=plan.device.name)
        vlm = Vlm.of(name, family, model, family.processor(folder), snapshot.revision, snapshot.folder)
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
    """Return where and as what a model of so many parameters runs. Raises `EnvironmentProblem` where it does not fit,
    and `UsageError` where the kernels that are asked for do not run there."""
    plan = fitting_plan(name, parameters, find_device(device), dtype)
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
