"""Help and version: there, and quick because nothing heavy is imported."""

import pytest
from refusals import refused

from docparse import __version__
from docparse.settings import READ, RUN, WRITE


@pytest.mark.parametrize("command", ["--help", "-h", "convert --help", "models pull --help", "view --help"])
def test_help_is_on_stdout_and_names_no_type_for_switches(run, command):
    done = run(*command.split())
    assert (done.returncode, done.stderr) == (0, "")
    assert "Usage" in done.stdout
    assert run("--version").stdout == f"docparse {__version__}\n"
    assert [name for name in ("bool", "int", "list", "path", "str") if f"<{name}" in done.stdout] == []


def test_help_has_the_settings_by_subject_and_fits_80_columns(run):
    lines = run("convert", "--help").stdout.splitlines()
    headings = [line.rstrip(":") for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert headings == ["Arguments", "Options", READ, WRITE, RUN]
    assert max(map(len, lines)) <= 80
    assert "Mark where pages begin (default: off)." in " ".join(" ".join(lines).split())
    assert any(line.startswith("  --dpi N ") for line in lines[lines.index(f"{READ}:") : lines.index(f"{WRITE}:")])


def test_no_command_an_unknown_one_or_a_file_in_place_of_one_is_a_usage_error(run, one_page_pdf):
    done = run()
    assert done.returncode == 2 and "convert" in done.stdout + done.stderr
    refused(run("covnert"), 2, "covnert")
    refused(run(one_page_pdf), 2, f"did you mean `docparse convert {one_page_pdf}`?")
