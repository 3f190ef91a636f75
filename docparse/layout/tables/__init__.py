"""Tables of a page: found by their rules and by alignment, and rebuilt cell by cell."""

from docparse.layout.tables.find import FoundTable, find_tables
from docparse.layout.tables.rules import rulings_from_image, with_those_drawn

__all__ = ["FoundTable", "find_tables", "rulings_from_image", "with_those_drawn"]
