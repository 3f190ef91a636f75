"""Unicode mathematics as LaTeX: operators by table, Greek by name, styled letters by their style."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from docparse.layout.text.wording import names

RELATIONS = {
    "=": "=", "<": "<", ">": ">", "≤": r"\leq", "≥": r"\geq", "≠": r"\neq", "≈": r"\approx", "≡": r"\equiv",
    "∼": r"\sim", "≃": r"\simeq", "≅": r"\cong", "∝": r"\propto", "≪": r"\ll", "≫": r"\gg", "∈": r"\in",
    "∉": r"\notin", "∋": r"\ni", "⊂": r"\subset", "⊆": r"\subseteq", "⊃": r"\supset", "⊇": r"\supseteq",
    "⊊": r"\subsetneq", "⊄": r"\not\subset", "→": r"\to", "←": r"\leftarrow", "↔": r"\leftrightarrow",
    "⇒": r"\Rightarrow", "⇐": r"\Leftarrow", "⇔": r"\Leftrightarrow", "↦": r"\mapsto", "⟶": r"\longrightarrow",
    "⟵": r"\longleftarrow", "⟹": r"\Longrightarrow", "⟺": r"\Longleftrightarrow", "⟼": r"\longmapsto",
    "↪": r"\hookrightarrow", "↠": r"\twoheadrightarrow", "⇀": r"\rightharpoonup", "⇌": r"\rightleftharpoons",
    "≺": r"\prec", "≻": r"\succ", "⪯": r"\preceq", "⪰": r"\succeq", "⊢": r"\vdash", "⊣": r"\dashv", "⊨": r"\models",
    "∣": r"\mid", "∤": r"\nmid", "⊥": r"\perp", "≍": r"\asymp", "≜": r"\triangleq", "≔": ":=", "⩽": r"\leqslant",
    "⩾": r"\geqslant", "≲": r"\lesssim", "≳": r"\gtrsim", "⊑": r"\sqsubseteq", "⊒": r"\sqsupseteq", "↑": r"\uparrow",
    "↓": r"\downarrow", "↗": r"\nearrow", "↘": r"\searrow", "↖": r"\nwarrow", "↙": r"\swarrow", "⟂": r"\perp",
    "⇝": r"\rightsquigarrow", "◁": r"\triangleleft", "▷": r"\triangleright", "⊴": r"\trianglelefteq", "∶": ":",
    "≮": r"\nless", "≯": r"\ngtr", "≰": r"\nleq", "≱": r"\ngeq", "⇑": r"\Uparrow", "⇓": r"\Downarrow",
    "⊋": r"\supsetneq", "⊈": r"\nsubseteq", "⊉": r"\nsupseteq", "⊅": r"\not\supset", "⫋": r"\subsetneqq",
    "⫌": r"\supsetneqq", "⫅": r"\subseteqq", "⫆": r"\supseteqq", "⋐": r"\Subset", "⋑": r"\Supset", "⊏": r"\sqsubset",
    "⊐": r"\sqsupset", "⊵": r"\trianglerighteq", "⊲": r"\triangleleft", "⊳": r"\triangleright", "⋪": r"\ntriangleleft",
    "⋫": r"\ntriangleright", "⋬": r"\ntrianglelefteq", "⋭": r"\ntrianglerighteq", "↛": r"\nrightarrow",
    "↚": r"\nleftarrow", "↮": r"\nleftrightarrow", "⇏": r"\nRightarrow", "⇍": r"\nLeftarrow", "⇎": r"\nLeftrightarrow",
    "⊩": r"\Vdash", "⊪": r"\Vvdash", "⊬": r"\nvdash", "⊭": r"\nvDash", "⊮": r"\nVdash", "≾": r"\precsim",
    "≿": r"\succsim", "≼": r"\preccurlyeq", "≽": r"\succcurlyeq", "⋞": r"\curlyeqprec", "⋟": r"\curlyeqsucc",
    "⪷": r"\precapprox", "⪸": r"\succapprox", "⊀": r"\nprec", "⊁": r"\nsucc", "⋠": r"\npreceq", "⋡": r"\nsucceq",
    "↷": r"\curvearrowright", "↶": r"\curvearrowleft", "↺": r"\circlearrowleft", "⟲": r"\circlearrowleft",
    "↻": r"\circlearrowright", "⟳": r"\circlearrowright", "↣": r"\rightarrowtail", "↢": r"\leftarrowtail",
    "⇉": r"\rightrightarrows", "⇇": r"\leftleftarrows", "⇆": r"\leftrightarrows", "⇄": r"\rightleftarrows",
    "↾": r"\upharpoonright", "↿": r"\upharpoonleft", "⇂": r"\downharpoonright", "⇃": r"\downharpoonleft",
    "↼": r"\leftharpoonup", "↽": r"\leftharpoondown", "⇁": r"\rightharpoondown", "⇋": r"\leftrightharpoons",
    "↩": r"\hookleftarrow", "↞": r"\twoheadleftarrow", "⟷": r"\longleftrightarrow", "⟸": r"\Longleftarrow",
    "⇢": r"\dashrightarrow", "⇠": r"\dashleftarrow", "↕": r"\updownarrow", "⇕": r"\Updownarrow", "⊸": r"\multimap",
    "⋘": r"\lll", "⋙": r"\ggg", "≬": r"\between", "⋔": r"\pitchfork", "∽": r"\backsim", "⋍": r"\backsimeq",
    "≊": r"\approxeq", "≇": r"\ncong", "≁": r"\nsim", "≉": r"\not\approx", "≢": r"\not\equiv", "≷": r"\gtrless",
    "≶": r"\lessgtr", "≂": r"\eqsim", "≗": r"\circeq", "≖": r"\eqcirc", "≏": r"\bumpeq", "≎": r"\Bumpeq",
    "≐": r"\doteq",
    "≑": r"\doteqdot", "≒": r"\fallingdotseq", "≓": r"\risingdotseq", "∦": r"\nparallel", "≦": r"\leqq", "≧": r"\geqq",
    "≨": r"\lneqq", "≩": r"\gneqq", "⪇": r"\lneq", "⪈": r"\gneq", "⪅": r"\lessapprox", "⪆": r"\gtrapprox",
    "⋖": r"\lessdot", "⋗": r"\gtrdot", "⋈": r"\bowtie", "⨝": r"\bowtie", "⊜": r"\circeq", "∌": r"\not\ni",
    "≕": "=:", "⩴": "::=", "⎯": r"\relbar", "⫽": r"\parallel",
}  # fmt: skip
BINARY = {
    "+": "+", "−": "-", "∗": "*", "×": r"\times", "·": r"\cdot", "⋅": r"\cdot", "±": r"\pm", "∓": r"\mp",
    "÷": r"\div", "∪": r"\cup", "∩": r"\cap", "∧": r"\wedge", "∨": r"\vee", "⊕": r"\oplus", "⊖": r"\ominus",
    "⊗": r"\otimes", "⊘": r"\oslash", "⊙": r"\odot", "∘": r"\circ", "∖": r"\setminus", "⊎": r"\uplus",
    "⊔": r"\sqcup", "⊓": r"\sqcap", "⋆": r"\star", "⋄": r"\diamond", "⋉": r"\ltimes", "⋊": r"\rtimes", "≀": r"\wr",
    "⨿": r"\amalg", "△": r"\triangle", "▽": r"\triangledown", "◯": r"\bigcirc", "\u20dd": r"\bigcirc",
    "⊞": r"\boxplus", "⊠": r"\boxtimes",
    "∙": r"\bullet", "◦": r"\circ", "•": r"\bullet", "∔": r"\dotplus", "⊼": r"\barwedge",
    "⋏": r"\curlywedge", "⋎": r"\curlyvee", "⊛": r"\circledast", "⊚": r"\circledcirc", "⊝": r"\circleddash",
    "⋇": r"\divideontimes", "⊺": r"\intercal", "⊡": r"\boxdot", "⊟": r"\boxminus", "⋒": r"\Cap", "⋓": r"\Cup",
    "⊻": r"\veebar", "∸": r"\dot{-}", "⊍": r"\dot{\cup}", "∕": "/", "⁄": "/", "⧸": "/", "\\": r"\setminus",
    "⧵": r"\setminus", "⨯": r"\times", "⨉": r"\times",
}  # fmt: skip
BIG = {
    "∑": r"\sum", "∏": r"\prod", "∐": r"\coprod", "⋃": r"\bigcup", "⋂": r"\bigcap", "⨆": r"\bigsqcup",
    "⨀": r"\bigodot", "⨁": r"\bigoplus", "⨂": r"\bigotimes", "⨄": r"\biguplus", "⋀": r"\bigwedge", "⋁": r"\bigvee",
    "∫": r"\int", "∬": r"\iint", "∭": r"\iiint", "∮": r"\oint", "∯": r"\oiint",
}  # fmt: skip
OPENING = {"(": "(", "[": "[", "{": r"\{", "⟨": r"\langle", "⌊": r"\lfloor", "⌈": r"\lceil", "〈": r"\langle"}
CLOSING = {")": ")", "]": "]", "}": r"\}", "⟩": r"\rangle", "⌋": r"\rfloor", "⌉": r"\rceil", "〉": r"\rangle"}
BARS = {"|": "|", "∥": r"\|", "‖": r"\|", "│": "|"}
PLAIN = {
    "∞": r"\infty", "∂": r"\partial", "∅": r"\emptyset", "∀": r"\forall", "∃": r"\exists",
    "∄": r"\nexists", "¬": r"\neg", "′": "'", "″": "''", "‴": "'''", "°": r"^{\circ}", "…": r"\ldots",
    "⋯": r"\cdots", "⋮": r"\vdots", "⋱": r"\ddots", "ℓ": r"\ell", "ℏ": r"\hbar", "ℵ": r"\aleph", "ℜ": r"\Re",
    "ℑ": r"\Im", "℘": r"\wp", "⊤": r"\top", "†": r"\dagger", "‡": r"\ddagger", "%": r"\%", "#": r"\#", "&": r"\&",
    "$": r"\$", "_": r"\_", "^": r"\wedge", "~": r"\sim", "√": r"\surd", "∠": r"\angle",
    "□": r"\square", "■": r"\blacksquare", "◻": r"\square", "♯": r"\sharp", "♭": r"\flat", "♮": r"\natural",
    "∴": r"\therefore", "∵": r"\because", "ı": r"\imath", "ȷ": r"\jmath", "§": r"\S", "¶": r"\P",
    "–": "-", "—": "-", "‐": "-", "\u2011": "-", "\u00ad": "", "’": "'", "‘": "`", "“": "``", "”": "''",
    "∁": r"\complement", "ℶ": r"\beth", "ℷ": r"\gimel", "ℸ": r"\daleth", "ב": r"\beth", "ג": r"\gimel", "ד": r"\daleth",
    "א": r"\aleph", "◊": r"\lozenge", "★": r"\bigstar", "∡": r"\measuredangle", "∢": r"\sphericalangle",
    "✓": r"\checkmark",
    "▲": r"\blacktriangle", "▼": r"\blacktriangledown", "Ⓢ": r"\circledS", "⧫": r"\blacklozenge", "○": r"\circ",
    "▸": r"\blacktriangleright", "▶": r"\blacktriangleright", "◀": r"\blacktriangleleft", "♦": r"\diamondsuit",
    "♥": r"\heartsuit", "ħ": r"\hbar", "∇": r"\nabla", "♣": r"\clubsuit", "♢": r"\diamondsuit", "♡": r"\heartsuit",
    "♠": r"\spadesuit", "ð": r"\eth", "µ": r"\mu",
    "⌣": r"\smile", "⌢": r"\frown", "℧": r"\mho", "∆": r"\Delta", "Å": r"\mathring{A}", "⃗": "", "ℎ": "h",
}  # fmt: skip
PIECES_OF = {
    piece: bracket
    for bracket, pieces, private in (
        ("(", "⎛⎜⎝", 0xF8EB), ("[", "⎡⎢⎣", 0xF8EE), ("{", "⎧⎨⎩⎪", 0xF8F1),
        (")", "⎞⎟⎠", 0xF8F6), ("]", "⎤⎥⎦", 0xF8F9), ("}", "⎫⎬⎭", 0xF8FC),
    )
    for piece in (*pieces, *(chr(private + k) for k in range(len(pieces))))
}  # fmt: skip
"""Of tall brackets: in Unicode, and in the private codes of Adobe's glyph list."""
PIECES = frozenset(PIECES_OF) | frozenset("⏞⏟⎴⎵┌⎷")
SYMBOLS = RELATIONS | BINARY | BIG | OPENING | CLOSING | BARS | PLAIN

ACCENTS = {
    "\u0300": r"\grave", "\u0301": r"\acute", "\u0302": r"\hat", "\u0303": r"\tilde", "\u0304": r"\bar",
    "\u0305": r"\overline", "\u0306": r"\breve", "\u0307": r"\dot", "\u0308": r"\ddot", "\u030a": r"\mathring",
    "\u030c": r"\check", "\u20d7": r"\vec", "\u0331": r"\underline", "\u0332": r"\underline",
}  # fmt: skip
SPACING_ACCENTS = ACCENTS | {
    "ˆ": r"\hat", "˜": r"\tilde", "¯": r"\bar", "˙": r"\dot", "¨": r"\ddot", "ˇ": r"\check", "˘": r"\breve",
    "´": r"\acute", "`": r"\grave", "˚": r"\mathring", "ˉ": r"\bar", "‾": r"\bar",
}  # fmt: skip


_ELEMENT = (
    "A[cglrstu]|B[aeir]?|C[adelorsu]?|Dy|E[ru]|F[er]?|G[ade]|H[efgo]?|I[nr]?|Kr?|L[aiu]|M[gno]|N[abdei]?|O|P[bdtu]?"
    "|R[abu]|S[bceimnr]?|T[aeil]|U|V|W|Xe|Y|Z[nr]"
)
COMPOUND = re.compile(f"(?:{_ELEMENT})+")  # of chemical elements
LIMITS = names("lim liminf limsup max min sup inf det gcd Pr argmax argmin median mode")
NAMES = names(
    "Ann Aut Cov Corr Cov End Ext GL Gal Hom Id Im Ind Int Irr Ker Lie Mat Ord Pic Proj Re Res SL SO SU Span Spec Std "
    "Stab Sym Tor Tr Var adj argmax argmin card cl codim coker const conv cov deg diag diam div dist dom erf grad id "
    "im int lcm mod ord poly prox rank rk relu softmax sgn sign span std supp tr trace var vec vol"
)

LATIN = {  # the capitals that look like those of our alphabet, which LaTeX has no commands for
    "alpha": "A", "beta": "B", "epsilon": "E", "zeta": "Z", "eta": "H", "iota": "I", "kappa": "K", "mu": "M", "nu": "N",
    "omicron": "O", "rho": "P", "tau": "T", "chi": "X",
}  # fmt: skip
_STYLES = (
    ("DOUBLE-STRUCK", "mathbb"), ("FRAKTUR", "mathfrak"), ("BLACK-LETTER", "mathfrak"), ("SCRIPT", "mathcal"),
    ("BOLD ITALIC", "boldsymbol"), ("BOLD", "mathbf"), ("SANS-SERIF", "mathsf"), ("MONOSPACE", "mathtt"),
)  # fmt: skip
_RAISED = {"<super>": "^", "<sub>": "_"}  # how Unicode marks ² and ₀
_SYMBOL_FONT = re.compile(r"^(?:cm|lm|mt|hfbr|[tp]x)b?sy(?![abc])|^m?lmmathsymbols|kp--m-sy-|fourier-math-sym", re.I)
_FONT_STYLES = (
    (re.compile(r"msbm|bbm|^ds(?:rom|serif)|bbold|blackboard|^[tp]xb?syb|kp--m-syb|(?:katex|jax)_ams", re.I), "mathbb"),
    (re.compile(r"euf[mb]|fraktur", re.I), "mathfrak"),
    (re.compile(r"rsfs|(?:katex|jax)_script", re.I), "mathscr"),
    (re.compile(_SYMBOL_FONT.pattern + r"|eus[mb]|zapfchan|call?ig|fourier-math-cal", re.I), "mathcal"),
)


def latex(text: str, font: str = "") -> str:
    """Mathematical characters as LaTeX, one after the other; letters keep the style that Unicode or the `font` gives
    them."""
    out = ""
    for char in unicodedata.normalize("NFD", text) if not text.isascii() else text:
        if char in ACCENTS:
            out = under_accent(out, ACCENTS[char])
        else:
            out = glue(out, symbol(char, font))
    return out


def glue(left: str, right: str) -> str:
    """Return two pieces of LaTeX side by side: a space ends a command's name before a letter, and a script for which
    `left` has no place hangs on nothing."""
    if (right[:1].isalpha() or right[:1] == "@") and re.search(r"\\[a-zA-Z]+$", left):
        return f"{left} {right}"
    if right.startswith(("^", "_", "'")) and not _takes(left, right):
        return f"{left}{{}}{right}"
    return left + right


def _takes(left: str, right: str) -> bool:
    """Whether what begins with a script may follow: no second one of its kind; a prime is a superscript but right
    before another."""
    rest, found = re.sub(r"\\[{}]", "  ", left.rstrip()), ""
    if rest.endswith(("quad", r"\,")):
        return False
    while rest.endswith(("}", "'")):
        rest = rest[: _opening(rest)] if rest.endswith("}") else rest.rstrip("'") + "'"
        if not rest.endswith(("^", "_", "'")):
            break
        rest, found = rest[:-1], found + rest[-1]
    if not found or right[0] == "_":
        return "_" not in found
    alone = not right.strip("'") or _opening(right) == 1
    return alone and "^" not in found and ("'" not in found or left.endswith("'"))


def _opening(text: str) -> int:
    """Where the brace opens that the last character closes; 0 where none does."""
    depth = 0
    for start in range(len(text) - 1, 0, -1):
        depth += (text[start] == "}") - (text[start] == "{")
        if depth == 0:
            return start
    return 0


def under_accent(out: str, command: str) -> str:
    """Return `out` with its last symbol under an accent."""
    match = re.search(r"(?:\\(?:[a-zA-Z]+(?:\{[^{}]*\})?|.)|[^\s\\{}^_])$", out)
    if not match:
        return out
    return f"{out[: match.start()]}{command}{{{match.group()}}}"


@lru_cache(4096)
def symbol(char: str, font: str = "") -> str:
    """Return one character as LaTeX; `font` (its PDF name) tells the style of a letter that Unicode leaves plain."""
    if char in SYMBOLS and (char not in "ℜℑ" or _SYMBOL_FONT.search(font)):  # elsewhere they are letters in fraktur
        return SYMBOLS[char]
    kind, _, _ = unicodedata.decomposition(char).partition(" ")
    style = _style(char, font)
    plain = unicodedata.normalize("NFKC", char)
    code = _greek(unstyled(char)) or _ascii(plain)
    if code and kind in _RAISED:
        return f"{_RAISED[kind]}{{{code}}}"
    return f"\\{style}{{{code}}}" if style and code else code


def unstyled(char: str) -> str:
    """Return the letter that a mathematical alphabet styles. NFKC would go on and make epsilon of its variant form."""
    kind, _, code = unicodedata.decomposition(char).partition(" ")
    return chr(int(code, 16)) if kind == "<font>" else char


def _style(char: str, font: str) -> str:
    if char.isascii():
        style = next((style for pattern, style in _FONT_STYLES if char.isalpha() and pattern.search(font)), "")
        return "" if style in ("mathcal", "mathscr") and char.islower() else style
    name = unicodedata.name(char, "")
    styled = name.startswith(("MATHEMATICAL", "DOUBLE-STRUCK", "SCRIPT", "BLACK-LETTER"))
    return next((style for key, style in _STYLES if styled and key in name), "")


def _ascii(plain: str) -> str:
    """Letters and digits as they are, what LaTeX reads as markup escaped, anything unknown to KaTeX as text."""
    out = ""
    for char in plain:
        if char in SYMBOLS:
            out = glue(out, SYMBOLS[char])
        elif char.isascii():
            out += char if "!" <= char <= "~" else ""
        elif unicodedata.category(char)[0] == "L":
            out += rf"\text{{{char}}}"
    return out


@lru_cache(4096)
def is_known(char: str) -> bool:
    """Return whether the character has a LaTeX form of its own."""
    return bool(symbol(char)) or char in SPACING_ACCENTS


def _greek(char: str) -> str:
    variants = {"ϵ": r"\epsilon", "ε": r"\varepsilon", "ϕ": r"\phi", "φ": r"\varphi", "ϑ": r"\vartheta"}
    variants |= {"ϖ": r"\varpi", "ϱ": r"\varrho", "ς": r"\varsigma", "ϰ": r"\varkappa", "ϝ": r"\digamma"}
    if char in variants:
        return variants[char]
    name = unicodedata.name(char, "")
    if not name.startswith("GREEK ") or " LETTER " not in name or "WITH" in name:
        return ""
    letter = name.rsplit(" ", 1)[-1].lower().replace("lamda", "lambda")
    if "CAPITAL" in name:
        return LATIN.get(letter, "\\" + letter.capitalize())
    return "o" if letter == "omicron" else "\\" + letter


def text_mode(words: str) -> str:
    r"""Return words for `\text{...}`, with what LaTeX reads as markup escaped."""
    special = {"\\": r"\textbackslash ", "^": r"\textasciicircum ", "~": r"\textasciitilde "}
    return re.sub(r"[\\{}$&#%_^~]", lambda m: special.get(m[0], "\\" + m[0]), words)
