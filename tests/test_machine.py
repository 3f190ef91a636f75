"""What a machine is taken to have: its drivers' word on GPUs, its container's word on memory."""

import pytest

from docparse import machine

MIB = 2**20
TWO = "0, GPU-aaaa, NVIDIA L4, 23034, 22000\n1, GPU-bbbb, NVIDIA H200, 143771, 143000\n"
L4, H200 = machine.Gpu("NVIDIA L4", 23034 * MIB, 22000 * MIB), machine.Gpu("NVIDIA H200", 143771 * MIB, 143000 * MIB)
NO_DRIVER = "NVIDIA-SMI has failed because it couldn't communicate with the driver.\n"


@pytest.mark.parametrize(
    "output, status, visible, gpus",
    [
        (TWO, 0, None, (L4, H200)),
        (TWO, 0, "1", (H200,)),
        (TWO, 0, "1,0", (H200, L4)),
        (TWO, 0, "GPU-aaaa", (L4,)),
        (TWO, 0, "", ()),
        (TWO, 0, "-1", ()),
        (NO_DRIVER, 9, None, ()),
        ("No devices were found\n", 0, None, ()),
    ],
)
def test_the_drivers_tool_lists_the_gpus_that_are_not_hidden(tmp_path, monkeypatch, output, status, visible, gpus):
    tool = tmp_path / "nvidia-smi"
    tool.write_text(f"#!/bin/sh\ncat <<'END'\n{output}END\nexit {status}\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    if visible is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    assert machine.gpus() == gpus


def test_without_the_tool_there_is_no_gpu(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert machine.gpus() == ()


def test_a_containers_limits_count_without_what_the_cache_of_files_gives_back(monkeypatch, tmp_path):
    monkeypatch.setattr(machine, "CGROUP", tmp_path)
    assert machine.available_memory() > 100 * MIB
    (tmp_path / "memory.max").write_text(f"{80 * MIB}\n")
    (tmp_path / "memory.current").write_text(f"{70 * MIB}\n")
    assert machine.available_memory() == 10 * MIB
    (tmp_path / "memory.stat").write_text(f"anon 5\ninactive_file {30 * MIB}\n")
    assert machine.available_memory() == 40 * MIB
    (tmp_path / "memory.max").write_text("max\n")
    assert machine.available_memory() > 100 * MIB
    (tmp_path / "cpu.max").write_text("50000 100000\n")
    assert machine.usable_cores() == 1
