"""Which of the pipeline's blocks a model's blocks are."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.types import Block, Box, Category, Cell, Span, Table
from docparse.vlm.matching import matches

PAGE = Box(0, 0, 600, 800)
PROSE = "whale ship sea captain harpoon storm island sail mast anchor deck crew rope"


def block(text, category=Category.TEXT, box=PAGE, *, math=False):
    return Block(category=category, box=box, spans=(Span(text, math=math),) if text else ())


def sentence(seed, words=12):
    return " ".join(random.Random(seed).choices(PROSE.split(), k=words))


@given(count=st.integers(1, 12), order=st.randoms(use_true_random=False))
def test_the_same_texts_find_each_other_in_any_order(count, order):
    known = [block(f"{sentence(i)} number {i}") for i in range(count)]
    shuffled = list(range(count))
    order.shuffle(shuffled)
    written = [known[i] for i in shuffled]
    assert [found[0] for found in matches(written, known, boxed=False)] == shuffled


ONE, TWO, THREE, FOUR = map(sentence, range(1, 5))


TEXTS = {  # what the pipeline knows, what the model wrote, and which of the known ones each of the written is
    "misread letters and marks": ([ONE, TWO], [TWO.replace("a", "o", 2).upper(), f"**{ONE}**"], [{1}, {0}]),
    "equal texts are matched in order": (
        ["Total", ONE, "Total", TWO, "Total"], ["Total", ONE, "Total", TWO, "Total"], [{0}, {1}, {2}, {3}, {4}]),
    "and with the one in their place": (["Total", ONE, TWO, "Total"], [ONE, TWO, "Total"], [{1}, {2}, {3}]),
    "the pipeline cut a paragraph": ([ONE, TWO, THREE], [f"{ONE} {TWO}", THREE], [{0, 1}, {2}]),
    "the model cut one": ([f"{ONE} {TWO} {THREE}", FOUR], [ONE, TWO, THREE, FOUR], [{0}, {0}, {0}, {1}]),
    "a heading is not the paragraph that says its word": (
        ["Conclusion", f"The conclusion is: {ONE}"], [f"The conclusion is: {ONE}", "Conclusion"], [{1}, {0}]),
}  # fmt: skip


@pytest.mark.parametrize(("known", "written", "found"), TEXTS.values(), ids=TEXTS)
def test_texts_find_each_other(known, written, found):
    places = matches([block(text) for text in written], [block(text) for text in known], boxed=False)
    assert [set(each) for each in places] == found


def test_tables_are_known_by_their_cells_and_latex_by_its_letters():
    cells = tuple(Cell(0, i, (Span(word),)) for i, word in enumerate(("Alpha", "Beta")))
    table = Block(category=Category.TABLE, box=PAGE, table=Table(1, 2, cells))
    formula = block(r"\frac{Alphabet}{c^2}", Category.FORMULA, math=True)
    assert matches([block("Alphabet c2"), block("Alpha Beta")], [table, formula], boxed=False) == [(1,), (0,)]


def test_a_formula_without_a_word_in_common_is_the_one_between_its_neighbours():
    known = [block(sentence(1)), block("", Category.FORMULA), block(sentence(2)), block("", Category.FORMULA)]
    formula = block(r"\frac{a}{b}", Category.FORMULA, math=True)
    written = [known[0], formula, known[2], formula]
    assert matches(written, known, boxed=False) == [(0,), (1,), (2,), (3,)]
    assert matches([known[0], known[2], formula], known, boxed=False)[2] == (3,)
    assert matches([formula], [block(sentence(1))], boxed=False) == [()]


def test_boxes_decide_where_there_are_boxes():
    left, right = Box(0, 0, 100, 100), Box(200, 0, 300, 100)
    known = [block("one", box=left), block("two", box=right)]
    written = [block("two", box=left), block("one", box=Box(190, 0, 310, 110)), block("one", box=Box(0, 500, 9, 509))]
    assert matches(written, known, boxed=True) == [(0,), (1,), ()]


@given(texts=st.lists(st.text(max_size=30), max_size=6), others=st.lists(st.text(max_size=30), max_size=6))
def test_nothing_that_can_be_written_breaks_it(texts, others):
    for boxed in (False, True):
        found = matches([block(text) for text in texts], [block(text) for text in others], boxed=boxed)
        assert len(found) == len(texts)
        assert all(0 <= k < len(others) for indices in found for k in indices)
