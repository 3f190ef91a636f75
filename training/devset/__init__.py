"""Invented documents with their true Markdown, to look at while rules are written. See `__main__`."""
