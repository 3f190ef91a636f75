"""Formulas: read as LaTeX from fonts and boxes on born-digital pages, on scans from the pixels."""

from docparse.layout.formula.find import FoundFormula, find_formulas
from docparse.layout.formula.latex import SURE, latex_of

__all__ = ["SURE", "FoundFormula", "find_formulas", "latex_of"]
