"""The pages room: PDFs and images as pages of characters, rulings, images and pixels.

Importing this package loads nothing heavy; pdfium and Pillow come with the first `open_document`.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from docparse.errors import InputError

if TYPE_CHECKING:
    from docparse.pdf.document import DocumentFile

HEADER_WINDOW = 1024  # readers accept a PDF header anywhere in the first kilobyte
IMAGE_MAGIC = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*", b"II+\0", b"MM\0+", b"BM")


def open_document(source: Path | bytes, *, name: str, password: str = "") -> DocumentFile:
    """Open a PDF, PNG, JPEG, TIFF, WEBP or BMP, told apart by content; `name` is what errors call it.

    Raises `PasswordError` for an encrypted PDF whose password is missing or wrong, `InputError` for anything else
    that cannot be opened. pdfium may crash or hang on a hostile file: call this inside a process that can be killed.
    """
    head, sha256 = _head_and_hash(source, name)
    if not head:
        raise InputError(f"{name}: the file is empty: nothing to convert")
    if b"%PDF-" in head:
        from docparse.pdf.pdffile import PdfFile

        return PdfFile(source, name=name, sha256=sha256, password=password)
    if head.startswith(IMAGE_MAGIC) or (head[:4] == b"RIFF" and head[8:12] == b"WEBP"):
        from docparse.pdf.imagefile import ImageFile

        return ImageFile(source, name=name, sha256=sha256)
    raise InputError(f"{name}: not a PDF or an image: give a PDF, PNG, JPEG, TIFF, WEBP or BMP file")


def _head_and_hash(source: Path | bytes, name: str) -> tuple[bytes, str]:
    if isinstance(source, bytes):
        return source[:HEADER_WINDOW], hashlib.sha256(source).hexdigest()
    try:
        with open(source, "rb") as file:
            head = file.read(HEADER_WINDOW)
            file.seek(0)
            return head, hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        raise InputError(f"{name}: no such file: check the path") from None
    except IsADirectoryError:
        raise InputError(f"{name}: is a folder, not a file: give the files in it") from None
    except PermissionError:
        raise InputError(f"{name}: permission denied: make the file readable") from None
    except OSError as error:
        raise InputError(f"{name}: cannot be read: {error.strerror or error}") from None
