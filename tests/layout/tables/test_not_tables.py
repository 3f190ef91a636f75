"""What is set in columns or numbered, and yet is no table."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.tables import find_tables
from docparse.layout.text.words import Word
from docparse.types import Box

PAGE = Box(0.0, 0.0, 612.0, 792.0)
NO_RULES = np.zeros((0, 4), np.float32)
SIZE = 10.0
SYLLABLES = ["ta", "ri", "on", "est", "qu", "a", "mer", "lo", "vi", "den", "s", "pre", "1999", "in"]


def place(text: str, x: float, baseline: float, index: int = 0, mono: bool = False) -> Word:
    box = Box(x, baseline - 8, x + 5.0 * len(text), baseline + 2)
    return Word(text=text, box=box, baseline=baseline, size=SIZE, index=index, mono=mono)


def line(text: str, x: float, baseline: float, space: float = 2.8, mono: bool = False) -> list[Word]:
    words = []
    for part in text.split():
        words.append(place(part, x, baseline, mono=mono))
        x += 5.0 * len(part) + space
    return words


def prose(rng: random.Random, x0: float, x1: float, y0: float, lines: int, pitch: float) -> list[Word]:
    """Justified lines of made-up words, some of them numbers, each as long as there is room."""
    words = []
    following = ""
    for k in range(lines):
        texts = [following] if following else []
        while True:
            following = "".join(rng.choices(SYLLABLES, k=rng.randint(1, 4)))[:9]
            if sum(len(t) * 5.0 + 2.8 for t in [*texts, following]) > x1 - x0 + 2.8:
                break
            texts.append(following)
        used = sum(5.0 * len(t) for t in texts)
        space = min((x1 - x0 - used) / max(1, len(texts) - 1), 6.0)
        words += line(" ".join(texts), x0, y0 + k * pitch, space)
    return words


@given(st.randoms(use_true_random=False), st.sampled_from([1, 2, 3]), st.booleans())
def test_prose_in_columns_is_no_table(rng: random.Random, columns: int, framed: bool) -> None:
    gutter = rng.uniform(14, 30)
    width = (512 - gutter * (columns - 1)) / columns
    words: list[Word] = []
    for k in range(columns):
        x0 = 50 + k * (width + gutter)
        words += prose(rng, x0, x0 + width, 90, rng.randint(20, 45), 12.0)
    rules = np.array([[50, 60, 562, 60], [50, 740, 562, 740]], np.float32) if framed else NO_RULES
    assert find_tables(words, rules, PAGE) == []


def contents() -> list[Word]:
    words = []
    for k in range(12):
        y = 100 + 14 * k
        words += line(f"{k + 1} Chapter about things", 60, y)
        words += [place(".", x, y) for x in np.arange(230, 500, 6.0).tolist()]
        words += line(str(3 + 9 * k), 520, y)
    return words


def contents_without_leaders() -> list[Word]:
    words = []
    for k in range(12):
        y = 100 + 14 * k
        words += [*line(f"{k + 1}.{k % 3}", 60, y), *line("Chapter about things", 90, y), *line(str(3 + 9 * k), 520, y)]
    return words


def numbered_list() -> list[Word]:
    return [
        w for k in range(9) for w in [*line(f"{k + 1}.", 60, 100 + 14 * k), *line("an item 12 34", 80, 100 + 14 * k)]
    ]


def bibliography() -> list[Word]:
    words = []
    for k in range(10):
        y = 100 + 26 * k
        words += line(f"[{k + 1}]", 60, y)
        words += line("A. Author and B. Writer. A title of some length. Journal 12(3):45-67, 2010.", 85, y)
        words += line("Publisher, Town. doi 10.1000/182.", 85, y + 12)
    return words


def code() -> list[Word]:
    rows = ["a = 1", "bb = 22", "ccc = 333", "dddd = 4444", "return 5 6"]
    return [w for k, row in enumerate(rows) for w in line(row, 60, 100 + 12 * k, 20.0, mono=True)]


def addresses() -> list[Word]:
    left = ["Dr. A. Person", "12 Main Street", "Springfield 12345", "Phone 555 1234"]
    right = ["Prof. B. Other", "99 Side Street", "Shelbyville 54321", "Phone 555 4321"]
    return [
        w
        for k, (a, b) in enumerate(zip(left, right, strict=True))
        for w in [*line(a, 60, 100 + 12 * k), *line(b, 330, 100 + 12 * k)]
    ]


@pytest.mark.parametrize(
    "words",
    [contents, contents_without_leaders, numbered_list, bibliography, code, addresses],
    ids=lambda f: f.__name__,
)
def test_other_things_in_columns_are_no_tables(words) -> None:
    assert find_tables(words(), NO_RULES, PAGE) == []


def test_a_frame_around_text_is_no_table() -> None:
    words = prose(random.Random(1), 60, 550, 100, 10, 12.0)
    frame = np.array([[50, 85, 560, 85], [50, 230, 560, 230], [50, 85, 50, 230], [560, 85, 560, 230]], np.float32)
    assert find_tables(words, frame, PAGE) == []


def test_the_grid_of_a_plot_is_no_table() -> None:
    rulings = [[100, y, 400, y] for y in range(100, 301, 40)] + [[x, 100, x, 300] for x in range(100, 401, 50)]
    labels = [*line("loss", 240, 135), *line("0.5 curve", 300, 215), *line("epoch", 350, 290)]
    assert find_tables(labels, np.array(rulings, np.float32), PAGE) == []


def test_the_caption_and_the_notes_stay_outside() -> None:
    rows = [("Name", "Speed", "Cost"), ("Alpha", "12.5", "30"), ("Beta", "13.5", "31"), ("Gamma", "14.5", "32")]
    words = line("Table 1: Speeds and costs of things.", 60, 88)
    for k, row in enumerate(rows):
        for x, text in zip((60, 160, 260), row, strict=True):
            words += line(text, x, 112 + 14 * k)
    words += line("Note: all of them measured twice in 2020.", 60, 176)
    rulings = np.array([[58, 98, 300, 98], [58, 116, 300, 116], [58, 160, 300, 160]], np.float32)
    for rules in (rulings, NO_RULES):
        (found,) = find_tables(words, rules, PAGE)
        taken = {words[i].text for i in found.words}
        assert found.table.rows == 4
        assert not taken & {"Table", "Note:", "measured"}
