"""What a machine is taken to have: its drivers' word on GPUs, its container's word on memory."""

from collections.abc import Callable

import pytest

from docparse import machine

MIB = 2**20
TWO = "0, GPU-aaaa, NVIDIA L4, 23034, 22000\n1, GPU-bbbb, NVIDIA H200, 143771, 143000\n"


@pytest.fixture
def nvidia_smi(tmp_path, monkeypatch) -> Callable[..., None]:
    """`nvidia_smi(output, status=0)` puts a tool of that name first on the path."""
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)

    def install(output: str, status: int = 0) -> None:
        tool = tmp_path / "nvidia-smi"
        tool.write_text(f"#!/bin/sh\ncat <<'END'\n{output}END\nexit {status}\n")
        tool.chmod(0o755)

    return install


def test_the_drivers_tool_lists_the_gpus(nvidia_smi):
    nvidia_smi(TWO)
    assert machine.gpus() == (
        machine.Gpu("NVIDIA L4", 23034 * MIB, 22000 * MIB),
        machine.Gpu("NVIDIA H200", 143771 * MIB, 143000 * MIB),
    )


@pytest.mark.parametrize(
    ("visible", "names"),
    [("1", ["NVIDIA H200"]), ("1,0", ["NVIDIA H200", "NVIDIA L4"]), ("GPU-aaaa", ["NVIDIA L4"]), ("", []), ("-1", [])],
)
def test_hidden_devices_are_not_there(nvidia_smi, monkeypatch, visible, names):
    nvidia_smi(TWO)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    assert [gpu.name for gpu in machine.gpus()] == names


@pytest.mark.parametrize(
    ("output", "status"),
    [("NVIDIA-SMI has failed because it couldn't communicate with the driver.\n", 9), ("No devices were found\n", 0)],
)
def test_a_driver_that_does_not_answer_has_no_gpus(nvidia_smi, output, status):
    nvidia_smi(output, status)
    assert machine.gpus() == ()


def test_without_the_tool_there_is_no_gpu(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert machine.gpus() == ()


def test_a_containers_limit_counts_without_what_the_cache_of_files_gives_back(monkeypatch, tmp_path):
    monkeypatch.setattr(machine, "CGROUP", tmp_path)
    assert machine.available_memory() > 100 * MIB
    (tmp_path / "memory.max").write_text(f"{80 * MIB}\n")
    (tmp_path / "memory.current").write_text(f"{70 * MIB}\n")
    assert machine.available_memory() == 10 * MIB
    (tmp_path / "memory.stat").write_text(f"anon 5\ninactive_file {30 * MIB}\n")
    assert machine.available_memory() == 40 * MIB
    (tmp_path / "memory.max").write_text("max\n")
    assert machine.available_memory() > 100 * MIB


def test_a_containers_share_of_the_cores_counts(monkeypatch, tmp_path):
    monkeypatch.setattr(machine, "CGROUP", tmp_path)
    (tmp_path / "cpu.max").write_text("50000 100000\n")
    assert machine.usable_cores() == 1
