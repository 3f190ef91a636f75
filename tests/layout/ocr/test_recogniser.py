"""The recogniser that ships: it reads as the network that it was made of."""

import cv2
import numpy as np
import pytest

from docparse.layout.ocr.engine import line_image
from docparse.layout.ocr.onnx import open_session, shipped_model
from docparse.layout.ocr.recogniser import LineReader

LINES = [
    "Between 1914 and 1998, prices rose by 42.5 %.",
    "Fußgänger überqueren die Straße – où est l’hôtel?",
    "Total (incl. VAT): EUR 1,204.90; see §7 & note #3",
    "if (n <= 0) return self[x_1] + {k: v};",
]


@pytest.fixture(scope="module")
def pictures(draw, ocr):
    """Lines in serif and sans serif type, clean and as a poor scan has them."""
    source = "#set page(width: 420pt, height: 300pt, margin: 40pt)\n#set text(size: 11pt, hyphenate: false)\n"
    fonts = ("Libertinus Serif", "DejaVu Sans Mono")
    source += "\n\n".join(f'#text(font: "{font}", "{line}")' for line in LINES for font in fonts)
    page = draw(source)
    boxes = ocr.finder.find(page.pixels)
    found = [line_image(page.pixels, box.widened(0.2 * box.height)) for box in boxes if box.width > box.height]
    assert len(found) >= len(LINES)
    rng = np.random.default_rng(3)
    grain = [np.clip(cv2.blur(line, (3, 3)) * 0.8 + rng.normal(0, 12, line.shape), 0, 255) for line in found]
    return [*found, *(line.astype(np.uint8) for line in grain)]


def test_lines_are_read_as_by_the_published_network(pictures):
    ours, published = LineReader(), LineReader()
    published.session = open_session(shipped_model("rapidocr", "models", "PP-OCRv6_rec_small.onnx"), 1)
    for line in pictures:
        one, other = ours.read(line), published.read(line)
        assert one.text == other.text
        assert one.confidence == pytest.approx(other.confidence, abs=0.03)
        assert one.centers == pytest.approx(other.centers, abs=8)  # pixels: a column of the network's output


def test_an_accent_that_is_hardly_likelier_than_none_is_doubtful():
    reader = LineReader()
    place = {char: index for index, char in enumerate(reader.alphabet)}
    scores = np.zeros((3, len(reader.alphabet)))
    for column, (char, likely, base, other) in enumerate(
        [("í", 0.7, "i", 0.2), ("é", 0.9, "e", 0.01), ("ł", 0.5, "l", 0.4)]
    ):
        scores[column, place[char]], scores[column, place[base]] = likely, other
    assert dict(reader._bare(scores, scores.argmax(axis=1))) == {0: "i", 2: "l"}
