"""Who does the work of a run: processes of the pipeline and of the model, on this machine or on a cluster.

Every setting is decided before the first of them starts, and they start when there is work. They may serve one run
after another, which loads nothing again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from docparse.run.capacity import thread_limits
from docparse.run.plan import LOADING_SECONDS, PIPELINE, PIPELINE_PACKAGES, QUIET, RunPlan, plan_run
from docparse.run.pool import Pool, TaskOutcome, WorkerPool, outcomes
from docparse.run.process import Start
from docparse.run.result import Observer, PageProgress
from docparse.run.tasks import WorkerState
from docparse.settings import Settings
from docparse.sizes import parse_size

if TYPE_CHECKING:
    from docparse.run.cluster.connect import Cluster


@dataclass
class Workers:
    """The pool that reads pages, that of the model if there is one, and how both are waited for. A context manager
    that leaves no process behind."""

    plan: RunPlan
    pool: Any
    model: Any = None
    wait: Callable[..., list[TaskOutcome]] = outcomes

    @staticmethod
    @contextmanager
    def hired(settings: Settings, images: str, observer: Observer, *, show_stderr: bool = False) -> Iterator[Workers]:
        """Decide what `settings` leave open, on the cluster that they name; no process has started yet.

        Raises `UsageError` and `EnvironmentProblem`.
        """
        if not settings.ray:
            plan = plan_run(settings, images=images)
            models = _model_starts(plan, show_stderr)
            pool = Pool(_start(plan, show_stderr), plan.settings.workers)
            yield Workers(plan, pool, Pool(models, hear=_hearing(observer)) if models else None)
            return
        from docparse.run.cluster.connect import connected

        packages = PIPELINE_PACKAGES if settings.model == PIPELINE else (*PIPELINE_PACKAGES, "transformers")
        with connected(settings.ray, packages, offline=settings.offline, with_gpus=not settings.server) as cluster:
            yield _on_cluster(cluster, cluster.plan_run(settings, images=images), show_stderr)

    @property
    def pools(self) -> list[WorkerPool]:
        return [self.pool] if self.model is None else [self.pool, self.model]

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End every process."""
        for pool in reversed(self.pools):
            pool.__exit__()  # type: ignore[attr-defined]


def _on_cluster(cluster: Cluster, plan: RunPlan, show_stderr: bool) -> Workers:
    from docparse.run.cluster.pool import RayPool
    from docparse.run.cluster.pool import outcomes as cluster_outcomes

    start, models = _start(plan, show_stderr), _model_starts(plan, show_stderr)
    read = RayPool(start, cluster.ray, plan.settings.workers, {"num_cpus": start.threads})
    write = RayPool(models[0], cluster.ray, cluster.gpus or 1, cluster.for_model) if models else None
    return Workers(plan, read, write, cluster_outcomes)


def _hearing(observer: Observer) -> Callable[[PageProgress | str], None]:
    """Return what takes in the progress of a model's processes, and what they warn of, which each may say."""
    told: set[str] = set()

    def hear(news: PageProgress | str) -> None:
        if not isinstance(news, str):
            observer.reading(news)
        elif news not in told:
            told.add(news)
            observer.note(news)

    return hear


def _start(plan: RunPlan, show_stderr: bool) -> Start:
    """How workers of the pipeline begin."""
    settings = plan.settings
    memory = parse_size(settings.max_memory) if settings.max_memory else 0
    environment = thread_limits(settings.threads)
    return Start(WorkerState, (settings,), environment, show_stderr, memory=memory, threads=settings.threads)


def _model_starts(plan: RunPlan, show_stderr: bool) -> Sequence[Start]:
    """How the processes of a model begin, if there is one: one on each device, or the one that asks a server; libraries
    are quiet."""
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
