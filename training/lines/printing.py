"""From a seed to PDFs: the pages as they are, and the same pages with keys in place of colours."""

from __future__ import annotations

import json
import random
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from training.lines.content import Document
from training.lines.html import PAGINATE, HtmlWriter
from training.lines.keys import Keys
from training.lines.looks import FAMILIES, Family, style_sheet
from training.lines.recipes import RECIPES
from training.lines.typst_pages import TYPST_FAMILIES, TypstWriter

SWITCHES = (
    "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update "
    "--disable-sync --no-pdf-header-footer --disable-dev-shm-usage"
).split()


def chromium(source: Path, target: Path, *, tagged: bool = True) -> None:
    """Print an HTML file."""
    with tempfile.TemporaryDirectory() as profile:
        more = ["--generate-pdf-document-outline"] if tagged else ["--disable-pdf-tagging"]
        command = [
            "chromium",
            *SWITCHES,
            *more,
            f"--user-data-dir={profile}",
            f"--print-to-pdf={target}",
            source.as_uri(),
        ]
        subprocess.run(command, check=True, capture_output=True, timeout=240)


def drawn(family: Family, seed: str) -> Document:
    """The document of a seed; of seeds that begin with "any/" one of any kind, whatever the family is made for."""
    rng = random.Random(f"{family.name}/{seed}")
    recipes = tuple(RECIPES) if seed.startswith("any/") else family.recipes
    return RECIPES[rng.choice(recipes)](rng)


def page_set(family: Family, seeds: Sequence[str], keys: Keys) -> str:
    """One HTML file with a document for every seed, each in a style of its own."""
    sheets, bodies = [], []
    for i, seed in enumerate(seeds):
        rng = random.Random(f"look/{family.name}/{seed}")
        sheets.append(style_sheet(family, f"d{i}", rng))
        bodies.append(HtmlWriter(keys, rng).document(drawn(family, seed), f"d{i}"))
    width, height = family.paper
    common = f"@page {{ size: {width}pt {height}pt; margin: 0; }} body {{ margin: 0; }} .k * {{ color: inherit !important; }}"
    if not keys.shown:
        common = common.replace(".k * { color: inherit !important; }", "")
    sheet = "\n".join([common, *sheets])
    page = f"<html lang=en><meta charset=utf-8><title>{family.name}</title><style>{sheet}</style>"
    return f"{page}<body>{''.join(bodies)}<script>{PAGINATE}</script></html>"


def print_family(family: Family, seeds: Sequence[str], folder: Path) -> None:
    """Write `NAME.pdf`, `NAME.keys.pdf` and `NAME.json`, the label of every key."""
    folder.mkdir(parents=True, exist_ok=True)
    for shown, suffix in ((False, ""), (True, ".keys")):
        keys = Keys(shown)
        source = (folder / f"{family.name}{suffix}.html").resolve()
        source.write_text(page_set(family, seeds, keys), encoding="utf-8")
        chromium(
            source, source.with_suffix(".pdf") if not shown else folder / f"{family.name}.keys.pdf", tagged=not shown
        )
        (folder / f"{family.name}.json").write_text(json.dumps(keys.labels))


def print_typst(family: str, seed: str, stem: Path) -> None:
    """The same from a Typst template, one document."""
    import typst

    stem.parent.mkdir(parents=True, exist_ok=True)
    for shown, suffix in ((False, ".pdf"), (True, ".keys.pdf")):
        rng = random.Random(f"{family}/{seed}")
        document = RECIPES[rng.choice(TYPST_FAMILIES[family])](rng)
        keys = Keys(shown)
        source = TypstWriter(keys, rng, family).document(document)
        typst.compile(source.encode(), output=f"{stem}{suffix}")
        Path(f"{stem}.json").write_text(json.dumps(keys.labels))


def main() -> None:
    import argparse

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--documents", type=int, default=12, help="of each family")
    parser.add_argument("--seed", default="train")
    parser.add_argument("--family", action="append", help="only these")
    options = parser.parse_args()
    for family in FAMILIES:
        if not options.family or family.name in options.family:
            print_family(family, [f"{options.seed}/{i}" for i in range(options.documents)], options.folder)
            print(family.name, flush=True)
    for name in TYPST_FAMILIES:
        if not options.family or name in options.family:
            for i in range(options.documents):
                print_typst(name, f"{options.seed}/{i}", options.folder / f"{name}.{i}")
            print(name, flush=True)


if __name__ == "__main__":
    main()
