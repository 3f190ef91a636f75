"""Groups: which lines make one paragraph, heading or item."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.text.groups import EXACT, NOISY, groups_of
from docparse.layout.text.lines import Line
from docparse.layout.text.words import Word
from docparse.types import Box


def line(text: str, x: float, baseline: float, size: float = 10.0, right: float = 0.0, **style) -> Line:
    """A line of words; `right` stretches it to that edge, as justified text is."""
    parts = text.split()
    widths = [0.4 * size * len(part) for part in parts]
    space = (right - x - sum(widths)) / max(1, len(parts) - 1) if right else 0.3 * size
    words, left = [], x
    for part, width in zip(parts, widths, strict=True):
        box = Box(left, baseline - 0.8 * size, left + width, baseline + 0.2 * size)
        words.append(Word(text=part, box=box, baseline=baseline, size=size, **style))
        left = box.x1 + space
    return Line(tuple(words))


def grouped(lines: list[Line], **kwargs) -> list[list[str]]:
    lines = sorted(lines, key=lambda item: (item.box.y0, item.box.x0))
    return [[item.text for item in group.lines] for group in groups_of(lines, **kwargs)]


def paragraph(texts: list[str], top: float, x: float = 50, **style) -> list[Line]:
    return [line(text, x, top + 12 * i, right=300, **style) for i, text in enumerate(texts)]


FULL = ["the first line of a paragraph that", "goes on over a second line which is", "full and ends on the third line"]


def test_lines_at_the_usual_distance_are_one_paragraph() -> None:
    assert grouped(paragraph(FULL, 100)) == [FULL]


def test_a_wider_gap_starts_a_new_paragraph() -> None:
    assert grouped(paragraph(FULL, 100) + paragraph(FULL, 160)) == [FULL, FULL]


def test_an_indented_line_starts_a_new_paragraph() -> None:
    second = [line("An indented first line comes next and", 62, 136, right=300), *paragraph(FULL[1:], 148)]
    assert len(grouped(paragraph(FULL, 100) + second)) == 2


def test_a_short_last_line_ends_its_paragraph() -> None:
    lines = [
        *paragraph(FULL[:2], 100),
        line("and ends early.", 50, 124),
        *paragraph(["Another one starts here and", *FULL], 136),
    ]
    assert [len(group) for group in grouped(lines)] == [3, 4]


def under_a_paragraph(*lines: Line) -> list[list[str]]:
    """The groups under a paragraph whose lines are full but for the last."""
    return grouped([*paragraph(FULL, 100), line("It ends here.", 50, 136), *lines])[1:]


def test_a_line_with_room_for_the_next_word_ends_its_paragraph() -> None:
    names = [line("Ms Rosalind Amaro", 50, 148), line("Mill Farm", 50, 160), line("Lower Brook", 50, 172)]
    assert under_a_paragraph(*names) == [["Ms Rosalind Amaro"], ["Mill Farm"], ["Lower Brook"]]
    assert grouped(names) == [["Ms Rosalind Amaro", "Mill Farm", "Lower Brook"]]  # nothing says how far lines reach


def test_a_margin_of_their_own_holds_lines_together() -> None:
    texts = ["Lines beside a picture", "Are all of them short", "And end at one place"]
    assert under_a_paragraph(*(line(text, 50, 148 + 12 * i, right=200) for i, text in enumerate(texts))) == [texts]


def test_a_word_in_lower_case_goes_on_after_room() -> None:
    texts = ["Exercise your arm", "(see pages 51 and 52)."]
    assert under_a_paragraph(*(line(text, 50, 148 + 12 * i) for i, text in enumerate(texts))) == [texts]


def test_a_larger_or_bold_line_is_not_part_of_the_text_under_it() -> None:
    assert grouped([line("A larger heading", 50, 86, 14), *paragraph(FULL, 100)])[0] == ["A larger heading"]
    assert grouped([line("A bold heading", 50, 88, bold=True), *paragraph(FULL, 100)])[0] == ["A bold heading"]


def test_noise_in_measured_sizes_does_not_break_a_paragraph() -> None:
    lines = [
        line(text, 50, 100 + 12 * i, size, right=300)
        for i, (text, size) in enumerate(zip(FULL, (10, 11.6, 9.6), strict=True))
    ]
    assert len(grouped(lines, noise=NOISY)) == 1
    assert len(grouped(lines, noise=EXACT)) > 1


def test_each_list_item_is_a_group_with_its_continuation_lines() -> None:
    items = [
        line("• first item goes on and on and", 50, 100, right=300),
        line("over a second line.", 56, 112),
        line("• second item.", 50, 124),
    ]
    assert [len(group) for group in grouped(items)] == [2, 1]


def test_text_at_the_margin_after_a_hanging_item_is_a_paragraph() -> None:
    items = [
        line("• theitem goes on", 50, 100),
        line("over a second hanging line", 57, 112),
        line("The rest of the page goes on.", 50, 124, right=300),
    ]
    assert [len(group) for group in grouped(items)] == [2, 1]


def test_chinese_items_need_no_space_after_their_marker() -> None:
    items = [line("（1）天气的含义和特点", 50, 100), line("（2）天气的影响", 50, 112), line("以及第二行", 50, 124)]
    assert [len(group) for group in grouped(items)] == [1, 2]


def test_two_columns_under_one_line_belong_to_neither() -> None:
    head = line("a line over both columns that is as wide as they are together", 50, 100, right=520)
    left, right = paragraph(FULL, 112), [line(text, 310, 112 + 12 * i, right=520) for i, text in enumerate(FULL)]
    assert sorted(len(group) for group in grouped([head, *left, *right])) == [1, 3, 3]


@given(st.lists(st.integers(1, 5), min_size=1, max_size=5))
def test_every_line_lands_in_exactly_one_group(lengths: list[int]) -> None:
    lines, top = [], 100.0
    for n in lengths:
        lines += paragraph([f"line {i} of a paragraph with words" for i in range(n)], top)
        top += 12 * n + 14
    groups = groups_of(lines)
    assert [id(item) for group in groups for item in group.lines] == [id(item) for item in lines]
