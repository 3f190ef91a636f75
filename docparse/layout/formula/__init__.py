"""Formulas: read as LaTeX from fonts and boxes on born-digital pages, on scans from the words, beside a picture."""

from docparse.layout.formula.find import FoundFormula, find_formulas
from docparse.layout.formula.latex import SURE, latex_of
from docparse.layout.formula.scanned import find_scanned_formulas

__all__ = ["SURE", "FoundFormula", "find_formulas", "find_scanned_formulas", "latex_of"]
