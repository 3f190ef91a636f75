"""Make a test set of formulas: those of LaTeX and Markdown books, typeset in classes and fonts that papers use.

    python benchmarks/formulas.py BOOK... --out formulas [--seed 23] [--each 20]
    python benchmarks/quality.py --olmocr formulas --judge judge/bin/python --out out

A BOOK is a folder of `.tex` or `.md` files. The set has the layout of olmOCR-bench (`pdfs/`, `dataset.jsonl`); each of
its tests asks whether KaTeX prints a formula of the Markdown like the book's. Needs pdflatex and its classes (Debian:
texlive-latex-extra, texlive-publishers, texlive-science, texlive-fonts-extra, texlive-plain-generic).
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
from pathlib import Path

AMS = r"\usepackage{amsmath,amssymb}"
CLASSES = {  # name: preamble, and whether the page has two columns
    "elsarticle": (r"\documentclass[review,12pt]{elsarticle}" + AMS, False),
    "kpfonts": (r"\documentclass[11pt]{article}\usepackage{amsmath,kpfonts}", False),
    "txfonts": (r"\documentclass[10pt,twocolumn]{article}\usepackage{amsmath,txfonts}", True),
    "mlmodern": (r"\documentclass[11pt]{book}\usepackage{amsmath,amssymb,mlmodern}", False),
    "leqno": (r"\documentclass[11pt,leqno]{article}" + AMS + r"\usepackage{newpxtext,newpxmath}", False),
    "fleqn": (r"\documentclass[11pt,fleqn]{article}" + AMS, False),
    "acmsmall": (r"\documentclass[acmsmall,nonacm]{acmart}\let\Bbbk\relax" + AMS, False),
    "conference": (r"\documentclass[conference]{IEEEtran}" + AMS, True),
    "revtex": (r"\documentclass[aps,prl,twocolumn]{revtex4-2}" + AMS, True),
    "stix2": (r"\documentclass[11pt]{article}\usepackage{amsmath}\usepackage{stix2}", False),
}
TEXT = (
    "The argument rests on a simple estimate that holds for every parameter in the range, with {},",
    "We write the update in this form because the gradient is then easy to read off. Here {} is fixed, so that",
    "It follows from the definition that both sides agree whenever the sequence {} is bounded:",
    "The second term vanishes for large times, and the first one is what remains for all {} of interest.",
)
INLINE = (r"$x_i$", r"$\alpha > 0$", r"$f(x)$", r"$n \to \infty$", r"$\mathbf{W}$", r"$k$")
DISPLAYED = re.compile(
    r"\\\[(.+?)\\\]|\$\$(.+?)\$\$|\\begin\{(?:align|equation)\*?\}(.+?)\\end\{(?:align|equation)\*?\}", re.DOTALL
)
# what KaTeX does not know, and what says nothing about how a formula looks
UNUSABLE = re.compile(
    r"\\(?:xymatrix|tikz|includegraphics|[a-z]*ref|cite|substack|hspace|mbox|label|smash|phantom|tag|cal|bf|rm)\b|%|tikzcd"
)
SPAN, NARROW = range(9, 200), 75  # characters of a formula, and those of a narrow column


def formulas_of(book: Path) -> list[str]:
    """Return the displayed formulas of a book's files, each once."""
    found: dict[str, None] = {}
    for path in sorted([*book.rglob("*.tex"), *book.rglob("*.md")]):
        for match in DISPLAYED.finditer(path.read_text(errors="replace")):
            tex = re.sub(r"\s+", " ", next(filter(None, match.groups()))).strip(" .,;")
            if len(tex) in SPAN and not UNUSABLE.search(tex):
                aligned = "&" in tex and r"\begin" not in tex
                found[rf"\begin{{aligned}} {tex} \end{{aligned}}" if aligned else tex] = None
    return list(found)


def typeset(source: str, out: Path, name: str) -> set[int]:
    """Run pdflatex on a source; return the lines that it does not understand."""
    (out / f"{name}.tex").write_text(source)
    options = ("-interaction=nonstopmode", "-file-line-error", f"-output-directory={out}")
    subprocess.run(["pdflatex", *options, str(out / f"{name}.tex")], capture_output=True, check=False)
    log = (out / f"{name}.log").read_text(errors="replace")
    return {int(line) for line in re.findall(rf"{name}\.tex:(\d+):", log)}


def understood(formulas: list[str], work: Path) -> list[str]:
    """Return the formulas that plain amsmath knows: books have macros of their own."""
    while formulas:
        lines = [r"\documentclass{article}" + AMS + r"\begin{document}", *(rf"\[ {tex} \]" for tex in formulas)]
        wrong = typeset("\n".join([*lines, r"\end{document}"]), work, "all")
        if not wrong:
            break
        formulas = [tex for line, tex in enumerate(formulas, start=2) if line not in wrong]
    return formulas


def document(preamble: str, formulas: list[str], rng: random.Random) -> str:
    lines = [preamble, r"\begin{document}\title{A note}\author{A. Writer}\maketitle"]
    for tex in formulas:
        kind = rng.choice(("equation", "displaymath"))
        lines.append(rng.choice(TEXT).format(rng.choice(INLINE)))
        lines.append(rf"\begin{{{kind}}} {tex}{rng.choice(('', '.', ','))} \end{{{kind}}}")
    return "\n".join([*lines, TEXT[0].format(INLINE[0]), r"\end{document}"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("books", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=23)
    parser.add_argument("--each", type=int, default=20, help="formulas of a document")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    work = args.out / "tex"
    for folder in (work, args.out / "pdfs"):
        folder.mkdir(parents=True, exist_ok=True)
    books = [rng.sample(found, min(len(found), 40 * args.each)) for book in args.books if (found := formulas_of(book))]
    pool = understood([tex for book in books for tex in book], work)
    rng.shuffle(pool)
    tests = []
    for name, (preamble, narrow) in CLASSES.items():
        chosen = [tex for tex in pool if not narrow or (len(tex) < NARROW and "aligned" not in tex)][: args.each]
        pool = [tex for tex in pool if tex not in chosen]
        typeset(document(preamble, chosen, rng), work, name)
        (work / f"{name}.pdf").rename(args.out / "pdfs" / f"{name}.pdf")
        tests += [
            {"pdf": f"{name}.pdf", "page": 1, "id": f"{name}-{k}", "type": "math", "math": tex, "max_diffs": 0}
            for k, tex in enumerate(chosen)
        ]
    (args.out / "dataset.jsonl").write_text("".join(json.dumps(test) + "\n" for test in tests))
    print(f"{len(tests)} formulas in {len(CLASSES)} documents: {args.out}")


if __name__ == "__main__":
    main()
