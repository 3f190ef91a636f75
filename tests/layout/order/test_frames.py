"""Frames: boxes that are tinted or drawn around something, however they are drawn."""

import numpy as np
import pytest
from typeset import lines, rules, word, words_in

from docparse.layout.order.frames import (
    bar_edges,
    cards_of,
    frames_of,
    is_badge,
    panels_from_image,
    parted_by,
    spread_of,
    tinted_from_image,
)
from docparse.pdf.content import PageImage
from docparse.types import Box

LEFT, RIGHT = Box(0, 0, 100, 80), Box(110, 0, 210, 80)


def at(x, top, text="word"):
    return word(text, x, top + 8, width=30)


def test_a_panel_and_its_outline_are_one_frame_and_bars_and_dots_are_none():
    card = (50, 50, 250, 150)
    assert frames_of(rules(card, card, (50, 50, 400, 58), (10, 10, 14, 14))) == [Box(*card)]


@pytest.mark.parametrize("fill, edge", [((255, 255, 255), (90, 90, 120)), ((215, 230, 245), (215, 230, 245))])
def test_outlined_and_tinted_boxes_of_a_scan_are_panels(fill, edge):
    pixels = np.full((1200, 900, 3), 255, np.uint8)
    pixels[200:500, 100:800] = edge
    pixels[203:497, 103:797] = fill
    pixels[700:1000:8, 100:700] = 0  # lines of text are none
    (frame,) = frames_of(panels_from_image(PageImage(pixels, 2.0)))
    np.testing.assert_allclose((frame.x0, frame.y0, frame.x1, frame.y1), (50, 100, 400, 250), atol=3)


@pytest.mark.parametrize("paper, tint", [((250, 248, 240), (238, 236, 230)), ((255, 255, 255), (225, 235, 250))])
def test_the_stripes_of_a_scanned_table_are_boxes_and_its_words_are_none(paper, tint):
    noise = np.random.default_rng(0).integers(-3, 4, (1200, 900, 3))
    pixels = np.full((1200, 900, 3), paper, np.uint8)
    for y in range(200, 500, 100):
        pixels[y : y + 50, 100:800] = tint
    pixels[210:500:25, 120:780:3] = 40  # strokes of words, in stripes and between them
    found = tinted_from_image(PageImage(np.clip(pixels + noise, 0, 255).astype(np.uint8), 2.0))
    striped = [(50, y, 400, y + 25) for y in (100, 150, 200)]
    np.testing.assert_allclose(found[np.argsort(found[:, 1])], striped, atol=3)


def test_a_coloured_bar_is_seen_on_paper_in_a_shade_and_not_the_fringe_of_the_coloured_words_under_it():
    shade = np.linspace(250, 215, 900)[None, :, None]
    pixels = np.broadcast_to(shade, (1200, 900, 3)).copy()
    pixels[200:250, 100:800] = (236, 201, 73)
    pixels[256:276, 100:300] += (12, 0, 0)
    found = tinted_from_image(PageImage(pixels.clip(0, 255).astype(np.uint8), 2.0))
    assert [box for box in found.round().tolist() if box[2] - box[0] > 300 and box[3] - box[1] < 40] == [
        pytest.approx([50, 100, 400, 125], abs=2)
    ]


@pytest.mark.parametrize("soft, found", [(1, 1), (200, 0)], ids=["card", "shade"])
@pytest.mark.parametrize("across", [True, False])
def test_a_tint_ends_at_the_sides_of_a_box_and_a_shade_fades_away(soft, found, across):
    profile = np.interp(np.arange(1200), [0, 400 - soft / 2, 400 + soft / 2, 1200], [200, 200, 250, 250])
    pixels = np.broadcast_to(profile[:, None, None], (1200, 1000, 3)).astype(np.uint8)
    image = PageImage(np.ascontiguousarray(np.swapaxes(pixels, 0, 1) if across else pixels), 2.0)
    assert len(tinted_from_image(image)) == found


CARDS = {
    "side by side": ([LEFT, RIGHT], [at(10, 10), at(120, 10)], [LEFT, RIGHT]),
    "a column between them": ([LEFT, Box(150, 0, 250, 80)], [at(110, 10)], []),
    "cells with an empty one between them": ([LEFT, RIGHT, Box(100, 0, 110, 80)], [at(10, 10), at(120, 10)], []),
    "cells that touch": ([LEFT, Box(100, 0, 200, 80)], [], []),
    "cards with a title bar": (
        [Box(x, y, x + 100, y + h) for x in (0, 120) for y, h in ((0, 40), (40, 80))],
        [],
        [Box(0, 0, 100, 40), Box(120, 0, 220, 40), Box(0, 40, 100, 120), Box(120, 40, 220, 120)],
    ),
    "a high row among striped ones": (
        [Box(x, y, x + 100, y + h) for x in (0, 105) for y, h in ((0, 20), (40, 40), (100, 20))],
        [],
        [],
    ),
    "cards with a button under each": (
        [Box(x, y, x + 100, y + h) for x in (0, 120) for y, h in ((0, 80), (90, 20))],
        [],
        [Box(0, 0, 100, 80), Box(120, 0, 220, 80)],
    ),
    "cards with a low title bar": (
        [Box(x, y, x + 100, y + h) for x in (0, 120) for y, h in ((0, 20), (20, 80))],
        [],
        [Box(0, 20, 100, 100), Box(120, 20, 220, 100)],
    ),
    "cells of a form, one of which was not found": (
        [Box(0, 0, 20, 80), Box(21, 0, 100, 80), Box(120, 0, 220, 80), Box(0, 81, 60, 160), Box(61, 81, 220, 160)],
        [],
        [],
    ),
    "a row of a table": ([Box(0, 0, 100, 20), Box(110, 0, 210, 20)], [], []),
}


@pytest.mark.parametrize("frames, words, cards", CARDS.values(), ids=CARDS)
def test_cards_stand_side_by_side(frames, words, cards):
    assert cards_of(frames, words) == cards


def test_every_word_is_in_one_part_the_smallest_card_that_holds_it():
    words = [at(15, 15), at(15, 80), at(200, 15)]
    assert parted_by([Box(0, 0, 100, 100), Box(10, 10, 60, 60)], words) == [[words[0]], [words[1]], [words[2]]]


def test_a_bar_or_cells_edge_to_edge_that_begin_and_end_where_ruled_rows_do_are_the_first_of_them():
    strokes = rules((60, 300, 500, 300), (60, 320, 500, 320), (60, 200, 200, 200))
    bars = rules((60, 270, 500, 290), (60, 210, 200, 230))  # the second heads one stroke only
    cells = rules((60, 270, 200, 290), (201, 270, 350, 290), (351, 270, 500, 290))
    for painted in (bars, cells):
        assert bar_edges(painted, strokes).tolist() == [[60, 270, 500, 270], [60, 290, 500, 290]]
    assert len(bar_edges(bars, rules())) == len(bar_edges(bars[:0], strokes)) == 0


PAGES = [line for x in (40, 440) for line in lines(["a line of the text that runs on for long"] * 6, x, 120)]


@pytest.mark.parametrize(
    "width, strokes, title, pages",
    [
        (800, [], "", 2),
        (500, [], "", 0),
        (800, [(40, 90, 700, 90)], "", 0),
        (800, [], "a title over both of the columns that stand here", 0),
    ],
    ids=["a spread", "a page as wide as high", "a stroke across", "a title across"],
)
def test_a_spread_is_two_pages_where_nothing_crosses_its_middle(width, strokes, title, pages):
    words = words_in(*PAGES, *lines([title] * bool(title), 250, 80))
    found = spread_of(Box(0, 0, width, 500), words, rules(*strokes))
    assert len(found) == pages
    assert all(sum(page.holds(*word.box.center) for page in found) == 1 for word in words * bool(found))


@pytest.mark.parametrize("width", [100, 300])
@pytest.mark.parametrize("off, found", [(7, True), (0, False)], ids=["sidebar", "tinted column"])
def test_a_sidebar_is_a_card_and_a_tinted_column_of_a_table_is_none(off, found, width):
    frame = Box(0, 0, width, 400)
    words = [at(x, y) for k in range(8) for x, y in ((10, 20 + 40 * k), (width + 20, 20 + 40 * k + off))]
    assert cards_of([frame], words) == [frame] * found


def test_text_in_cards_on_both_sides_of_the_middle_is_no_spread():
    cards = [Box(20, 90, 390, 220), Box(420, 90, 790, 220)]
    assert spread_of(Box(0, 0, 800, 500), words_in(*PAGES), rules(), cards) == []
    assert len(spread_of(Box(0, 0, 800, 500), words_in(*PAGES), rules(), cards[:1])) == 2


def test_a_shape_around_one_line_of_text_is_a_badge_and_a_drawing_has_labels_all_over():
    disc = Box(100, 100, 160, 160)
    assert is_badge(disc, [word("1", 127, 133, width=6)])
    assert not is_badge(disc, []) and not is_badge(disc, [word("1", 105, 133, width=6)])
    assert not is_badge(disc, [word("1", 127, 123, width=6), word("2", 127, 143, width=6)])


def test_a_light_panel_on_a_dark_page_is_a_box():
    pixels = np.full((1200, 900, 3), (38, 50, 56), np.uint8)
    pixels[200:500, 100:800] = (55, 71, 79)
    np.testing.assert_allclose(tinted_from_image(PageImage(pixels, 2.0)), [(50, 100, 400, 250)], atol=3)
