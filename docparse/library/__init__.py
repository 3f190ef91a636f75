"""docparse from Python: documents in, `Document`s out. `docparse` itself has these names, loaded when they are used."""

from docparse.library.chunks import Chunk
from docparse.library.converter import Converter, convert, iter_pages
from docparse.library.document import Document, DocumentTable, Figure
from docparse.types import Block, Page

__all__ = ["Block", "Chunk", "Converter", "Document", "DocumentTable", "Figure", "Page", "convert", "iter_pages"]
