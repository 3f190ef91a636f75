"""Type that TeX set as bitmaps: its fonts have no name, and only their ink says which words are bold."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from docparse.layout.ocr.boldness import embolden, stroke_weights
from docparse.layout.ocr.engine import line_box, line_image
from docparse.layout.ocr.recogniser import HEIGHT
from docparse.layout.ocr.tokens import Token, ink_of
from docparse.layout.text.line_finding import lines_of
from docparse.layout.text.lines import Line
from docparse.layout.text.words import Word
from docparse.pdf.content import PageImage


def with_bold_words(words: Sequence[Word], image: PageImage) -> list[Word]:
    """Return the words of a page with `bold` set where their ink, on the page's `image`, says so."""
    lines = lines_of([word for word in words if word.angle == 0])
    ordered = [word for line in lines for word in line.words]
    weights = [weight for line in lines for weight in _weights(line, image)]
    heavy = {word.index for word in embolden(ordered, weights) if word.bold}
    return [msgspec.structs.replace(word, bold=True) if word.index in heavy else word for word in words]


def _weights(line: Line, image: PageImage) -> list[float]:
    """The weight of each word's strokes over the size of its type; 0 where the line has no ink to see."""
    box = line_box(line.box, image.scale)
    picture = line_image(image.pixels, box)
    if picture is None:
        return [0.0] * len(line.words)
    along, across = picture.shape[1] / line.box.width, HEIGHT / line.box.height  # pixels of the picture in a point
    ends = [((word.box.x0 - line.box.x0) * along, (word.box.x1 - line.box.x0) * along) for word in line.words]
    tokens = [Token(word.text, 1.0, *end) for word, end in zip(line.words, ends, strict=True)]
    weights = stroke_weights(picture, ink_of(picture), tokens, along / across)
    return (weights / (across * np.array([word.size for word in line.words]))).tolist()
