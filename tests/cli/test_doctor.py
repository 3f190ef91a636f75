"""`docparse doctor`: healthy here, and plain about what is missing elsewhere."""

import json
from pathlib import Path

import pypdfium2
import pytest
from snapshots import pulled

from docparse.cli import doctor
from docparse.errors import ExitCode
from docparse.models.registry import families


@pytest.fixture
def examined(monkeypatch, capsys):
    """`examined(check, ..., quiet=True)` -> exit code of these checks alone, and what was printed."""

    def examine(*checks, **how):
        monkeypatch.setattr(doctor, "CHECKS", checks)
        return doctor.examine(**how), capsys.readouterr().out

    return examine


def test_this_machine_is_healthy_and_the_screen_is_one(run):
    done = run("doctor")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert len(lines) <= 24
    assert any(line.startswith("ok") and "conversion" in line for line in lines)
    findings = json.loads(run("doctor", "--json").stdout)
    assert findings["healthy"] is True
    assert {item["name"] for item in findings["findings"]} >= {"machine", "packages", "opencv", "models", "conversion"}


@pytest.mark.parametrize("broken", [doctor.packages, doctor.weights, doctor.conversion])
def test_what_is_missing_has_a_line_that_fixes_it(monkeypatch, examined, broken):
    monkeypatch.setattr(doctor, "NEEDED", ("no-such-package",))
    monkeypatch.setattr(doctor, "WEIGHTS", {"msgspec": 1})
    monkeypatch.setattr(doctor, "SENTENCE", "words that are not on the page")
    code, shown = examined(broken)
    lines = shown.splitlines()
    assert code == ExitCode.ENVIRONMENT
    assert lines[0].startswith("missing") and "-> " in lines[1]


def test_quiet_says_only_what_is_missing_and_a_check_that_breaks_is_a_finding(examined):
    assert examined(doctor.system, doctor.opencv, quiet=True) == (ExitCode.OK, "")

    def opencv():
        raise OSError("libGL.so.1: cannot open shared object file")

    code, shown = examined(opencv, json=True)
    assert code == ExitCode.ENVIRONMENT and "libGL" in shown


def test_the_bundled_page_is_made_from_the_source_beside_it(typst_pdf):
    source = Path(doctor.__file__).parent.parent / "data" / "doctor.typ"
    texts = []
    for path in (source.with_suffix(".pdf"), typst_pdf(source.read_text(encoding="utf-8"), "doctor")):
        with pypdfium2.PdfDocument(path) as document:
            texts.append([page.get_textpage().get_text_range() for page in document])
    assert texts[0] == texts[1]
    assert doctor.SENTENCE in source.read_text(encoding="utf-8")


def test_an_opencv_that_wants_a_display_is_replaced_by_the_one_without(monkeypatch):
    reason = "ImportError: libGL.so.1: cannot open shared object file"
    done = doctor.subprocess.CompletedProcess([], 1, stdout="", stderr=f"Traceback\n{reason}\n")
    monkeypatch.setattr(doctor.subprocess, "run", lambda *args, **kwargs: done)
    (finding,) = doctor.opencv()
    assert (finding.status, finding.text) == ("missing", reason)
    assert finding.fix == "run `pip install --force-reinstall --no-deps opencv-python-headless==5.0.0.93`"


def test_vision_models_are_listed_without_importing_torch_and_a_partial_one_is_completed(
    monkeypatch, tmp_path, examined
):
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setitem(doctor.sys.modules, "torch", None)  # an import of it fails
    code, shown = examined(doctor.vision_models)
    assert code == ExitCode.OK and str(tmp_path) in shown and "none cached" in shown
    assert "model: pipeline (docparse's own reading: no vision-language model is downloaded)" in shown
    card = next(families()).card
    pulled(tmp_path, card.repository, weights=False)
    code, shown = examined(doctor.vision_models)
    assert code == ExitCode.OK and f"-> docparse models pull {card.name}" in shown
