"""Excerpts: text, tables and listings that a page shows as pictures, such as a screenshot of code or a photographed
table. Each is read as a page of its own, and is kept only where it turns out to be one: charts and photographs are not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import cv2
import msgspec
import numpy as np

from docparse.layout.geometry import boxes_of
from docparse.layout.ocr.result import OcrResult
from docparse.layout.pictures.find import joined
from docparse.layout.text.wording import count_words
from docparse.layout.text.words import Word
from docparse.pdf.content import PageContent, PageImage, TextQuality, no_boxes
from docparse.types import Block, Box, Category, Table, union

DPI = 100  # at which a letter of small type has several pixels
PAPER = 0.5  # share of a picture that is of one grey: photographs have none
ALIKE = 8  # of 255, by which that grey may differ
INK = 64  # of 255: by so much ink differs from its ground
LETTERS, DENSE = 60, 0.03  # marks of the size of letters, and share of the picture under them: charts have fewer
HEIGHT, WIDTH = (3, 24), 2.5  # of letters: pixels, and times their height at most
FILLED = 0.5  # share of the picture that a table fills, or text
ROWS, CELLS = 3, 0.5  # of a table at least, and share of its cells that hold something
LEGIBLE = 0.95  # confidence of most of its letters: screens that are printed too small to read have 0.7 to 0.9
WORDS = 25  # of a text at least
SENTENCE, LONG, MOST = 4, 2, 0.6  # words of a block, letters of a word, and share of all words that are in such blocks
LOW, STRIP, TALL = 8.0, 4.0, 60.0  # points, and width over height, of an image of one line: the titles of slides
SLACK = 1.0  # points around its ink
PRINTED = 0.75  # of the height of type that is printed on such an image, and does not just reach into it
MANY = 6  # such images on a page at most: more are rows of a picture
LETTERS_TOGETHER = re.compile(r"[^\W\d_]+")


def lines_shown(content: PageContent) -> list[Box]:
    """Return where the ink of images is that are as long and low as a line, have one ground and stand by themselves."""
    layer = no_boxes() if content.characters is None else content.characters.box
    low = [box for box in content.images if LOW < box.height < TALL and box.width > STRIP * box.height]
    low = joined(low, lambda box: (-box.area,), lambda other, box: box.inside(other) > FILLED)  # a title and its shadow
    alone = [box for box in low if sum((box.padded(SLACK) & other).area > 0 for other in low) == 1]
    free = [
        box & content.box
        for box in alone
        if not any(box.is_level(each, PRINTED) for each in boxes_of(_over(layer, box)))
    ]
    found = [_inked(content.render(DPI), box) for box in free] if 0 < len(free) <= MANY else []
    return [box for box in found if box is not None and box.height > LOW]


def _over(layer: np.ndarray, box: Box) -> np.ndarray:
    """Return the boxes that reach into another one."""
    return layer[(layer[:, :2] < (box.x1, box.y1)).all(axis=1) & (layer[:, 2:] > (box.x0, box.y0)).all(axis=1)]


def _inked(image: PageImage, box: Box) -> Box | None:
    """Return the part of a box with its ink; None where it has no ground."""
    off = _off_ground(image, box)
    if not off.size or (off <= ALIKE).mean() <= PAPER:
        return None
    y, x = np.nonzero(off > INK)
    if not len(x):
        return None
    x0, y0, x1, y1 = (np.array([x.min(), y.min(), x.max() + 1, y.max() + 1]) / image.scale).tolist()
    return Box(x0, y0, x1, y1).moved(box.x0, box.y0).padded(SLACK)


def read_line(result: OcrResult) -> list[Word]:
    """Return the words of an image of one line if they can be read, and are words: wordmarks and formulas are not."""
    written = [word for word in result.words if len(LETTERS_TOGETHER.findall(word.text)) > 0 and len(word.text) > LONG]
    sure = all(line.confidence > LEGIBLE for line in result.lines)
    return list(result.words) if sure and len(written) > 1 and all(word.angle == 0 for word in result.words) else []


def may_be_print(image: PageImage, box: Box) -> bool:
    """Return whether a part of a page at `DPI` has one ground and is full of marks that may be letters: a quick look
    that spares photographs and most charts from OCR."""
    off = _off_ground(image, box)
    if not off.size:
        return False
    stats = cv2.connectedComponentsWithStats((off > INK).astype(np.uint8), connectivity=8)[2][1:]
    wide, high = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]
    letters = (high >= HEIGHT[0]) & (high <= HEIGHT[1]) & (wide <= WIDTH * high)
    dense = (wide * high)[letters].sum() > DENSE * off.size
    return bool((off <= ALIKE).mean() > PAPER and letters.sum() > LETTERS and dense)


def _off_ground(image: PageImage, box: Box) -> np.ndarray:
    """Return by how much the pixels in a box differ from their most frequent grey, int16 [height, width]."""
    pixels = image.crop(box)
    if not pixels.size:
        return np.zeros((0, 0), np.int16)
    gray = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    return np.abs(gray.astype(np.int16) - _ground(gray))


def _ground(gray: np.ndarray) -> int:
    """Return the most frequent grey of uint8 pixels."""
    return int(np.bincount(gray.ravel(), minlength=256).argmax())


def excerpt(content: PageContent, box: Box) -> PageContent:
    """Return what lies in a box as a page of its own, of which only the pixels are known, without the words of the text
    layer that reach into it. The box lies on the page."""
    over = _over(no_boxes() if content.characters is None else content.characters.box, box)

    def draw(dpi: int) -> PageImage:
        image = content.render(dpi)
        pixels = image.crop(box).copy()
        ground = _ground(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY))
        for x0, y0, x1, y1 in ((over - (box.x0, box.y0) * 2) * image.scale).clip(0).astype(int).tolist():
            pixels[y0 : y1 + 1, x0 : x1 + 1] = ground
        return PageImage(pixels, image.scale)

    return PageContent(
        number=content.number,
        width=box.width,
        height=box.height,
        rotation=0,
        characters=None,
        quality=TextQuality.NONE,
        rulings=no_boxes(),
        images=(),
        draw=draw,
    )


def shown_text(blocks: Sequence[Block], picture: Block) -> list[Block]:
    """Return what stands for a picture of which these are the blocks, on a page that begins where it does: a table that
    fills it, the picture and its text if that is what it shows and can be read, and else the picture alone."""
    box = picture.box
    tables = [block for block in blocks if block.table is not None and _is_filled(block.table)]
    if sum(block.box.area for block in tables) > FILLED * box.area:
        return [_placed(block, box) for block in blocks]
    said = [block for block in blocks if block.table is None and block.text]
    written = [block for block in said if _is_written(block.text)]
    words = sum(count_words(block.text) for block in written)
    if words < max(WORDS, MOST * sum(count_words(block.text) for block in said)):
        return [picture]
    sure = sum(len(block.text) * (1 if block.confidence > LEGIBLE else -1) for block in said) > 0
    filled = sure and union(block.box for block in written).area > FILLED * box.area
    return [picture, *(_placed(block, box) for block in blocks)] if filled else [picture]


def _is_written(text: str) -> bool:
    """Return whether it is a few words of two letters and more, on average: those of puzzles are of one. The numbers at
    the axes of a plot are none."""
    together = LETTERS_TOGETHER.findall(text)
    words = " ".join(word for word in text.split() if LETTERS_TOGETHER.search(word))
    return bool(together) and count_words(words) >= SENTENCE and sum(map(len, together)) >= LONG * len(together)


def _is_filled(table: Table) -> bool:
    """Return whether most cells of several rows hold something: the grids of charts do not."""
    spanned = sum(cell.rowspan * cell.colspan for cell in table.cells if cell.spans)
    return table.rows >= ROWS and spanned > CELLS * table.rows * table.columns


def _placed(block: Block, box: Box) -> Block:
    """A block where it stands on its page, of which its heading is none."""
    category = Category.TEXT if block.category.is_heading else block.category
    return msgspec.structs.replace(block, category=category, box=block.box.moved(box.x0, box.y0))
