"""`docparse models`: a table, a folder, a verdict; exit codes and streams as everywhere."""

import json
from pathlib import Path

import pytest
from refusals import refused
from snapshots import COMMIT, pulled

from docparse.models.registry import families

CARDS = [family.card for family in families()]
CARD = CARDS[0]


@pytest.fixture
def models(run, tmp_path):
    """`models("list", ..., env=...)` with a cache of the test's own and no word about being offline."""
    clean = {"HF_HUB_CACHE": str(tmp_path / "hub"), "HF_HUB_OFFLINE": "", "TRANSFORMERS_OFFLINE": ""}
    return lambda *arguments, env=(): run("models", *arguments, env=clean | dict(env), cwd=tmp_path)


@pytest.fixture
def cached(tmp_path):
    """The first family's weights as a pull leaves them, only smaller."""
    return pulled(tmp_path / "hub", CARD.repository)


def test_the_list_is_a_table_on_stdout_and_json_and_the_path_a_folder_and_nothing_else(models, cached):
    done = models("list")
    assert done.returncode == 0 and len(done.stderr.splitlines()) == 1
    heading, *lines = done.stdout.splitlines()
    assert heading.split()[:3] == ["NAME", "FOR", "PARAMETERS"]
    assert [line.split()[0] for line in lines] == [card.name for card in CARDS]
    assert models("list", "-q").stderr == ""
    assert models().stdout == done.stdout
    rows = json.loads(models("list", "--json").stdout)
    first, second = rows[:2]
    assert (first["state"], first["revision"], first["folder"]) == ("cached", COMMIT, str(cached))
    assert (second["state"], second["folder"]) == ("absent", "")
    assert first["disk"] < 1000 and second["needed"] > second["disk"] == 2 * CARDS[1].parameters
    assert {row["purpose"] for row in rows} == {"document", "general", "measuring"}
    done = models("path", CARD.name)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{cached}\n", "")
    assert json.loads(models("path", CARD.repository, "--json").stdout)["revision"] == COMMIT
    (cached / "model.safetensors").unlink()
    assert "partial" in models("list").stdout.splitlines()[1]


@pytest.mark.parametrize("command", ["path", "verify", "check"])
def test_weights_that_are_not_here_name_the_command(models, command):
    refused(models(command, CARD.name), 3, f"`docparse models pull {CARD.name}`")
    offline = models(command, CARD.name, env={"DOCPARSE_OFFLINE": "1"})
    refused(offline, 3, *([" without the setting offline"] if command != "check" else []))


@pytest.mark.parametrize("command", ["path", "verify", "pull"])
def test_an_unknown_name_is_a_usage_error_with_the_nearest(models, command):
    refused(models(command, CARD.name + "x"), 2, f"did you mean '{CARD.name}'?")


def test_published_files_are_told_one_by_one_and_damage_with_the_command_that_mends_it(models, cached):
    done = models("verify", CARD.name)
    assert done.returncode == 0 and "2 files as published" in done.stderr
    lines = [line.split()[:2] for line in done.stdout.splitlines()]
    assert lines == [["ok", "config.json"], ["ok", "model.safetensors"]]
    blob = (cached / "model.safetensors").resolve()
    blob.write_bytes(blob.read_bytes()[:-1] + b"x")
    done = models("verify", CARD.name, "-q")
    assert done.returncode == 3
    assert [line.split()[:2] for line in done.stdout.splitlines()] == [["wrong", "model.safetensors"]]
    mend = f"run `docparse models pull {CARD.name}`"
    assert done.stderr == f"docparse: {CARD.name}: 1 of 2 files are not as published: {mend}\n"
    findings = json.loads(models("verify", CARD.name, "--json").stdout)["findings"]
    assert [finding["status"] for finding in findings] == ["ok", "wrong"]


@pytest.mark.parametrize(
    "flags, environment, who",
    [
        (("--offline",), {}, "the setting offline (--offline, "),
        ((), {"DOCPARSE_OFFLINE": "1"}, "the setting offline (--offline, "),
        ((), {"HF_HUB_OFFLINE": "1"}, "HF_HUB_OFFLINE"),
        ((), {"TRANSFORMERS_OFFLINE": "true"}, "TRANSFORMERS_OFFLINE"),
        (("--online",), {"HF_HUB_OFFLINE": "1"}, "HF_HUB_OFFLINE"),
        ((), {}, "the setting offline (--offline, DOCPARSE_OFFLINE or docparse.toml)"),
    ],
)
def test_nothing_is_pulled_offline(models, tmp_path, flags, environment, who):
    if not flags and not environment:
        (tmp_path / "docparse.toml").write_text("offline = true\n")
    refused(models("pull", CARD.name, *flags, env=environment), 3, f"{CARD.name}: {who}", "forbids network access")
    assert not (tmp_path / "hub").exists()


def test_no_network_is_one_line_and_exit_code_3(models, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    done = models("pull", CARD.name, "-q")
    refused(done, 3, f"{CARD.repository} cannot be fetched from http://127.0.0.1:9")
    assert done.stderr.endswith(f"run `docparse models pull {CARD.name}` again\n")


def test_the_model_that_is_shipped_needs_no_pull(models):
    (line,) = [line for line in models("list").stdout.splitlines() if line.startswith("tiny")]
    assert line.split()[1:7] == ["measuring", "5", "M", "11", "MB", "shipped"]
    folder = models("path", "tiny").stdout
    assert (Path(folder.strip()) / "model.safetensors").is_file()
    done = models("verify", "tiny")
    assert done.returncode == 0 and "files as published" in done.stderr
    done = models("pull", "tiny", env={"DOCPARSE_OFFLINE": "1"})
    assert (done.returncode, done.stdout) == (0, folder)
    assert done.stderr == "tiny comes with docparse: there is nothing to pull\n"
    form = json.loads(models("pull", "tiny", "--json", "-q").stdout)
    assert (form["folder"], form["repository"], form["revision"]) == (folder.strip(), "", "")
    assert form["bytes"] > 10**7
    assert models("pull", "tiny", "--revision", "main").returncode == 2


@pytest.mark.parametrize("flags, env", [(("--dtype", "float99"), {}), ((), {"DOCPARSE_DTYPE": "float99"})])
def test_a_check_in_a_dtype_that_is_none_is_a_usage_error(models, flags, env):
    refused(models("check", "tiny", *flags, env=env), 2, "float99")
