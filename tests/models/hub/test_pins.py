"""What the hub answers is what was asked for, and every name stays in the cache."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.errors import EnvironmentProblem, UsageError
from docparse.models.family import Card
from docparse.weights import pins, store, weightfiles

COMMIT, OTHER = "c0ffee" + "0" * 34, "badbad" + "0" * 34
CARD = Card("model", "somebody/model", COMMIT, "MIT", 2000)
SHARD = "model-00001-of-00002.safetensors"
HOSTILE = ["..", ".", "", ".hidden.json", "../x.json", "/etc/x.json", "a/x.json", "a\\x.json", "C:x.json", "x\0.json"]


def files_below(folder):
    return {path for path in folder.rglob("*") if path.is_file()}


def test_another_commit_than_the_one_asked_for_is_refused(hub, fetch, cache):
    hub.answer = OTHER
    with pytest.raises(EnvironmentProblem, match=f"asked for commit {COMMIT[:12]}, the hub answers with {OTHER[:12]}"):
        fetch(CARD)
    assert hub.requests == []
    assert not cache.exists()


def test_what_is_longer_than_listed_is_not_written_to_the_end(hub, fetch, cache):
    hub.swapped[SHARD] = bytes(2**24)
    with pytest.raises(EnvironmentProblem, match=f"{SHARD} is longer than the hub says"):
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
