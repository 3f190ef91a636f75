"""Help and version: there, and quick because nothing heavy is imported."""

import pytest

from docparse import __version__


@pytest.mark.parametrize(
    "arguments", [("--help",), ("-h",), ("convert", "--help"), ("doctor", "--help"), ("models", "list", "--help")]
)
def test_help_is_on_stdout_and_names_no_type_for_switches(run, arguments):
    done = run(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Usage" in done.stdout
    assert "<bool>" not in done.stdout and "<int>" not in done.stdout


def test_no_command_or_an_unknown_one_is_a_usage_error(run):
    done = run()
    assert done.returncode == 2 and "convert" in done.stdout + done.stderr
    done = run("covnert")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "covnert" in done.stderr


def test_version(run):
    assert run("--version").stdout == f"docparse {__version__}\n"
