"""Formulas: on born-digital pages read as LaTeX from fonts and the boxes of glyphs, on scans kept as pictures."""

from docparse.layout.formula.find import FoundFormula, find_formulas
from docparse.layout.formula.latex import Latex, latex_of
from docparse.layout.formula.part import parted
from docparse.layout.formula.scanned import find_scanned_formulas

__all__ = ["FoundFormula", "Latex", "find_formulas", "find_scanned_formulas", "latex_of", "parted"]
