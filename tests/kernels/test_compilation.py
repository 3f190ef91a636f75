"""Every kernel compiles for the GPUs at large, without one, and products of matrices run on tensor cores."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

KERNELS = {
    "attend",
    "combine",
    "visual_shares",
    "row_sums",
    "column_sums",
    "reduce_heads",
    "potential",
    "box_density",
}
WITH_PRODUCTS = {"attend", "visual_shares", "row_sums", "column_sums"}
SHARED = 99 * 1024  # bytes that one program may have on the smallest of these generations (sm_86, sm_89)


@pytest.mark.skipif(importlib.util.find_spec("triton") is None, reason="triton is not installed")
@pytest.mark.parametrize("architecture", [80, 90, 100])
def test_kernels_compile(architecture: int) -> None:
    script = Path(__file__).with_name("compile_kernels.py")
    environment = {key: value for key, value in os.environ.items() if key != "TRITON_INTERPRET"}
    command = [sys.executable, str(script), str(architecture)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    compiled = json.loads(done.stdout)
    assert set(compiled) == KERNELS
    for name, facts in compiled.items():
        assert facts["target"].startswith(f"sm_{architecture}"), name
        assert facts["products"] is (name in WITH_PRODUCTS), name
        assert facts["shared"] <= SHARED, name
