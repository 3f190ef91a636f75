"""The command as a person runs it: a process of its own, with a clean environment."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

COMMAND = (sys.executable, "-P", "-m", "docparse")


def clean_environment(**more: str) -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if not key.startswith("DOCPARSE_")} | more


@pytest.fixture(scope="session")
def start() -> Callable[..., subprocess.Popen[bytes]]:
    """`start("convert", ..., cwd=...)` -> the running process; its output is discarded unless asked for."""

    def begin(*arguments: str | Path, env: dict[str, str] | None = None, **more: object) -> subprocess.Popen[bytes]:
        options: dict = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        command = [*COMMAND, *map(str, arguments)]
        return subprocess.Popen(command, env=clean_environment(**(env or {})), **(options | more))

    return begin


@pytest.fixture(scope="session")
def run() -> Callable[..., subprocess.CompletedProcess[str]]:
    """`run("convert", ..., cwd=..., input=..., env=...)` -> the completed process, output as text."""

    def complete(
        *arguments: str | Path, env: dict[str, str] | None = None, **more: object
    ) -> subprocess.CompletedProcess[str]:
        options: dict = {"stdin": subprocess.DEVNULL} if "input" not in more else {}
        command = [*COMMAND, *map(str, arguments)]
        options |= {"capture_output": True, "timeout": 120} | more
        done = subprocess.run(command, check=False, env=clean_environment(**(env or {})), **options)
        out, err = ((stream or b"").decode("utf-8") for stream in (done.stdout, done.stderr))
        return subprocess.CompletedProcess(done.args, done.returncode, out, err)

    return complete


@pytest.fixture(scope="session")
def numbered_pdf(typst_pdf: Callable[..., Path]) -> Callable[[int], Path]:
    """`numbered_pdf(n)` -> a PDF of n pages; page k says `This is page k of the book.`"""

    def build(count: int) -> Path:
        return typst_pdf(
            "#set page(width: 300pt, height: 200pt, margin: 30pt)\n"
            f"#for n in range(1, {count + 1}) [#if n > 1 {{ pagebreak() }} This is page #n of the book. #lorem(40)]",
            f"book-{count}",
        )

    return build
