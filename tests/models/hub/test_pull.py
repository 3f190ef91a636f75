"""Pulling: what is needed and nothing else, resumed, hashed, and one line for everything that goes wrong."""

import shutil
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from snapshots import shard

from docparse.errors import EnvironmentProblem
from docparse.models.family import Card
from docparse.weights import store
from docparse.weights.pull import Watcher

CARD = Card("model", "somebody/model", "", "MIT", 2000)
FIRST, SECOND = "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"
WANTED = {"config.json", "tokenizer.json", "model.safetensors.index.json", FIRST, SECOND}


def test_what_is_needed_is_fetched_and_nothing_else_and_lies_where_the_hubs_library_has_it(hub, fetch, cache):
    from huggingface_hub import scan_cache_dir, snapshot_download

    snapshot = fetch()
    assert {path.name for path in snapshot.files()} == WANTED
    assert all((snapshot.folder / name).read_bytes() == hub.files[name] for name in WANTED)
    assert set(hub.fetched()) == WANTED
    assert snapshot.lacks() == []
    hub.requests.clear()
    fetch()  # once more
    assert hub.requests == []
    assert fetch.watcher.done == fetch.watcher.total
    (repository,) = scan_cache_dir(cache).repos
    assert (repository.repo_id, [item.commit_hash for item in repository.revisions]) == (
        CARD.repository,
        list(hub.branches.values()),
    )
    assert scan_cache_dir(cache).warnings == []
    assert snapshot_download(CARD.repository, cache_dir=cache, local_files_only=True) == str(snapshot.folder)


def test_a_single_file_is_taken_where_there_is_no_index(hub, fetch):
    del hub.files["model.safetensors.index.json"]
    hub.files["model.safetensors"] = shard("all")
    fetch()
    assert {name for name in hub.fetched() if name.endswith(".safetensors")} == {"model.safetensors"}


def test_a_connection_that_breaks_is_taken_up_where_it_broke(hub, fetch):
    hub.cut[FIRST] = [1500, 700]
    snapshot = fetch()
    assert [asked for name, asked in hub.requests if name == FIRST] == ["", "bytes=1500-", "bytes=2200-"]
    assert (snapshot.folder / FIRST).read_bytes() == hub.files[FIRST]
    assert fetch.watcher.done == fetch.watcher.total
    assert len(fetch.watcher.notes) == 2


def test_what_has_arrived_is_kept_for_the_next_pull(hub, fetch):
    hub.cut[SECOND] = [2000] + [0] * 9
    with pytest.raises(EnvironmentProblem, match="kept: run `docparse models pull model` again"):
        fetch()
    found = store.find(CARD)
    assert found.lacks() == [(SECOND, "is missing")]
    hub.cut.clear()
    hub.requests.clear()
    assert fetch().lacks() == []
    assert hub.requests == [(SECOND, "bytes=2000-")]


def test_a_server_that_begins_anew_is_followed(hub, fetch):
    hub.cut[FIRST] = [1000]
    hub.without_ranges = True
    assert (fetch().folder / FIRST).read_bytes() == hub.files[FIRST]
    assert fetch.watcher.done == fetch.watcher.total


def test_a_stalled_transfer_ends_in_time(hub, fetch):
    hub.stalled.add(FIRST)
    with pytest.raises(EnvironmentProblem, match=r"nothing came for 0\.1 s; what has arrived is kept"):
        fetch(timeout=0.1)
    assert hub.requests[-1] == (FIRST, "bytes=40-")


def test_another_content_than_published_is_thrown_away(hub, fetch):
    hub.swapped[FIRST] = bytes(len(hub.files[FIRST]))
    with pytest.raises(EnvironmentProblem, match=f"{FIRST} arrived with another hash"):
        fetch()
    hub.swapped.clear()
    hub.requests.clear()
    assert fetch().lacks() == []
    assert (FIRST, "") in hub.requests


def test_a_cached_file_that_is_damaged_is_fetched_again(hub, fetch):
    blob = (fetch().folder / FIRST).resolve()
    blob.write_bytes(bytes(blob.stat().st_size))
    hub.requests.clear()
    assert (fetch().folder / FIRST).read_bytes() == hub.files[FIRST]
    assert hub.requests == [(FIRST, "")]
    assert fetch.watcher.done == fetch.watcher.total


def test_on_a_disk_without_links_the_snapshot_holds_the_files(hub, fetch, monkeypatch):
    def refuse(*args):
        raise PermissionError("no links here")

    monkeypatch.setattr(Path, "symlink_to", refuse)
    snapshot = fetch()
    assert not any(path.is_symlink() for path in snapshot.files())
    assert {path.name: path.read_bytes() for path in snapshot.files()}.items() <= hub.files.items()
    hub.requests.clear()
    fetch()
    assert hub.requests == []


def test_a_full_disk_is_known_before_the_weights_are_fetched_and_a_cache_that_cannot_be_written(
    hub, fetch, cache, monkeypatch
):
    monkeypatch.setattr("shutil.disk_usage", lambda path: type("Usage", (), {"free": 1000})())
    with pytest.raises(EnvironmentProblem, match=r"GB are free in .*HF_HOME"):
        fetch()
    assert not any(name.endswith(".safetensors") for name in hub.fetched())
    shutil.rmtree(cache, ignore_errors=True)
    cache.write_text("a file")
    with pytest.raises(EnvironmentProblem, match="set HF_HOME"):
        fetch()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda hub: setattr(hub, "gated", True), "is gated: accept its terms at http.*hf auth login"),
        (lambda hub: setattr(hub, "absent", True), "is not on http.*, or not for everybody.*hf auth login"),
        (lambda hub: hub.branches.clear(), "has no revision main"),
        (lambda hub: setattr(hub, "files", {"config.json": b"{}"}), "holds no weights as safetensors"),
    ],
)
def test_what_cannot_be_fetched_says_what_to_do_in_one_line(hub, fetch, spoil, words):
    spoil(hub)
    with pytest.raises(EnvironmentProblem, match=words):
        fetch(replace(CARD, revision="main"))


def test_another_download_of_the_same_file_is_waited_for(hub, fetch, cache):
    from huggingface_hub.utils import WeakFileLock

    class Patient(Watcher):
        def note(self, text):
            told.append(text)
            held.close()

    told = []
    folder = cache / ".locks" / "models--somebody--model"
    folder.mkdir(parents=True)
    digest = hub.listing("main")["siblings"][1]["blobId"]
    held = ExitStack()
    held.enter_context(WeakFileLock(folder / f"{digest}.lock"))
    assert fetch(watcher=Patient()).lacks() == []
    assert told == ["config.json: another program is fetching it; waiting for that one"]
