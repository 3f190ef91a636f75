"""Every kernel compiles for the GPUs at large, without one: no register spilled, products of matrices on tensor cores,
and, in a decode pass, nothing that waits for the device."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

WITH_PRODUCTS = {"attend", "visual_shares"}
KERNELS = WITH_PRODUCTS | {"combine", "norm_row", "gated", "turn", "move", "potential"}
# Bytes of shared memory that one program may have; sm_86 and sm_89, which run what is compiled for sm_80, have least.
SHARED = {80: 99 * 1024, 90: 227 * 1024, 100: 227 * 1024}


@pytest.mark.skipif(importlib.util.find_spec("triton") is None, reason="triton is not installed")
@pytest.mark.parametrize(
    ("architecture", "dtype"),
    [
        (90, "bfloat16"),
        pytest.param(80, "float32", marks=pytest.mark.thorough),
        pytest.param(80, "bfloat16", marks=pytest.mark.thorough),
        pytest.param(100, "bfloat16", marks=pytest.mark.thorough),
    ],
)
def test_kernels_compile(architecture, dtype):
    script = Path(__file__).with_name("compile_kernels.py")
    environment = {key: value for key, value in os.environ.items() if key != "TRITON_INTERPRET"}
    command = [sys.executable, str(script), str(architecture), dtype]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    compiled = json.loads(done.stdout)
    assert {name.split()[0] for name in compiled} == KERNELS
    for name, facts in compiled.items():
        assert facts["target"].startswith(f"sm_{architecture}"), name
        assert facts["products"] is (name.split()[0] in WITH_PRODUCTS), name
        assert facts["spilled"] == 0, name
        assert facts["shared"] <= SHARED[architecture], name
