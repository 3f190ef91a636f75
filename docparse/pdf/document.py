"""Which kind of document is this: look at the bytes, then hand them to the reader for PDFs or for images."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from pathlib import Path
from types import TracebackType
from typing import Self

from docparse.errors import InputError
from docparse.guard import Guard
from docparse.pdf.content import PageContent
from docparse.types import DocumentInfo

HEADER_WINDOW = 1024  # readers accept a PDF header anywhere in the first kilobyte
IMAGE_MAGIC = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*", b"II+\0", b"MM\0+", b"BM")


class Document(ABC):
    """An open document. Use it as a context manager, in the process that opened it."""

    info: DocumentInfo

    @property
    def pages(self) -> int:
        return self.info.pages

    @abstractmethod
    def page(
        self,
        number: int,
        *,
        text_layer: bool = True,
        hidden_text: bool = False,
        graphics: bool = True,
        guard: Guard | None = None,
    ) -> PageContent:
        """Return page `number` (1-based). With `text_layer=False` no characters are read and the quality is NONE;
        with `graphics=False` nothing is asked of what the page draws. Characters that nobody can see are left out and
        counted in a warning, unless `hidden_text` asks for them.

        What of the page cannot be read is left out, and `guard` remembers it. The page can be rendered as long as the
        document is open. Raises `InputError` for a number out of range and `PageError` where the page itself is
        damaged.
        """

    @abstractmethod
    def close(self) -> None: ...

    def check_number(self, number: int) -> None:
        if not 1 <= number <= self.pages:
            have = "1 page" if self.pages == 1 else f"{self.pages} pages"
            raise InputError(f"{self.info.name}: there is no page {number}: the document has {have}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_source(source: Path | bytes, *, name: str, password: str) -> Document:
    """See `docparse.pdf.open_document`."""
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
