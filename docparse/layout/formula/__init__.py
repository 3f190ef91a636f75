"""Formulas: read as LaTeX from fonts and boxes on born-digital pages, on scans from the pixels."""

from docparse.layout.formula.find import FoundFormula, find_formulas
from docparse.layout.formula.latex import SURE, latex_of
from docparse.layout.formula.scanned import detected_formulas, find_scanned_formulas, has_formulas

__all__ = [
    "SURE",
    "FoundFormula",
    "detected_formulas",
    "find_formulas",
    "find_scanned_formulas",
    "has_formulas",
    "latex_of",
]
