"""Formulas of born-digital pages: found by fonts and geometry, read as LaTeX from the boxes of their glyphs."""
