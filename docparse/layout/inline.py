"""Running text: lines joined into spans, words mended over line ends, simple sub- and superscripts as LaTeX."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from docparse.layout.lines import Line
from docparse.layout.words import Word
from docparse.types import Span, Spans

HYPHENS = "-\u00ad\u2010"
RAISED = 0.15  # em of the line: a baseline this far above (below) the line's is a superscript (subscript)
SMALL = 0.9  # a script is set smaller than its line

SYMBOLS = {
    "−": "-", "∗": "*", "×": r"\times", "·": r"\cdot", "⋅": r"\cdot", "±": r"\pm", "∓": r"\mp", "÷": r"\div",
    "≤": r"\leq", "≥": r"\geq", "≠": r"\neq", "≈": r"\approx", "≡": r"\equiv", "∼": r"\sim", "≅": r"\cong",
    "∝": r"\propto", "≪": r"\ll", "≫": r"\gg", "∈": r"\in", "∉": r"\notin", "⊂": r"\subset", "⊆": r"\subseteq",
    "⊃": r"\supset", "⊇": r"\supseteq", "∪": r"\cup", "∩": r"\cap", "∅": r"\emptyset", "∀": r"\forall",
    "∃": r"\exists", "¬": r"\neg", "∧": r"\wedge", "∨": r"\vee", "→": r"\to", "←": r"\leftarrow",
    "↔": r"\leftrightarrow", "⇒": r"\Rightarrow", "⇐": r"\Leftarrow", "⇔": r"\Leftrightarrow", "↦": r"\mapsto",
    "∞": r"\infty", "∂": r"\partial", "∇": r"\nabla", "∑": r"\sum", "∏": r"\prod", "∫": r"\int", "√": r"\sqrt",
    "′": "'", "″": "''", "°": r"^{\circ}", "∥": r"\|", "∣": r"\mid", "⟨": r"\langle", "⟩": r"\rangle",
    "⊕": r"\oplus", "⊗": r"\otimes", "∘": r"\circ", "…": r"\ldots", "⋯": r"\cdots", "ℓ": r"\ell", "ℝ": r"\mathbb{R}",
    "ℕ": r"\mathbb{N}", "ℤ": r"\mathbb{Z}", "ℚ": r"\mathbb{Q}", "ℂ": r"\mathbb{C}", "†": r"\dagger", "‡": r"\ddagger",
    "%": r"\%", "#": r"\#", "&": r"\&", "$": r"\$", "_": r"\_", "{": r"\{", "}": r"\}", "\\": r"\backslash",
    "^": r"\wedge", "~": r"\sim",
}  # fmt: skip


def spans_of(lines: Sequence[Sequence[Word]] | Sequence[Line]) -> Spans:
    """Words of consecutive lines (each in logical order) as running text.

    A hyphen at a line end is dropped where the next line goes on in lower case. Scripts become LaTeX, together with
    the letter or number that carries them: `x` and a raised `2` give the math span `x^{2}`.
    """
    pieces: list[tuple[str, Word, str]] = []  # text before the word (space or nothing), the word, its script
    for line in lines:
        words = line.words if isinstance(line, Line) else tuple(line)
        if not words:
            continue
        scripts = _scripts(words)
        for i, (word, script) in enumerate(zip(words, scripts, strict=True)):
            if i == 0:
                lead = _line_break(pieces, word) if pieces else ""
            else:
                lead = "" if word.glued else " "
            pieces.append((lead, word, script))
    return _merge(_with_math(pieces))


def join(left: Spans, right: Spans) -> Spans:
    """Two pieces of one paragraph, cut by a column or page break, as one."""
    if not left or not right:
        return left or right
    last, first = left[-1], right[0]
    if not last.math and not first.math and _is_hyphenated(last.text, first.text):
        return _merge([*left[:-1], _retext(last, last.text[:-1]), *right])
    return _merge([*left, Span(" "), *right])


def _retext(span: Span, text: str) -> Span:
    return Span(text, span.math, span.bold, span.italic)


def _line_break(pieces: list[tuple[str, Word, str]], word: Word) -> str:
    """What stands between the words around a line end; drops a hyphen that only divides a word."""
    lead, last, script = pieces[-1]
    if _is_hyphenated(last.text, word.text):
        cut = last.text[:-1]
        pieces[-1] = (lead, _with_text(last, cut), script)
        return ""
    if last.text[-1:] in HYPHENS and len(last.text) > 1 and last.text[-2].isalnum():
        return ""  # a hyphen that belongs to the word: "state-" + "of-the-art", "COVID-" + "19"
    if _is_cjk(last.text[-1:]) and _is_cjk(word.text[:1]):
        return ""
    return " "


def _is_hyphenated(left: str, right: str) -> bool:
    return len(left) > 1 and left[-1] in HYPHENS and left[-2].isalpha() and right[:1].islower()


def _is_cjk(char: str) -> bool:
    return bool(char) and unicodedata.east_asian_width(char) in "WF"


def _with_text(word: Word, text: str) -> Word:
    return Word(**({name: getattr(word, name) for name in Word.__struct_fields__} | {"text": text}))


def _scripts(words: Sequence[Word]) -> list[str]:
    """For each word "" (on the line), "^" or "_", judged by size and baseline against the line's main style."""
    if len({(w.size, w.baseline) for w in words}) == 1:
        return [""] * len(words)
    main = Line(tuple(words)).main
    scripts = []
    for word in words:
        rise = (main.baseline - word.baseline) / main.size
        small = word.size < SMALL * main.size
        scripts.append("^" if small and rise > RAISED else "_" if small and rise < -0.08 else "")
    return scripts


def _with_math(pieces: list[tuple[str, Word, str]]) -> list[Span]:
    """Pieces to spans; a glued group that holds a script or a math font becomes one math span."""
    spans: list[Span] = []
    i = 0
    while i < len(pieces):
        end = i + 1
        while end < len(pieces) and pieces[end][0] == "":
            end += 1
        group = pieces[i:end]
        spans.append(Span(group[0][0]))
        if any(script for _, _, script in group):
            spans += _scripted(group)
        else:
            spans += [Span(word.text, bold=word.bold, italic=word.italic and not word.math) for _, word, _ in group]
        i = end
    return spans


def _scripted(group: list[tuple[str, Word, str]]) -> list[Span]:
    """A glued group with scripts: text up to the base, then `base^{script}` as LaTeX, then the rest."""
    spans: list[Span] = []
    k = 0
    while k < len(group):
        _, word, script = group[k]
        if not script:
            following = group[k + 1][2] if k + 1 < len(group) else ""
            head, base = _base(word) if following else (word.text, "")
            if head:
                spans.append(Span(head, bold=word.bold, italic=word.italic and not word.math))
            if base:
                spans.append(Span(latex(base), math=True))
            k += 1
            continue
        end = k
        while end < len(group) and group[end][2] == script:
            end += 1
        content = latex("".join(w.text for _, w, _ in group[k:end]))
        spans.append(Span(f"{script}{{{content}}}", math=True))
        k = end
    return spans


def _base(word: Word) -> tuple[str, str]:
    """Split off the letter, number or bracketed end that carries a script; nothing from ordinary prose words."""
    if word.math or len(word.text) == 1:
        return "", word.text
    match = re.search(r"(?:(?<![^\W\d_])[^\W\d_]|\d+(?:\.\d+)?|[)\]}])$", word.text)
    if not match:
        return word.text, ""
    return word.text[: match.start()], match.group()


def latex(text: str) -> str:
    """Unicode mathematics as LaTeX: Greek by name, operators by table, styled letters as plain ones."""
    out = ""
    for char in text:
        code = SYMBOLS.get(char) or _greek(char) or unicodedata.normalize("NFKC", char)
        if out and code[0].isalpha() and re.search(r"\\[a-zA-Z]+$", out):
            out += " "
        out += code
    return out


def _greek(char: str) -> str:
    name = unicodedata.name(unicodedata.normalize("NFKC", char)[:1] or " ", "") if not char.isascii() else ""
    if not name.startswith("GREEK ") or " LETTER " not in name or "WITH" in name:
        return ""
    letter = name.rsplit(" ", 1)[-1].lower().replace("lamda", "lambda")
    if "CAPITAL" in name:
        plain = {"alpha": "A", "beta": "B", "epsilon": "E", "zeta": "Z", "eta": "H", "iota": "I", "kappa": "K"}
        plain |= {"mu": "M", "nu": "N", "omicron": "O", "rho": "P", "tau": "T", "chi": "X"}
        return plain.get(letter, "\\" + letter.capitalize())
    return "o" if letter == "omicron" else "\\" + letter


def _merge(spans: Sequence[Span]) -> Spans:
    """Neighbours of one style as one span; spaces take the style of both sides; scripts join their math span."""
    merged: list[Span] = []
    for span in spans:
        if not span.text:
            continue
        last = merged[-1] if merged else None
        if last and last.math and span.math:
            merged[-1] = Span(last.text + span.text, math=True)
        elif last and not last.math and not span.math and _one_style(last, span):
            style = span if not last.text.strip() else last
            merged[-1] = Span(last.text + span.text, bold=style.bold, italic=style.italic)
        else:
            merged.append(span)
    return tuple(merged)


def _one_style(a: Span, b: Span) -> bool:
    return (a.bold, a.italic) == (b.bold, b.italic) or not b.text.strip()
