"""Documents as flat OpenDocument text, for LibreOffice to export; for measuring only."""

from __future__ import annotations

import random
from html import escape

from training.devset.content import Document, Element, marked

SIGNS = {"disc": "•", "dash": "–", "square": "▪", "typed": "•", "arrow": "➢", "check": "✓", "image": "◆"}
NUMBERS = {
    "decimal": ("1", "", "."),
    "paren": ("1", "", ")"),
    "alpha": ("a", "(", ")"),
    "roman": ("i", "", "."),
    "bracket": ("1", "[", "]"),
}
SPACES = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0", "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0", "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "fo": "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0",
}  # fmt: skip


class OfficeWriter:
    """One document as a flat ODT file."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.signs = sorted({*SIGNS, *NUMBERS})
        self.border = rng.choice(("0.5pt solid #444444", "none"))

    def document(self, document: Document) -> str:
        names = " ".join(f'xmlns:{k}="{v}"' for k, v in SPACES.items())
        body = "".join(map(self.element, document.body))
        return (
            f'<?xml version="1.0" encoding="UTF-8"?><office:document {names} office:version="1.3" '
            f'office:mimetype="application/vnd.oasis.opendocument.text">{self._styles(document)}'
            f"<office:body><office:text>{body}</office:text></office:body></office:document>"
        )

    def _style(self, name: str, paragraph: str, text: str) -> str:
        return (
            f'<style:style style:name="{name}" style:family="paragraph"><style:paragraph-properties {paragraph}/>'
            f"<style:text-properties {text}/></style:style>"
        )

    def _styles(self, document: Document) -> str:
        rng = self.rng
        font = rng.choice(("Liberation Serif", "Liberation Sans", "DejaVu Sans", "TeX Gyre Pagella"))
        size, gap = rng.uniform(9, 12), rng.uniform(2, 8)
        base = f'fo:font-family="{font}" fo:font-size="{size:.1f}pt"'
        look = rng.choice(('fo:font-weight="bold"', 'fo:font-weight="bold" fo:color="#1f4e79"', 'fo:font-weight="bold" fo:font-style="italic"', 'fo:font-variant="small-caps" fo:font-weight="bold"'))  # fmt: skip
        spaced = f'fo:margin-bottom="{gap:.1f}pt" fo:line-height="{rng.randint(100, 130)}%" fo:text-align="{rng.choice(("start", "justify"))}"'
        styles = [
            self._style("T", f'fo:margin-bottom="{2 * gap:.1f}pt" fo:text-align="{rng.choice(("start", "center"))}"', f'{base} fo:font-size="{size * rng.uniform(1.6, 2.3):.1f}pt" fo:font-weight="bold"'.replace(f'fo:font-size="{size:.1f}pt" ', "")),
            *(self._style(f"H{i}", f'fo:margin-top="{gap * 1.8:.1f}pt" fo:margin-bottom="{gap:.1f}pt" fo:keep-with-next="always"', f'fo:font-family="{font}" fo:font-size="{size * s:.1f}pt" {look}') for i, s in ((1, 1.4), (2, 1.2), (3, 1.1), (4, 1.0), (5, 1.0))),
            self._style("P", spaced, base),
            self._style("L", 'fo:margin-bottom="0pt"', base),
            self._style("Q", f'{spaced} fo:margin-left="24pt" fo:margin-right="24pt"', f'{base} fo:font-style="italic"'),
            self._style("D", f'{spaced} fo:margin-left="28pt"', base),
            self._style("C", 'fo:margin-bottom="0pt"', f'fo:font-family="Liberation Mono" fo:font-size="{size * 0.85:.1f}pt"'),
            self._style("N", f'fo:margin-bottom="{gap:.1f}pt"', f'fo:font-family="{font}" fo:font-size="{size * 0.9:.1f}pt" fo:font-style="italic"'),
            self._style("X", "", f'fo:font-family="{font}" fo:font-size="{size * 0.85:.1f}pt"'),
            f'<style:style style:name="cell" style:family="table-cell"><style:table-cell-properties fo:border="{self.border}" fo:padding="3pt"/></style:style>',
            '<style:style style:name="B" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>'
            '<style:style style:name="I" style:family="text"><style:text-properties fo:font-style="italic"/></style:style>'
            '<style:style style:name="M" style:family="text"><style:text-properties fo:font-family="Liberation Mono"/></style:style>',
            *(self._list_style(name) for name in self.signs),
        ]  # fmt: skip
        margins = f'fo:margin="{rng.uniform(1.8, 2.8):.1f}cm" fo:page-width="{rng.choice(("21cm", "21.59cm"))}" fo:page-height="{rng.choice(("29.7cm", "27.94cm"))}"'
        layout = f'<style:page-layout style:name="page"><style:page-layout-properties {margins}/><style:header-style/><style:footer-style/></style:page-layout>'
        master = '<style:master-page style:name="Standard" style:page-layout-name="page">'
        for side, pieces in (("header", document.header), ("footer", document.footer)):
            edge = self._edge(pieces)
            master += f"<style:{side}>{edge}</style:{side}>" if edge else ""
        return f"<office:styles>{''.join(styles)}</office:styles><office:automatic-styles>{layout}</office:automatic-styles><office:master-styles>{master}</style:master-page></office:master-styles>"

    def _list_style(self, name: str) -> str:
        levels = []
        for i in range(1, 4):
            place = (
                '<style:list-level-properties text:list-level-position-and-space-mode="label-alignment"><style:list-level-label-alignment '
                f'text:label-followed-by="listtab" fo:text-indent="-16pt" fo:margin-left="{26 * i}pt"/></style:list-level-properties>'
            )
            kind, sign = "bullet", f'text:bullet-char="{SIGNS.get(name)}"'
            if name in NUMBERS:
                number, before, after = NUMBERS[name]
                kind, sign = (
                    "number",
                    f'style:num-format="{number}" style:num-prefix="{before}" style:num-suffix="{after}"',
                )
            levels.append(
                f'<text:list-level-style-{kind} text:level="{i}" {sign}>{place}</text:list-level-style-{kind}>'
            )
        return f'<text:list-style style:name="list-{name}">{"".join(levels)}</text:list-style>'

    def _edge(self, pieces: list[str]) -> str:
        texts = [escape(p).replace("{page}", "<text:page-number/>") for p in pieces if p]
        return f'<text:p text:style-name="X">{"<text:tab/>".join(texts)}</text:p>' if texts else ""

    def element(self, element: Element) -> str:
        match element.kind:
            case "title":
                return _p("T", inline(element.text))
            case "heading":
                number = f"{element.number} " if element.number else ""
                level = min(5, element.level)
                return f'<text:h text:style-name="H{level}" text:outline-level="{level}">{number}{inline(element.text)}</text:h>'
            case "line":
                return _p("L", inline(element.text))
            case "text":
                notes = "".join(
                    f'<text:note text:note-class="footnote"><text:note-citation>{mark}</text:note-citation><text:note-body>'
                    f"{_p('X', inline(text))}</text:note-body></text:note>"
                    for mark, text in element.notes
                )
                return _p("P", inline(element.text) + notes)
            case "quote":
                return _p("Q", inline(element.text))
            case "list":
                return self._list(element)
            case "terms":
                return "".join(
                    _p("L", f'<text:span text:style-name="B">{inline(i.text)}</text:span>') + _p("D", inline(i.more[0]))
                    for i in element.items
                )
            case "code":
                lines = (escape(line).replace("  ", " <text:s/>") for line in element.lines)
                return "".join(_p("C", line) for line in lines) + _p("L", "")
            case "table":
                rows = "".join(map(_row, element.rows))
                table = f'<table:table><table:table-column table:number-columns-repeated="{len(element.rows[0])}"/>{rows}</table:table>'
                said = _p("N", inline(element.caption)) if element.caption else ""
                return (said + table if element.caption_above else table + said) + _p("L", "")
            case "figure":
                return _p("N", inline(element.caption)) if element.caption else ""
            case "formula":
                return _p("Q", escape(element.text))
            case "toc":
                return "".join(_p("L", f"{inline(i.text)} {'.' * 40} {i.more[0]}") for i in element.items)
            case "cards" | "card" | "aside" | "note":
                return "".join(map(self.element, element.inner))
        raise ValueError(element.kind)

    def _list(self, element: Element) -> str:
        items = "".join(
            f"<text:list-item>{_p('P', inline(i.text))}{''.join(_p('P', inline(m)) for m in i.more)}{self._list(i.inner) if i.inner else ''}</text:list-item>"
            for i in element.items
        )
        return f'<text:list text:style-name="list-{element.style}">{items}</text:list>'


def _row(texts: list[str]) -> str:
    cells = (f'<table:table-cell table:style-name="cell">{_p("L", inline(c))}</table:table-cell>' for c in texts)
    return f"<table:table-row>{''.join(cells)}</table:table-row>"


def _p(style: str, inner: str) -> str:
    return f'<text:p text:style-name="{style}">{inner}</text:p>'


def inline(text: str) -> str:
    """OpenDocument XML of lightly marked-up text."""
    return marked(escape(text, quote=False), *map(_styled, "BIM"))


def _styled(style: str) -> str:
    return f'<text:span text:style-name="{style}">{{}}</text:span>'
