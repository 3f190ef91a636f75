"""How the pages of a family look: a style sheet drawn at random within what the family allows."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

SERIF = ("Liberation Serif", "DejaVu Serif", "Noto Serif", "TeX Gyre Pagella", "Nimbus Roman", "C059", "P052")
SANS = ("Liberation Sans", "DejaVu Sans", "Noto Sans", "TeX Gyre Heros", "Nimbus Sans", "Liberation Sans Narrow")
MONO = ("Liberation Mono", "DejaVu Sans Mono", "Noto Mono", "Nimbus Mono PS")
INKS = ("#1a4d8f", "#8a1f1f", "#22663b", "#555555", "#000000", "#000000")


@dataclass(frozen=True)
class Family:
    """A template: which documents it prints and within what bounds its style sheet is drawn."""

    name: str
    recipes: tuple[str, ...]
    paper: tuple[int, int] = (595, 842)  # points
    fonts: tuple[str, ...] = SERIF + SANS
    size: tuple[float, float] = (9, 12)  # points
    columns: tuple[int, ...] = (1,)
    headings: tuple[str, ...] = ("bold", "size", "colour", "caps", "small-caps", "rule", "italic", "same")
    align: tuple[str, ...] = ("left", "left", "left", "center")
    indent: tuple[bool, ...] = (False, False, True)
    extra: tuple[str, ...] = field(default=("",))  # further rules, one of them


def style_sheet(family: Family, name: str, rng: random.Random) -> str:
    """CSS of one document; every rule is bound to `.name`."""
    width, height = family.paper
    size, lead = rng.uniform(*family.size), rng.uniform(1.12, 1.6)
    margin = rng.uniform(0.06, 0.15) * width
    indented = rng.choice(family.indent)
    gap = 0 if indented else rng.uniform(0.35, 1.1)
    body, head = rng.choice(family.fonts), rng.choice((*family.fonts, ""))
    body = rng.choice(MONO) if rng.random() < 0.04 else body
    columns = rng.choice(family.columns)
    mono, mono_size = rng.choice(MONO), rng.uniform(0.8, 1.0)
    hang = rng.uniform(1.1, 2.6)
    small = rng.uniform(0.72, 0.95)
    rules = [
        f"& .page {{ width: {width}pt; height: {height - 1}pt; padding: 0 {margin:.1f}pt; box-sizing: border-box; display: flex;"
        f" flex-direction: column; break-after: page; font: {size:.2f}pt/{lead:.2f} '{body}'; overflow: hidden; position: relative;"
        f" text-align: {rng.choice(('left', 'justify'))}; {rng.choice(('', 'hyphens: auto;'))} }}",
        f"& .body {{ flex: 1; min-height: 0; {f'columns: {columns}; column-gap: {rng.uniform(12, 26):.0f}pt; column-fill: auto;' if columns > 1 else ''} }}",
        f"& .header {{ {_edge(rng, small)} padding: {rng.uniform(0.02, 0.05) * height:.0f}pt 0 {rng.uniform(4, 24):.0f}pt; {rng.choice(('', '', 'border-bottom: .5pt solid; margin-bottom: 8pt;'))} }}",
        f"& .footer {{ {_edge(rng, small)} order: 9; padding: {rng.uniform(6, 20):.0f}pt 0 {rng.uniform(0.02, 0.05) * height:.0f}pt; {rng.choice(('', '', 'border-top: .5pt solid; margin-top: 8pt;'))} }}",
        f"& .notes {{ font-size: {rng.uniform(0.72, 0.88):.2f}em; }} & .notes:not(:empty) {{ padding-top: 4pt; {rng.choice(('border-top: .5pt solid; margin-top: 6pt;', '', 'margin-top: 8pt;'))} }} & span.note {{ display: block; text-indent: 0; }} & .body span.note {{ display: none; }}",
        "& sup { font-size: .65em; line-height: 0; }",
        f"& p {{ margin: 0 0 {gap:.2f}em; {rng.choice(('', 'widows: 1; orphans: 1;'))} }} & p.line {{ margin-bottom: {rng.choice((0, 0, 0.4)):.1f}em; {rng.choice(('', '', 'text-align: center;'))} }}",
        f"& p.para + p.para {{ text-indent: {rng.uniform(1, 2):.1f}em; }}" if indented else "",
        f"& pre {{ font: {mono_size:.2f}em/{rng.uniform(1.1, 1.4):.2f} '{mono}'; margin: {rng.uniform(0.3, 1):.2f}em {rng.choice((0, 0, 1.5))}em; white-space: pre-wrap; text-align: left;"
        f" {rng.choice(('background: #f2f2f2; padding: 6pt;', 'border: .6pt solid #999; padding: 5pt;', '', 'border-left: 2pt solid #888; padding-left: 8pt;'))} }} & pre code {{ font: inherit; background: none; padding: 0; }}",
        f"& code {{ font-family: '{mono}'; font-size: {rng.uniform(0.85, 1):.2f}em; }} & .ln {{ color: #888; }}",
        f"& ul, & ol {{ margin: {rng.choice((0, 0.3, gap, gap)):.2f}em 0 {max(gap, 0.3):.2f}em; padding-left: {hang + rng.choice((0, 0, 1)):.2f}em; }} & li {{ margin-bottom: {rng.choice((0, 0, 0.2, 0.5))}em; }} & li p.again {{ margin-top: .3em; text-indent: 0; }}",
        f"& li.typed {{ list-style: none; {rng.choice((f'text-indent: -{hang:.2f}em;', f'text-indent: -{hang:.2f}em;', ''))} }} & li.typed > * {{ text-indent: 0; }} & .mark {{ display: inline-block; min-width: {hang:.2f}em; text-indent: 0; }} & li.typed li, & li.typed p {{ text-indent: 0; }} & li.typed li.typed {{ text-indent: -{hang:.2f}em; }}",
        "& .s-dash { list-style: '– '; } & .s-square { list-style: square; } & .s-arrow { list-style: '➤ '; } & .s-check { list-style: '✓ '; } & .s-paren { list-style: decimal; } & .s-alpha { list-style: lower-alpha; } & .s-roman { list-style: lower-roman; }",
        f"& .s-image > li {{ list-style: none; background: linear-gradient({rng.choice(INKS)}, {rng.choice(INKS)}) no-repeat 0 .45em / .4em .4em; padding-left: 1em; }}",
        f"& dl {{ margin: 0 0 {gap:.2f}em; }} & dt {{ {rng.choice(('font-weight: bold;', 'font-weight: bold;', 'font-style: italic;', ''))} break-after: avoid; }} & dt.mono {{ font-family: '{mono}'; }} & dd {{ margin: 0 0 {rng.uniform(0.1, 0.6):.2f}em {rng.choice((1.5, 2.5, 0.6))}em; }}",
        f"& blockquote {{ margin: {gap:.2f}em {rng.uniform(1, 3):.1f}em; {rng.choice(('font-style: italic;', '', 'border-left: 2pt solid #aaa; padding-left: 8pt;', 'font-size: .92em;'))} }}",
        f"& table {{ border-collapse: collapse; margin: {rng.uniform(0.2, 0.8):.1f}em {rng.choice(('0', '0', 'auto'))}; font-size: {rng.uniform(0.82, 1):.2f}em; {rng.choice(('width: 100%;', ''))} }} & td, & th {{ padding: {rng.uniform(1, 5):.1f}pt {rng.uniform(4, 9):.1f}pt; text-align: {rng.choice(('left', 'left', 'center'))}; vertical-align: top; overflow-wrap: anywhere; hyphens: none; }} & th {{ font-weight: {rng.choice(('bold', 'bold', 'normal'))}; }}",
        "& .r-grid td, & .r-grid th { border: .6pt solid #333; } & .r-rows td, & .r-rows th { border-bottom: .5pt solid #888; } & .r-book { border-top: 1pt solid; border-bottom: 1pt solid; } & .r-book th, & .r-head th { border-bottom: .6pt solid; } & .r-zebra tr:nth-child(even) { background: #eee; }",
        f"& .float {{ margin: {rng.uniform(0.5, 1.2):.2f}em 0; break-inside: avoid; }} & .plot {{ height: {rng.uniform(50, 130):.0f}pt; width: {rng.randint(50, 100)}%; margin: auto; background: linear-gradient(45deg, #cde, #89a); border: .5pt solid; }}",
        f"& .caption {{ font-size: {rng.uniform(0.8, 1):.2f}em; margin: .5em 0; text-indent: 0; {rng.choice(('', 'font-style: italic;', 'text-align: center;', 'color: #444;', 'font-weight: bold;'))} }}",
        f"& .subtitle {{ font-size: {rng.uniform(1, 1.5):.2f}em; {rng.choice(('', 'font-style: italic;', 'font-weight: bold;', 'color: #555;'))} }}",
        f"& .note {{ margin: {rng.uniform(0.4, 1):.2f}em {rng.choice((0, 0, 2))}em; {rng.choice(('border: .7pt solid #555; padding: 5pt;', 'border-left: 3pt solid #c60; padding-left: 8pt;', 'background: #f4f4e8; padding: 6pt;', ''))} }}".replace(".note", ".note:not(span)"),
        f"& .formula {{ text-align: center; margin: {rng.uniform(0.4, 1):.2f}em; }}",
        f"& .toc {{ display: flex; align-items: baseline; margin-bottom: {rng.choice((0, 0.3))}em; }} & .dots {{ flex: 1; overflow: hidden; white-space: nowrap; height: 1em; }} & .dots::before {{ content: '{rng.choice(('.', '. ')) * 120}'; }} & .gap {{ flex: 1; }}",
        f"& .cards {{ display: grid; gap: {rng.uniform(8, 18):.0f}pt; }} & .c2 {{ grid-template-columns: 1fr 1fr; }} & .c3 {{ grid-template-columns: 1fr 1fr 1fr; }} & .card, & .aside {{ padding: {rng.uniform(5, 12):.0f}pt; {rng.choice(('background: #eef3f8;', 'border: .7pt solid #666;', 'background: #2b3a4a; color: #fff;', 'border-top: 2pt solid #a33;'))} break-inside: avoid; overflow-wrap: anywhere; }} & .aside {{ margin: 8pt 0; font-size: .92em; }} & .card h3, & .aside h5 {{ margin-top: 0; }}",
        *_headings(family, rng, head, size),
        rng.choice(family.extra),
    ]  # fmt: skip
    return f".{name} {{\n" + "\n".join(rule for rule in rules if rule) + "\n}"


def _edge(rng: random.Random, small: float) -> str:
    spread = "text-transform: uppercase; letter-spacing: .05em;"
    look = rng.choice(("", "", "font-style: italic;", spread, "color: #666;", "font-weight: bold;"))
    place = rng.choice(("space-between", "space-between", "center", "flex-end"))
    return f"display: flex; justify-content: {place}; gap: 12pt; font-size: {small:.2f}em; {look}"


def _headings(family: Family, rng: random.Random, font: str, size: float) -> list[str]:
    """Rules for the title and five levels of headings, each level smaller or plainer than the one above."""
    kind = rng.choice(family.headings)
    align, colour = rng.choice(family.align), rng.choice(INKS)
    base = f"margin: {rng.uniform(0.6, 1.8):.2f}em 0 {rng.uniform(0.1, 0.7):.2f}em; text-indent: 0; break-after: avoid; hyphens: none; text-align: {align};"
    base += f" line-height: {rng.uniform(1.05, 1.35):.2f};" + (f" font-family: '{font}';" if font else "")
    looks = {
        "bold": "font-weight: bold;",
        "size": "font-weight: normal;",
        "colour": f"font-weight: bold; color: {colour};",
        "caps": f"font-weight: {rng.choice(('bold', 'normal'))}; text-transform: uppercase;",
        "small-caps": f"font-weight: {rng.choice(('bold', 'normal'))}; font-variant: small-caps;",
        "rule": "font-weight: bold; border-bottom: .6pt solid; padding-bottom: 1pt;",
        "italic": f"font-weight: {rng.choice(('bold', 'normal'))}; font-style: italic;",
        "same": "font-weight: bold;",
        "band": f"font-weight: bold; color: #fff; background: {rng.choice(INKS[:4])}; padding: 2pt 4pt;",
    }
    least = {"size": 1.18, "same": 1.0, "small-caps": 1.05, "italic": 1.05}.get(kind, rng.choice((1.0, 1.05, 1.15)))
    step = 1.0 if kind == "same" else rng.uniform(1.08, 1.25)
    sizes = [least * step ** (3 - min(level, 3)) for level in range(5)]
    rules = [f"& h{i + 2} {{ {base} {looks[kind]} font-size: {s:.2f}em; }}" for i, s in enumerate(sizes)]
    lower = rng.choice(("", "", "font-style: italic; font-weight: normal;", "font-weight: bold; text-transform: none;"))
    rules.append(f"& h4, & h5, & h6 {{ {lower} }}" if kind != "size" else "")
    rules.append(
        f"& h1 {{ {base} font-weight: {rng.choice(('bold', 'bold', 'normal'))}; font-size: {rng.uniform(1.4, 2.6):.2f}em; text-align: {rng.choice(('left', 'center', align))}; {rng.choice(('', '', f'color: {colour};'))} }}"
    )
    rules.append(f"& .num {{ {rng.choice(('', f'margin-right: {rng.uniform(0.3, 1):.1f}em;'))} }}")
    return rules


FAMILIES = (
    Family("report", ("report",), fonts=SERIF, size=(10, 12), headings=("bold", "colour", "size", "rule")),
    Family("paper", ("paper",), (612, 792), SERIF, (8.5, 10.5), (2, 2, 1), ("bold", "small-caps", "italic", "caps", "same"), indent=(True, True, False)),
    Family("manual", ("manual",), fonts=SANS, size=(9, 11), headings=("bold", "size", "colour", "rule", "band")),
    Family("reference", ("reference",), (612, 792), SANS, (8.5, 10.5), headings=("bold", "size", "colour", "same")),
    Family("letter", ("letter",), size=(10, 12), headings=("same", "bold"), align=("left",)),
    Family("resume", ("resume",), size=(8.5, 11), headings=("caps", "rule", "colour", "small-caps", "same"), align=("left",)),
    Family("slides", ("slides",), (720, 405), SANS, (15, 22), headings=("size", "bold", "colour", "band"), extra=("& .page { padding-top: 20pt; }",)),
    Family("cards", ("cards",), (842, 595), SANS, (9, 12), headings=("bold", "colour", "size", "caps")),
    Family("magazine", ("magazine",), (595, 794), SERIF + SANS, (8.5, 10.5), (2, 3, 3), ("bold", "colour", "caps", "size"), ("left", "center"), (True, False)),
    Family("form", ("form",), size=(9, 11), headings=("band", "bold", "caps", "rule"), align=("left",)),
    Family("law", ("law",), fonts=SERIF, size=(9.5, 12), headings=("same", "caps", "bold", "italic"), align=("left", "center", "center")),
    Family("novel", ("novel",), (420, 595), SERIF, (9, 11.5), headings=("size", "small-caps", "caps", "italic"), align=("center", "center", "left"), indent=(True, True, False)),
    Family("minutes", ("minutes",), size=(9.5, 12)),
    Family("questions", ("questions",), (612, 792), size=(9.5, 12), headings=("same", "bold", "italic", "colour")),
    Family("newsletter", ("magazine", "cards"), (612, 792), SANS, (9, 11), (2, 2, 1), ("colour", "band", "rule", "size"), ("left",)),
)  # fmt: skip
