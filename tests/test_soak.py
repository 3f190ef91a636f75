"""Damaged documents lose nothing but themselves."""

import subprocess
import sys
from pathlib import Path

import pytest

SOAK = Path(__file__).with_name("soak.py")


@pytest.mark.thorough
def test_a_short_soak_finds_nothing(tmp_path):
    command = [sys.executable, SOAK, "--seed", "12", "--mutations", "10", "--keep", tmp_path / "kept"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    assert (done.returncode, done.stdout) == (0, "10 damaged documents, 0 findings\n"), done.stderr
