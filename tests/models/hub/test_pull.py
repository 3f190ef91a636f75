"""Pulling: what is needed and nothing else, resumed, hashed, and one line for everything that goes wrong."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from docparse.errors import EnvironmentProblem
from docparse.models.family import Card
from docparse.weights import store
from docparse.weights.pull import Watcher, pull

if TYPE_CHECKING:
    pass

CARD = Card("model", "somebody/model", "", "MIT", 2000)
COMMIT = "c0ffee" + "0" * 34
FIRST, SECOND = "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"
WANTED = {"config.json", "tokenizer.json", "model.safetensors.index.json", FIRST, SECOND}


class Noted(Watcher):
    def __init__(self) -> None:
        self.total = self.done = 0
        self.notes: list[str] = []

    def begin(self, revision: str, total: int, there: int) -> None:
        self.total, self.done = total, there

    def arrived(self, count: int) -> None:
        self.done += count

    def note(self, text: str) -> None:
        self.notes.append(text)


def fetch(card: Card = CARD, timeout: float = 5.0, watcher: Watcher | None = None) -> store.Snapshot:
    return pull(card, timeout=timeout, pause=0.0, watcher=watcher)


def test_what_is_needed_is_fetched_and_nothing_else(hub):
    snapshot = fetch()
    assert {path.name for path in snapshot.files()} == WANTED
    assert all((snapshot.folder / name).read_bytes() == hub.files[name] for name in WANTED)
    assert set(hub.fetched()) == WANTED
    assert snapshot.lacks() == []


def test_the_cache_is_laid_out_as_the_hubs_library_does(hub, cache):
    from huggingface_hub import scan_cache_dir, snapshot_download

    snapshot = fetch()
    (repository,) = scan_cache_dir(cache).repos
    assert (repository.repo_id, [item.commit_hash for item in repository.revisions]) == (CARD.repository, [COMMIT])
    assert scan_cache_dir(cache).warnings == []
    assert snapshot_download(CARD.repository, cache_dir=cache, local_files_only=True) == str(snapshot.folder)


def test_what_the_hubs_library_downloaded_is_found(hub, cache, shard):
    folder = cache / "models--somebody--model"
    target = folder / "snapshots" / COMMIT
    target.mkdir(parents=True)
    (folder / "refs").mkdir()
    (folder / "refs" / "main").write_text(COMMIT)
    (target / "config.json").write_text("{}")
    (target / "model.safetensors").write_bytes(shard("all"))
    assert store.find(CARD) == store.Snapshot(target, COMMIT)


def test_a_pinned_revision_is_asked_for(hub):
    pinned = Card("model", "somebody/model", COMMIT, "MIT", 2000)
    assert fetch(pinned).revision == COMMIT
    assert hub.revisions == [COMMIT]


def test_a_second_pull_fetches_nothing(hub):
    fetch()
    hub.requests.clear()
    watcher = Noted()
    fetch(watcher=watcher)
    assert hub.requests == []
    assert watcher.done == watcher.total


def test_a_single_file_is_taken_where_there_is_no_index(hub, shard):
    del hub.files["model.safetensors.index.json"]
    hub.files["model.safetensors"] = shard("all")
    fetch()
    assert {name for name in hub.fetched() if name.endswith(".safetensors")} == {"model.safetensors"}


def test_a_connection_that_breaks_is_taken_up_where_it_broke(hub):
    hub.cut[FIRST] = [1500, 700]
    watcher = Noted()
    snapshot = fetch(watcher=watcher)
    assert [asked for name, asked in hub.requests if name == FIRST] == ["", "bytes=1500-", "bytes=2200-"]
    assert (snapshot.folder / FIRST).read_bytes() == hub.files[FIRST]
    assert watcher.done == watcher.total
    assert len(watcher.notes) == 2


def test_what_has_arrived_is_kept_for_the_next_pull(hub):
    hub.cut[SECOND] = [2000] + [0] * 9
    with pytest.raises(EnvironmentProblem, match="kept: run `docparse models pull model` again"):
        fetch()
    found = store.find(CARD)
    assert found.lacks() == [(SECOND, "is missing")]
    hub.cut.clear()
    hub.requests.clear()
    assert fetch().lacks() == []
    assert hub.requests == [(SECOND, "bytes=2000-")]


def test_a_server_that_begins_anew_is_followed(hub):
    hub.cut[FIRST] = [1000]
    hub.without_ranges = True
    watcher = Noted()
    assert (fetch(watcher=watcher).folder / FIRST).read_bytes() == hub.files[FIRST]
    assert watcher.done == watcher.total


def test_a_stalled_transfer_ends_in_time(hub):
    hub.stalled.add(FIRST)
    with pytest.raises(EnvironmentProblem, match=r"nothing came for 0\.1 s; what has arrived is kept"):
        fetch(timeout=0.1)
    assert hub.requests[-1] == (FIRST, "bytes=40-")


def test_another_content_than_published_is_thrown_away(hub):
    hub.swapped[FIRST] = bytes(len(hub.files[FIRST]))
    with pytest.raises(EnvironmentProblem, match=f"{FIRST} arrived with another hash"):
        fetch()
    hub.swapped.clear()
    hub.requests.clear()
    assert fetch().lacks() == []
    assert (FIRST, "") in hub.requests


def test_a_cached_file_that_is_damaged_is_fetched_again(hub):
    blob = (fetch().folder / FIRST).resolve()
    blob.write_bytes(bytes(blob.stat().st_size))
    hub.requests.clear()
    watcher = Noted()
    assert (fetch(watcher=watcher).folder / FIRST).read_bytes() == hub.files[FIRST]
    assert hub.requests == [(FIRST, "")]
    assert watcher.done == watcher.total


def test_on_a_disk_without_links_the_snapshot_holds_the_files(hub, monkeypatch):
    def refuse(*args: object) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr(Path, "symlink_to", refuse)
    snapshot = fetch()
    assert not any(path.is_symlink() for path in snapshot.files())
    assert {path.name: path.read_bytes() for path in snapshot.files()}.items() <= hub.files.items()
    hub.requests.clear()
    fetch()
    assert hub.requests == []


def test_a_full_disk_is_known_before_the_weights_are_fetched(hub, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda path: type("Usage", (), {"free": 1000})())
    with pytest.raises(EnvironmentProblem, match=r"GB are free in .*HF_HOME"):
        fetch()
    assert not any(name.endswith(".safetensors") for name in hub.fetched())


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        ({"gated": True}, "is gated: accept its terms at http"),
        ({"absent": True}, "is not on http.*, or not for everybody"),
    ],
)
def test_a_repository_that_is_closed_says_what_to_do(hub, trouble, words):
    for name, value in trouble.items():
        setattr(hub, name, value)
    with pytest.raises(EnvironmentProblem, match=words) as caught:
        fetch()
    assert "hf auth login" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_revision_that_is_not_there(hub):
    lost = Card("model", "somebody/model", "v9", "MIT", 2000)
    with pytest.raises(EnvironmentProblem, match="has no revision v9"):
        fetch(lost)


def test_a_repository_without_safetensors_is_no_use(hub):
    hub.files = {name: content for name, content in hub.files.items() if "safetensors" not in name}
    with pytest.raises(EnvironmentProblem, match="holds no weights as safetensors"):
        fetch()


def test_a_cache_that_cannot_be_written_says_so(hub, cache):
    cache.write_text("a file")
    with pytest.raises(EnvironmentProblem, match="set HF_HOME"):
        fetch()


def test_an_interrupted_pull_keeps_what_it_has(hub):
    class Impatient(Watcher):
        def arrived(self, count: int) -> None:
            if any(name == SECOND for name, _ in hub.requests):
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(watcher=Impatient())
    hub.requests.clear()
    assert fetch().lacks() == []
    assert (FIRST, "") not in hub.requests
    assert (SECOND, "") not in hub.requests


def test_another_download_of_the_same_file_is_waited_for(hub, cache):
    from huggingface_hub.utils import WeakFileLock

    class Patient(Noted):
        def note(self, text: str) -> None:
            super().note(text)
            held.close()

    folder = cache / ".locks" / "models--somebody--model"
    folder.mkdir(parents=True)
    digest = hub.listing("main")["siblings"][1]["blobId"]
    held = ExitStack()
    held.enter_context(WeakFileLock(folder / f"{digest}.lock"))
    watcher = Patient()
    assert fetch(watcher=watcher).lacks() == []
    assert watcher.notes == ["config.json: another program is fetching it; waiting for that one"]
