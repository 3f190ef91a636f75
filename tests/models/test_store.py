"""Where weights lie, which of them are whole, and whether they are the published ones."""

import json
import os

import pytest
from fresh import printed
from snapshots import pulled, shard

from docparse.errors import EnvironmentProblem
from docparse.models.family import Card
from docparse.weights import store, weightfiles
from docparse.weights.store import verify

CARD = Card("model", "somebody/model", "", "MIT", 2000)
OLD, NEW = "a" * 40, "b" * 40


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    return tmp_path


@pytest.fixture
def cached(cache):
    """`cached(commit)` -> a whole snapshot."""
    return lambda commit: pulled(cache, "somebody/model", commit)


def point(cache, branch, commit):
    folder = cache / "models--somebody--model" / "refs"
    folder.mkdir(exist_ok=True)
    (folder / branch).write_text(commit)


ENVIRONMENTS = [
    {},
    {"HF_HOME": "/there"},
    {"HF_HOME": "~/there"},
    {"XDG_CACHE_HOME": "/xdg"},
    {"HF_HUB_CACHE": "$HOME/hub", "HF_HOME": "/there"},
    {"HUGGINGFACE_HUB_CACHE": "/older"},
    {"HUGGINGFACE_HUB_CACHE": "/older", "HF_HUB_CACHE": "/newer"},
]
HUBS = f"""
import importlib, os
from huggingface_hub import constants
for each in {ENVIRONMENTS}:
    os.environ.update(each)
    print(importlib.reload(constants).HF_HUB_CACHE)
    for name in each:
        del os.environ[name]
"""


def test_the_cache_is_where_the_hubs_library_has_it(monkeypatch):
    for name in ("HF_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for environment, theirs in zip(ENVIRONMENTS, printed(HUBS), strict=True):
        with monkeypatch.context() as patch:
            for name, value in environment.items():
                patch.setenv(name, value)
            assert str(store.cache_folder()) == theirs


@pytest.mark.parametrize(
    ("commits", "heads", "pinned", "found"),
    [
        ((OLD, NEW), {"main": OLD}, "", OLD),  # the branch's head before newer revisions
        ((OLD,), {"main": OLD}, NEW, OLD),  # another one is better than none
        ((OLD, NEW), {"main": OLD}, NEW, NEW),
        ((OLD, NEW), {"main": NEW, "v1": OLD}, "v1", OLD),  # a tag by its commit
    ],
)
def test_the_pinned_revision_is_found_else_the_head_of_the_branch(cache, cached, commits, heads, pinned, found):
    for age, commit in enumerate(commits):
        os.utime(cached(commit), (1e9 + age, 1e9 + age))
    for branch, commit in heads.items():
        point(cache, branch, commit)
    there = store.Snapshot(cache / "models--somebody--model" / "snapshots" / found, found)
    assert store.find(Card("model", "somebody/model", pinned, "MIT", 2000)) == there


def test_weights_under_another_name_of_the_repository_are_found(cache, cached):
    snapshot = cached(OLD)
    moved = Card("model", "others/renamed", NEW, "MIT", 2000, aliases=("m", "somebody/model"))
    assert store.find(moved) == store.Snapshot(snapshot, OLD)


def test_a_whole_snapshot_comes_before_one_that_lacks_files(cache, cached):
    (cached(NEW) / "model.safetensors").unlink()
    point(cache, "main", NEW)
    found = store.find(CARD)
    assert found.lacks() == [("model.safetensors", "is missing")]
    cached(OLD)
    whole = store.find(CARD)
    assert whole == store.Snapshot(cache / "models--somebody--model" / "snapshots" / OLD, OLD)
    (whole.folder / "model.safetensors").resolve().unlink()  # then its link leads nowhere
    assert whole.lacks() == [("model.safetensors", "is missing")]


def test_shards_that_the_index_names_must_be_there(tmp_path):
    names = {"a": "model-1.safetensors", "b": "model-2.safetensors"}
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / weightfiles.INDEX).write_text(json.dumps({"weight_map": names}))
    (tmp_path / "model-1.safetensors").write_bytes(shard("a"))
    assert store.Snapshot(tmp_path).lacks() == [("model-2.safetensors", "is missing")]
    (tmp_path / "model-2.safetensors").write_bytes(shard("b", 500))
    assert store.Snapshot(tmp_path).lacks() == []
    assert weightfiles.parameters(tmp_path) == 1500


@pytest.mark.parametrize("index", [b"", b"[]", b"{}", b'{"weight_map": {}}', b'{"weight_map": {"a": 1}}', b"\xff"])
def test_an_index_that_is_none_is_named(tmp_path, index):
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / weightfiles.INDEX).write_bytes(index)
    ((name, _),) = store.Snapshot(tmp_path).lacks()
    assert name == weightfiles.INDEX


CUT = [shard("a")[:keep] for keep in (0, 7, 8, 40, 200, -1)]


@pytest.mark.parametrize("content", [*CUT, b"x" * 100, (50).to_bytes(8, "little") + b"[]" * 25, bytes(64)])
def test_what_is_no_whole_safetensors_file_is_noticed(tmp_path, content):
    (tmp_path / "model.safetensors").write_bytes(content)
    with pytest.raises(EnvironmentProblem, match=r"model\.safetensors: (cannot be read as weights|has .* bytes where)"):
        weightfiles.tensors(tmp_path / "model.safetensors")


def test_a_folder_of_ones_own_has_no_published_hashes(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(shard("a"))
    assert {finding.status for finding in verify(store.Snapshot(tmp_path))} == {"unknown"}
    (tmp_path / "model.safetensors").write_bytes(shard("a")[:-1])
    assert [finding.status for finding in verify(store.Snapshot(tmp_path))] == ["unknown", "wrong"]


def test_blobs_of_the_shared_store_are_checked_against_their_own_name(cached):
    """Newer versions of the hub's library make `blobs/SHA256` a link into a store whose names are other hashes."""
    snapshot = cached(OLD)
    blob = (snapshot / "model.safetensors").resolve()
    shared = blob.parents[2] / "blobs" / "ab" / ("ab" * 32)
    shared.parent.mkdir(parents=True)
    blob.rename(shared)
    blob.symlink_to(os.path.relpath(shared, blob.parent))
    assert {finding.status for finding in verify(store.Snapshot(snapshot, OLD))} == {"ok"}
