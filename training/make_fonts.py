"""Cut the fonts of the generator down to its characters: `python -m training.make_fonts FOLDER` (needs fontTools).

FOLDER holds the unpacked Debian 12 packages fonts-liberation2 2.1.5-1, fonts-dejavu-core 2.37-6,
fonts-crosextra-carlito 20220224-1 and fonts-open-sans 1.11-2. The cut fonts are committed, so that pages are the same
on every machine; they are renamed, as the licences of changed fonts ask (see docparse/synthetic/fonts/LICENSES.md).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from docparse.synthetic.fonts import PRINTED

SOURCES = {
    "sans": "LiberationSans-Regular",
    "sans-bold": "LiberationSans-Bold",
    "serif": "LiberationSerif-Regular",
    "serif-bold": "LiberationSerif-Bold",
    "serif-italic": "LiberationSerif-Italic",
    "wide": "DejaVuSans",
    "wide-bold": "DejaVuSans-Bold",
    "slab": "DejaVuSerif",
    "slab-bold": "DejaVuSerif-Bold",
    "mono": "DejaVuSansMono",
    "mono-bold": "DejaVuSansMono-Bold",
    "humanist": "Carlito-Regular",
    "humanist-bold": "Carlito-Bold",
    "open": "OpenSans-Regular",
    "open-bold": "OpenSans-Bold",
}


def cut(source: Path, target: Path) -> dict[str, float]:
    """Write the glyphs of `PRINTED` in `source` to `target`, unhinted and under the name of `target`.

    Returns the advance width of each character in em.
    """
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    font = TTFont(source, recalcTimestamp=False)
    subsetter = Subsetter(Options(hinting=False, layout_features=[], name_IDs=[0, 1, 2, 3, 4, 6, 13, 14]))
    subsetter.populate(text=PRINTED)
    subsetter.subset(font)
    name = f"Page {target.stem.replace('-', ' ').title()}"
    for record in font["name"].names:
        if record.nameID in (1, 3, 4, 6):
            record.string = name.replace(" ", "") if record.nameID == 6 else name
    font.save(target)
    glyphs, em = font.getBestCmap(), font["head"].unitsPerEm
    return {char: round(font["hmtx"][glyphs[ord(char)]][0] / em, 4) for char in PRINTED}


if __name__ == "__main__":
    found = {path.stem: path for path in Path(sys.argv[1]).rglob("*.ttf")}
    folder = Path(__file__).parents[1] / "docparse" / "synthetic" / "fonts"
    advances = {name: list(cut(found[stem], folder / f"{name}.ttf").values()) for name, stem in SOURCES.items()}
    (folder / "advances.json").write_text(json.dumps(advances, separators=(",", ":")) + "\n")
