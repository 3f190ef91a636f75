"""Ray started on this machine, or a cluster joined, quietly; every node is asked for its packages before a run."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import msgspec

from docparse import __version__
from docparse.errors import EnvironmentProblem, install_advice
from docparse.machine import installed, usable_cores
from docparse.network import forbidden_by
from docparse.run.capacity import within_reason
from docparse.run.plan import PIPELINE, RunPlan, plan_run
from docparse.settings import Settings

SILENT = {"RAY_USAGE_STATS_ENABLED": "0"}  # Ray reports its use to its makers unless it is told not to
OBJECT_STORE = 2**28  # bytes on this machine; what passes through is a page at a time
REACH_SECONDS = 5.0  # for a cluster to accept a connection
JOIN_SECONDS = 60.0  # for a cluster to take us in, or to start here
NODE_SECONDS = 120.0  # for a node to say what is installed there


@dataclass(frozen=True)
class Cluster:
    """The resources of a run: `ray` itself, the cluster's cores, and memory for each of them in bytes."""

    ray: ModuleType
    cores: int
    memory: int
    gpus: int

    @property
    def for_model(self) -> dict[str, int]:
        """Return what a worker with a model is to find where it runs, without the little it computes beside."""
        return {"num_gpus": 1 if self.gpus else 0, "num_cpus": 0}

    def plan_run(self, settings: Settings) -> RunPlan:
        """Return the plan on this cluster; a machine with a GPU decides about models. Raises as `plan_run` does."""
        threads = settings.threads or 1
        workers = settings.workers or max(1, self.cores // threads)
        memory = settings.max_memory or str(within_reason(self.memory * threads))
        there = self.gpus > 0 and settings.model != PIPELINE
        plan = self._plan_there(settings) if there else plan_run(settings)
        ahead = max(settings.ahead, workers)  # all may read for the model at once
        size = {"threads": threads, "workers": workers, "max_memory": memory, "ahead": ahead}
        return replace(plan, settings=msgspec.structs.replace(plan.settings, **size))

    def _plan_there(self, settings: Settings) -> RunPlan:
        task = self.ray.remote(num_gpus=1, num_cpus=0, max_retries=0)(plan_run)
        one = msgspec.structs.replace(settings, devices="")  # Ray shows each worker the one that it has
        try:
            plan: RunPlan = self.ray.get(task.remote(one), timeout=NODE_SECONDS)
        except self.ray.exceptions.RayTaskError as error:
            raise error.cause from None
        except self.ray.exceptions.RayError as error:
            raise EnvironmentProblem(
                f"--ray {settings.ray}: no worker could be started on a GPU: {_first_line(error)}"
            ) from error
        return plan


@contextmanager
def connected(
    address: str, packages: tuple[str, ...], *, offline: bool = False, with_gpus: bool = True
) -> Iterator[Cluster]:
    """Join the cluster at `address`, or start one on this machine for `local`, and leave it at the end. Not
    `with_gpus`: those that it has are not for us.

    Raises `EnvironmentProblem` where Ray is missing, the cluster cannot be reached, or one of its nodes has no docparse
    or other versions of docparse and of `packages`.
    """
    os.environ.update(SILENT)
    if offline and address != "local":
        raise EnvironmentProblem(f"{forbidden_by()} forbids the connection to the Ray cluster {address}: leave it out")
    try:
        import ray
    except ImportError as error:
        raise EnvironmentProblem(f"--ray needs Ray, which is not installed: {install_advice('ray')}") from error
    _reach(address)
    _join(ray, address)
    try:
        _check_nodes(ray, {"docparse": __version__} | installed(packages))
        resources = ray.cluster_resources()
        cores = int(resources.get("CPU", 0))
        if not cores:
            raise EnvironmentProblem(f"--ray {address}: the cluster has no free CPUs")
        yield Cluster(
            ray, cores, int(resources.get("memory", 0) / cores), int(resources.get("GPU", 0)) if with_gpus else 0
        )
    finally:
        with suppress(Exception):  # the cluster may have gone
            ray.shutdown()


def _reach(address: str) -> None:
    """Raises `EnvironmentProblem` where nobody listens at a host and port: Ray itself would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon:
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), REACH_SECONDS).close()
    except OSError as error:
        said = error.strerror or str(error)
        raise EnvironmentProblem(f"--ray {address}: cannot reach the cluster: {said}: is it up?") from None


def _join(ray: ModuleType, address: str) -> None:
    """Call `ray.init` in a thread: it may try for minutes, and in the main one it would take SIGTERM over. The thread
    stays: what Ray starts ends with the thread that started it. Raises `EnvironmentProblem`."""
    problems: list[str] = []
    done = threading.Event()
    with _no_stderr():
        threading.Thread(target=_initialize, args=(ray, address, problems, done), daemon=True).start()
        if not done.wait(JOIN_SECONDS):
            problems = [f"no answer within {JOIN_SECONDS:g} s: is that a Ray cluster, of version {ray.__version__}?"]
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGTERM))  # Ray's native code has put its own below it
    if problems:
        raise EnvironmentProblem(f"--ray {address}: cannot join the cluster: {problems[0]}")


@contextmanager
def _no_stderr() -> Iterator[None]:
    """While a cluster is sought, Ray's native code writes to descriptor 2 what it tries."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _initialize(ray: ModuleType, address: str, problems: list[str], done: threading.Event) -> None:
    ray._private.worker._worker_logs_enabled = False  # notes of dead workers would go to our standard output
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "critical"}
    if address == "local":
        options |= {"num_cpus": usable_cores(), "include_dashboard": False, "object_store_memory": OBJECT_STORE}
        options["_node_ip_address"] = "127.0.0.1"
    try:
        ray.init(address=address, **options)
    except BaseException as error:  # Ray raises errors of many kinds here
        problems.append(_first_line(error))
    done.set()
    threading.Event().wait()


def _check_nodes(ray: ModuleType, expected: Mapping[str, str]) -> None:
    """Ask every node that has cores. Raises `EnvironmentProblem` where the same page could come out differently."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    def on_node(names: list[str]) -> dict[str, str]:  # a nested function is sent whole: a node may not have docparse
        from importlib import import_module
        from importlib.metadata import PackageNotFoundError, version

        found = {}
        for name in names:
            try:
                found[name] = import_module(name).__version__ if name == "docparse" else version(name)
            except (ImportError, PackageNotFoundError):
                continue
        return found

    asked = {}
    for node in ray.nodes():
        if node["Alive"] and node["Resources"].get("CPU"):
            here = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            task = ray.remote(num_cpus=0, max_retries=0)(on_node).options(scheduling_strategy=here)
            asked[node["NodeManagerAddress"]] = task.remote(list(expected))
    for address, answer in asked.items():
        try:
            found = ray.get(answer, timeout=NODE_SECONDS)
        except Exception as error:
            raise EnvironmentProblem(f"Ray node {address} does not answer: {_first_line(error)}") from error
        if differ := [name for name in expected if found.get(name) != expected[name]]:
            theirs = ", ".join(f"{name} {found.get(name, 'missing')}" for name in differ)
            ours = ", ".join(f"{name} {expected[name]}" for name in differ)
            what = "docparse is not installed" if "docparse" not in found else f"has {theirs}"
            raise EnvironmentProblem(f"Ray node {address}: {what}, and this machine has {ours}: install the same")


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0][:300] if lines else type(error).__name__
