"""Help and version: there, and quick because nothing heavy is imported."""

import pytest

from docparse import __version__
from docparse.settings import READ, RUN, WRITE


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("-h",),
        ("convert", "--help"),
        ("doctor", "--help"),
        ("models", "pull", "--help"),
        ("view", "--help"),
    ],
)
def test_help_is_on_stdout_and_names_no_type_for_switches(run, arguments):
    done = run(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Usage" in done.stdout
    assert "<bool>" not in done.stdout and "<int>" not in done.stdout and "<list" not in done.stdout
    assert "<path>" not in done.stdout and "<str>" not in done.stdout


def test_help_has_the_settings_by_subject_and_fits_80_columns(run):
    lines = run("convert", "--help").stdout.splitlines()
    headings = [line.rstrip(":") for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert headings == ["Arguments", "Options", READ, WRITE, RUN]
    assert max(map(len, lines)) <= 80
    assert "Mark where pages begin (default: off)." in " ".join(" ".join(lines).split())
    assert any(line.startswith("  --dpi N ") for line in lines[lines.index(f"{READ}:") : lines.index(f"{WRITE}:")])


def test_no_command_or_an_unknown_one_is_a_usage_error(run):
    done = run()
    assert done.returncode == 2 and "convert" in done.stdout + done.stderr
    done = run("covnert")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "covnert" in done.stderr


def test_a_file_in_place_of_a_command_is_told_how_to_be_converted(run, one_page_pdf):
    done = run(one_page_pdf)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert f"did you mean `docparse convert {one_page_pdf}`?" in done.stderr


def test_version(run):
    assert run("--version").stdout == f"docparse {__version__}\n"
