"""Bullets on page images: shapes before lines, also those that OCR took for letters; specks and letters are none."""

import cv2
import numpy as np
import pytest
from typeset import word

from docparse.layout.ocr.bullets import with_bullets
from docparse.pdf.content import PageImage

SCALE = 2.0
LEFT, TOPS = 100.0, (100.0, 116.0, 132.0)


def disc(pixels, x, y):
    cv2.circle(pixels, (x, y), 4, (0, 0, 0), -1)


def ring(pixels, x, y):
    cv2.circle(pixels, (x, y), 4, (0, 0, 0), 1)


def square(pixels, x, y):
    cv2.rectangle(pixels, (x - 4, y - 4), (x + 4, y + 4), (0, 0, 0), -1)


def arrow(pixels, x, y):
    cv2.fillPoly(pixels, [np.array([(x - 6, y - 4), (x + 6, y), (x - 6, y + 4), (x - 3, y)])], (0, 0, 0))


def dash(pixels, x, y):
    cv2.rectangle(pixels, (x - 5, y - 1), (x + 5, y), (0, 0, 0), -1)


def full_stop(pixels, x, y):
    cv2.circle(pixels, (x, y + 5), 2, (0, 0, 0), -1)


def page(shape, x=LEFT, tops=TOPS):
    pixels = np.full((600, 900, 3), 255, np.uint8)
    for top in tops:
        shape(pixels, round(x * SCALE), round((top - 3.2) * SCALE))
    return PageImage(pixels, SCALE)


def column(texts, x, index=0):
    return [word(text, x, top, index=10 * i + index) for i, (text, top) in enumerate(zip(texts, TOPS, strict=True))]


LINES = column(["Item0", "Item1", "Item2"], LEFT + 15)


def in_order(words):
    return sorted(words, key=lambda word: (word.baseline, word.box.x0))


@pytest.mark.parametrize("shape, text", [(disc, "•"), (square, "•"), (ring, "◦"), (arrow, "•"), (dash, "–")])
@pytest.mark.parametrize("misread", [[], column("000", LEFT - 2.5, -1)], ids=["unread", "read as a letter"])
def test_shapes_before_lines_are_bullets(shape, text, misread):
    found = in_order(with_bullets([*misread, *LINES], page(shape)))
    assert [word.text for word in found] == [each for line in LINES for each in (text, line.text)]


def box(ink, inside=None):
    def draw(pixels, x, y):
        if inside == "filled":
            cv2.rectangle(pixels, (x - 8, y - 8), (x + 8, y + 8), (ink,) * 3, -1)
        cv2.rectangle(pixels, (x - 8, y - 8), (x + 8, y + 8), (ink,) * 3, 1)
        if inside == "crossed":
            cv2.line(pixels, (x - 5, y - 5), (x + 5, y + 5), (0, 0, 0), 2)

    return draw


@pytest.mark.parametrize(
    "shape, sign",
    [(box(0), "☐"), (box(205), "☐"), (box(0, "crossed"), "☑"), (box(0, "filled"), "")],
    ids=["black", "faint", "ticked", "filled"],
)
@pytest.mark.parametrize("misread", [[], column("口口口", LEFT - 4, -1)], ids=["unread", "read as a letter"])
def test_boxes_to_tick_as_high_as_capitals_are_found(shape, sign, misread):
    image = page(shape)
    for top in TOPS:  # the type beside them
        cv2.putText(image.pixels, "Item", (round((LEFT + 15) * SCALE), round(top * SCALE)), 0, 0.6, (0, 0, 0), 2)
    found = in_order(with_bullets([*misread, *LINES], image))
    signs = [sign] * 3 if sign or not misread else ["口"] * 3
    assert [word.text for word in found] == [each for text, item in zip(signs, LINES, strict=True)
                                             for each in (text, item.text) if each]  # fmt: skip


def test_boxes_to_tick_may_stand_side_by_side():
    image = page(box(0), tops=TOPS[:1])
    box(0)(image.pixels, 400, round((TOPS[0] - 3.2) * SCALE))
    answers = [word("Yes", LEFT + 15, TOPS[0], index=0), word("No", 215, TOPS[0], index=1)]
    assert [each.text for each in in_order(with_bullets(answers, image))] == ["☐", "Yes", "☐", "No"]


def test_bullets_are_found_in_the_shade_of_a_photo_and_on_dark_paper():
    photo = page(disc)
    photo.pixels[:] = photo.pixels * np.linspace(0.95, 0.35, 900)[:, None] * np.linspace(1.0, 0.6, 600)[:, None, None]
    photo.pixels[:, :60] = 20
    for image in (photo, PageImage(255 - page(disc).pixels, SCALE)):
        assert len(with_bullets(LINES, image)) == 2 * len(LINES)


@pytest.mark.parametrize(
    "paper, ink, colour",
    [((255, 255, 255), (0, 0, 0), (244, 162, 89)), ((20, 90, 95), (255, 255, 255), (190, 55, 75))],
    ids=["orange on white", "red on dark green"],
)
def test_bullets_are_found_in_a_colour_of_their_own(paper, ink, colour):
    image = page(disc)
    is_bullet = (image.pixels == 0).all(axis=2)
    image.pixels[:] = paper
    image.pixels[is_bullet] = colour
    for top in TOPS:  # the type beside them
        cv2.putText(image.pixels, "Item", (round((LEFT + 15) * SCALE), round(top * SCALE)), 0, 0.6, ink, 2)
    assert len(with_bullets(LINES, image)) == 2 * len(LINES)


@pytest.mark.parametrize("text, glued", [("·", ""), (":", ""), ("·", "Item0")])
def test_a_dot_that_was_read_alone_in_its_level_is_a_bullet(text, glued):
    read = [word(text + glued, LEFT - 2, TOPS[0], width=4 if not glued else 35)]
    image = page(disc, tops=TOPS[:1])
    cv2.putText(image.pixels, "It", (round((LEFT + 9) * SCALE), round(TOPS[0] * SCALE)), 0, 0.6, (0, 0, 0), 2)
    found = in_order(with_bullets([*read, *(LINES[1:] if glued else LINES)], image))
    assert [each.text for each in found] == ["•", "Item0", "Item1", "Item2"]


def test_a_ring_that_was_read_as_a_small_letter_is_measured_by_the_words_behind_it():
    read = column("OOO", LEFT - 2, -1)
    small = [word("O", each.box.x0, each.baseline, size=6, index=each.index) for each in read]
    found = in_order(with_bullets([*small, *LINES], page(ring)))
    assert [each.text for each in found] == [each for item in LINES for each in ("◦", item.text)]


def test_the_end_of_a_dash_that_was_read_as_a_hyphen_is_that_dash():
    found = with_bullets([*column("---", LEFT + 1, -1), *LINES], page(dash))
    assert [word.text for word in in_order(found)] == [each for line in LINES for each in ("–", line.text)]


@pytest.mark.parametrize(
    "texts",
    [["Item0", "•Item1", "Item2"], ["1", "•2", "3"], ["—Item0", "。Item1", "oItem2"]],
    ids=["words", "figures", "misread"],
)
def test_the_box_of_a_word_begins_behind_the_bullet_that_was_taken_into_it(texts):
    image = page(disc)
    plain = [text.lstrip("•。o—") for text in texts]
    for top, text in zip(TOPS, plain, strict=True):
        cv2.putText(image.pixels, text[:2], (round((LEFT + 9) * SCALE), round(top * SCALE)), 0, 0.6, (0, 0, 0), 2)
    read = [
        word(text, LEFT - 3, top, index=k, width=LEFT - 82 if len(text) < 3 else 32)
        for k, (text, top) in enumerate(zip(texts, TOPS, strict=True))
    ]
    found = in_order(with_bullets(read, image))
    assert [each.text for each in found] == [each for text in plain for each in ("•", text)]
    assert all(each.box.x0 > LEFT + 6 for each in found[1::2])


def test_of_two_dots_in_one_word_the_second_is_its_bullet():
    image = page(disc)
    for top in TOPS:
        disc(image.pixels, round((LEFT + 6) * SCALE), round((top - 3.2) * SCALE))
        cv2.putText(image.pixels, "It", (round((LEFT + 15) * SCALE), round(top * SCALE)), 0, 0.6, (0, 0, 0), 2)
    read = [word(f"Item{k}", LEFT - 3, top, index=k, width=40, size=14) for k, top in enumerate(TOPS)]
    found = in_order(with_bullets(read, image))
    assert [each.text for each in found] == ["•", "Item0", "•", "Item1", "•", "Item2"]
    assert all(each.box.x0 > LEFT + 12 for each in found[1::2])


@pytest.mark.parametrize("misread", [[], column("口口口", LEFT + 46, 1)], ids=["unread", "read as a letter"])
def test_boxes_to_tick_may_stand_behind_the_last_words(misread):
    found = in_order(with_bullets([*LINES, *misread], page(box(0), LEFT + 50)))
    assert [each.text for each in found] == [each for item in LINES for each in (item.text, "☐")]


def followed(image):
    """The image with a short stroke on every line, as far behind its shape as text stands from a bullet."""
    for top in TOPS:
        x, y = round((LEFT + 8) * SCALE), round(top * SCALE)
        cv2.line(image.pixels, (x, y - 4), (x, y), (0, 0, 0), 2)
    return image


NONE = {
    "a speck alone": (LINES, page(disc, tops=TOPS[:1])),
    "shapes within a line": ([*column(["Words"] * 3, LEFT - 40, -1), *LINES], page(disc)),
    "a letter that is a word of the sentence": ([*column("ooo", LEFT + 9, -1), *LINES], page(ring, LEFT + 11.5)),
    "a square letter as high as its line": (
        [word("oxx", LEFT - 1, top, index=k, size=5, width=40) for k, top in enumerate(TOPS)],
        followed(page(square)),
    ),
    "full stops before names in code": (
        [word(".def", LEFT - 2, top, index=k, size=10, width=40) for k, top in enumerate(TOPS)],
        followed(page(full_stop)),
    ),
    "no lines": ([], page(disc)),
}


@pytest.mark.parametrize("words, image", NONE.values(), ids=NONE)
def test_other_shapes_are_no_bullets(words, image):
    assert with_bullets(words, image) == words


def test_dots_of_the_print_are_no_company_for_a_speck():
    """The stop stands in the words of another line, under the speck."""
    image = page(disc, tops=TOPS[:1])
    cv2.circle(image.pixels, (round(LEFT * SCALE), round(TOPS[1] * SCALE)), 4, (0, 0, 0), -1)
    words = [LINES[0], word("and... so", LEFT - 20, TOPS[1], width=60), LINES[2]]
    assert with_bullets(words, image) == words


def test_specks_of_two_pixels_have_no_shape():
    image = page(lambda pixels, x, y: cv2.rectangle(pixels, (x, y), (x + 1, y + 1), (0, 0, 0), -1))
    image = PageImage(image.pixels, 1.0)
    words = [word("Item", (LEFT + 15) * SCALE, top * SCALE, 20) for top in TOPS]
    assert with_bullets(words, image) == words


@pytest.mark.parametrize("shape", [ring, disc])
def test_a_figure_before_a_decimal_point_is_no_bullet(shape):
    texts = ("0.9", "0.2", "5,2")
    read = [word(text, LEFT - 2, top, index=k, width=40) for k, (text, top) in enumerate(zip(texts, TOPS, strict=True))]
    assert with_bullets(read, followed(page(shape))) == read


@pytest.mark.parametrize(
    "shape, lines, expected",
    [
        (disc, [(LEFT + 30, TOPS[0]), (LEFT + 30, TOPS[1])], ["•"]),
        (disc, [(LEFT + 30, TOPS[0] - 16), (LEFT + 30, TOPS[0]), (LEFT + 30, TOPS[1])], []),
        (disc, [(LEFT + 30, TOPS[0]), (LEFT, TOPS[1])], []),
        (ring, [(LEFT + 30, TOPS[0]), (LEFT + 30, TOPS[1])], []),
    ],
    ids=["over a line that hangs", "within a paragraph", "over one at the margin", "a ring"],
)
def test_a_disc_alone_before_a_paragraph_is_the_bullet_of_the_only_item(shape, lines, expected):
    words = [word(f"Line{i}", x, top, index=i, begins=True) for i, (x, top) in enumerate(lines)]
    found = with_bullets(words, page(shape, tops=TOPS[:1]))
    assert [each.text for each in found if each not in words] == expected
