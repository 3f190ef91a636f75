"""Errors tell what to do next."""

from __future__ import annotations

import builtins
import sys

import pytest

from docparse.errors import EnvironmentProblem
from docparse.jobs.worker import answer

MISSING = "libGL.so.1: cannot open shared object file: No such file or directory"


def read_a_scan() -> None:
    import cv2  # noqa: F401


def test_an_opencv_that_wants_a_display_names_the_command_that_mends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without_libgl(name: str, *args: object, **kwargs: object) -> object:
        if name == "cv2":
            raise ImportError(MISSING)
        return real(name, *args, **kwargs)

    monkeypatch.delitem(sys.modules, "cv2", raising=False)
    monkeypatch.setattr(builtins, "__import__", without_libgl)
    failure = answer(read_a_scan).failure
    assert failure is not None
    assert failure.category == EnvironmentProblem.category
    assert failure.fatal
    fix = "run `pip install --force-reinstall --no-deps opencv-python-headless==5.0.0.93`"
    assert failure.error == f"{MISSING}: {fix}"
