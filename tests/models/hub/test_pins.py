"""What the hub answers is what was asked for, with the hashes that are known; and every name stays in the cache."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.errors import EnvironmentProblem, UsageError
from docparse.models.family import Card
from docparse.weights import pins, store, weightfiles
from docparse.weights.pull import Watcher, pull
from docparse.weights.store import verify

if TYPE_CHECKING:
    from .conftest import FakeHub

COMMIT, OTHER = "c0ffee" + "0" * 34, "badbad" + "0" * 34
CARD = Card("model", "somebody/model", COMMIT, "MIT", 2000)
SHARD = "model-00001-of-00002.safetensors"
HOSTILE = ["..", ".", "", ".hidden.json", "../x.json", "/etc/x.json", "a/x.json", "a\\x.json", "C:x.json", "x\0.json"]


class Noted(Watcher):
    def __init__(self) -> None:
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        self.notes.append(text)


def fetch(card: Card = CARD, watcher: Watcher | None = None) -> store.Snapshot:
    return pull(card, timeout=5.0, pause=0.0, watcher=watcher)


def files_below(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


def listed(hub: FakeHub) -> dict[str, str]:
    entries = [entry for entry in hub.listing(COMMIT)["siblings"] if "/" not in entry["rfilename"]]
    return {entry["rfilename"]: entry.get("lfs", {}).get("sha256", entry["blobId"]) for entry in entries}


def test_another_commit_than_the_one_asked_for_is_refused(hub, cache):
    hub.answer = OTHER
    with pytest.raises(EnvironmentProblem, match=f"asked for commit {COMMIT[:12]}, the hub answers with {OTHER[:12]}"):
        fetch()
    assert hub.requests == []
    assert not cache.exists()


def findings(card: Card, status: str) -> list:
    snapshot = store.find(card)
    return [found for found in verify(snapshot, pins.known_of_snapshot(card, snapshot)) if found.status == status]


def test_without_hashes_the_first_pull_says_so_and_records_them(hub):
    watcher = Noted()
    fetch(watcher=watcher)
    assert watcher.notes == [
        "model: docparse has no hashes of this commit: the hub's are taken, and kept for later pulls"
    ]
    assert pins.known_hashes(CARD, COMMIT) == listed(hub)
    again = Noted()
    fetch(watcher=again)
    assert again.notes == []


@pytest.mark.parametrize("change", ["changed", "added", "gone"])
def test_a_later_answer_is_held_against_the_first(hub, cache, shard, change):
    """From whichever revision one comes to the commit."""
    fetch(replace(CARD, revision="main"))
    name = {"changed": SHARD, "added": "chat_template.jinja", "gone": "tokenizer.json"}[change]
    hub.files |= {SHARD: shard("another")} if change == "changed" else {name: b"new"}
    if change == "gone":
        del hub.files[name]
    before = {path: path.read_bytes() for path in files_below(cache)}
    hub.requests.clear()
    with pytest.raises(EnvironmentProblem, match=f"another hash of {name} than the one of the first pull") as caught:
        fetch()
    assert hub.requests == []
    assert {path: path.read_bytes() for path in files_below(cache)} == before
    record = Path(str(caught.value).rpartition("delete ")[2])
    record.unlink()
    assert fetch().lacks() == []


def test_files_are_verified_against_what_the_first_pull_recorded(hub, shard):
    snapshot = fetch()
    assert findings(CARD, "wrong") == []
    assert findings(CARD, "unknown") == []
    forged = shard("another")
    (snapshot.folder / SHARD).unlink()
    (snapshot.folder / "new").write_bytes(forged)
    blob = snapshot.folder.parents[1] / "blobs" / store.digest(snapshot.folder / "new", "0" * 64)
    (snapshot.folder / "new").rename(blob)
    (snapshot.folder / SHARD).symlink_to(blob)  # whole, and under its own hash
    assert [found.file for found in findings(CARD, "wrong")] == [SHARD]


def test_an_interrupted_pull_records_nothing(hub):
    hub.swapped[SHARD] = bytes(len(hub.files[SHARD]))
    with pytest.raises(EnvironmentProblem):
        fetch()
    assert pins.known_hashes(CARD, COMMIT) == {}


def test_a_damaged_record_is_named(hub):
    fetch()
    pins.record_of(CARD, COMMIT).write_bytes(b"\xff")
    with pytest.raises(EnvironmentProblem, match=r"not a list of hashes: delete it, then pull again"):
        fetch()


def test_what_is_longer_than_listed_is_not_written_to_the_end(hub, cache):
    hub.swapped[SHARD] = bytes(2**24)
    with pytest.raises(EnvironmentProblem, match=f"{SHARD} is longer than the hub lists it"):
        fetch()
    assert sum(path.stat().st_size for path in files_below(cache)) < 2**23
    hub.swapped.clear()
    assert fetch().lacks() == []


@pytest.mark.parametrize("name", HOSTILE)
def test_a_listed_name_that_leaves_the_folder_is_not_fetched(hub, cache, name):
    hub.files[name] = b"{}"
    snapshot = fetch()
    assert name not in hub.fetched()
    assert all(path.is_relative_to(cache) for path in files_below(cache.parent))
    assert {path.name for path in snapshot.files()} <= set(hub.files) - {name}


@pytest.mark.parametrize("name", [*HOSTILE, "sub/../../x.safetensors"])
def test_an_index_that_names_what_is_not_in_the_folder_is_refused(hub, tmp_path, name):
    index = json.dumps({"weight_map": {"a": SHARD, "b": name}}).encode()
    hub.files[weightfiles.INDEX] = index
    with pytest.raises(EnvironmentProblem, match="names no weight files of its folder"):
        fetch()
    (tmp_path / weightfiles.INDEX).write_bytes(index)
    assert [lacking for lacking, _ in store.Snapshot(tmp_path).lacks()] == ["config.json", weightfiles.INDEX]


def test_a_branch_with_a_slash_is_a_branch(hub, cache):
    hub.branches["feature/new-heads"] = OTHER
    assert fetch(replace(CARD, revision="feature/new-heads")).revision == OTHER
    assert hub.revisions == ["feature/new-heads"]
    assert (cache / "models--somebody--model" / "refs" / "feature" / "new-heads").read_text() == OTHER


REVISIONS = ["", "../../x", "..", "refs/heads/x", "/x", "x//y", "x/..", "x/.y", "-x", "a b", "x\\y", "x\0y", "x" * 201]


@pytest.mark.parametrize("revision", REVISIONS[1:])
def test_what_cannot_be_a_revision_is_refused_before_any_request(hub, cache, revision):
    with pytest.raises(UsageError, match="is not a commit, tag or branch"):
        fetch(replace(CARD, revision=revision))
    assert hub.revisions == []
    assert not cache.exists()


@given(st.one_of(st.text(alphabet="ab./\\-_~: \0", max_size=12), st.text(max_size=20), st.sampled_from(REVISIONS)))
def test_a_revision_that_passes_is_a_file_below_refs(revision):
    try:
        pins.check_revision(revision)
    except UsageError:
        return
    refs = Path("/cache/refs")
    named = Path(f"{refs}/{revision}")
    assert ".." not in named.parts
    assert named.is_relative_to(refs) and named != refs
    assert not {".", ""} & set(revision.split("/"))


@pytest.mark.parametrize("revision", ["main", "v1.0", "feature/x", COMMIT, "release-2026_01", "refsheads", "été"])
def test_commits_tags_and_branches_pass(revision):
    pins.check_revision(revision)
