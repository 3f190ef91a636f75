"""Errors tell what to do next."""

import builtins
import re
import sys
from pathlib import Path

from docparse.errors import EnvironmentProblem
from docparse.run.worker import answer

ROOT = Path(__file__).parents[1]
INSTALLS_THE_NAME = re.compile(r"pip3? install[^`\n]*(?<![\w/.-])docparse(?![\w/.-])")
MISSING = "libGL.so.1: cannot open shared object file: No such file or directory"


def read_a_scan():
    import cv2  # noqa: F401


def test_an_opencv_that_wants_a_display_names_the_command_that_mends_it(monkeypatch):
    real = builtins.__import__

    def without_libgl(name, *more, **how):
        if name == "cv2":
            raise ImportError(MISSING)
        return real(name, *more, **how)

    monkeypatch.delitem(sys.modules, "cv2", raising=False)
    monkeypatch.setattr(builtins, "__import__", without_libgl)
    failure = answer(read_a_scan).failure
    assert (failure.category, failure.fatal) == (EnvironmentProblem.category, True)
    fix = "run `pip install --force-reinstall --no-deps opencv-python-headless==5.0.0.93`"
    assert failure.error == f"{MISSING}: {fix}"


def test_no_message_and_no_page_installs_our_name_from_the_package_index():
    """The index has another project called docparse."""
    for line in ("pip install docparse", "pip install 'docparse[bench]'", "pip install -U docparse==1"):
        assert INSTALLS_THE_NAME.search(line)
    files = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "training").rglob("*.md")]
    files += (ROOT / "docparse").rglob("*.py")
    assert [path for path in files if INSTALLS_THE_NAME.search(path.read_text(encoding="utf-8"))] == []
