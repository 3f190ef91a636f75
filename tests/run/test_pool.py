"""The pool: every task comes back exactly once, whatever happens to the worker that has it."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pool_handlers as handlers
import pytest
from pool_handlers import Do

from docparse.errors import EnvironmentProblem, UsageError
from docparse.run import pool as pool_module
from docparse.run import process
from docparse.run.pool import Pool
from docparse.run.process import Start

FINDING = os.environ | {"PYTHONPATH": str(Path(handlers.__file__).parent)}
MIB = 2**20
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits and tells the memory of a process")


def pool_of(workers=1, **limits):
    return Pool([Start(handlers.Handler, **limits)] * workers)


def service(slots, seconds=0.0, hear=lambda news: None):
    return Pool([Start(handlers.Service, (seconds,), service=True, slots=slots)], hear)


def give(pool, task, timeout=60.0, about=None, alone=False):
    """Give `task` to the first worker that is idle."""
    next(idle(pool)).give(task, timeout, about, alone=alone)


def idle(pool):
    return pool.idle(service=pool.workers[0].start.service)


def work(pool, tasks, timeout=30):
    """Do all tasks, in the order they end."""
    waiting, outcomes = list(tasks), []
    while waiting or pool.busy:
        for worker in idle(pool):
            if not waiting:
                break
            task = waiting.pop(0)
            worker.give(task, timeout, f"about {task}")
        outcomes += pool.outcomes()
    return outcomes


def values(outcomes):
    return [outcome.value for outcome in outcomes]


def alive(pid):
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def test_all_tasks_come_back_with_what_was_submitted_about_them():
    with pool_of(2) as pool:
        outcomes = work(pool, [Do("echo", number) for number in range(20)])
    assert sorted(values(outcomes)) == list(range(20))
    assert all(outcome.about == f"about {outcome.task}" and outcome.failure is None for outcome in outcomes)


@pytest.mark.parametrize("shown", [True, False])
def test_a_worker_whose_errors_are_shown_says_where_a_part_of_its_task_failed(capfd, shown):
    with pool_of(1, show_stderr=shown) as pool:
        assert values(work(pool, [Do("guarded", 0)])) == ["replaced"]
    said = capfd.readouterr().err
    assert ("tables failed" in said and 'Guard()("tables", lambda: 1 // value' in said) is shown


def test_a_system_that_starts_no_process_ends_the_run_with_a_line(monkeypatch):
    def refuse(*_, **__):
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("docparse.run.process.Pipe", refuse)
    with pool_of(1) as pool, pytest.raises(EnvironmentProblem, match="cannot be started: Too many open files"):
        work(pool, [Do("echo", 1)])


def test_a_worker_that_is_warmed_and_never_starts_is_told_though_it_has_no_task():
    starts = [Start(handlers.Handler), Start(time.sleep, (60,), limit=0.3, service=True)]
    with Pool(starts) as pool, pytest.raises(EnvironmentProblem, match="did not start in time"):
        pool.warm(service=True)
        work(pool, [Do("sleep", 30)])


def test_workers_start_only_when_there_is_work():
    with pool_of(4) as pool:
        assert not any(worker.started for worker in pool.workers)
        assert values(work(pool, [Do("count", 0)]) + work(pool, [Do("count", 0)])) == [1, 2]
        assert sum(worker.started for worker in pool.workers) == 1


@pytest.mark.parametrize(
    "task, category, permanent, line, replaced",
    [  # what code says to an input it would say again; what a machine does it might not do again
        (Do("die", signal.SIGKILL), "crash", False, "signal 9", True),
        (Do("exit", 7), "crash", False, "exit code 7", True),
        (Do("fail", "two\nlines"), "internal", True, "ValueError: two lines", False),
        (Do("fail", "Failed to allocate memory for requested buffer"), "memory", False, "memory", True),
        (Do("starve", "x"), "memory", False, "memory", True),
        (Do("lose", "x"), "device", True, "x", True),
        (Do("refuse", "x"), "system", False, "x", False),
        (Do("sleep", 60), "timeout", False, "longer than 0.5 s", True),
        (Do("die", signal.SIGSTOP), "timeout", False, "longer than 0.5 s", True),
    ],
)
def test_a_task_that_goes_wrong_is_a_failure_and_the_others_go_on(task, category, permanent, line, replaced):
    with pool_of() as pool:
        before = values(work(pool, [Do("pid", 0)]))
        failed, after = work(pool, [task, Do("pid", 0)], timeout=0.5)
    assert failed.task == task and line in failed.failure.error
    assert (failed.failure.category, failed.failure.permanent) == (category, permanent)
    assert (before != [after.value]) is replaced


def test_a_missing_package_ends_the_run_and_says_where_to_look():
    with pool_of() as pool:
        (outcome,) = work(pool, [Do("missing", 0)])
    assert outcome.failure.fatal
    assert "no_such_module_at_all" in outcome.failure.error and "docparse doctor" in outcome.failure.error


def test_what_a_worker_prints_goes_nowhere(capfd):
    with pool_of() as pool:
        assert values(work(pool, [Do("shout", 3)])) == [3]
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("factory", [handlers.broken, handlers.dying])
def test_workers_that_cannot_start_are_a_problem_of_the_machine(factory):
    with Pool([Start(factory)]) as pool, pytest.raises(EnvironmentProblem, match="docparse doctor"):
        for _ in range(5):
            work(pool, [Do("echo", 0)])


def test_a_worker_that_refuses_what_was_asked_for_says_so_and_nothing_else():
    with Pool([Start(handlers.refusing)]) as pool, pytest.raises(UsageError, match=r"^--accel hsd: no$"):
        work(pool, [Do("echo", 0)])


def test_a_worker_that_grows_is_replaced_between_tasks(monkeypatch):
    monkeypatch.setattr(pool_module, "SETTLED_TASKS", 1)
    monkeypatch.setattr(pool_module, "TASKS_BEFORE_RECYCLING", 4)
    for task, workers in ((Do("grow", 20 * MIB), 2), (Do("pid", 0), 1)):
        with pool_of() as pool:
            assert len(set(values(work(pool, [task] * 6)))) == workers


@on_linux
@pytest.mark.parametrize("limited_by", ["the system", "the parent"])
def test_a_worker_does_not_pass_its_limit(monkeypatch, limited_by):
    if limited_by == "the parent":
        monkeypatch.setattr(pool_module, "MEMORY_SECONDS", 0.01)
        unlimited = "import docparse.run.worker as worker; worker.limit_memory = lambda *_: None; main("
        monkeypatch.setattr(process, "BOOT", process.BOOT.replace("main(", unlimited))
    else:
        monkeypatch.setattr(pool_module, "resident_memory", lambda pid: 0)
    with pool_of(memory=300 * MIB) as pool:
        (first,) = work(pool, [Do("pid", 0)])
        swollen, after = work(pool, [Do("swell", MIB), Do("pid", 0)])
    assert swollen.failure.category == "memory" and "--max-memory" in swollen.failure.error
    assert after.value != first.value  # what is left of the memory is in pieces


@on_linux
@pytest.mark.parametrize("size, category", [(200 * MIB, "memory"), (0, "crash")])
def test_a_library_that_aborts_with_its_memory_full_had_too_little(size, category):
    """From a small process: to the system, what a parent holds while it starts a worker counts for the worker."""
    code = f"""
import pool_handlers as handlers
from docparse.run.pool import Pool
from docparse.run.process import Start
with Pool([Start(handlers.Handler, memory={400 * MIB})]) as pool:
    pool.workers[0].give(handlers.Do("abort", {size}), 60)
    (outcome,) = pool.outcomes()
    print(outcome.failure.category)
"""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=FINDING, capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout.split() == [category], done.stderr


@on_linux
def test_a_worker_that_holds_nearly_its_limit_between_tasks_is_replaced():
    with pool_of(memory=640 * MIB) as pool:
        assert len(set(values(work(pool, [Do("grow", MIB)] * 3)))) == 1
        assert len(set(values(work(pool, [Do("grow", 490 * MIB), Do("pid", 0)])))) == 2


def test_cancelled_tasks_do_not_come_back():
    with pool_of() as pool:
        give(pool, Do("sleep", 60), about="slow")
        assert pool.outcomes(until=time.monotonic() + 0.2) == []  # waiting can be limited
        pool.cancel("other")
        assert pool.busy
        pool.cancel("slow")
        assert not pool.busy
        assert pool.outcomes() == []


PARENT = """
import os, signal, sys, time, pool_handlers
from docparse.run.pool import Pool
from docparse.run.process import Start
with Pool([Start(pool_handlers.Handler)] * 2) as pool:
    for worker in pool.idle():
        worker.give(pool_handlers.Do('sleep', 60), 90)
    workers = [worker.process.pid for worker in pool.workers]
    pool.outcomes(until=time.monotonic() + 1)
    print(*workers, flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("last", ["", "os.kill(workers[0], signal.SIGSTOP); "], ids=["at work", "stopped"])
def test_workers_die_with_a_parent_that_is_killed(tmp_path, last):
    script = tmp_path / "parent.py"
    script.write_text(f"{PARENT}    {last}time.sleep(60)\n")
    parent = subprocess.Popen([sys.executable, str(script)], env=FINDING, stdout=subprocess.PIPE, text=True)
    workers = [int(pid) for pid in parent.stdout.readline().split()]
    assert len(workers) == 2 and all(map(alive, workers))
    time.sleep(0.1)
    os.kill(parent.pid, signal.SIGKILL)
    parent.communicate()
    until = time.monotonic() + 20
    while any(map(alive, workers)) and time.monotonic() < until:
        time.sleep(0.02)
    assert not any(map(alive, workers))


def test_news_of_a_task_are_heard_before_its_end_and_are_no_outcome():
    heard = []
    with service(1, hear=heard.append) as pool:
        outcomes = work(pool, ["tell", "done"])
    assert (heard, [outcome.value[0] for outcome in outcomes]) == ([0, 1, 2], ["tell", "done"])


@pytest.mark.parametrize("slots", [1, 3])
def test_a_service_has_as_many_tasks_at_once_as_it_takes(slots):
    with service(slots, 0.05) as pool:
        outcomes = work(pool, [f"task {number}" for number in range(9)])
    assert sorted(outcome.value[0] for outcome in outcomes) == [f"task {number}" for number in range(9)]
    assert max(outcome.value[1] for outcome in outcomes) <= slots
    assert all(outcome.about == f"about {outcome.task}" for outcome in outcomes)


def test_what_ends_a_service_ends_all_its_tasks_and_nobody_knows_which_was_why():
    with service(4) as pool:
        outcomes = work(pool, ["wait", "wait", "die"], timeout=60)
        assert len(outcomes) == 3 and all(outcome.failure.shared for outcome in outcomes)
        (alone,) = work(pool, ["die"])
        assert not alone.failure.shared


def test_answers_that_have_come_count_however_late_they_are_looked_at():
    with service(4) as pool:
        work(pool, ["warm up"])
        for number in range(4):
            give(pool, number, 0.3)
        time.sleep(0.6)
        assert sorted(outcome.value[0] for outcome in pool.outcomes()) == [0, 1, 2, 3]


def test_a_service_forgets_a_task_and_has_one_alone_and_goes_on():
    with service(4) as pool:
        work(pool, ["warm up"])
        pid = pool.workers[0].process.pid
        give(pool, "wait", about="gone")
        pool.cancel("gone")
        assert [outcome.value[0] for outcome in work(pool, ["stays"])] == ["stays"]
        give(pool, "alone", alone=True)
        assert list(idle(pool)) == []
        assert values(pool.outcomes()) == [("alone", 1)]
        assert next(idle(pool)).process.pid == pid
