"""The documents that everything begins with: examples of the repository, small ones made here, and a user's own."""

import shutil
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SUFFIXES = frozenset({".pdf", ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".bmp"})
PLAIN = '#set page(width: 360pt, height: 240pt, margin: 36pt, numbering: "1")\n'
PAPERS = {
    "plain": PLAIN + "= A short page\n\n#lorem(40)\n\n#lorem(30)#footnote[A note at the foot.]",
    "table": PLAIN + "#lorem(12)\n\n#table(columns: 4, [Name], [First], [Second], [Third],"
    " ..for n in range(1, 6) { ([row #n], [#(n * 11)], [#(n * 2.5)], [#(n * n)]) })"
    "\n\n- one\n- two\n  + inner\n- three",
    "columns": PLAIN + "#set page(columns: 2)\n= Two columns\n#lorem(120)",
    "formulas": PLAIN + "#lorem(15)\n\n$ sum_(k=0)^n k^2 = (n(n+1)(2n+1)) / 6 $\n\nWhere $x_1 + x_2 <= sqrt(y)$ holds.",
    "drawing": PLAIN + "#lorem(10)\n\n#for n in range(40) { place(dx: n * 6pt, circle(radius: n * 1pt)) }\n"
    '#v(80pt)#rotate(-90deg)[turned text] #text(fill: white)[unseen] #link("https://example.org")[a link]',
}


@dataclass(frozen=True)
class Sources:
    """`light` documents are read in a fraction of a second, `scans` need OCR; `own` are those the user named."""

    light: tuple[Path, ...]
    scans: tuple[Path, ...]
    own: tuple[Path, ...] = ()


def make_sources(folder, data):
    """Write the documents below `folder` and return them. Raises `ValueError` if `data` has none."""
    folder.mkdir(parents=True)
    for name in ("examples/paper.pdf", "docparse/data/doctor.pdf"):
        shutil.copy(ROOT / name, folder)
    papers = [_typeset(folder, name, text) for name, text in PAPERS.items()]
    own = () if data is None else tuple(path for path in sorted(data.rglob("*")) if _is_document(path))
    if data is not None and not own:
        raise ValueError(f"{data}: no PDF or image in this folder")
    light = (folder / "paper.pdf", folder / "doctor.pdf", *papers)
    return Sources(light, tuple(_draw(folder)), own)


def _is_document(path):
    return path.suffix.lower() in SUFFIXES and path.is_file()


def _typeset(folder, name, text):
    import typst

    source, target = folder / f"{name}.typ", folder / f"{name}.pdf"
    source.write_text(text, encoding="utf-8")
    typst.compile(source, output=target, timestamp=0, ignore_system_fonts=True)
    source.unlink()
    return target


def _draw(folder):
    """Pages as pictures, in every format that docparse reads."""
    from PIL import Image, ImageDraw, ImageFont

    pages = []
    for number in (1, 2, 3):
        page, text = (
            Image.new("RGB", (520, 200), "white"),
            f"Page {number} of a picture.\nIt has three lines\nof large type.",
        )
        ImageDraw.Draw(page).text((30, 30), text, "black", ImageFont.load_default(size=28))
        pages.append(page)
    first, *others = pages
    exif = Image.Exif()
    exif[0x0112] = 6  # orientation: lies on its right side
    first.save(folder / "picture.png")
    first.rotate(90, expand=True).save(folder / "picture.jpg", exif=exif)
    first.save(folder / "picture.tiff", save_all=True, append_images=others, compression="tiff_lzw")
    first.save(folder / "picture.webp", lossless=True)
    first.save(folder / "picture.bmp")
    first.save(folder / "scan.pdf", save_all=True, append_images=others[:1])
    return [*sorted(folder.glob("picture.*")), folder / "scan.pdf"]
