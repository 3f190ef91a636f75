"""docparse: PDFs and page images to Markdown, fast, with the speed measured honestly.

`docparse.convert("paper.pdf")` returns a `Document`; `docparse.Converter` converts many. See docs/python.md.
"""

from typing import TYPE_CHECKING, Any

from docparse.network import silence

if TYPE_CHECKING:
    from docparse.library import Block, Chunk, Converter, Document, DocumentTable, Figure, Page, convert, iter_pages

__version__ = "0.1.0"
__all__ = ["Block", "Chunk", "Converter", "Document", "DocumentTable", "Figure", "Page", "convert", "iter_pages"]

silence()  # here, because every use of docparse imports this file, and onnxruntime must not have been imported before


def __getattr__(name: str) -> Any:
    """Return a name of the library, which is imported when the first of them is used."""
    if name not in __all__:
        raise AttributeError(f"module 'docparse' has no attribute {name!r}")
    from docparse import library

    return getattr(library, name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
