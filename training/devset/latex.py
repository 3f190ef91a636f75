"""Documents as LaTeX, for measuring on pages that no training family resembles."""

from __future__ import annotations

import random
import re

from training.devset.content import Document, Element, marked

LABELS = {
    "decimal": r"\arabic{enumi}.",
    "paren": r"\arabic{enumi})",
    "alpha": r"(\alph{enumi})",
    "roman": r"\roman{enumi}.",
    "bracket": r"[\arabic{enumi}]",
}
SIGNS = {
    "disc": r"\textbullet",
    "dash": "--",
    "square": r"$\blacksquare$",
    "typed": r"\textbullet",
    "arrow": r"$\triangleright$",
    "check": r"$\star$",
    "image": r"$\diamond$",
}
MODERN = r"\usepackage[T1]{fontenc}\usepackage{lmodern}"
SECTIONS = ("section*", "section*", "subsection*", "subsubsection*", "paragraph*", "paragraph*")


class LatexWriter:
    """One document as a LaTeX file."""

    def __init__(self, rng: random.Random, recipe: str) -> None:
        self.rng, self.deck = rng, recipe in ("slides", "cards")

    def document(self, document: Document) -> str:
        rng = self.rng
        options = rng.choice(("10pt", "11pt", "12pt", "10pt,twocolumn"))
        kind = rng.choice(("article", "article", "scrartcl", "extarticle", "memoir"))
        if self.deck:
            lines = [
                r"\documentclass[17pt]{extarticle}",
                r"\usepackage[paperwidth=25.4cm,paperheight=14.3cm,margin=1.5cm]{geometry}",
                r"\pagestyle{empty}\raggedright",
            ]
        else:
            lines = [
                rf"\documentclass[{options}]{{{kind}}}",
                rf"\usepackage[margin={rng.choice(('2cm', '2.5cm', '1in', '3cm'))}]{{geometry}}",
            ]
        lines += [
            r"\usepackage{amsmath,amssymb,booktabs,graphicx,xcolor,listings,array}",
            r"\usepackage[utf8]{inputenc}\usepackage{textcomp}",
            rng.choice(("", MODERN, MODERN + r"\renewcommand{\familydefault}{\sfdefault}")),
            rng.choice(("", r"\setlength{\parindent}{0pt}\setlength{\parskip}{6pt}")),
        ]
        if not self.deck:
            left, right = (*document.header, "", "")[0], (*document.header, "", "")[1]
            foot = (*document.footer, "")[0]
            lines += [
                r"\usepackage{fancyhdr}\pagestyle{fancy}\fancyhf{}",
                rf"\lhead{{{self._edge(left)}}}\rhead{{{self._edge(right)}}}\cfoot{{{self._edge(foot)}}}",
            ]
        numbers = "numbers=left," if rng.random() < 0.4 else ""
        frame = rng.choice(("frame=single,", "backgroundcolor=\\color{gray!12},", ""))
        lines += [
            rf"\lstset{{basicstyle=\ttfamily\small,columns=fullflexible,keepspaces=true,breaklines=true,{numbers}{frame}}}",
            r"\begin{document}",
        ]
        body = [self.element(element) for element in document.body]
        return "\n".join(lines) + "\n" + "\n\n".join(body) + "\n\\end{document}\n"

    def _edge(self, text: str) -> str:
        return escape(text).replace(r"\{page\}", r"\thepage{}")

    def element(self, element: Element) -> str:
        match element.kind:
            case "title":
                return rf"\begin{{center}}{{\LARGE {self.rng.choice((chr(92) + 'bfseries ', ''))}{inline(element.text)}\par}}\end{{center}}"
            case "heading":
                number = f"{element.number} " if element.number else ""
                if self.deck and element.level == 1:
                    return rf"\newpage{{\Large\bfseries\color{{blue!60!black}} {number}{inline(element.text)}\par}}\bigskip"
                if self.deck:
                    return rf"\textbf{{{inline(element.text)}}}\par"
                return rf"\{SECTIONS[element.level]}{{{number}{inline(element.text)}}}"
            case "line":
                return rf"\noindent {inline(element.text)}\par"
            case "text":
                notes = "".join(rf"\footnote{{{inline(text)}}}" for _, text in element.notes)
                return inline(element.text) + notes
            case "quote":
                return rf"\begin{{quote}}{inline(element.text)}\end{{quote}}"
            case "list":
                return self._list(element)
            case "terms":
                items = "\n".join(rf"\item[{inline(i.text)}] {inline(i.more[0])}" for i in element.items)
                return "\\begin{description}\n" + items + "\n\\end{description}"
            case "code":
                name = "verbatim" if self.deck else "lstlisting"
                return f"\\begin{{{name}}}\n" + "\n".join(element.lines) + f"\n\\end{{{name}}}"
            case "table":
                return self._table(element)
            case "figure":
                plot = r"\begin{center}\rule{0.6\linewidth}{2cm}\\[4pt] "
                return plot + rf"{{\small {inline(element.caption)}}}\end{{center}}"
            case "formula":
                return rf"\[{element.text}\]"
            case "toc":
                return "\n".join(rf"\noindent {inline(i.text)} \dotfill\ {i.more[0]}\par" for i in element.items)
            case "cards" | "card" | "aside" | "note":
                return "\n\n".join(map(self.element, element.inner))
        raise ValueError(element.kind)

    def _list(self, element: Element) -> str:
        name = "enumerate" if element.style in LABELS else "itemize"
        sign = "" if name == "enumerate" else f"[{SIGNS[element.style]}]"
        lines = [rf"\begin{{{name}}}"]
        for item in element.items:
            lines.append(rf"\item{sign} {inline(item.text)}")
            lines += [f"\n{inline(more)}" for more in item.more]
            lines += [self._list(item.inner)] if item.inner else []
        return "\n".join([*lines, rf"\end{{{name}}}"])

    def _table(self, element: Element) -> str:
        n = len(element.rows[0])
        width = f"p{{{0.84 / n:.3f}\\linewidth}}"
        ruled = element.style == "grid"
        spec = ("|" if ruled else "") + (width + ("|" if ruled else "")) * n
        line = r"\hline" if ruled else ""
        rows = [" & ".join(inline(cell) for cell in row) + r" \\ " + line for row in element.rows]
        top, middle = (r"\hline", "") if ruled else (r"\toprule", r"\midrule")
        bottom = "" if ruled else r"\bottomrule"
        said, above = rf"\small {inline(element.caption)}" if element.caption else "", element.caption_above
        head = rf"{said}\par\smallskip " if said and above else ""
        foot = rf"\par\smallskip{said}" if said and not above else ""
        body = "\n".join([top, rows[0], middle, *rows[1:], bottom])
        return f"\\begin{{center}}{head}\\footnotesize\\raggedright\\begin{{tabular}}{{{spec}}}\n{body}\n\\end{{tabular}}{foot}\\end{{center}}"


def escape(text: str) -> str:
    text = re.sub(r"([#$%&_{}])", r"\\\1", text.replace("\\", "/"))
    for sign, code in (("~", r"\textasciitilde{}"), ("^", r"\textasciicircum{}"), ("☐", r"$\square$"), ("·", r"\textperiodcentered{}"), ("|", r"\textbar{}"), ("<", r"\textless{}"), (">", r"\textgreater{}"), ("ń", r"\'n"), ("…", r"\ldots{}"), ("–", "--")):  # fmt: skip
        text = text.replace(sign, code)
    return text


def inline(text: str) -> str:
    """LaTeX of lightly marked-up text."""
    return marked(escape(text), r"\textbf{{}}", r"\emph{{}}", r"\texttt{{}}")
