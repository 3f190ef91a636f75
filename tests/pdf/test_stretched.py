"""Signs that KaTeX draws as long as what they stand by: paths cut to their place by a clip path."""

import numpy as np
import pytest
from handmade import pdf

SCALE = 0.01  # points to a unit: 10 to an em


def sign(first, segments, last=(400_000, 100), clip=(100, 280, 60, 40), at=(100, 320), middle=None):
    """A filled path of so many segments from one point to another and back and forth, seen in its clip path only."""
    points = [last, (0, 3_000)] * segments
    if middle is not None:
        points[segments // 2 - 1] = middle
    drawn = " ".join(f"{x} {y} l" for x, y in points[: segments - 1])
    x, y, width, height = clip
    return (
        f"q {x} {y} {width} {height} re W n {SCALE} 0 0 {-SCALE} {at[0]} {at[1]} cm "
        f"{first[0]} {first[1]} m {drawn} f Q "
    ).encode()


def test_a_radical_is_a_sign_and_its_bar_over_all_that_stands_under_it(read):
    content = read(pdf(sign((95, 702), 64)))
    assert content.characters.text == "√"
    np.testing.assert_allclose(content.characters.box[0], [100, 81, 108.3, 110], atol=0.1)
    [bar] = content.rulings
    np.testing.assert_allclose(bar, [108.3, 81.2, 160, 81.2], atol=0.2)
    assert not len(content.drawings)


@pytest.mark.parametrize("middle, char", [((0, 3_000), "]"), ((347, 1759), "⌉")])
def test_a_tall_bracket_is_as_high_as_it_is_drawn(read, middle, char):
    content = read(pdf(sign((347, 1759), 18, last=(500, 0), clip=(90, 200, 50, 200), middle=middle)))
    assert content.characters.text == char
    assert content.characters.box[0, 3] - content.characters.box[0, 1] == pytest.approx(30, abs=0.5)


@pytest.mark.parametrize("drawn", [
    sign((95, 703), 64), sign((95, 702), 63), sign((95, 702), 64, clip=(0, 0, 10, 10)),
    sign((95, 702), 64).replace(b"0.01 0 0 -0.01", b"0.2 0 0 -0.2"),
], ids=["begins elsewhere", "other segments", "cut away", "a drawing's units"])  # fmt: skip
def test_other_paths_are_no_signs(read, drawn):
    assert read(pdf(drawn)).characters is None
