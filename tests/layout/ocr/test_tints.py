"""Lines in a colour of their own."""

import cv2
import numpy as np
import pytest
from typeset import lines, numbered, words_in

from docparse.layout.ocr.boldness import darkness_of, stroke_weights
from docparse.layout.ocr.line_ink import ink_of
from docparse.layout.ocr.tints import evened, tint_of, tinted
from docparse.layout.ocr.tokens import Token

BLACK, GREY, WHITE, BLUE, NAVY = (0, 0, 0), (90, 90, 90), (255, 255, 255), (30, 80, 200), (20, 40, 80)


def tint(ink, paper=WHITE):
    line = np.full((48, 300, 3), paper, np.uint8)
    cv2.putText(line, "Behaviour", (10, 34), cv2.FONT_HERSHEY_SIMPLEX, 1.0, ink, 2, cv2.LINE_AA)
    return tint_of(line, ink_of(line))


PAGES = {
    "blue among black": ((BLACK, WHITE), (BLUE, WHITE), True),
    "dark blue among black": ((BLACK, WHITE), (NAVY, WHITE), True),
    "light on dark": ((BLACK, WHITE), (WHITE, NAVY), True),
    "dark on light among light": ((WHITE, NAVY), (BLUE, WHITE), True),
    "grey": ((BLACK, WHITE), (GREY, WHITE), False),
    "like the others": ((BLUE, WHITE), (BLUE, WHITE), False),
}  # fmt: skip


@pytest.mark.parametrize("usual, odd, told", PAGES.values(), ids=PAGES)
def test_a_line_is_tinted_where_its_colour_is_not_that_of_the_page(usual, odd, told):
    words = numbered(words_in(*lines(["several words of common type"] * 4 + ["Heading"])))
    tints = [tint(*usual)] * (len(words) - 1) + [tint(*odd)]
    assert [word.text for word in tinted(words, tints) if word.tinted] == ["Heading"] * told


def test_where_a_good_part_of_the_page_is_coloured_no_colour_tells():
    words = numbered(words_in(*lines(["several words of common type"] * 4)))
    half = len(words) // 2
    tints = [tint(BLACK)] * half + [tint(BLUE)] * (len(words) - half)
    assert not any(word.tinted for word in tinted(words, tints))


def test_the_colour_of_type_does_not_change_its_weight():
    weights = []
    for color in ((0, 0, 0), (176, 48, 32), (32, 64, 160)):
        line = np.full((48, 400, 3), 255, np.uint8)
        cv2.putText(line, "Behaviour", (10, 34), cv2.FONT_HERSHEY_SIMPLEX, 1.0, color, 3, cv2.LINE_AA)
        ink = ink_of(line)
        plain = stroke_weights(darkness_of(line, ink), ink, [Token("Behaviour", 1.0, 8.0, 180.0)], 1.0).tolist()
        weights += evened(words_in(*lines(["Behaviour"])), plain, [tint_of(line, ink)])
    assert weights[1:] == pytest.approx(weights[:1] * 2, rel=0.08)


@pytest.mark.parametrize("strokes, like_black", [(5, True), (1, False)], ids=["bold", "thin"])
def test_grey_strokes_that_are_even_weigh_as_black_ones_do_and_thin_ones_may_be_black(strokes, like_black):
    def weight(ink):
        line = np.full((48, 400, 3), 255, np.uint8)
        cv2.putText(line, "Behaviour", (10, 34), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (ink,) * 3, strokes, cv2.LINE_AA)
        line = cv2.GaussianBlur(line, (3, 3), 0)
        mask = ink_of(line)
        weights = stroke_weights(darkness_of(line, mask), mask, [Token("Behaviour", 1.0, 8.0, 190.0)], 1.0)
        return weights.tolist(), tint_of(line, mask)

    usual = np.full((48, 300, 3), 255, np.uint8)
    cv2.putText(usual, "Behaviour", (10, 34), cv2.FONT_HERSHEY_SIMPLEX, 1.0, BLACK, 1, cv2.LINE_AA)
    usual = cv2.GaussianBlur(usual, (3, 3), 0)
    (black,), _ = weight(0)
    (grey,), its = weight(110)
    page = [tint_of(usual, ink_of(usual))] * 5
    words = words_in(*lines(["Behaviour"] * 6))
    found = evened(words, [1.0] * 5 + [grey], [*page, its])[-1]
    assert found == pytest.approx(black if like_black else grey, rel=0.1)


def test_type_on_a_grey_bar_weighs_as_on_the_paper_of_the_page():
    words = words_in(*lines(["one", "two", "three"]))
    tints = [tint(BLACK), tint(BLACK), tint(BLACK, (204, 204, 204))]
    assert evened(words, [1.0, 1.0, 0.8], tints) == pytest.approx([1.0, 1.0, 1.0], rel=0.01)


def test_a_line_without_ink_has_no_tint():
    assert tint(WHITE) is None
