"""Pictures for a model that was trained on small ones."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.models.family import ImageLimits
from docparse.models.tiny import Tiny
from docparse.pdf import open_document
from docparse.pdf.content import PageImage
from docparse.types import Block, Box, Category, Span
from docparse.vlm.image_prep import page_image, region_pictures, shown, type_scale
from docparse.vlm.regions import RegionRead

SIGHT = ImageLimits(smallest=(64, 32), largest=(128, 128), cell=16, type_size=12.0)


def block(size):
    return Block(category=Category.TEXT, box=Box(0, 0, 100, 20), font_size=size)


def printed(width, lines, pitch=8):
    """White paper with a dark bar, the upper half of its pitch, for every line."""
    pixels = np.full((lines * pitch, width, 3), 255, np.uint8)
    for line in range(lines):
        pixels[line * pitch : line * pitch + pitch // 2, 2:-2] = 20
    return pixels


def whole(pixels, scale=1.0):
    return PageImage(pixels, scale), Box(0, 0, pixels.shape[1] / scale, pixels.shape[0] / scale)


@pytest.mark.parametrize(("size", "scale"), [(12.0, 1.0), (6.0, 2.0), (0.0, 1.2)])
def test_type_becomes_as_large_as_the_model_knows_it(size, scale):
    assert type_scale(block(size), [block(10.0), block(0.0)], SIGHT) == pytest.approx(scale)


def test_a_region_stands_on_the_smallest_picture_that_holds_it():
    for width, lines, size in ((60, 3, (32, 64)), (60, 5, (48, 64)), (65, 16, (128, 80))):
        ((picture, box),) = region_pictures(*whole(printed(width, lines)), 1.0, SIGHT)
        assert picture.shape == (*size, 3)
        assert np.array_equal(picture[: lines * 8, :width], printed(width, lines))
        assert (picture[lines * 8 :] == 255).all() and (picture[:, width:] == 255).all()
        assert (box.width, box.height) == (size[1], size[0])


def test_what_is_too_wide_is_made_narrower():
    ((picture, box),) = region_pictures(*whole(printed(512, 8), scale=2.0), 2.0, SIGHT)
    assert picture.shape == (32, 128, 3)
    assert box.width == pytest.approx(256)
    assert (picture.min(axis=(1, 2)) < 128).sum() == pytest.approx(8, abs=4)  # an eighth of 64 lines of ink, and edges


@given(width=st.integers(8, 128), lines=st.integers(1, 80), pitch=st.sampled_from([6, 8, 14]))
def test_long_regions_are_cut_between_lines_and_all_of_them_is_shown(width, lines, pitch):
    pictures = region_pictures(*whole(printed(width, lines, pitch)), 1.0, SIGHT)
    for picture, _ in pictures:
        sides = np.array(picture.shape[1::-1])
        assert (sides >= SIGHT.smallest).all() and (sides <= SIGHT.largest).all() and (sides % SIGHT.cell == 0).all()
    shown = 0
    for picture, _ in pictures:
        ink = (picture[:, width // 2, 0] < 128).astype(int)
        starts = np.flatnonzero(np.diff(np.r_[0, ink]) == 1)
        ends = np.flatnonzero(np.diff(np.r_[ink, 0]) == -1) + 1
        assert ((ends - starts) == pitch // 2).all()
        shown += len(starts)
    assert shown == lines


def test_a_small_page_is_shown_whole_and_of_others_and_to_other_families_the_usual_rendering(
    one_page_pdf, example_pdf, page_family
):
    with open_document(one_page_pdf, name="page") as document:
        content = document.page(1)
        unasked = lambda _: pytest.fail("rendering for anyone else is not the model's to pay for")  # noqa: E731
        image = shown(page_image(content, Tiny(), unasked), Tiny(), content.box)
        assert (image.scale, image.pixels.shape) == (1.0, (260, 300, 3))  # one pixel a point
        assert Tiny().reads_whole(content.box)
        assert page_image(content, page_family(), lambda _: 144).scale == pytest.approx(2.0)
    with open_document(example_pdf, name="paper") as document:
        content = document.page(1)
        assert not Tiny().reads_whole(content.box)
        assert page_image(content, Tiny(), lambda _: 100).scale == pytest.approx(100 / 72)


def answer(*words):
    """To a part of a region: a paragraph for each of the words."""
    blocks = [Block(category=Category.TEXT, box=Box(0, 0, 9, 9), spans=(Span(word),), tokens=2) for word in words]
    return SimpleNamespace(
        blocks=blocks, reading=SimpleNamespace(boxed=False), generation=SimpleNamespace(tokens=[1, 2], accepted=1)
    )


def test_a_paragraph_that_a_cut_went_through_is_one_again():
    region = Block(category=Category.FOOTNOTE, box=Box(10, 10, 90, 300), spans=(Span("as the pipeline has it"),))
    blocks = RegionRead(region, (answer("one", "two"), answer("three", "four"))).blocks
    assert [block.text for block in blocks] == ["one", "two three", "four"]
    assert [block.tokens for block in blocks] == [2, 4, 2]
    assert blocks[0].category is Category.FOOTNOTE
    assert {block.box for block in blocks} == {region.box}


def test_a_region_of_which_a_part_was_not_read_stays_as_it_was():
    region = Block(category=Category.TEXT, box=Box(10, 10, 90, 300), spans=(Span("as the pipeline has it"),))
    (block,) = RegionRead(region, (answer("one"), answer())).blocks
    assert (block.text, block.tokens, block.draft_tokens) == ("as the pipeline has it", 4, 2)
    assert RegionRead(region).blocks == [region]
