"""What the hub answers is what was asked for, with the hashes that are known; and every name stays in the cache."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from snapshots import shard

from docparse.errors import EnvironmentProblem, UsageError
from docparse.models.family import Card
from docparse.weights import pins, store, weightfiles
from docparse.weights.store import verify

if TYPE_CHECKING:
    from .conftest import FakeHub

COMMIT, OTHER = "c0ffee" + "0" * 34, "badbad" + "0" * 34
CARD = Card("model", "somebody/model", COMMIT, "MIT", 2000)
SHARD = "model-00001-of-00002.safetensors"
HOSTILE = ["..", ".", "", ".hidden.json", "../x.json", "/etc/x.json", "a/x.json", "a\\x.json", "C:x.json", "x\0.json"]


def files_below(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


def listed(hub: FakeHub) -> dict[str, str]:
    entries = [entry for entry in hub.listing(COMMIT)["siblings"] if "/" not in entry["rfilename"]]
    return {entry["rfilename"]: entry.get("lfs", {}).get("sha256", entry["blobId"]) for entry in entries}


def test_another_commit_than_the_one_asked_for_is_refused(hub, fetch, cache):
    hub.answer = OTHER
    with pytest.raises(EnvironmentProblem, match=f"asked for commit {COMMIT[:12]}, the hub answers with {OTHER[:12]}"):
        fetch(CARD)
    assert hub.requests == []
    assert not cache.exists()


def test_hashes_that_come_with_docparse_go_before_the_answer(hub, fetch, cache):
    hashes = listed(hub)
    fetch(replace(CARD, hashes={COMMIT: hashes}))
    assert fetch.watcher.notes == []
    other = replace(CARD, hashes={COMMIT: hashes | {SHARD: "0" * 64}})
    before = files_below(cache)
    hub.requests.clear()
    with pytest.raises(EnvironmentProblem, match=f"another hash of {SHARD} than the one that comes with docparse"):
        fetch(other)
    assert (hub.requests, files_below(cache)) == ([], before)
    assert {finding.file for finding in findings(other, "wrong")} == {SHARD}


def findings(card: Card, status: str) -> list:
    snapshot = store.find(card)
    return [found for found in verify(snapshot, pins.known_of_snapshot(card, snapshot)) if found.status == status]


def test_hashes_of_a_commit_say_nothing_of_another_one(hub, fetch):
    assert fetch(replace(CARD, revision=OTHER, hashes={COMMIT: {SHARD: "0" * 64}})).revision == OTHER


def test_without_hashes_the_first_pull_says_so_and_records_them(hub, fetch):
    fetch(CARD)
    assert fetch.watcher.notes == [
        "model: docparse has no hashes of this commit: the hub's are taken, and kept for later pulls"
    ]
    assert pins.known_hashes(CARD, COMMIT) == listed(hub)
    fetch(CARD)
    assert fetch.watcher.notes == []


@pytest.mark.parametrize("change", ["changed", "added", "gone"])
def test_a_later_answer_is_held_against_the_first(hub, fetch, cache, change):
    """From whichever revision one comes to the commit."""
    fetch(replace(CARD, revision="main"))
    name = {"changed": SHARD, "added": "chat_template.jinja", "gone": "tokenizer.json"}[change]
    hub.files |= {SHARD: shard("another")} if change == "changed" else {name: b"new"}
    if change == "gone":
        del hub.files[name]
    before = {path: path.read_bytes() for path in files_below(cache)}
    hub.requests.clear()
    with pytest.raises(EnvironmentProblem, match=f"another hash of {name} than the one of the first pull") as caught:
        fetch(CARD)
    assert hub.requests == []
    assert {path: path.read_bytes() for path in files_below(cache)} == before
    record = Path(str(caught.value).rpartition("delete ")[2])
    record.unlink()
    assert fetch(CARD).lacks() == []


def test_files_are_verified_against_what_the_first_pull_recorded(hub, fetch):
    snapshot = fetch(CARD)
    assert findings(CARD, "wrong") == []
    assert findings(CARD, "unknown") == []
    forged = shard("another")
    (snapshot.folder / SHARD).unlink()
    (snapshot.folder / "new").write_bytes(forged)
    blob = snapshot.folder.parents[1] / "blobs" / store.digest(snapshot.folder / "new", "0" * 64)
    (snapshot.folder / "new").rename(blob)
    (snapshot.folder / SHARD).symlink_to(blob)  # whole, and under its own hash
    assert [found.file for found in findings(CARD, "wrong")] == [SHARD]


def test_an_interrupted_pull_records_nothing(hub, fetch):
    hub.swapped[SHARD] = bytes(len(hub.files[SHARD]))
    with pytest.raises(EnvironmentProblem):
        fetch(CARD)
    assert pins.known_hashes(CARD, COMMIT) == {}


def test_a_damaged_record_is_named(hub, fetch):
    fetch(CARD)
    pins.record_of(CARD, COMMIT).write_bytes(b"\xff")
    with pytest.raises(EnvironmentProblem, match=r"not a list of hashes: delete it, then pull again"):
        fetch(CARD)


def test_what_is_longer_than_listed_is_not_written_to_the_end(hub, fetch, cache):
    hub.swapped[SHARD] = bytes(2**24)
    with pytest.raises(EnvironmentProblem, match=f"{SHARD} is longer than the hub lists it"):
        fetch(CARD)
    assert sum(path.stat().st_size for path in files_below(cache)) < 2**23
    hub.swapped.clear()
    assert fetch(CARD).lacks() == []


@pytest.mark.parametrize("name", HOSTILE)
def test_a_listed_name_that_leaves_the_folder_is_not_fetched(hub, fetch, cache, name):
    hub.files[name] = b"{}"
    snapshot = fetch(CARD)
    assert name not in hub.fetched()
    assert all(path.is_relative_to(cache) for path in files_below(cache.parent))
    assert {path.name for path in snapshot.files()} <= set(hub.files) - {name}


@pytest.mark.parametrize("name", [*HOSTILE, "sub/../../x.safetensors"])
def test_an_index_that_names_what_is_not_in_the_folder_is_refused(hub, fetch, tmp_path, name):
    index = json.dumps({"weight_map": {"a": SHARD, "b": name}}).encode()
    hub.files[weightfiles.INDEX] = index
    with pytest.raises(EnvironmentProblem, match="names no weight files of its folder"):
        fetch(CARD)
    (tmp_path / weightfiles.INDEX).write_bytes(index)
    assert [lacking for lacking, _ in store.Snapshot(tmp_path).lacks()] == ["config.json", weightfiles.INDEX]


def test_a_branch_with_a_slash_is_a_branch(hub, fetch, cache):
    hub.branches["feature/new-heads"] = OTHER
    assert fetch(replace(CARD, revision="feature/new-heads")).revision == OTHER
    assert hub.revisions == ["feature/new-heads"]
    assert (cache / "models--somebody--model" / "refs" / "feature" / "new-heads").read_text() == OTHER


REVISIONS = ["", "../../x", "..", "refs/heads/x", "/x", "x//y", "x/..", "x/.y", "-x", "a b", "x\\y", "x\0y", "x" * 201]


@pytest.mark.parametrize("revision", REVISIONS[1:])
def test_what_cannot_be_a_revision_is_refused_before_any_request(hub, fetch, cache, revision):
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
