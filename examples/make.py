"""Build paper.pdf from paper.typ, and paper-scan.pdf: the same pages as a scanner would see them.

    python examples/make.py [FOLDER]

The pages of the scan are images only: drawn at 150 dpi, skewed by a fraction of a degree, unevenly lit, blurred,
speckled and stored as JPEG. Both files are the same at every run with the same versions of the packages.
"""

from __future__ import annotations

import argparse
import io
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
import typst
from PIL import Image, ImageFilter

HERE = Path(__file__).parent
DPI = 150
SKEW_DEGREES = (0.6, -0.4)  # per page, in turn
SEED = 7


def compile_paper(target: Path) -> None:
    """Write the paper as a PDF with a text layer."""
    # Without a fixed date the file would change at every run.
    typst.compile(HERE / "paper.typ", output=target, timestamp=1_767_225_600, ignore_system_fonts=True)


def scan(page: Image.Image, skew: float, random: np.random.Generator) -> Image.Image:
    """One grey page as it comes out of an office scanner."""
    page = page.convert("L").rotate(skew, resample=Image.Resampling.BICUBIC, fillcolor=255)
    page = page.filter(ImageFilter.GaussianBlur(0.6))
    ink = np.asarray(page, dtype=np.float32) / 255
    height, width = ink.shape
    light = np.linspace(0.99, 0.93, width)[None, :] * np.linspace(1.0, 0.97, height)[:, None]
    shade = 0.12 + 0.86 * ink * light + random.normal(0, 0.012, ink.shape)
    specks = random.random(ink.shape) < 4e-5
    shade[specks] = 0.35
    return Image.fromarray((shade.clip(0, 1) * 255).astype(np.uint8))


def make_scan(source: Path, target: Path) -> None:
    """Write the pages of `source` as a PDF of images without any text."""
    random = np.random.default_rng(SEED)
    document = pdfium.PdfDocument(source)
    pages = [
        scan(page.render(scale=DPI / 72).to_pil(), SKEW_DEGREES[index % len(SKEW_DEGREES)], random)
        for index, page in enumerate(document)
    ]
    document.close()
    buffer = io.BytesIO()
    pages[0].save(
        buffer,
        "PDF",
        save_all=True,
        append_images=pages[1:],
        resolution=DPI,
        quality=40,
        title="A scan of paper.pdf",
        creationDate=None,
        modDate=None,
        producer="docparse examples",
    )
    target.write_bytes(buffer.getvalue())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=HERE, metavar="FOLDER")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    compile_paper(folder / "paper.pdf")
    make_scan(folder / "paper.pdf", folder / "paper-scan.pdf")


if __name__ == "__main__":
    main()
