"""Pages and regions read with fewer visual tokens, from the setting to what the page says of it."""

import msgspec
import pytest

from docparse.settings import Settings
from docparse.vlm.engine import VlmEngine

BASE = Settings(device="cpu", dtype="float32", layout_engine="none", max_tokens=24)
READ_AS = {"dots.ocr": 1, "deepseek-ocr": 2, "glm-ocr": 4}  # views: of the page, or one of each of its regions


@pytest.mark.parametrize(
    ("name", "accel"),
    [
        ("dots.ocr", "rtprune:ratio=0.25"),
        ("dots.ocr", "rtprune:mode=paper"),  # ours looks whether norms tell text; those of random weights do not
        ("dots.ocr", "divprune"),
        ("deepseek-ocr", "visionzip-like"),
        ("glm-ocr", "random:keep=0.5"),
    ],
)
def test_the_setting_is_what_is_done(name, accel, read_small, twin_folder):
    model = str(twin_folder(name))
    chosen = [msgspec.structs.replace(BASE, model=model, accel=each) for each in ("none", accel)]
    plain, page = (read_small(VlmEngine.load(settings), settings) for settings in chosen)
    removed = sum(view.total - view.kept for view in page.decoding.pruned)
    assert len(page.decoding.pruned) == READ_AS[name]
    assert removed > 0
    assert page.decoding.visual_tokens == plain.decoding.visual_tokens - removed
    assert page.decoding.prompt_tokens == plain.decoding.prompt_tokens - removed
    assert plain.decoding.pruned == () and "prune" not in plain.seconds
    assert page.seconds["prune"] > 0
