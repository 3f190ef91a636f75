"""HTML with boxes, as Chandra writes it."""

import pytest

from docparse.models.dialects.boxed_html import BoxedHtml
from docparse.models.family import Frame
from docparse.types import Block, Box

FRAME = Frame(Box(0, 0, 500, 1000), 1000, 2000)


def read(inner: str, label: str) -> tuple[Block, ...]:
    return BoxedHtml().read(f'<div data-bbox="1 2 30 40" data-label="{label}">{inner}', FRAME).blocks


@pytest.mark.parametrize(
    ("inner", "words"),
    [
        ('<img alt="it\'s big"/></div>', "it's big"),
        ("<img alt='so \"big\" > it is'/> more</div>", 'so "big" > it is more'),
        ("<img alt=bare /></div>", "bare"),
        ('<img alt="cut', "cut"),
        ('<img alt="a"/></div><div d', "a"),
    ],
)
def test_the_words_of_a_picture_are_all_that_stands_between_its_quotes(inner, words):
    assert [block.text for block in read(inner, "Image")] == [words]


def test_a_list_counts_from_where_it_says_and_a_dash_is_a_bullet():
    items = read('<ol start="5"><li>five</li><li>six</li></ol><ul><li>- a</li></ul></div>', "List-Group")
    assert [(item.marker, item.text) for item in items] == [("5.", "five"), ("6.", "six"), ("•", "a")]
