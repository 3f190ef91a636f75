"""Caches with models, tiny twins of the families, and pictures for them."""

import shutil

import numpy as np
import pytest
from snapshots import pulled


@pytest.fixture(scope="session")
def noise():
    """`noise(width, height, seed=0)` -> an RGB picture of random pixels."""

    def draw(width, height, seed=0):
        return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)

    return draw


@pytest.fixture
def cache_model(tmp_path, monkeypatch):
    """`cache_model("owner/name", weights=True)` -> its snapshot in an otherwise empty cache of the test's own."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))

    return lambda repository, **more: pulled(tmp_path / "hub", repository, **more)


@pytest.fixture
def copy(twin_folder, tmp_path):
    """`copy(name)` -> a folder of the test's own with a family's twin, to be damaged or added to."""
    return lambda name: shutil.copytree(twin_folder(name), tmp_path / name)
