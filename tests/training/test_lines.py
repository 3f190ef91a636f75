"""Invented documents with keys: what labels lines, and what says the truth of a document."""

import random

import numpy as np
import pytest

from docparse.layout.text.lines import Line
from docparse.layout.text.words import Word
from docparse.types import Box
from training.lines.features import NAMES, features
from training.lines.html import HtmlWriter
from training.lines.keys import Keys, colour, key_of
from training.lines.model import Forest
from training.lines.paired import Truth, truth_blocks
from training.lines.recipes import RECIPES
from training.lines.truth import markdown
from training.lines.typst_pages import TYPST_FAMILIES, TypstWriter


@pytest.mark.parametrize("key", [1, 31, 32, 5000, 32767])
def test_a_colour_gives_its_key_back(key):
    rgb = [int(colour(key)[i : i + 2], 16) for i in (1, 3, 5)]
    assert key_of(*rgb) == key
    assert key_of(0, 0, 0) == key_of(255, 255, 255) == 0


@pytest.mark.parametrize("name", sorted(RECIPES)[:1])
def test_both_prints_have_the_same_keys_and_words(name):
    document = RECIPES[name](random.Random(name))
    assert markdown(document).strip() and markdown(document) == markdown(RECIPES[name](random.Random(name)))
    plain, keyed = Keys(False), Keys(True)
    for keys in (plain, keyed):
        assert HtmlWriter(keys, random.Random(1)).document(document, "d0")
        assert TypstWriter(keys, random.Random(1), next(iter(TYPST_FAMILIES))).document(document)
    assert plain.labels == keyed.labels


def test_lines_find_their_class_by_their_text():
    blocks = truth_blocks("# A title here\n\n- first words of an item and its end\n\nplain words\n", ["A head"])
    truth = Truth(blocks)
    assert truth.of("A title here")[0] == "heading"
    assert truth.of("• first words of an")[0] == "item"
    assert truth.of("item and its end")[0] == "more"
    assert truth.of("A head")[0] == "furniture"
    assert truth.of("elsewhere")[0] == ""


def test_trees_are_walked_to_their_leaves():
    arrays = {
        "t_feature": np.array([1, 0, 0]), "t_threshold": np.array([2.0, np.inf, np.inf]), "t_left": np.array([1, 1, 2]),
        "t_right": np.array([2, 1, 2]), "t_value": np.array([0.0, 5.0, 7.0]), "t_root": np.array([0]),
        "t_start": np.array([1.0]), "t_depth": np.array(3),
    }  # fmt: skip
    rows = np.array([[0, 2.0], [0, 2.5]], np.float32)
    assert Forest(arrays, "t")(rows).tolist() == [[6.0], [8.0]]


def test_features_are_finite_and_named():
    lines = [
        Line((Word(text=text, box=Box(50, y, 50 + 6 * len(text), y + 10), baseline=y + 8, size=10.0),))
        for text, y in (("Heading", 50), ("text-below", 70), ("1.", 90))
    ]
    nothing = np.zeros((0, 4), np.float32)
    x, above = features(lines, Box(0, 0, 600, 800), nothing, [Box(50, 700, 500, 780)], nothing)
    assert x.shape == (3, len(NAMES)) and len(set(NAMES)) == len(NAMES)
    assert np.isfinite(x).all() and above == [None, 0, 1]
