"""Images as documents: each frame is a page of pixels without a text layer."""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from docparse.errors import InputError, PageError, ran_out_of_memory
from docparse.guard import Guard
from docparse.pdf.content import PageContent, PageImage, TextQuality, capped_scale, no_boxes
from docparse.pdf.document import DocumentFile, Wanted
from docparse.types import Box, DocumentInfo

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = ("PNG", "JPEG", "TIFF", "WEBP", "BMP")
MAX_FRAMES = 100_000  # of a TIFF
SANE_DPI = (72.0, 1200.0)
A4_LONG = 842.0  # points: the longer side of a page whose resolution is unknown
SCREEN_DPI, A2_LONG = 96.0, 1684.0  # cameras and screens write 72 or 96 whatever they saw; so large a page is none


class ImageFile(DocumentFile):
    """A PNG, JPEG, TIFF, WEBP or BMP. Keeps the pixels of the frame last asked for."""

    def __init__(self, source: Path | bytes, *, name: str, sha256: str) -> None:
        self._name = name
        self._source = source
        self._frame: _Frame | None = None
        self.info = DocumentInfo(name=name, sha256=sha256, pages=max(1, self._count()))

    def _count(self) -> int:
        """Return how many frames a TIFF has, with a damaged one behind the good ones; animations are one page, their
        first."""
        with warnings.catch_warnings(action="ignore"), self._open() as image:  # as for the frames themselves
            if image.format != "TIFF":
                return 1
            for number in range(1, MAX_FRAMES):
                try:
                    image.seek(number)
                except EOFError:
                    return number
                except Exception:  # as above
                    return number + 1
        return MAX_FRAMES

    def _open(self) -> Image:
        from PIL import Image

        try:
            source = io.BytesIO(self._source) if isinstance(self._source, bytes) else self._source
            return Image.open(source, formats=FORMATS)
        except Image.DecompressionBombError:
            raise InputError(f"{self._name}: the image has too many pixels: scale it down") from None
        except Exception as error:  # Pillow's readers raise whatever a damaged file makes them stumble over
            if ran_out_of_memory(error):
                raise
            raise InputError(f"{self._name}: the image is damaged or cut off: get it again") from None

    def close(self) -> None:
        self._frame = None

    def _read_page(self, number: int, wanted: Wanted, guard: Guard) -> PageContent:
        size = self._read(number).size
        notes: list[str] = []
        return PageContent(
            number=number,
            width=size[0],
            height=size[1],
            rotation=0,
            characters=None,
            quality=TextQuality.NONE,
            rulings=no_boxes(),
            images=(Box(0.0, 0.0, *size),),
            draw=lambda dpi: _resample(self._read(number).pixels, size, dpi, notes),
            warnings=notes,
        )

    def _read(self, number: int) -> _Frame:
        """Frame `number`, upright. The file is closed again: a decoded image is larger than the pixels we keep."""
        if self._frame is None or self._frame.number != number:
            try:
                # damaged EXIF and such: the pixels tell
                with warnings.catch_warnings(action="ignore"), self._open() as image:
                    image.seek(number - 1)
                    turned = image.getexif().get(0x0112, 1) in (5, 6, 7, 8)
                    width, height = image.size[::-1] if turned else image.size
                    x_scale, y_scale = _pixels_per_point(image, width, height)
                    self._frame = _Frame(number, _rgb(image), (width / x_scale, height / y_scale))
            except Exception as error:  # as above
                if ran_out_of_memory(error):
                    raise
                raise PageError("the image is damaged or cut off: get it again") from None
        return self._frame


@dataclass(frozen=True, slots=True)
class _Frame:
    """One frame: uint8 RGB [height, width, 3], upright, and its size in points."""

    number: int
    pixels: np.ndarray
    size: tuple[float, float]


def _rgb(image: Image) -> np.ndarray:
    """Any mode to 8-bit RGB, upright, transparent parts on white, no more pixels than a page may have."""
    from PIL import Image, ImageOps

    image.load()
    ImageOps.exif_transpose(image, in_place=True)
    upright: Any = image
    if upright.mode.startswith(("I", "F")):
        upright = _eight_bits(upright)
    if upright.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in upright.info:
        upright = _capped(upright.convert("RGBA"))
        paper = Image.new("RGBA", upright.size, "white")
        upright = Image.alpha_composite(paper, upright)
    return np.array(_capped(upright if upright.mode in ("L", "RGB", "CMYK") else upright.convert("RGB")).convert("RGB"))


def _capped(image: Any) -> Any:
    """The image, scaled down where it has more pixels than any page is drawn with."""
    from PIL.Image import Resampling

    width, height = image.size
    scale, _ = capped_scale(width, height, 72)
    if scale >= 1:
        return image
    size = tuple(max(1, round(side * scale)) for side in image.size)
    return image.resize(size, Resampling.LANCZOS, reducing_gap=3.0)


def _eight_bits(image: Image) -> Image:
    from PIL import Image

    values = np.asarray(image, np.float64)
    top = 65535.0 if image.mode.startswith("I") and values.max(initial=0) <= 65535 else float(values.max(initial=1))
    if values.max(initial=0) <= 1 and image.mode == "F":
        top = 1.0
    elif values.max(initial=0) <= 255:
        top = 255.0
    return Image.fromarray(np.clip(values / top * 255, 0, 255).astype(np.uint8))


def _pixels_per_point(image: Image, width: int, height: int) -> tuple[float, float]:
    """Horizontal and vertical pixels per point from the file's resolution, or so that the page is as long as A4."""
    low, high = SANE_DPI
    try:
        x, y = (float(value) for value in image.info["dpi"])
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        x = y = 0.0
    if image.getexif().get(0x0112, 1) in (5, 6, 7, 8):
        x, y = y, x  # turned by a quarter: the resolution belongs to the stored axes
    longest = max(width / x, height / y) * 72 if x > 0 and y > 0 else 0.0
    sane = low <= x <= high and low <= y <= high and 0.4 <= x / y <= 2.5
    if not sane or (min(x, y) <= SCREEN_DPI and longest > A2_LONG):
        scale = max(width, height) / A4_LONG
        return scale, scale
    return x / 72, y / 72


def _resample(pixels: np.ndarray, size: tuple[float, float], dpi: int, notes: list[str]) -> PageImage:
    """The page at `dpi`, but with no more pixels per point than the finer axis of the file has."""
    from PIL import Image

    height, width = pixels.shape[:2]
    finest = max(width / size[0], height / size[1])
    scale, note = capped_scale(*size, min(dpi, finest * 72))
    if note and note not in notes:
        notes.append(note)
    target = max(1, round(size[0] * scale)), max(1, round(size[1] * scale))
    if target == (width, height):
        return PageImage(pixels=pixels, scale=scale)
    image = Image.fromarray(pixels).resize(target, Image.Resampling.LANCZOS, reducing_gap=3.0)
    return PageImage(pixels=np.array(image), scale=scale)
