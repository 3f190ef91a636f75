"""Servers that misbehave, and a client in a hurry."""

from contextlib import ExitStack

import numpy as np
import pytest
from fake_server import MODEL, FakeServer, serving

from docparse.served import ServedRequest, Server


@pytest.fixture(autouse=True)
def _no_keys_of_this_machine(monkeypatch):
    for name in ("DOCPARSE_SERVER_KEY", "OPENAI_API_KEY", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def fake():
    """`fake(plan, **options)` -> a `FakeServer` that serves until the test ends; a plan may be a list of what is done
    with the first requests, after which all goes well."""
    with ExitStack() as stack:

        def start(plan=(), **options):
            steps = plan if callable(plan) else lambda number: plan[number] if number < len(plan) else "ok"
            return stack.enter_context(serving(FakeServer(steps, **options)))

        yield start


@pytest.fixture
def client():
    """`client(url, **options)` -> a `Server` that pauses no longer than hundredths of a second."""
    with ExitStack() as stack:

        def start(url, **options):
            options = {"model": MODEL, "pause": 0.01, "timeout": 30.0} | options
            return stack.enter_context(Server(url, **options))

        yield start


def page(number=0, width=60, height=40):
    return np.random.default_rng(number).integers(0, 255, (height, width, 3), dtype=np.uint8)


@pytest.fixture
def request_of():
    return lambda number=0: ServedRequest(page(number), "Read this.", max_tokens=100)


@pytest.fixture
def all_of():
    """`all_of(server, count)` -> the outcomes of so many handles; fails where one comes twice or none within 30 s."""

    def collect(server, count):
        found = {}
        while len(found) < count:
            came = server.finished(30.0)
            assert came, f"{len(found)} of {count} came back"
            for handle, outcome in came:
                assert handle not in found
                found[handle] = outcome
        return found

    return collect


@pytest.fixture
def ask(request_of, all_of):
    """`ask(server, request, ...)` -> the outcomes of these requests, of an ordinary one where none is given."""

    def outcomes(server, *requests):
        handles = [server.submit(request) for request in requests or (request_of(),)]
        found = all_of(server, len(handles))
        return [found[handle] for handle in handles]

    return outcomes
