"""Pictures: what is a figure, and which words belong to it."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.charts import with_labels
from docparse.layout.ocr.region import Region
from docparse.layout.pictures import find_pictures, labels_apart
from docparse.layout.text.lines import Line
from docparse.layout.text.words import Word
from docparse.types import Box, Category

PAGE = Box(0, 0, 600, 800)
FIGURE = Box(100, 100, 400, 300)


def line(text: str, x: float, top: float, size: float = 10.0) -> Line:
    words, left = [], x
    for part in text.split():
        box = Box(left, top, left + 0.5 * size * len(part), top + size)
        words.append(Word(text=part, box=box, baseline=top + 0.8 * size, size=size))
        left = box.x1 + 0.3 * size
    return Line(tuple(words))


def pictures(
    *found: Region,
    images: Sequence[Box] = (),
    drawings: Sequence[Box] = (),
    tables: Sequence[Box] = (),
    lines: Sequence[Line] = (),
) -> list[Box]:
    return find_pictures(found, images, drawings, tables, lambda: lines, PAGE)


def detected(box: Box, score: float = 0.9) -> Region:
    return Region(category=Category.PICTURE, box=box, score=score)


def test_detected_and_placed_pictures_are_found_once() -> None:
    assert pictures(detected(FIGURE), images=[FIGURE.padded(3)]) == [FIGURE.padded(3)]


@given(
    st.permutations([Box(100 + 150 * i, 100 + 20 * j, 250 + 150 * i, 120 + 20 * j) for i in (0, 1) for j in range(4)])
)
def test_strips_and_tiles_of_one_image_are_one_figure(tiles: list[Box]) -> None:
    assert pictures(images=tiles) == [Box(100, 100, 400, 180)]


def test_images_side_by_side_with_a_gap_are_two_figures() -> None:
    assert len(pictures(images=[Box(100, 100, 250, 300), Box(262, 100, 400, 300)])) == 2


def test_the_page_itself_dots_and_tables_are_no_figures() -> None:
    assert not pictures(detected(PAGE), images=[PAGE])
    assert not pictures(images=[Box(10, 10, 20, 300)])
    assert not pictures(detected(FIGURE), tables=[FIGURE.padded(-5)])
    assert not pictures(detected(FIGURE, score=0.2))


def test_a_panel_under_prose_is_no_figure() -> None:
    prose = [line("ten words of prose over a tinted panel and more", 110, 110 + 12 * i) for i in range(6)]
    assert not pictures(images=[Box(100, 100, 360, 200)], lines=prose)


def test_a_detected_figure_with_words_in_it_is_a_card_or_a_form_and_none() -> None:
    label = line("Total 12.50", 110, 110)
    assert not pictures(detected(FIGURE), lines=[label])
    assert pictures(detected(FIGURE), lines=[line("Beside it", 420, 110)]) == [FIGURE]


def test_short_words_over_a_figure_are_its_labels() -> None:
    axis, outside = line("Depth (m)", 150, 150), line("Text beside it", 420, 150)
    running, [labels] = labels_apart([axis, outside, *[line("prose " * 8, 60, 500)]], [FIGURE])
    assert labels == [axis]
    assert outside in running


def test_prose_and_display_type_over_a_figure_stay_in_the_text() -> None:
    body = [line("the words of the page " * 3, 60, 500 + 12 * i) for i in range(5)]
    prose = line("a caption printed over the picture in one long line", 105, 280)
    display = line("Great ProgressMessage", 110, 120, size=24)
    running, [labels] = labels_apart([*body, prose, display], [FIGURE])
    assert labels == []
    assert len(running) == 7


@given(
    st.lists(
        st.tuples(st.integers(0, 500), st.integers(0, 700), st.sampled_from(["a", "two words", "one two three four"]))
    )
)
def test_every_line_is_either_text_or_a_label(spots: list[tuple[int, int, str]]) -> None:
    lines = [line(words, x, y) for x, y, words in spots]
    running, labels = labels_apart(lines, [FIGURE, Box(300, 400, 500, 600)])
    found = [id(item) for group in (running, *labels) for item in group]
    assert sorted(found) == sorted(map(id, lines))


def test_the_labels_and_the_titles_of_axes_are_part_of_their_chart() -> None:
    across = [line(str(1997 + 2 * k), 100 + 60 * k, 303, 7) for k in range(5)]
    down = [line(f"{k / 10}", 86, 100 + 40 * k, 7) for k in range(5)]
    title = line("Year of the count", 220, 314, 7)
    label = Word(text="Gini", box=Box(74, 180, 82, 220), baseline=80, size=7, angle=270)
    caption = line("Figure 3 The curves of seven countries, by year", 100, 340)
    words = [word for each in [*across, *down, title, caption] for word in each.words] + [label]
    [chart] = with_labels([FIGURE], words)
    for word in [word for each in [*across, *down, title] for word in each.words] + [label]:
        assert chart.holds(*word.box.center)
    assert chart.y1 < caption.box.y0


def test_lines_of_text_around_a_drawing_are_no_labels() -> None:
    beside = [line("and so they went on", 405, 100 + 12 * k) for k in range(10)]
    narrow = [line("a word", 65, 100 + 12 * k) for k in range(10)]
    under = line("The heading of a section", 180, 305)
    words = [word for each in [*beside, *narrow, under] for word in each.words]
    assert with_labels([FIGURE], words) == [FIGURE]


def test_paragraphs_under_a_watermark_are_no_labels() -> None:
    sheet = Box(0, 100, 600, 600)
    lines = [line("several words that are a line of a paragraph", 150, 120 + 12 * k) for k in range(12)]
    assert not pictures(images=[sheet], lines=lines)
    assert pictures(images=[sheet], lines=lines[:5]) == [sheet]
