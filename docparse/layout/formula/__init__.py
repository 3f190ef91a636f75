"""Formulas of born-digital pages: found by fonts and geometry, read as LaTeX from the boxes of their glyphs."""

from docparse.layout.formula.find import FoundFormula, find_formulas
from docparse.layout.formula.latex import Latex, latex_of

__all__ = ["FoundFormula", "Latex", "find_formulas", "latex_of"]
