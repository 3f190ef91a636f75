"""How long a page takes and how much memory a long document needs: `python benchmarks/speed.py FOLDER`.

Pages are read in this process, one thread per model; opening the file is counted with its first page. Seconds of the
wall clock and of the processor are both given, as they differ on a busy machine. The long document is converted by the
command line, and the memory of all its processes is sampled from /proc.
"""

from __future__ import annotations

import argparse
import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from quality import cpu_seconds_of_children

from docparse.layout.reader import PageReader
from docparse.pdf import open_document
from docparse.pdf.content import TextQuality
from docparse.pdf.document import DocumentFile
from docparse.run.capacity import resident_memory
from docparse.run.worker import GARBAGE
from docparse.settings import Settings

MIB = 1024 * 1024
RUNS = 3  # each page is read so often, and its quickest reading counts
SAMPLE_SECONDS = 0.5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="a folder with PDFs")
    parser.add_argument("--scan", action="store_true", help="time OCR as well (slow)")
    parser.add_argument("--long", type=int, default=0, metavar="PAGES", help="peak memory over a PDF of so many pages")
    args = parser.parse_args()
    pdfs = sorted(args.folder.rglob("*.pdf"))
    if not pdfs:
        parser.error(f"{args.folder}: no PDFs in this folder")
    gc.set_threshold(GARBAGE, 20, 20)  # as workers do
    _report("text layer", pdfs, Settings(images="none"))
    if args.scan:
        _report("scan (--ocr force)", pdfs, Settings(ocr="force", images="none"), runs=1)
    if args.long:
        _report_memory(pdfs[0], args.long)


def _report(name: str, pdfs: list[Path], settings: Settings, runs: int = RUNS) -> None:
    rows = list(_page_times(pdfs, settings, runs))
    wall, cpu = (sorted(1000 * row[k] for row in rows) for k in (0, 1))
    line = f"median {median(wall):.0f} ms, longest {wall[-1]:.0f} ms; processor {median(cpu):.0f} and {cpu[-1]:.0f} ms"
    print(f"{name}: {len(rows)} pages, {line}", flush=True)


def _page_times(pdfs: list[Path], settings: Settings, runs: int) -> Iterator[tuple[float, float]]:
    """Wall and processor seconds of every page; without OCR only pages with a good text layer are timed."""
    reader = PageReader(settings)
    warm = False
    for path in pdfs:
        with open_document(path, name=path.name) as document:
            for number in range(1, document.pages + 1):
                content = document.page(number)
                if settings.ocr != "force" and content.quality is not TextQuality.GOOD:
                    continue
                if not warm:
                    reader.read(content)  # loads the models
                    warm = True
                times = [_timed(reader, document, number) for _ in range(runs)]
                yield min(t[0] for t in times), min(t[1] for t in times)


def _timed(reader: PageReader, document: DocumentFile, number: int) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    reader.read(document.page(number))
    return time.perf_counter() - wall, time.process_time() - cpu


def _report_memory(source: Path, pages: int) -> None:
    """Convert a PDF made by repeating the pages of `source`, and sample the memory of all processes of the run."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.pdf"
        _repeat(source, pages, path)
        command = [sys.executable, "-m", "docparse", "convert", str(path), "-o", str(Path(folder) / "long.md"), "-q"]
        started = time.perf_counter()
        peaks: list[tuple[float, float]] = []
        with subprocess.Popen(command) as process:
            while process.poll() is None:
                peaks.append((time.perf_counter() - started, _tree_memory(process.pid) / MIB))
                time.sleep(SAMPLE_SECONDS)
        seconds = time.perf_counter() - started
        if process.returncode:
            sys.exit(f"the conversion ended with {process.returncode}")
    third = seconds / 3
    thirds = [max((m for t, m in peaks if k * third <= t < (k + 1) * third), default=0.0) for k in range(3)]
    cpu, memory = cpu_seconds_of_children(), ", ".join(f"{peak:.0f} MiB" for peak in thirds)
    print(f"{pages} pages: {seconds:.0f} s, processor {cpu:.0f} s; peak memory of all processes, by thirds: {memory}")


def _repeat(source: Path, pages: int, target: Path) -> None:
    import pypdfium2 as pdfium

    with pdfium.PdfDocument(source) as original, pdfium.PdfDocument.new() as result:
        numbers = [i % len(original) for i in range(pages)]
        result.import_pages(original, numbers)
        result.save(target)


def _tree_memory(root: int) -> int:
    """Resident bytes of a process and all its descendants; pages they share are counted once for each."""
    parents: dict[int, int] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue  # it has just ended
            parents[int(entry)] = int(fields[1])
    tree = {root}
    while more := {pid for pid, parent in parents.items() if parent in tree} - tree:
        tree |= more
    return sum(map(resident_memory, tree))


if __name__ == "__main__":
    main()
