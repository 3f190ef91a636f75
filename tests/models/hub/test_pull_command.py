"""`docparse models pull` as a person runs it: progress on stderr, the folder on stdout."""

import json
import signal
from pathlib import Path

import pytest

from docparse.cli import main as run
from docparse.models.registry import families

CARD = next(families()).card


@pytest.fixture(autouse=True)
def signals():
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


def test_the_folder_goes_to_stdout_and_the_rest_to_stderr(hub, cache, capsys):
    assert run(["models", "pull", CARD.name]) == 0
    out, err = capsys.readouterr()
    folder = Path(out.strip())
    assert folder.is_relative_to(cache)
    assert (folder / "config.json").exists()
    assert f"{CARD.repository} at {'pinned ' if CARD.revision else ''}revision" in err
    assert f"revision {folder.name}" in err
    assert CARD.licence in err
    assert run(["models", "path", CARD.name]) == 0
    assert capsys.readouterr().out == out
    assert run(["models", "verify", CARD.name]) == 0


def test_another_revision_than_the_pinned_one(hub, capsys):
    assert run(["models", "pull", CARD.name, "--revision", "main"]) == 0
    assert hub.revisions == ["main"]
    out, err = capsys.readouterr()
    assert f"{CARD.repository} at revision main" in err
    assert run(["models", "path", CARD.name]) == 0
    assert capsys.readouterr().out == out
    assert run(["models", "pull", CARD.name, "--revision", "nonsense"]) == 3
    assert "--revision main" in capsys.readouterr().err


def test_quiet_leaves_the_folder_and_json_says_more(hub, capsys):
    assert run(["models", "pull", CARD.name, "-q"]) == 0
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 1 and err == ""
    assert run(["models", "pull", CARD.name, "--json"]) == 0
    form = json.loads(capsys.readouterr().out)
    assert form["bytes"] == sum(path.stat().st_size for path in Path(form["folder"]).iterdir())
    assert form["repository"] == CARD.repository
