"""Help and version: there, and quick because nothing heavy is imported."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("arguments", [("--help",), ("-h",), ("convert", "--help"), ("doctor", "--help")])
def test_help_is_on_stdout(run, arguments):
    done = run(*arguments)
    assert done.returncode == 0
    assert "Usage" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("arguments", [("--help",), ("convert", "--help"), ("models", "list", "--help")])
def test_the_help_names_no_type_for_switches(run, arguments):
    assert "<bool>" not in run(*arguments).stdout
    assert "<int>" not in run(*arguments).stdout


def test_without_a_command_help_is_a_usage_error(run):
    done = run()
    assert done.returncode == 2
    assert "convert" in done.stdout + done.stderr


def test_an_unknown_command_is_one_line(run):
    done = run("covnert")
    assert done.returncode == 2
    assert "covnert" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_version(run):
    from docparse import __version__

    assert run("--version").stdout == f"docparse {__version__}\n"


def test_help_imports_nothing_heavy():
    code = (
        "import sys\n"
        "from docparse.cli import run\n"
        "for arguments in (['--help'], ['convert', '--help'], ['models', 'list']):\n"
        "    run(arguments)\n"
        "heavy = {'torch', 'numpy', 'cv2', 'transformers', 'onnxruntime', 'PIL', 'pypdfium2', 'scipy'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "[]"
