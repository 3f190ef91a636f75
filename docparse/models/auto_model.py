"""What `--model auto` stands for on this machine, and why. Torch is not imported, and nothing is downloaded."""

from __future__ import annotations

from dataclasses import dataclass

from docparse.errors import EnvironmentProblem
from docparse.weights import memory, store

PIPELINE = "pipeline"


@dataclass(frozen=True)
class ModelChoice:
    """`model` is a family's name or `pipeline`; `why` is the reason in a few words, for the line that is printed.
    `usual`: there was nothing to choose from, which is what nearly everybody has."""

    model: str
    why: str
    usual: bool = False

    def __str__(self) -> str:
        return f"model: {self.model} ({self.why})"


def choose_model(device: str = "auto", dtype: str = "auto") -> ModelChoice:
    """Return the best document family whose weights are cached whole and fit, in the registry's order; else, and on a
    CPU, where a page takes a model minutes, `pipeline`. Raises `EnvironmentProblem` for a device that is not here."""
    place = None if device == "auto" else memory.named(device)
    if not store.holds_models():
        return ModelChoice(PIPELINE, "docparse's own reading: no vision-language model is downloaded", usual=True)
    from docparse.models.registry import families

    ranked = [family.card for family in families() if family.card.purpose == "document"]
    cached = [card for card in ranked if (found := store.find(card)) and not found.lacks()]
    if not cached:
        return ModelChoice(PIPELINE, "no vision-language model for documents is cached")
    place = place or memory.here()
    if place.kind == "cpu":
        name, why = cached[0].name, memory.unused_gpu() or "without a GPU it takes minutes per page"
        return ModelChoice(PIPELINE, f"{name} is cached, but {why}: --model {name} runs it on the CPU")
    plans = [(card, memory.plan(card.parameters, place, dtype)) for card in cached]
    fitting = [(card, plan) for card, plan in plans if plan.fits]
    if not fitting:
        card, plan = plans[-1]
        return ModelChoice(PIPELINE, f"no cached model fits: {card.name} {plan.shortage()}")
    card, plan = fitting[0]
    others = f", the best of {len(fitting)} cached models that fit" if len(fitting) > 1 else ""
    return ModelChoice(card.name, f"cached, {plan.dtype} on {place.what}{others}; --model pipeline does without")


def fitting_plan(name: str, parameters: int, place: memory.Device, dtype: str) -> memory.MemoryPlan:
    """Return as what the model `name` of so many parameters runs at a place. Raises `EnvironmentProblem`."""
    plan = memory.plan(parameters, place, dtype)
    if not plan.fits:
        raise EnvironmentProblem(f"{name} {plan.shortage()}: {what_fits(place)}")
    return plan


def what_fits(place: memory.Device) -> str:
    """Return the end of a message about a model that does not fit: the best one that does, else the pipeline."""
    from docparse.models.registry import families

    reading = [family.card for family in families() if family.card.purpose != "measuring"]
    cards = [card for card in reading if memory.plan(card.parameters, place).fits]
    if not cards:
        return "no model of docparse's fits there: use --model pipeline"
    best = min(cards, key=lambda card: 0 if card.purpose == "document" else card.parameters)
    return f"{best.name} fits (--model {best.name}), and --model pipeline needs none"
