"""Measure the ink of TeX's fonts: `python -m training.bitmaps docparse/data/bitmaps.npz`.

Needs the fonts of the American Mathematical Society, which come with TeX (`kpsewhich` finds them), and `fonttools`.
"""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path

import numpy as np
from fontTools.pens.boundsPen import BoundsPen
from fontTools.t1Lib import T1Font

TEXT = "cmr5 cmr7 cmr10 cmr17 cmbx10 cmti10 cmsl10 cmtt10 cmcsc10 cmss10 cmssbx10"
MATH = "cmmi5 cmmi7 cmmi10 cmmib10 cmsy5 cmsy7 cmsy10 cmbsy10 cmex10 msam10 msbm10"
CODES, UNITS = 128, 1000  # glyphs of a font, and units of an em
MOVED = {0x10: 0x5C, 0x11: 0x22, 0x15: 0x7B, 0x16: 0x7C, **{0x1B + k: 0x0B + k for k in range(5)}}
"""Where TeX's newer text encoding, T1, has quotes, dashes and ligatures, and where the older one has them."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("output", type=Path)
    text, math = ([(name, measured(name)) for name in names.split()] for names in (TEXT, MATH))
    newer = [(name.replace("cm", "ec"), in_t1(ink)) for name, ink in text]
    names, inks = zip(*text, *newer, *math, strict=True)
    np.savez_compressed(parser.parse_args().output, names=np.array(names), ink=np.stack(inks).astype(np.float16))


def measured(name: str) -> np.ndarray:
    """Return float [128, 3]: width, bottom and top of the ink of a font's glyphs, in ems; nan where it has none."""
    path = subprocess.run(["kpsewhich", f"{name}.pfb"], capture_output=True, text=True, check=True).stdout.strip()
    font = T1Font(path)
    font.parse()
    glyphs, ink = font.getGlyphSet(), np.full((CODES, 3), np.nan)
    for code, glyph in enumerate(font["Encoding"][:CODES]):
        pen = BoundsPen(glyphs)
        if glyph in glyphs and glyph != ".notdef":
            glyphs[glyph].draw(pen)
        if pen.bounds:
            left, bottom, right, top = pen.bounds
            ink[code] = (right - left) / UNITS, bottom / UNITS, top / UNITS
    return ink


def in_t1(ink: np.ndarray) -> np.ndarray:
    """Return the ink of the same letters at their codes in T1."""
    moved = ink.copy()
    moved[:0x21] = np.nan
    moved[list(MOVED.values())] = np.nan
    for code, older in MOVED.items():
        moved[code] = ink[older]
    return moved


if __name__ == "__main__":
    main()
