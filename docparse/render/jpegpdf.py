"""A PDF of pictures, one JPEG per page, written as it grows: memory holds one page and a list of offsets."""

from __future__ import annotations

from types import TracebackType
from typing import BinaryIO


class JpegPdf:
    """Append pages with `add`; the file is a PDF once the `with` block ends without an error."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._offsets: dict[int, int] = {}
        self._position = 0
        self._pages: list[int] = []
        self._next = 3  # 1 is the catalog, 2 the page tree; both are written last
        self._write(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")

    def add(self, jpeg: bytes, pixels: tuple[int, int], points: tuple[float, float]) -> None:
        """Append a page of `points` (width, height) filled with an RGB `jpeg` of `pixels` (width, height)."""
        image, content, page = self._next, self._next + 1, self._next + 2
        self._next += 3
        width, height = points
        self._object(
            image,
            f"<< /Type /XObject /Subtype /Image /Width {pixels[0]} /Height {pixels[1]} /ColorSpace /DeviceRGB"
            f" /BitsPerComponent 8 /Filter /DCTDecode /Length {len(jpeg)} >>",
            jpeg,
        )
        draw = f"{width:.2f} 0 0 {height:.2f} 0 0 cm /Page Do".encode()
        self._object(content, f"<< /Length {len(draw)} >>", draw)
        self._object(
            page,
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.2f} {height:.2f}] /Contents {content} 0 R"
            f" /Resources << /XObject << /Page {image} 0 R >> >> >>",
        )
        self._pages.append(page)

    def close(self) -> None:
        """Write the page tree and the cross-reference table."""
        kids = " ".join(f"{page} 0 R" for page in self._pages)
        self._object(1, "<< /Type /Catalog /Pages 2 0 R >>")
        self._object(2, f"<< /Type /Pages /Kids [{kids}] /Count {len(self._pages)} >>")
        start = self._position
        lines = [f"{self._offsets[number]:010d} 00000 n \n" for number in range(1, self._next)]
        self._write(f"xref\n0 {self._next}\n0000000000 65535 f \n{''.join(lines)}".encode())
        self._write(f"trailer\n<< /Size {self._next} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode())

    def __enter__(self) -> JpegPdf:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None):
        if kind is None:
            self.close()

    def _object(self, number: int, head: str, stream: bytes | None = None) -> None:
        self._offsets[number] = self._position
        self._write(f"{number} 0 obj\n{head}\n".encode())
        if stream is not None:
            self._write(b"stream\n")
            self._write(stream)
            self._write(b"\nendstream\n")
        self._write(b"endobj\n")

    def _write(self, data: bytes) -> None:
        self._position += self._out.write(data)
