"""Words and lines as type sets them, for tests of the layout: a letter is half an em wide and a space 0.3 em; a word
reaches 0.8 em above its baseline and 0.2 em below it."""

import random
import re
from collections.abc import Iterable, Sequence

import cv2
import msgspec
import numpy as np
import typst

from docparse.layout.tables import find_tables
from docparse.layout.text.groups import Group
from docparse.layout.text.lines import Line
from docparse.layout.text.words import Word
from docparse.pdf.content import PageImage
from docparse.types import Box, Page, Span, Table, plain

SHEET = Box(0, 0, 600, 800)
SYLLABLES = ["ta", "ri", "on", "est", "qu", "a", "mer", "lo", "vi", "den", "s", "pre", "1999", "in"]


def word(
    text: str, x: float = 60, baseline: float = 100, size: float = 10, *, width: float | None = None, **more
) -> Word:
    right = x + (0.5 * size * len(text) if width is None else width)
    box = Box(x, baseline - 0.8 * size, right, baseline + 0.2 * size)
    return Word(text=text, box=box, baseline=baseline, size=size, **more)


def row(
    text: str, x: float = 60, baseline: float = 100, size: float = 10, *, right: float | None = None, space=None, **more
) -> list[Word]:
    """Return the words of a line that begins at `x`; it ends at `right` if that is given, as justified text does."""
    parts = text.split()
    if right is not None:
        space = (right - x - 0.5 * size * sum(map(len, parts))) / max(1, len(parts) - 1)
    words: list[Word] = []
    for part in parts:
        words.append(word(part, x, baseline, size, **more))
        x = words[-1].box.x1 + (0.3 * size if space is None else space)
    return words


def prose(rng: random.Random, x0: float, x1: float, y0: float, lines: int, pitch: float = 12.0) -> list[Word]:
    """Justified lines of made-up words, some of them numbers, each as long as there is room."""
    words: list[Word] = []
    following = ""
    for k in range(lines):
        texts = [following] if following else []
        while True:
            following = "".join(rng.choices(SYLLABLES, k=rng.randint(1, 4)))[:9]
            if sum(len(t) * 5.0 + 2.8 for t in [*texts, following]) > x1 - x0 + 2.8:
                break
            texts.append(following)
        used = sum(5.0 * len(t) for t in texts)
        space = min((x1 - x0 - used) / max(1, len(texts) - 1), 6.0)
        words += row(" ".join(texts), x0, y0 + k * pitch, space=space)
    return words


def line(text: str, x: float = 60, baseline: float = 100, size: float = 10, **more) -> Line:
    return Line(tuple(row(text, x, baseline, size, **more)))


def lines(texts: Iterable[str], x: float = 60, top: float = 100, size: float = 10, **more) -> list[Line]:
    """Lines under each other, the first one's baseline at `top`, 1.2 em apart."""
    return [line(text, x, top + 1.2 * size * i, size, **more) for i, text in enumerate(texts)]


def group(*texts: str, x: float = 60, top: float = 300, **more) -> Group:
    return Group(lines(texts, x, top, **more))


def words_in(*lines: Line) -> list[Word]:
    return [word for each in lines for word in each.words]


def numbered(words: Iterable[Word]) -> list[Word]:
    """The words, each with its place in the file's order."""
    return [msgspec.structs.replace(word, index=i) for i, word in enumerate(words)]


def rules(*strokes: Sequence[float]) -> np.ndarray:
    """Strokes or boxes, each `x0, y0, x1, y1`, as the array that the layout takes."""
    return np.array(strokes, np.float32).reshape(-1, 4)


def in_columns(texts: Iterable[Sequence[str]], xs: Sequence[float], top: float, pitch: float, **more) -> list[Word]:
    """Cells that begin at `xs`, a row every `pitch`, each row centred on its height."""
    return [
        word
        for number, cells in enumerate(texts)
        for text, x in zip(cells, xs, strict=False)
        for word in row(text, x, top + pitch * number + 3, **more)
    ]


def grid_of(table: Table) -> list[list[str]]:
    """The text of the cells, row by row; what a span covers is empty."""
    grid = [["" for _ in range(table.columns)] for _ in range(table.rows)]
    for cell in table.cells:
        grid[cell.row][cell.column] = plain(cell.spans)
    return grid


def grids(words: Sequence[Word], strokes: np.ndarray, page: Box = SHEET, plots: Sequence[Box] = ()) -> list:
    """The tables found on a page, from the top."""
    found = sorted(find_tables(list(words), strokes, page, plots), key=lambda table: table.box.y0)
    return [grid_of(each.table) for each in found]


def markdown(spans: Iterable[Span]) -> str:
    """The text of spans, with their formulas between dollar signs."""
    return "".join(f"${span.text}$" if span.math else span.text for span in spans)


def printed(source: str, scale: float = 4.0) -> PageImage:
    """The first page of a Typst document as pixels, `scale` a point."""
    png = typst.compile(source.encode(), format="png", ppi=72 * scale)
    return PageImage(cv2.cvtColor(cv2.imdecode(np.frombuffer(png, np.uint8), 1), cv2.COLOR_BGR2RGB), scale)


def inked(image: PageImage) -> np.ndarray:
    """Which pixels are dark, bool [height, width]."""
    return image.pixels.min(axis=2) < 128


def written(page: Page) -> str:
    """Everything that the page's blocks say: markers, text and cells."""
    texts = [block.marker + block.text for block in page.blocks]
    texts += [plain(cell.spans) for block in page.blocks if block.table for cell in block.table.cells]
    return " ".join(texts)


def has_double_scripts(latex: str) -> bool:
    """Whether LaTeX has what TeX and KaTeX refuse to read: two scripts of one kind on one base. A prime is a
    superscript that only one right behind it may follow."""
    runs: list[str] = []

    def collapse(group: re.Match) -> str:
        runs.extend(re.findall(r"(?:[_^]G|'+)+", group[1]))
        return "G"

    text, before = "{" + re.sub(r"\\[{}]", "x", latex).replace(" ", "") + "}", ""
    while text != before:
        text, before = re.sub(r"\{([^{}]*)\}", collapse, text), text
    kinds = [re.sub("'+", "'", run.replace("G", "")) for run in runs]
    return any(len(set(kind)) < len(kind) or ({"^", "'"} <= set(kind) and "'^" not in kind) for kind in kinds)
