"""The pool: every task comes back exactly once, whatever happens to the worker that has it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pool_handlers as handlers
import pytest

from docparse.errors import EnvironmentProblem
from docparse.network import FORBIDDEN_BY
from docparse.run import memory
from docparse.run import pool as pool_module
from docparse.run.pool import Pool, TaskOutcome
from docparse.run.process import Start

FINDING = os.environ | {"PYTHONPATH": str(Path(handlers.__file__).parent)}


def work(pool: Pool, tasks: list[tuple[str, object]], timeout: float = 30) -> list[TaskOutcome]:
    """Do all tasks, in the order they end."""
    waiting, outcomes = list(tasks), []
    while waiting or pool.busy:
        for worker in pool.idle():
            if not waiting:
                break
            task = waiting.pop(0)
            pool.submit(worker, task, timeout=timeout, about=f"about {task}")
        outcomes += pool.outcomes()
    return outcomes


def alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def eventually(condition: Callable[[], bool]) -> bool:
    until = time.monotonic() + 20
    while not condition() and time.monotonic() < until:
        time.sleep(0.02)
    return condition()


def test_all_tasks_come_back_with_what_was_submitted_about_them():
    tasks = [("echo", number) for number in range(20)]
    with Pool(Start(handlers.Handler), 2) as pool:
        outcomes = work(pool, tasks)
        assert len(pool.workers) == 2
    assert sorted(outcome.value for outcome in outcomes) == list(range(20))
    assert all(outcome.about == f"about {outcome.task}" and outcome.failure is None for outcome in outcomes)


def test_workers_start_only_when_there_is_work():
    with Pool(Start(handlers.Handler), 4) as pool:
        assert pool.workers == []
        assert [outcome.value for outcome in work(pool, [("count", 0)]) + work(pool, [("count", 0)])] == [1, 2]
        assert len(pool.workers) == 1


@pytest.mark.parametrize(
    ("task", "category", "permanent", "line"),
    [  # what code says to an input it would say again; what a machine does it might not do again
        (("die", signal.SIGKILL), "crash", False, "signal 9"),
        (("exit", 7), "crash", False, "exit code 7"),
        (("fail", "two\nlines"), "internal", True, "ValueError: two lines"),
        (("fail", "Failed to allocate memory for requested buffer"), "memory", False, "memory"),
        (("starve", "x"), "memory", False, "memory"),
        (("refuse", "x"), "system", False, "x"),
        (("sleep", 60), "timeout", False, "longer than 0.5 s"),
        (("die", signal.SIGSTOP), "timeout", False, "longer than 0.5 s"),
    ],
)
def test_a_task_that_goes_wrong_is_a_failure_and_the_others_go_on(task, category, permanent, line):
    with Pool(Start(handlers.Handler), 1) as pool:
        work(pool, [("echo", 0)])
        outcomes = work(pool, [task, ("echo", 1)], timeout=0.5)
    assert outcomes[0].task == task
    failure = outcomes[0].failure
    assert failure is not None and line in failure.error
    assert (failure.category, failure.permanent) == (category, permanent)
    assert [outcome.value for outcome in outcomes[1:]] == [1]


def test_a_missing_package_ends_the_run_and_says_where_to_look():
    with Pool(Start(handlers.Handler), 1) as pool:
        (outcome,) = work(pool, [("missing", 0)])
    assert outcome.failure.fatal
    assert "no_such_module_at_all" in outcome.failure.error
    assert "docparse doctor" in outcome.failure.error


def test_what_a_worker_prints_goes_nowhere(capfd):
    with Pool(Start(handlers.Handler), 1) as pool:
        assert [outcome.value for outcome in work(pool, [("shout", 3)])] == [3]
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("factory", ["broken", "dying"])
def test_workers_that_cannot_start_are_a_problem_of_the_machine(factory):
    with Pool(Start(getattr(handlers, factory)), 1) as pool, pytest.raises(EnvironmentProblem, match="docparse doctor"):
        for _ in range(5):
            work(pool, [("echo", 0)])


def test_a_worker_that_grows_is_replaced_between_tasks(monkeypatch):
    monkeypatch.setattr(pool_module, "SETTLED_TASKS", 1)
    monkeypatch.setattr(pool_module, "TASKS_BEFORE_RECYCLING", 4)
    with Pool(Start(handlers.Handler), 1) as pool:
        growing = work(pool, [("grow", 20 * 2**20)] * 6)
    with Pool(Start(handlers.Handler), 1) as pool:
        steady = work(pool, [("pid", 0)] * 6)
    assert len({outcome.value for outcome in growing}) == 2
    assert len({outcome.value for outcome in steady}) == 1


MIB = 2**20


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits and tells the memory of a process")
@pytest.mark.parametrize("limited_by", ["the system", "the parent"])
def test_a_worker_does_not_pass_its_limit(monkeypatch, limited_by):
    if limited_by == "the parent":
        monkeypatch.setattr(pool_module, "MEMORY_SECONDS", 0.01)
        monkeypatch.setattr(memory, "LIBRARIES", -(2**40))
    else:
        monkeypatch.setattr(pool_module, "resident_memory", lambda pid: 0)
    with Pool(Start(handlers.Handler, memory=300 * MIB), 1) as pool:
        (first,) = work(pool, [("pid", 0)])
        outcomes = work(pool, [("swell", MIB), ("pid", 0)])
    assert outcomes[0].failure.category == "memory"
    assert "--max-memory" in outcomes[0].failure.error
    assert outcomes[1].value != first.value  # what is left of the memory is in pieces


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits and tells the memory of a process")
@pytest.mark.parametrize(("size", "category"), [(200 * MIB, "memory"), (0, "crash")])
def test_a_library_that_aborts_with_its_memory_full_had_too_little(size, category):
    """From a small process: to the system, what a parent holds while it starts a worker counts for the worker."""
    code = f"""
import pool_handlers as handlers
from docparse.run.pool import Pool
from docparse.run.process import Start
with Pool(Start(handlers.Handler, memory={400 * MIB}), 1) as pool:
    pool.submit(None, ("abort", {size}), timeout=60)
    (outcome,) = pool.outcomes()
    print(outcome.failure.category)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env=FINDING, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.stdout.split() == [category], done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits and tells the memory of a process")
def test_a_worker_that_holds_nearly_its_limit_between_tasks_is_replaced():
    with Pool(Start(handlers.Handler, memory=640 * MIB), 1) as pool:
        small = work(pool, [("grow", MIB)] * 3)
        large = work(pool, [("grow", 490 * MIB), ("pid", 0)])
    assert len({outcome.value for outcome in small}) == 1
    assert len({outcome.value for outcome in large}) == 2


@pytest.mark.parametrize("task", [("starve", "x"), ("lose", "x")])
def test_a_worker_that_memory_or_its_device_has_failed_is_replaced(task):
    with Pool(Start(handlers.Handler), 1) as pool:
        before, failed, after = work(pool, [("pid", 0), task, ("pid", 0)])
    assert failed.failure is not None
    assert before.value != after.value


def test_cancelled_tasks_do_not_come_back():
    with Pool(Start(handlers.Handler), 1) as pool:
        pool.submit(next(pool.idle()), ("sleep", 60), timeout=60, about="slow")
        pool.cancel("other")
        assert pool.busy
        pool.cancel("slow")
        assert not pool.busy
        assert pool.outcomes() == []


def test_waiting_can_be_limited():
    with Pool(Start(handlers.Handler), 1) as pool:
        pool.submit(next(pool.idle()), ("sleep", 60), timeout=60)
        assert pool.outcomes(until=time.monotonic() + 0.2) == []
        assert pool.busy


def test_no_process_outlives_the_pool():
    with Pool(Start(handlers.Handler), 2) as pool:
        pids = [outcome.value for outcome in work(pool, [("pid", 0)] * 4)]
        pool.submit(next(pool.idle()), ("sleep", 60), timeout=60)
    assert not any(alive(pid) for pid in pids)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("last", ["time.sleep(60)", "os.kill(workers[0], signal.SIGSTOP); time.sleep(60)"])
def test_workers_die_with_a_parent_that_is_killed(tmp_path, last):
    script = tmp_path / "parent.py"
    script.write_text(
        "import os, signal, sys, time, pool_handlers\n"
        "from docparse.run.pool import Pool\n"
        "from docparse.run.process import Start\n"
        "with Pool(Start(pool_handlers.Handler), 2) as pool:\n"
        "    for worker in pool.idle():\n"
        "        pool.submit(worker, ('sleep', 60), timeout=90)\n"
        "    workers = [worker.process.pid for worker in pool.workers]\n"
        "    pool.outcomes(until=time.monotonic() + 1)\n"
        "    print(*workers, flush=True)\n"
        f"    {last}\n"
    )
    parent = subprocess.Popen([sys.executable, str(script)], env=FINDING, stdout=subprocess.PIPE, text=True)
    workers = [int(pid) for pid in parent.stdout.readline().split()]
    assert len(workers) == 2
    assert all(alive(pid) for pid in workers)
    time.sleep(0.1)
    os.kill(parent.pid, signal.SIGKILL)
    parent.communicate()
    assert eventually(lambda: not any(alive(pid) for pid in workers))


def test_news_of_a_task_are_heard_before_its_end_and_are_no_outcome():
    heard: list[object] = []
    with Pool(Start(handlers.Handler), 1, heard.append) as pool:
        outcomes = work(pool, [("report", 3), ("echo", "done")])
    assert heard == [0, 1, 2]
    assert [outcome.value for outcome in outcomes] == [3, "done"]


def test_offline_workers_may_not_connect(monkeypatch):
    monkeypatch.delenv(FORBIDDEN_BY, raising=False)  # of a command that ran in this process
    with Pool(Start(handlers.Handler), 1) as pool:
        (outcome,) = work(pool, [("connect", 0)])
    assert outcome.failure.category == "environment"
    assert "the setting offline forbids the connection to 192.0.2.1" in outcome.failure.error


def service(slots: int, seconds: float = 0.0) -> Start:
    return Start(handlers.Service, (seconds,), service=True, slots=slots)


@pytest.mark.parametrize("slots", [1, 3])
def test_a_service_has_as_many_tasks_at_once_as_it_takes(slots):
    with Pool([service(slots, 0.05)]) as pool:
        outcomes = work(pool, [f"task {number}" for number in range(9)])
        assert len(pool.workers) == 1
    assert sorted(outcome.value[0] for outcome in outcomes) == [f"task {number}" for number in range(9)]
    assert max(outcome.value[1] for outcome in outcomes) <= slots
    assert all(outcome.about == f"about {outcome.task}" for outcome in outcomes)


def test_what_ends_a_service_ends_all_its_tasks_and_nobody_knows_which_was_why():
    with Pool([service(4)]) as pool:
        outcomes = work(pool, ["wait", "wait", "die"], timeout=60)
        assert len(outcomes) == 3
        assert all(outcome.failure and outcome.failure.shared for outcome in outcomes)
        (alone,) = work(pool, ["die"])
        assert alone.failure is not None and not alone.failure.shared


def test_answers_that_have_come_count_however_late_they_are_looked_at():
    with Pool([service(4)]) as pool:
        work(pool, ["warm up"])
        for number in range(4):
            pool.submit(next(pool.idle()), number, timeout=0.3)
        time.sleep(0.6)
        outcomes = pool.outcomes()
    assert sorted(outcome.value[0] for outcome in outcomes) == [0, 1, 2, 3]


def test_a_service_that_is_told_to_forget_a_task_goes_on_with_the_others():
    with Pool([service(4)]) as pool:
        work(pool, ["warm up"])
        pid = pool.workers[0].process.pid
        pool.submit(next(pool.idle()), "wait", timeout=60, about="gone")
        pool.cancel("gone")
        assert [outcome.value[0] for outcome in work(pool, ["stays"])] == ["stays"]
        assert pool.workers[0].process.pid == pid


def test_a_task_that_is_to_be_alone_has_a_service_for_itself():
    with Pool([service(4)]) as pool:
        pool.submit(next(pool.idle()), "alone", timeout=60, alone=True)
        assert next(pool.idle(), "nobody") == "nobody"
        assert [outcome.value for outcome in pool.outcomes()] == [("alone", 1)]
        assert next(pool.idle()) is pool.workers[0]
