"""A paired set for development: documents of every printer, with their true Markdown.

    python -m training.devset FOLDER

writes `pdfs/NAME.pdf`, `truth/NAME.md` and `manifest.jsonl`. Needs chromium, pdflatex, soffice and the package typst.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from training.devset.content import Document
from training.devset.html import PAGINATE, HtmlWriter
from training.devset.latex import LatexWriter
from training.devset.looks import FAMILIES, style_sheet
from training.devset.office import OfficeWriter
from training.devset.recipes import RECIPES
from training.devset.truth import markdown
from training.devset.typst import TYPST_FAMILIES, TypstWriter

LATEX = ("report", "paper", "manual", "slides", "law", "minutes", "questions", "magazine")
SWITCHES = (
    "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update "
    "--disable-sync --no-pdf-header-footer --disable-dev-shm-usage"
).split()
SOURCE = "invented from sentences of installed Python packages"
OFFICE = ("report", "manual", "reference", "letter", "resume", "minutes", "law", "form")


@dataclass
class Entry:
    name: str
    family: str
    template: str
    source: str
    licence: str
    furniture: list[str]
    pages: int = 0


def _chromium(document: Document, family: str, rng: random.Random, target: Path, tagged: bool) -> None:
    look = next(f for f in FAMILIES if f.name == family)
    width, height = look.paper
    sheet = f"@page {{ size: {width}pt {height}pt; margin: 0 }} body {{ margin: 0 }} {style_sheet(look, 'd0', rng)}"
    body = HtmlWriter(rng).document(document, "d0")
    source = target.with_suffix(".html")
    source.write_text(
        f"<html lang=en><meta charset=utf-8><style>{sheet}</style><body>{body}<script>{PAGINATE}</script></html>"
    )
    more = "--generate-pdf-document-outline" if tagged else "--disable-pdf-tagging"
    with tempfile.TemporaryDirectory() as profile:
        to = [f"--user-data-dir={profile}", f"--print-to-pdf={target}", source.resolve().as_uri()]
        subprocess.run(["chromium", *SWITCHES, more, *to], check=True, capture_output=True, timeout=240)
    source.unlink()


def _latex(document: Document, recipe: str, rng: random.Random, target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "a.tex")
        source.write_text(LatexWriter(rng, recipe).document(document))
        for _ in range(2):
            command = ["pdflatex", "-interaction=nonstopmode", source.name]
            subprocess.run(command, check=False, cwd=folder, capture_output=True, timeout=90)
        target.write_bytes(source.with_suffix(".pdf").read_bytes())


def _office(document: Document, rng: random.Random, target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, f"{target.stem}.fodt")
        source.write_text(OfficeWriter(rng).document(document))
        own = f"-env:UserInstallation=file://{folder}/profile"
        command = ["soffice", own, *"--headless --convert-to pdf --outdir".split(), folder, str(source)]
        subprocess.run(command, check=True, capture_output=True, timeout=180)
        target.write_bytes(source.with_suffix(".pdf").read_bytes())


def _typst(document: Document, family: str, rng: random.Random, target: Path) -> None:
    import typst

    typst.compile(TypstWriter(rng, family).document(document).encode(), output=str(target))


def furniture(document: Document) -> list[str]:
    """Running texts that are more than a page number."""
    number = re.compile(r"\{page\}|\W|\bpage\b|\d", re.IGNORECASE)
    return [text for text in (*document.header, *document.footer) if len(number.sub("", text)) > 3]


def main() -> None:
    import pypdfium2

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", default="dev")
    parser.add_argument("--printer", default="", help="only this one's documents; the manifest keeps the others")
    folder, seed = (options := parser.parse_args()).folder, options.seed
    for name in ("pdfs", "truth"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    plans = [("latex", recipe) for recipe in LATEX] + [("office", recipe) for recipe in OFFICE]
    plans += [("typst", family) for family in TYPST_FAMILIES] + [("typst2", family) for family in TYPST_FAMILIES]
    plans += [("web-tagged" if i % 2 else "web-plain", family.name) for i, family in enumerate(FAMILIES)]
    manifest = folder / "manifest.jsonl"
    kept = manifest.read_text().splitlines() if options.printer and manifest.exists() else ()
    entries = [Entry(**entry) for entry in map(json.loads, kept) if entry["family"] != options.printer]
    for printer, what in plans:
        if options.printer and options.printer != printer:
            continue
        name = f"{printer}-{what.removeprefix('typst-')}"
        rng = random.Random(f"{seed}/{name}")
        recipes = {f.name: f.recipes for f in FAMILIES} | TYPST_FAMILIES
        recipe = rng.choice(recipes[what]) if printer not in ("latex", "office") else what
        document = RECIPES[recipe](rng)
        target = folder / "pdfs" / f"{name}.pdf"
        try:
            if printer == "latex":
                _latex(document, recipe, rng, target)
            elif printer == "office":
                _office(document, rng, target)
            elif printer.startswith("typst"):
                _typst(document, what, rng, target)
            else:
                _chromium(document, what, rng, target, printer == "web-tagged")
            pages = len(pypdfium2.PdfDocument(target))
        except Exception as error:  # one document that does not print must not cost the others
            print(name, "failed:", str(error)[:200], flush=True)
            target.unlink(missing_ok=True)
            continue
        (folder / "truth" / f"{name}.md").write_text(markdown(document))
        licence, edges = "of the packages; for measuring only", furniture(document)
        entries.append(Entry(name, printer, recipe, SOURCE, licence, edges, pages))
        print(name, pages, flush=True)
    manifest.write_text("".join(json.dumps(asdict(e), ensure_ascii=False) + "\n" for e in entries))


if __name__ == "__main__":
    main()
