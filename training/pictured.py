"""Documents as pictures of their pages, as scanners and exports make them, for the model of headings.

    python -m training.pictured FOLDER OUT --pages 2

FOLDER holds documents whose content is known, `pdfs/NAME.pdf` and `truth/NAME.md`. OUT gets their first pages as
pictures, with their truths: half of them clean, half with skew, blur, paper and noise drawn at random.
"""

from __future__ import annotations

import argparse
import io
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pypdfium2
from PIL import Image, ImageFilter

Random = random.Random


def pictures(pdf: Path, pages: int, rng: Random) -> Iterator[tuple[Image.Image, int]]:
    """Yield the first pages, with their resolutions in dpi."""
    dpi, clean, grey = rng.choice((110, 130, 150, 150, 200, 200, 220)), rng.random() < 0.5, rng.random() < 0.4
    with pypdfium2.PdfDocument(pdf) as document:
        for number in range(min(pages, len(document))):
            page: Image.Image = document[number].render(scale=dpi / 72).to_pil().convert("L" if grey else "RGB")
            yield page if clean else scanned(page, rng), dpi


def scanned(page: Image.Image, rng: Random) -> Image.Image:
    """Return a page as a scanner sees it."""
    angle, paper = rng.gauss(0, 0.5), rng.randint(225, 255)
    page = page.rotate(angle, Image.Resampling.BICUBIC, fillcolor="white")
    page = page.filter(ImageFilter.GaussianBlur(rng.uniform(0.0, 0.9)))
    shape = (page.height, page.width, 1) if page.mode == "L" else (page.height, page.width, 3)
    values = np.asarray(page, np.float32).reshape(shape)
    ink = rng.uniform(0.0, 50.0)
    values = ink + values * (paper - ink) / 255
    values += np.random.default_rng(rng.randrange(1 << 32)).normal(0, rng.uniform(1, 9), (*shape[:2], 1))
    return Image.fromarray(values.clip(0, 255).astype(np.uint8).squeeze())


def write_pictures(pdf: Path, out: Path, pages: int) -> None:
    """Write a PDF of pictures of the first pages, each as large as its page."""
    rng, made = Random(pdf.stem), pypdfium2.PdfDocument.new()
    for page, dpi in pictures(pdf, pages, rng):
        stored = io.BytesIO()
        page.convert("RGB").save(stored, "JPEG", quality=rng.randint(55, 92))
        picture = pypdfium2.PdfImage.new(made)
        picture.load_jpeg(stored, inline=True)
        width, height = page.width * 72 / dpi, page.height * 72 / dpi
        picture.set_matrix(pypdfium2.PdfMatrix().scale(width, height))
        own = made.new_page(width, height)
        own.insert_obj(picture)
        own.gen_content()
    made.save(out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("--pages", type=int, default=2)
    options = parser.parse_args()
    for name in ("pdfs", "truth"):
        (options.out / name).mkdir(parents=True, exist_ok=True)
    for pdf in sorted((options.folder / "pdfs").glob("*.pdf")):
        write_pictures(pdf, options.out / "pdfs" / pdf.name, options.pages)
        shutil.copy(options.folder / "truth" / f"{pdf.stem}.md", options.out / "truth")


if __name__ == "__main__":
    main()
