"""A call that does not come back costs its own path and nothing else."""

import os
import threading

import pytest

from docparse.run.inputs import timed as module
from docparse.run.inputs.timed import TimedCalls


@pytest.fixture
def hang(monkeypatch):
    """A call that never returns for a path with `gone` in it, until the test is over."""
    monkeypatch.setattr(module, "SECONDS", 0.05)
    monkeypatch.setattr(module, "SHORT_SECONDS", 0.05)
    over = threading.Event()

    def call(path):
        if "gone" in path:
            over.wait()
        return path.upper()

    yield call
    over.set()


def test_errors_stand_in_the_place_of_their_path():
    def call(path):
        raise {"os": OSError(5, "no luck"), "value": ValueError("embedded null byte")}[path]

    with TimedCalls() as calls:
        errors = calls.each(call, ["os", "value"])
        assert [getattr(error, "strerror", "") for error in errors] == ["no luck", "no file can have this name"]
        with pytest.raises(OSError, match="no luck"):
            calls.one(call, "os")


def test_where_a_folder_does_not_answer_its_other_paths_are_not_tried(hang, monkeypatch):
    tried = []
    monkeypatch.setattr(os, "lstat", hang)
    with TimedCalls() as calls:
        paths = ["gone/1", "gone/2", "y/a", "x/gone", "x/b"]
        results = calls.each(lambda path: tried.append(path) or hang(path), paths, about_folder=True)
    assert [isinstance(result, TimeoutError) for result in results] == [True, True, False, True, False]
    assert tried == ["gone/1", "y/a", "x/gone", "x/b"]


def test_patience_ends_after_a_few(hang, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 1)
    monkeypatch.setattr(module, "SHORT_SECONDS", 0.01)
    with TimedCalls() as calls:
        results = calls.each(hang, ["gone1", "gone2"])
    assert ["0.05 s" in str(result) for result in results] == [True, False]
