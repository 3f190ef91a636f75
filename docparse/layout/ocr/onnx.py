"""Models that ship inside installed packages, opened for the CPU without importing those packages."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

from docparse.errors import EnvironmentProblem

if TYPE_CHECKING:
    import onnxruntime as ort


def shipped_model(package: str, *parts: str) -> Path:
    """Return the path of a weights file inside an installed package. Raises `EnvironmentProblem` if it is not there.

    The package is located, not imported: its code, which may download, never runs.
    """
    spec = importlib.util.find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(folder).joinpath(*parts)
        if path.is_file():
            return path
    name = package.replace("_", "-")
    raise EnvironmentProblem(f"{'/'.join(parts)} of {name} is missing: run `pip install --force-reinstall {name}`")


def open_session(path: Path, threads: int, *, keep_memory: bool = False) -> ort.InferenceSession:
    """Return an onnxruntime session on the CPU with `threads` threads that sleep, not spin, while they wait.

    Memory goes back after every run unless `keep_memory`, which is for many runs on small inputs. Kept for inputs of
    any size it only grows: over ten mixed pages a worker held 2.1 GB of it, and 0.7 GB without, at the same speed.
    """
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = max(1, threads)
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.enable_cpu_mem_arena = keep_memory
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Blank paper makes numbers so small that processors take up to a hundred times as long over each of them.
    options.add_session_config_entry("session.set_denormal_as_zero", "1")
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
