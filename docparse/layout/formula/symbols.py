"""Unicode mathematics as LaTeX: operators by table, Greek by name, styled letters by their style."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from docparse.layout.text.wording import names


def _commands(pairs: str) -> dict[str, str]:
    """Signs, each before the name of its command, as a table."""
    each = pairs.split()
    return {sign: "\\" + name for sign, name in zip(each[::2], each[1::2], strict=True)}


RELATIONS = _commands(
    "≤ leq ≥ geq ≠ neq ≈ approx ≡ equiv ∼ sim ≃ simeq ≅ cong ∝ propto ≪ ll ≫ gg ∈ in ∉ notin ∋ ni ⊂ subset "
    "⊆ subseteq ⊃ supset ⊇ supseteq ⊊ subsetneq → to ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow "
    "⇔ Leftrightarrow ↦ mapsto ⟶ longrightarrow ⟵ longleftarrow ⟹ Longrightarrow ⟺ Longleftrightarrow ⟼ longmapsto "
    "↪ hookrightarrow ↠ twoheadrightarrow ⇀ rightharpoonup ⇌ rightleftharpoons ≺ prec ≻ succ ⪯ preceq ⪰ succeq "
    "⊢ vdash ⊣ dashv ⊨ models ∣ mid ∤ nmid ⊥ perp ≍ asymp ≜ triangleq ⩽ leqslant ⩾ geqslant ≲ lesssim ≳ gtrsim "
    "⊑ sqsubseteq ⊒ sqsupseteq ↑ uparrow ↓ downarrow ↗ nearrow ↘ searrow ↖ nwarrow ↙ swarrow ⟂ perp "
    "⇝ rightsquigarrow ◁ triangleleft ▷ triangleright ⊴ trianglelefteq ≮ nless ≯ ngtr ≰ nleq ≱ ngeq ⇑ Uparrow "
    "⇓ Downarrow ⊋ supsetneq ⊈ nsubseteq ⊉ nsupseteq ⫋ subsetneqq ⫌ supsetneqq ⫅ subseteqq ⫆ supseteqq ⋐ Subset "
    "⋑ Supset ⊏ sqsubset ⊐ sqsupset ⊵ trianglerighteq ⊲ triangleleft ⊳ triangleright ⋪ ntriangleleft "
    "⋫ ntriangleright ⋬ ntrianglelefteq ⋭ ntrianglerighteq ↛ nrightarrow ↚ nleftarrow ↮ nleftrightarrow "
    "⇏ nRightarrow ⇍ nLeftarrow ⇎ nLeftrightarrow ⊩ Vdash ⊪ Vvdash ⊬ nvdash ⊭ nvDash ⊮ nVdash ≾ precsim ≿ succsim "
    "≼ preccurlyeq ≽ succcurlyeq ⋞ curlyeqprec ⋟ curlyeqsucc ⪷ precapprox ⪸ succapprox ⊀ nprec ⊁ nsucc ⋠ npreceq "
    "⋡ nsucceq ↷ curvearrowright ↶ curvearrowleft ↺ circlearrowleft ⟲ circlearrowleft ↻ circlearrowright "
    "⟳ circlearrowright ↣ rightarrowtail ↢ leftarrowtail ⇉ rightrightarrows ⇇ leftleftarrows ⇆ leftrightarrows "
    "⇄ rightleftarrows ↾ upharpoonright ↿ upharpoonleft ⇂ downharpoonright ⇃ downharpoonleft ↼ leftharpoonup "
    "↽ leftharpoondown ⇁ rightharpoondown ⇋ leftrightharpoons ↩ hookleftarrow ↞ twoheadleftarrow "
    "⟷ longleftrightarrow ⟸ Longleftarrow ⇢ dashrightarrow ⇠ dashleftarrow ↕ updownarrow ⇕ Updownarrow ⊸ multimap "
    "⋘ lll ⋙ ggg ≬ between ⋔ pitchfork ∽ backsim ⋍ backsimeq ≊ approxeq ≇ ncong ≁ nsim ≷ gtrless ≶ lessgtr ≂ eqsim "
    "≗ circeq ≖ eqcirc ≏ bumpeq ≎ Bumpeq ≐ doteq ≑ doteqdot ≒ fallingdotseq ≓ risingdotseq ∦ nparallel ≦ leqq "
    "≧ geqq ≨ lneqq ≩ gneqq ⪇ lneq ⪈ gneq ⪅ lessapprox ⪆ gtrapprox ⋖ lessdot ⋗ gtrdot ⋈ bowtie ⨝ bowtie ⊜ circeq "
    "⎯ relbar ⫽ parallel"
) | {
    "=": "=", "<": "<", ">": ">", "⊄": r"\not\subset", "≔": ":=", "∶": ":", "⊅": r"\not\supset", "≉": r"\not\approx",
    "≢": r"\not\equiv", "∌": r"\not\ni", "≕": "=:", "⩴": "::=",
}  # fmt: skip
BINARY = _commands(
    "× times · cdot ⋅ cdot ± pm ∓ mp ÷ div ∪ cup ∩ cap ∧ wedge ∨ vee ⊕ oplus ⊖ ominus ⊗ otimes ⊘ oslash ⊙ odot "
    "∘ circ ∖ setminus ⊎ uplus ⊔ sqcup ⊓ sqcap ⋆ star ⋄ diamond ⋉ ltimes ⋊ rtimes ≀ wr ⨿ amalg △ triangle "
    "▽ triangledown ◯ bigcirc ⊞ boxplus ⊠ boxtimes ∙ bullet ◦ circ • bullet ∔ dotplus ⊼ barwedge ⋏ curlywedge "
    "⋎ curlyvee ⊛ circledast ⊚ circledcirc ⊝ circleddash ⋇ divideontimes ⊺ intercal ⊡ boxdot ⊟ boxminus ⋒ Cap ⋓ Cup "
    "⊻ veebar ⧵ setminus ⨯ times ⨉ times"
) | {
    "+": "+", "−": "-", "∗": "*", "\u20dd": r"\bigcirc", "∸": r"\dot{-}", "⊍": r"\dot{\cup}", "∕": "/", "⁄": "/",
    "⧸": "/", "\\": r"\setminus",
}  # fmt: skip
BIG = _commands(
    "∑ sum ∏ prod ∐ coprod ⋃ bigcup ⋂ bigcap ⨆ bigsqcup ⨀ bigodot ⨁ bigoplus ⨂ bigotimes ⨄ biguplus ⋀ bigwedge "
    "⋁ bigvee ∫ int ∬ iint ∭ iiint ∮ oint ∯ oiint"
)
OPENING = {"(": "(", "[": "[", "{": r"\{", "⟨": r"\langle", "⌊": r"\lfloor", "⌈": r"\lceil", "〈": r"\langle"}
CLOSING = {")": ")", "]": "]", "}": r"\}", "⟩": r"\rangle", "⌋": r"\rfloor", "⌉": r"\rceil", "〉": r"\rangle"}
BARS = {"|": "|", "∥": r"\|", "‖": r"\|", "│": "|"}
PLAIN = _commands(
    "∞ infty ∂ partial ∅ emptyset ∀ forall ∃ exists ∄ nexists ¬ neg … ldots ⋯ cdots ⋮ vdots ⋱ ddots ℓ ell ℏ hbar "
    "ℵ aleph ℜ Re ℑ Im ℘ wp ⊤ top † dagger ‡ ddagger ^ wedge ~ sim √ surd ∠ angle □ square ■ blacksquare ◻ square "
    "♯ sharp ♭ flat ♮ natural ∴ therefore ∵ because ı imath ȷ jmath § S ¶ P ∁ complement ℶ beth ℷ gimel ℸ daleth "
    "ב beth ג gimel ד daleth א aleph ◊ lozenge ★ bigstar ∡ measuredangle ∢ sphericalangle ✓ checkmark "
    "▲ blacktriangle ▼ blacktriangledown Ⓢ circledS ⧫ blacklozenge ○ circ ▸ blacktriangleright ▶ blacktriangleright "
    "◀ blacktriangleleft ♦ diamondsuit ♥ heartsuit ħ hbar ∇ nabla ♣ clubsuit ♢ diamondsuit ♡ heartsuit ♠ spadesuit "
    "ð eth µ mu ⌣ smile ⌢ frown ℧ mho ∆ Delta"
) | {
    "′": "'", "″": "''", "‴": "'''", "°": r"^{\circ}", "%": r"\%", "#": r"\#", "&": r"\&", "$": r"\$", "_": r"\_",
    "–": "-", "—": "-", "‐": "-", "\u2011": "-", "\u00ad": "", "’": "'", "‘": "`", "“": "``", "”": "''",
    "Å": r"\mathring{A}", "⃗": "", "ℎ": "h",
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

ACCENTS = _commands(
    "\u0300 grave \u0301 acute \u0302 hat \u0303 tilde \u0304 bar \u0305 overline \u0306 breve \u0307 dot \u0308 ddot "
    "\u030a mathring \u030c check \u20d7 vec \u0331 underline \u0332 underline"
)
SPACING_ACCENTS = ACCENTS | _commands(
    "ˆ hat ˜ tilde ¯ bar ˙ dot ¨ ddot ˇ check ˘ breve ´ acute ` grave ˚ mathring ˉ bar ‾ bar"
)
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

_VARIANTS = _commands(
    "ϵ epsilon ε varepsilon ϕ phi φ varphi ϑ vartheta ϖ varpi ϱ varrho ς varsigma ϰ varkappa ϝ digamma"
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
    """Return whether what begins with a script may follow: no second one of its kind; a prime is a superscript but
    right before another."""
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
    """Return where the brace opens that the last character closes; 0 where none does."""
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
    if char in _VARIANTS:
        return _VARIANTS[char]
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
