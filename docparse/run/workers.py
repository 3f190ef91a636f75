"""Who does the work of a run: processes of the pipeline and of the model, on this machine or on a cluster. They start
when there is work, after all is decided, and may serve one run after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import msgspec

from docparse.run.capacity import thread_limits
from docparse.run.plan import LOADING_SECONDS, PIPELINE, PIPELINE_PACKAGES, QUIET, RunPlan, plan_run
from docparse.run.pool import Pool, WorkerPool
from docparse.run.process import Start
from docparse.run.result import Observer, PageProgress
from docparse.run.tasks import WorkerState
from docparse.settings import Settings
from docparse.sizes import parse_size


@contextmanager
def planned_pool(
    settings: Settings, observer: Observer, *, show_stderr: bool = False
) -> Iterator[tuple[RunPlan, WorkerPool]]:
    """Decide what `settings` leave open, on the cluster that they name; yield that, and the pool to work with, of which
    no process has started yet. Raises `UsageError` and `EnvironmentProblem`."""
    if not settings.ray:
        plan = plan_run(settings)
        readers = [_start(plan, show_stderr)] * plan.settings.workers
        yield (plan, Pool([*readers, *_model_starts(plan, show_stderr)], _hearing(observer)))
        return
    from docparse.run.cluster.connect import connected
    from docparse.run.cluster.pool import RayPool

    packages = PIPELINE_PACKAGES if settings.model == PIPELINE else (*PIPELINE_PACKAGES, "transformers")
    with connected(settings.ray, packages, offline=settings.offline, with_gpus=not settings.server) as cluster:
        plan = cluster.plan_run(settings)
        readers = [_start(plan, show_stderr)] * plan.settings.workers
        models = _model_starts(plan, show_stderr)[:1] * (cluster.gpus or 1)
        needs = {False: {"num_cpus": plan.settings.threads}, True: cluster.for_model}
        yield (plan, RayPool([*readers, *models], cluster.ray, needs))


def _hearing(observer: Observer) -> Callable[[PageProgress | str], None]:
    """Return what takes in the progress of a model's processes, and what they warn of, which each may say."""
    told: set[str] = set()

    def hear(message: PageProgress | str) -> None:
        if not isinstance(message, str):
            observer.reading(message)
        elif message not in told:
            told.add(message)
            observer.note(message)

    return hear


def _start(plan: RunPlan, show_stderr: bool) -> Start:
    settings = plan.settings
    memory = parse_size(settings.max_memory) if settings.max_memory else 0
    environment = thread_limits(settings.threads)
    return Start(WorkerState, (settings,), environment, show_stderr, memory=memory, threads=settings.threads)


def _model_starts(plan: RunPlan, show_stderr: bool) -> list[Start]:
    """Return how the processes of a model begin, if there is one: one on each device, or the one that asks a server."""
    settings, threads = plan.settings, plan.model_threads
    if not settings.reads_with_model:
        return []
    from docparse.run.model_service import ModelService, at_server

    environment = thread_limits(threads) | QUIET
    load = partial(at_server, plan.served, plan.slots) if plan.served else None
    return [
        Start(
            ModelService,
            (msgspec.structs.replace(settings, device=device, threads=threads), load),
            environment,
            show_stderr,
            LOADING_SECONDS,
            threads=threads,
            service=True,
            slots=plan.slots,
        )
        for device in plan.devices
    ]
