"""Write how MathJax draws its letters to `docparse/data/outlines.npz`: `python -m training.outlines FOLDER`.

FOLDER is the unpacked npm package mathjax-full 3.2.2 (Apache-2.0) with its dependencies (`npm install mathjax-full`);
Node.js reads it. Of a letter only what tells it from the others is kept: how many segments its outline has, some of
their points, its code, its font and its advance.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np

from docparse.pdf.outlines import POINTS

TARGET = Path(__file__).parents[1] / "docparse" / "data" / "outlines.npz"
LATIN = 0x250  # codes below are those of text, in the font of text
SYMBOLS = "MathJax_Math"
FONTS = {  # MathJax's variants, the likelier before the others that have the same outlines: its fonts
    "normal": "MathJax_Main",
    "bold": "MathJax_Main-Bold",
    "italic": "MathJax_Math-Italic",
    "bold-italic": "MathJax_Math-BoldItalic",
    "-tex-variant": "MathJax_AMS",
    "-smallop": "MathJax_Size1",
    "-largeop": "MathJax_Size2",
    "-size3": "MathJax_Size3",
    "-size4": "MathJax_Size4",
    "-tex-calligraphic": "MathJax_Caligraphic",
    "-tex-bold-calligraphic": "MathJax_Caligraphic-Bold",
    "-tex-oldstyle": "MathJax_Caligraphic",
    "-tex-bold-oldstyle": "MathJax_Caligraphic-Bold",
    "-tex-mathit": "MathJax_Main-Italic",
    "fraktur": "MathJax_Fraktur",
    "bold-fraktur": "MathJax_Fraktur-Bold",
    "sans-serif": "MathJax_SansSerif",
    "bold-sans-serif": "MathJax_SansSerif-Bold",
    "sans-serif-italic": "MathJax_SansSerif-Italic",
    "sans-serif-bold-italic": "MathJax_SansSerif-BoldItalic",
    "monospace": "MathJax_Typewriter",
}
DOUBLETS = "\u2329\u232a\u3008\u3009ʹ⧸‗"  # other codes of ⟨ and ⟩, ′, / and _
SCRIPT = """
const { TeXFont } = require(process.argv[1] + '/js/output/svg/fonts/tex.js');
const rows = [];
for (const [variant, glyphs] of Object.entries(TeXFont.defaultChars))
  for (const [code, [, , advance, more]] of Object.entries(glyphs))
    if (more && more.p) rows.push([variant, Number(code), advance, more.p]);
console.log(JSON.stringify(rows));
"""
OTHERS = {  # what docparse calls the pieces of tall roots and long braces, as TeX has them, and accents
    0x5E: "ˆ", 0x7E: "˜", 0xE000: "│", 0xE001: "┌", 0xE150: "⏞", 0xE151: "⏞", 0xE152: "⏟", 0xE153: "⏟",
}  # fmt: skip
LEAST = 6  # segments: bars have fewer, and are read as strokes


def key(outline: str) -> tuple[int, ...]:
    """Return the number of segments of an outline and the points of some, as a PDF has them: a quadratic curve is a
    cubic one, of three segments. `outline` is an SVG path less its first M and last Z."""
    points: list[tuple[float, float]] = []
    x = y = bend_x = bend_y = 0.0
    start = x, y
    for command, numbers in re.findall(r"([MLHVQTZ])([^A-Z]*)", f"M{outline}Z"):
        values = [float(number) for number in re.findall(r"-?[\d.]+", numbers)]
        before = x, y
        if command == "Z":
            x, y = start
        elif command in "HV":
            x, y = (values[0], y) if command == "H" else (x, values[0])
        else:
            x, y = values[-2:]
        if command in "QT":
            bend_x, bend_y = values[:2] if command == "Q" else (2 * before[0] - bend_x, 2 * before[1] - bend_y)
            points += [((2 * bend_x + a) / 3, (2 * bend_y + b) / 3) for a, b in (before, (x, y))]
        else:
            bend_x, bend_y = x, y
        if command == "M":
            start = x, y
        if command != "Z" or before != start:
            points.append((x, y))
    spread = [points[len(points) * part // POINTS] for part in range(POINTS)]
    return len(points), *(round(value) for point in spread for value in point)


def main() -> None:
    printed = subprocess.run(["node", "-e", SCRIPT, sys.argv[1]], check=True, capture_output=True, text=True).stdout
    variants = list(FONTS)
    rows = sorted(json.loads(printed), key=lambda row: (0xE000 <= row[1] < 0xF900, variants.index(row[0]), row[1]))
    glyphs: dict[tuple[int, ...], tuple[int, str, float]] = {}
    for variant, code, advance, outline in rows:
        number = key(outline)
        if chr(code) not in DOUBLETS and number[0] >= LEAST:
            font = SYMBOLS if variant == "normal" and code >= LATIN else FONTS[variant]
            glyphs.setdefault(number, (ord(OTHERS.get(code, chr(code))), font, advance))
    names = list(dict.fromkeys([SYMBOLS, *FONTS.values()]))
    np.savez_compressed(
        TARGET,
        keys=np.array(list(glyphs), np.int16),
        codes=np.array([code for code, _, _ in glyphs.values()], np.uint32),
        fonts=np.array([names.index(font) for _, font, _ in glyphs.values()], np.uint8),
        advances=np.array([round(1000 * advance) for *_, advance in glyphs.values()], np.int16),
        names=np.array(names),
    )
    print(f"{TARGET}: {len(glyphs)} letters")


if __name__ == "__main__":
    main()
