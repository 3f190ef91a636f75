"""Texts in many dresses: Markdown set by a browser in styles drawn at random, for the model of headings.

    python -m training.dressed TEXTS FOLDER --count 400

TEXTS holds Markdown files. Each document is some sections of one of them, in a style of its own: type, columns, numbers
and rules of headings, bold words that are none, labels, notes, captions, boxes. `pdfs/NAME.pdf` and `truth/NAME.md` are
written, as `training.devset` does. Needs chromium and the package markdown-it-py.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from markdown_it import MarkdownIt

SERIF = ("C059", "Liberation Serif", "Nimbus Roman", "P052", "TeX Gyre Pagella", "TeX Gyre Schola", "URW Bookman")
SANS = ("DejaVu Sans", "Lato", "Liberation Sans", "Liberation Sans Narrow", "Nimbus Sans", "TeX Gyre Adventor")
EASTERN = ("Noto Sans CJK SC", "Noto Serif CJK SC", "AR PL UMing CN", "AR PL SungtiL GB", "AR PL KaitiM GB",
           "WenQuanYi Zen Hei", "WenQuanYi Micro Hei")  # fmt: skip
INKS = ("#000", "#000", "#000", "#123a6b", "#8a1c1c", "#0a5c36", "#555", "#b35900")
LABELS = ("Note", "Important", "Summary", "Example", "Result", "Tip", "Warning", "Purpose", "Time", "Fee", "Contact")
NAMES = ("Ada Lindqvist", "Tomas Reyes", "Mei Sato", "Pavel Novák", "Ruth Okafor", "Jean-Luc Moreau", "Ingrid Voss")
KICKERS = ("Feature", "Interview", "Report", "White paper", "Opinion", "Case study")
LEVELS = 5
FIGURES = "一二三四五六七八九十"
ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
HEADING = re.compile(rf"(#{{1,{LEVELS}}}) (.*?)\s*#*$")
MARKUP = re.compile(  # that is not printed: front matter, comments, pictures, tags, attributes, formulas
    r"\A---\n.*?\n---\n|<!--.*?-->|!\[[^\]]*\]\([^)]*\)|<[^>]{1,200}>|\{[#%:].*?\}|\$\$.*?\$\$|^:::.*?$|^\[[^\]]+\]:.*?$",
    re.DOTALL | re.MULTILINE,
)
WORDS = 350, 1500  # of a document
Random = random.Random


def section_of(text: str, rng: Random) -> list[str]:
    """Return the lines of some sections of a text; none where it has hardly any."""
    lines = MARKUP.sub("", text).split("\n")
    heads = [i for i, line in enumerate(lines) if HEADING.match(line)]
    if len(heads) < 3:
        return []
    start, most, count = rng.choice(heads[:-2]), rng.randint(*WORDS), 0
    found: list[str] = []
    for line in lines[start:]:
        if count > most and (HEADING.match(line) or count > 1.6 * most):
            break
        found.append(line)
        count += max(len(line.split()), len(line) // 6 if not line.isascii() else 0)
    return found


def is_eastern(lines: Sequence[str]) -> bool:
    """Return whether a text is Chinese, Japanese or Korean."""
    letters = [char for char in "".join(lines) if char.isalpha()]
    return sum(char > "\u2e80" for char in letters) > 0.3 * len(letters)


def numbering(rng: Random, *, eastern: bool) -> Callable[[int], str]:
    """Return what gives the next heading of a level, from 1, its number."""
    kinds = ("", "", "", "", "1.1 ", "1.1. ", "1. ", "A. ", "I. ", "§ 1 ", "Chapter 1: ", "Article 1. ")
    kind = rng.choice(("", "", "1.1 ", "1. ", "一、", "一、", "第一章 ") if eastern else kinds)
    counts = [0] * (LEVELS + 1)

    def number(level: int) -> str:
        counts[level] += 1
        counts[level + 1 :] = [0] * (LEVELS - level)
        own = [count or 1 for count in counts[1 : level + 1]]
        path, chinese = ".".join(map(str, own)), FIGURES[min(own[-1], 10) - 1]
        if "一" in kind:
            return (kind.replace("一", chinese), f"（{chinese}）", f"{own[-1]}. ", "", "")[level - 1]
        if kind.startswith("1.1"):
            return path + kind[3:]
        if level > 1:
            return "" if kind[:1] in ("", "C") else f"{path} " if kind[:2] == "Ar" else f"{own[-1]}. "
        letters = {"A. ": f"{chr(64 + min(own[-1], 26))}. ", "I. ": f"{ROMAN[min(own[-1], 12) - 1]}. "}
        return letters.get(kind, kind.replace("1", str(own[-1]), 1))

    return number


def numbered(lines: Sequence[str], rng: Random) -> list[str]:
    """Return the lines with their headings numbered, from level 1 on, and a few lines under the first of them."""
    present = {len(match[1]) for line in lines if (match := HEADING.match(line))}
    ranks = {level: rank for rank, level in enumerate(sorted(present), 1)}
    number, titled = numbering(rng, eastern=is_eastern(lines)), rng.random() < 0.5
    found: list[str] = []
    fenced = first = False
    for line in lines:
        fenced ^= line.strip().startswith("```")
        match = None if fenced else HEADING.match(line)
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)|\*\*|`", r"\1", match[2]) if match else ""
        if not match or not words.strip():
            found.append("" if match else line)
            continue
        rank = ranks[len(match[1])]
        own = "" if titled and not first else number(max(1, rank - titled))
        found.append(f"{'#' * rank} {own}{words}".replace(". ", "\\. ", 1))
        if titled and not first:
            lead = [f"{', '.join(rng.sample(NAMES, 2))}", f"{rng.randint(1, 28)} March 20{rng.randint(10, 30)}"]
            found += [part for text in rng.sample(lead, rng.randint(0, 2)) for part in ("", f"@@{text}")]
        first = True
    return found


def style_sheet(rng: Random, *, eastern: bool) -> str:
    """Return a style, in which no level of headings looks like the text."""
    faces = EASTERN if eastern else SERIF + SANS
    base, ink, family = rng.choice((8.5, 9, 9.5, 10, 10, 10.5, 11, 12)), rng.choice(INKS), rng.choice(faces)
    page = f"size:{rng.choice(('A4', 'A4', 'Letter', 'A5', 'B5'))};margin:{rng.randint(12, 28)}mm"
    columns = "column-count:2;" if rng.random() < 0.22 else ""
    justified = "text-align:justify;" if rng.random() < 0.4 else ""
    rules = [f"@page{{{page}}}"]
    rules += [f"body{{font:{base}pt/{rng.choice((1.2, 1.3, 1.4, 1.6))} '{family}',serif;{columns}{justified}}}"]
    rules += [rng.choice(("p{margin:0;text-indent:1.5em}", "p{margin:.6em 0}", "p{margin:1em 0}"))]
    step, middle = rng.choice((1.0, 1.0, 1.08, 1.15, 1.25, 1.35)), rng.random() < 0.17
    face = family if rng.random() < 0.55 else rng.choice(faces)
    for level in range(1, LEVELS + 1):
        rules.append(f"h{level}{{{_heading(rng, base, step ** (LEVELS + 1 - level), ink, face, middle=middle)}}}")
    rules += [
        "table{border-collapse:collapse;margin:.6em 0}",
        f"td,th{{padding:2pt 5pt;text-align:left;{rng.choice(('border:1px solid', 'border-bottom:1px solid', ''))}}}",
        f"blockquote{{{rng.choice(('font-style:italic', f'font-size:1.3em;color:{ink}', 'font-size:.9em'))}}}",
        f".by{{{rng.choice(('font-style:italic', f'color:{ink}', 'font-weight:bold'))}}}",
        f".kicker{{font-size:.8em;text-transform:uppercase;letter-spacing:.1em;color:{ink}}}",
        f".caption{{font-size:.85em;{rng.choice(('font-style:italic', 'font-weight:bold', ''))}}}",
        ".box{border:1px solid #888;padding:4pt 8pt}dt{font-weight:bold}dd{margin-left:2em}pre{white-space:pre-wrap}",
    ]
    return "".join(rules)


def _heading(rng: Random, base: float, times: float, ink: str, face: str, *, middle: bool) -> str:
    size = min(30.0, base * times * rng.choice((1.0, 1.0, 0.95, 1.1)))
    bold, italic, odd = rng.random() < 0.68, rng.random() < 0.15, rng.random()
    plain = abs(size / base - 1) < 0.07 and not italic and odd > 0.26 and ink == "#000"
    more = {0.17: "text-transform:uppercase;", 0.26: "font-variant:small-caps;", 0.31: "text-decoration:underline;",
            0.41: "border-bottom:1px solid #444;", 0.47: "border-top:1px solid #444;"}  # fmt: skip
    style = next((style for most, style in more.items() if odd < most), "")
    weight = f"{'italic ' * italic}{'bold' if bold or plain else 'normal'}"
    white = f"margin:{rng.uniform(0.4, 2.2):.1f}em 0 {rng.uniform(0.05, 1):.1f}em;"
    place = "text-align:center;" if middle else ""
    return f"font:{weight} {size:.1f}pt/1.2 '{face}',serif;color:{ink};{white}{place}{style}"


def decorated(body: str, rng: Random) -> str:
    """Return HTML some of whose paragraphs begin with bold words, or have a caption, a box or terms behind them."""

    def other(match: re.Match[str]) -> str:
        whole, text = match[0], match[1]
        words, chance = re.sub("<[^>]*>", "", text).split(), rng.random()
        if chance < 0.05:
            return f"<p><b>{rng.choice(LABELS)}{rng.choice(('.', ':', ''))}</b> {text}</p>"
        if chance < 0.07 and "<" not in text:
            return f"<p><b>{' '.join(words[:4])}</b> {' '.join(words[4:])}</p>"
        if chance < 0.09:
            kind = rng.choice(("Figure", "Table", "Photo"))
            return f"{whole}<div class=caption>{kind} {rng.randint(1, 9)}. {' '.join(words[:7])}</div>"
        if chance < 0.105:
            return f"{whole}<div class=box>{' '.join(words[:25])}</div>"
        if chance < 0.12:
            terms = (f"<dt>{' '.join(words[k : k + 2])}</dt><dd>{' '.join(words[k : k + 12])}</dd>" for k in (0, 3, 6))
            return f"{whole}<dl>{''.join(terms)}</dl>"
        return f"{whole}<blockquote><p>{' '.join(words[:14])}</p></blockquote>" if chance < 0.125 else whole

    body = re.sub(r"<p>@@(.*?)</p>", r"<div class=by>\1</div>", body)
    body = re.sub(r"<p>(.*?)</p>", other, body, flags=re.DOTALL)
    return f"<div class=kicker>{rng.choice(KICKERS)}</div>{body}" if rng.random() < 0.15 else body


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path, metavar="TEXTS")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", default="dressed")
    options = parser.parse_args()
    texts, markdown = sorted(options.texts.rglob("*.md")), MarkdownIt("commonmark", {"html": False}).enable("table")
    for name in ("pdfs", "truth"):
        (options.folder / name).mkdir(parents=True, exist_ok=True)
    for k in range(options.count):
        rng = Random(f"{options.seed}/{k}")
        lines = numbered(section_of(rng.choice(texts).read_text("utf-8", "replace"), rng), rng)
        if lines:
            body = decorated(markdown.render("\n".join(lines)), rng)
            style = style_sheet(rng, eastern=is_eastern(lines))
            page = f"<!doctype html><meta charset=utf-8><style>{style}</style>{body}"
            truth = "\n".join(lines).replace("@@", "").replace("\\. ", ". ")
            (options.folder / "truth" / f"{k:04}.md").write_text(truth, "utf-8")
            _print(page, options.folder / "pdfs" / f"{k:04}.pdf")


def _print(page: str, target: Path) -> None:
    switches = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={target}"]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "page.html"
        source.write_text(page, "utf-8")
        command = ["chromium", *switches, f"--user-data-dir={folder}/profile", source.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=120)


if __name__ == "__main__":
    main()
