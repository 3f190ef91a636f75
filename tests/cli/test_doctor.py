"""`docparse doctor`: healthy here, and plain about what is missing elsewhere."""

import json
from pathlib import Path

import pytest

from docparse.cli import doctor
from docparse.errors import ExitCode


def test_this_machine_is_healthy_and_the_screen_is_one(run):
    done = run("doctor")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert len(lines) <= 24
    assert any(line.startswith("ok") and "conversion" in line for line in lines)


def test_quiet_says_only_what_is_missing(monkeypatch, capsys):
    monkeypatch.setattr(doctor, "CHECKS", (doctor.system, doctor.opencv))
    assert doctor.examine(quiet=True) == ExitCode.OK
    assert capsys.readouterr().out == ""


def test_as_json(run):
    findings = json.loads(run("doctor", "--json").stdout)
    assert findings["healthy"] is True
    assert {item["name"] for item in findings["findings"]} >= {"machine", "packages", "opencv", "models", "conversion"}


@pytest.mark.parametrize("broken", [doctor.packages, doctor.weights, doctor.conversion])
def test_what_is_missing_has_a_line_that_fixes_it(monkeypatch, capsys, broken):
    monkeypatch.setattr(doctor, "NEEDED", ("no-such-package",))
    monkeypatch.setattr(doctor, "WEIGHTS", {"docparse": 1})
    monkeypatch.setattr(doctor, "SENTENCE", "words that are not on the page")
    monkeypatch.setattr(doctor, "CHECKS", (broken,))
    assert doctor.examine() == ExitCode.ENVIRONMENT
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("missing")
    assert "-> " in lines[1]


def test_a_check_that_breaks_is_a_finding(monkeypatch, capsys):
    def opencv() -> list[doctor.Finding]:
        raise OSError("libGL.so.1: cannot open shared object file")

    monkeypatch.setattr(doctor, "CHECKS", (opencv,))
    assert doctor.examine(json=True) == ExitCode.ENVIRONMENT
    assert "libGL" in capsys.readouterr().out


def test_the_bundled_page_is_made_from_the_source_beside_it(typst_pdf):
    source = Path(doctor.__file__).parent.parent / "data" / "doctor.typ"
    assert doctor.SENTENCE in source.read_text(encoding="utf-8")
    assert words(source.with_suffix(".pdf")) == words(typst_pdf(source.read_text(encoding="utf-8"), "doctor"))


def words(pdf: Path) -> list[str]:
    import pypdfium2

    with pypdfium2.PdfDocument(pdf) as document:
        return [page.get_textpage().get_text_range() for page in document]


def test_an_opencv_that_wants_a_display_is_replaced_by_the_one_without(monkeypatch):
    reason = "ImportError: libGL.so.1: cannot open shared object file"
    done = doctor.subprocess.CompletedProcess([], 1, stdout="", stderr=f"Traceback\n{reason}\n")
    monkeypatch.setattr(doctor.subprocess, "run", lambda *args, **kwargs: done)
    (finding,) = doctor.opencv()
    assert (finding.status, finding.text) == ("missing", reason)
    assert finding.fix == "run `pip install --force-reinstall --no-deps opencv-python-headless==5.0.0.93`"


def test_vision_models_are_listed_without_importing_torch(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(doctor, "CHECKS", (doctor.vision_models,))
    monkeypatch.setitem(doctor.sys.modules, "torch", None)  # an import of it fails
    assert doctor.examine() == ExitCode.OK
    shown = capsys.readouterr().out
    assert str(tmp_path) in shown
    assert "none cached" in shown
    assert "model: pipeline (no vision-language model is cached)" in shown


def test_a_partial_vision_model_has_the_command_that_completes_it(monkeypatch, tmp_path, capsys):
    from docparse.models.registry import families

    card = next(families()).card
    snapshot = tmp_path / f"models--{card.repository.replace('/', '--')}" / "snapshots" / ("a" * 40)
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").write_text("{}")
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(doctor, "CHECKS", (doctor.vision_models,))
    assert doctor.examine() == ExitCode.OK
    assert f"-> docparse models pull {card.name}" in capsys.readouterr().out
