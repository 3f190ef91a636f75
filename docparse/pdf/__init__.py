"""The pages room: PDFs and images as pages of characters, rulings, images and pixels.

Importing this package loads nothing heavy; pdfium and Pillow come with the first `open_document`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docparse.pdf.document import Document

__all__ = ["open_document"]


def open_document(source: Path | bytes, *, name: str, password: str = "") -> Document:
    """Open a PDF, PNG, JPEG, TIFF, WEBP or BMP, told apart by content; `name` is what errors call it.

    Raises `PasswordError` for an encrypted PDF whose password is missing or wrong, `InputError` for anything else
    that cannot be opened. pdfium may crash or hang on a hostile file: call this inside a process that can be killed.
    """
    from docparse.pdf.document import open_source

    return open_source(source, name=name, password=password)
