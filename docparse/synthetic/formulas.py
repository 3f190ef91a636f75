"""Simple formulas: LaTeX beside the symbols that print it, with super- and subscripts and fractions."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from docparse.synthetic import fonts
from docparse.synthetic.sheet import Piece, Rectangle, Run

GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "θ": "theta", "λ": "lambda", "μ": "mu",
    "π": "pi", "ρ": "rho", "σ": "sigma", "φ": "varphi", "ω": "omega", "Δ": "Delta", "Σ": "Sigma", "Ω": "Omega",
}  # fmt: skip
RELATIONS = {"=": "=", "≤": "\\leq", "≥": "\\geq", "≠": "\\neq", "≈": "\\approx", "<": "<", ">": ">"}
OPERATORS = {"+": "+", "−": "-", "·": "\\cdot", "×": "\\times", "±": "\\pm"}
LETTERS = "abcdefghkmnpqrstuvwxyzABCDEFGHKLMNPQRSTUVWXYZ"
ITALIC, UPRIGHT = "serif-italic", "serif"


@dataclass(frozen=True, slots=True)
class Atom:
    """LaTeX and the symbol that prints it: `shift` is how far it is raised in em, `scale` its size. A fraction is an
    atom with `above` and `below`; its own text is empty."""

    latex: str
    text: str = ""
    face: str = ITALIC
    shift: float = 0.0
    scale: float = 1.0
    space: float = 0.0
    above: tuple[Atom, ...] = ()
    below: tuple[Atom, ...] = ()

    def width(self, size: float) -> float:
        if self.above:
            return max(length(self.above, size * self.scale), length(self.below, size * self.scale)) + 0.2 * size
        return fonts.width(self.text, self.face, size * self.scale) + 2 * self.space * size


Formula = tuple[Atom, ...]


def length(formula: Formula, size: float) -> float:
    return sum(atom.width(size) for atom in formula)


def symbol(rng: Random, shift: float = 0.0, scale: float = 1.0) -> Atom:
    u = rng.random()
    if u < 0.2:
        text = rng.choice(sorted(GREEK))
        return Atom(f"\\{GREEK[text]}", text, ITALIC, shift, scale)
    if u < 0.5:
        text = str(rng.randrange(10 ** rng.randint(1, 2)))
        return Atom(text, text, UPRIGHT, shift, scale)
    text = rng.choice(LETTERS)
    return Atom(text, text, ITALIC, shift, scale)


def term(rng: Random) -> list[Atom]:
    """Return a symbol, perhaps with a script."""
    atoms = [symbol(rng)]
    u = rng.random()
    if u < 0.5:
        mark, shift = ("^", 0.4) if u < 0.28 else ("_", -0.18)
        script = symbol(rng, shift, 0.7)
        atoms += [Atom(mark + "{"), script, Atom("}")]
    return atoms


def expression(rng: Random, terms: int) -> list[Atom]:
    atoms = term(rng)
    for _ in range(terms - 1):
        atoms += [spaced(rng, OPERATORS), *term(rng)]
    return atoms


def spaced(rng: Random, table: dict[str, str]) -> Atom:
    text = rng.choice(sorted(table))
    return Atom(f" {table[text]} ", text, UPRIGHT, space=0.2)


def formula(rng: Random, displayed: bool) -> Formula:
    """Return a relation between two expressions; only a displayed one may hold a fraction."""
    atoms = [*expression(rng, rng.randint(1, 2)), spaced(rng, RELATIONS)]
    if displayed and rng.random() < 0.4:
        above, below = (tuple(expression(rng, rng.randint(1, 2))) for _ in range(2))
        atoms.append(Atom("\\frac", scale=0.9, above=above, below=below))
        if rng.random() < 0.5:
            atoms += [spaced(rng, OPERATORS), *term(rng)]
    else:
        atoms += expression(rng, rng.randint(1, 3))
    return tuple(atoms)


def place(formula: Formula, x: float, baseline: float, size: float) -> tuple[list[Piece], list[Rectangle], float]:
    """Return the pieces of `formula` set at `x`, the bars of its fractions, and where it ends."""
    pieces: list[Piece] = []
    rules: list[Rectangle] = []
    for atom in formula:
        if atom.above:
            x = _fraction(atom, x, baseline, size, pieces, rules)
            continue
        run = None
        if atom.text:
            run = Run(atom.text, x + atom.space * size, baseline - atom.shift * size, atom.face, size * atom.scale)
        pieces.append(Piece(atom.latex, run, "math"))
        x += atom.width(size)
    return pieces, rules, x


def _fraction(atom: Atom, x: float, baseline: float, size: float, pieces: list[Piece], rules: list[Rectangle]) -> float:
    width, small, axis = atom.width(size), size * atom.scale, baseline - 0.28 * size
    pieces.append(Piece("\\frac{", style="math"))
    for part, line, close in ((atom.above, axis - 0.32 * size, "}{"), (atom.below, axis + 0.85 * size, "}")):
        inner, bars, _ = place(part, x + (width - length(part, small)) / 2, line, small)
        pieces += [*inner, Piece(close, style="math")]
        rules += bars
    rules.append((x + 0.05 * size, axis - 0.4, x + width - 0.05 * size, axis + 0.4))
    return x + width
