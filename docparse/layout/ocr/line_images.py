"""Lines of a page image as pictures of their own, upright and of one height; what is seen there, back on the page."""

from __future__ import annotations

from math import cos, radians

import cv2
import numpy as np

from docparse.hyphenation import is_cjk
from docparse.layout.ocr.detector import LineBox
from docparse.layout.ocr.recogniser import HEIGHT
from docparse.layout.ocr.tokens import LineType, Token
from docparse.layout.text.words import Word
from docparse.types import Box

MAX_LINE_WIDTH = 60 * HEIGHT  # of a line image; longer ones are squeezed
MARGIN = 0.1  # line heights added before and after the line: the detector cuts last letters short


def aspect(line: LineBox) -> float:
    """Return the length of a line over its height, whichever way it runs."""
    return max(line.width / line.height, line.height / line.width)


def line_box(box: Box, scale: float) -> LineBox:
    """Return the box of a level line, given in points, in pixels."""
    x, y = box.center
    return LineBox(x * scale, y * scale, box.width * scale, box.height * scale, 0.0)


def line_image(pixels: np.ndarray, box: LineBox, stretch: float = 1.0) -> np.ndarray:
    """Return the line, upright, 48 pixels high and `stretch` times its natural width, 8 pixels at least."""
    scale = HEIGHT / max(box.height, 1.0)
    width = min(max(8, round(box.width * scale * stretch)), MAX_LINE_WIDTH)
    to_page = box.to_page() @ np.diag([box.width / width, 1 / scale, 1.0])
    if scale < 0.5:  # bilinear sampling would skip pixels
        blur = round(0.5 / scale) * 2 + 1
        rows, columns = box.within(pixels.shape)
        pixels = cv2.blur(pixels[rows, columns], (blur, blur))
        to_page[:, 2] -= (columns.start, rows.start)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(pixels, to_page, (width, HEIGHT), flags=flags, borderMode=cv2.BORDER_REPLICATE)


def ways(line: LineBox) -> list[tuple[LineBox, int]]:
    """Return the directions in which a line may run, with the clockwise angle of its text: a tall one is tried on its
    sides."""
    line = line.widened(2 * MARGIN * min(line.width, line.height))
    found = [(line, 0)] if line.height < 3 * line.width else []
    if line.height >= 1.5 * line.width:
        for turn, angle in ((90, 90), (-90, 270)):
            found.append((line.turned(turn), angle))
    return found


class Placement:
    """Puts what was measured in a line image back onto the page."""

    def __init__(self, box: LineBox, angle: int, width: int, scale: float) -> None:
        self.angle = angle
        self.pixel = box.height / HEIGHT / scale  # points per pixel across the line
        stretch = np.diag([box.width / width, box.height / HEIGHT, 1.0])
        self.to_page = box.to_page() @ stretch / scale
        self.along = box.width / width / scale * cos(radians(box.tilt - {0: 0, 90: 90, 180: 180, 270: -90}[angle]))

    def word(self, token: Token, kind: LineType, advance: float) -> Word:
        middle = (token.left + token.right) / 2
        x, y = self.to_page @ (middle, kind.baseline + kind.slope * middle, 1.0)
        size = kind.size * self.pixel
        half = (advance * len(token.text) or (token.right - token.left) * self.along) / 2
        up, down = (size * share for share in ((0.85, 0.15) if any(map(is_cjk, token.text)) else (0.75, 0.25)))
        left, above, right, below = {  # at 90 it reads downwards, its top is to the right
            0: (half, up, half, down), 90: (down, half, up, half),
            180: (half, down, half, up), 270: (up, half, down, half),
        }[self.angle]  # fmt: skip
        box, baseline = Box(x - left, y - above, x + right, y + below), x if self.angle % 180 else y
        return Word(text=token.text, box=box, baseline=float(baseline), size=size, angle=self.angle,
                    mono=advance > 0, confidence=token.confidence, glued=token.glued,
                    latex=f"^{{{token.text}}}" if token.raised else "")  # fmt: skip
