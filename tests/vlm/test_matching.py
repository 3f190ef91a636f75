"""Which of the pipeline's blocks a model's blocks are."""

import random

from hypothesis import given
from hypothesis import strategies as st

from docparse.types import Block, Box, Category, Cell, Span, Table
from docparse.vlm.matching import matches, words_of

PAGE = Box(0, 0, 600, 800)
PROSE = (
    "whale",
    "ship",
    "sea",
    "captain",
    "harpoon",
    "storm",
    "island",
    "sail",
    "mast",
    "anchor",
    "deck",
    "crew",
    "rope",
)


def block(text: str, category: Category = Category.TEXT, box: Box = PAGE, *, math: bool = False) -> Block:
    return Block(category=category, box=box, spans=(Span(text, math=math),) if text else ())


def sentence(seed: int, words: int = 12) -> str:
    return " ".join(random.Random(seed).choices(PROSE, k=words))


@given(count=st.integers(1, 12), order=st.randoms(use_true_random=False))
def test_the_same_texts_find_each_other_in_any_order(count, order):
    known = [block(f"{sentence(i)} number {i}") for i in range(count)]
    shuffled = list(range(count))
    order.shuffle(shuffled)
    written = [known[i] for i in shuffled]
    assert [found[0] for found in matches(written, known, boxed=False)] == shuffled


def test_misread_letters_do_not_matter():
    known = [block(sentence(1)), block(sentence(2))]
    written = [block(sentence(2).replace("a", "o", 2).upper()), block("**" + sentence(1) + "**")]
    assert matches(written, known, boxed=False) == [(1,), (0,)]


def test_equal_texts_are_matched_in_order():
    known = [block("Total"), block(sentence(1)), block("Total"), block(sentence(2)), block("Total")]
    assert matches(known, known, boxed=False) == [(0,), (1,), (2,), (3,), (4,)]


def test_a_paragraph_that_the_pipeline_cut_is_all_its_pieces():
    known = [block(sentence(1)), block(sentence(2)), block(sentence(3))]
    written = [block(f"{sentence(1)} {sentence(2)}"), block(sentence(3))]
    (whole, other) = matches(written, known, boxed=False)
    assert set(whole) == {0, 1}
    assert other == (2,)


def test_pieces_of_a_paragraph_that_the_model_cut_are_that_paragraph():
    known = [block(f"{sentence(1)} {sentence(2)} {sentence(3)}"), block(sentence(4))]
    written = [block(sentence(i)) for i in (1, 2, 3, 4)]
    assert matches(written, known, boxed=False) == [(0,), (0,), (0,), (1,)]


def test_a_heading_is_not_the_paragraph_that_says_its_word():
    known = [block("Conclusion", Category.SECTION_HEADER), block(f"The conclusion is: {sentence(1)}")]
    assert matches(list(reversed(known)), known, boxed=False) == [(1,), (0,)]


def test_a_formula_without_a_word_in_common_is_the_one_between_its_neighbours():
    known = [block(sentence(1)), block("", Category.FORMULA), block(sentence(2)), block("", Category.FORMULA)]
    formula = block(r"\frac{a}{b}", Category.FORMULA, math=True)
    written = [known[0], formula, known[2], formula]
    assert matches(written, known, boxed=False) == [(0,), (1,), (2,), (3,)]
    assert matches([known[0], known[2], formula], known, boxed=False)[2] == (3,)
    assert matches([formula], [block(sentence(1))], boxed=False) == [()]


def test_tables_are_known_by_their_cells_and_latex_by_its_letters():
    cells = tuple(Cell(0, i, (Span(word),)) for i, word in enumerate(("Alpha", "Beta")))
    assert words_of(Block(category=Category.TABLE, box=PAGE, table=Table(1, 2, cells))) == "alphabeta"
    assert words_of(block(r"\frac{Ab}{c^2}", math=True)) == "abc2"


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
