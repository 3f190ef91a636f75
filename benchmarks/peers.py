"""What other programs read, in an environment of theirs: `python benchmarks/peers.py PROGRAM FOLDER OUT`."""

import pathlib
import subprocess
import sys
import time

import markitdown
import pymupdf4llm


def pdftotext(path: str) -> str:
    return subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=False).stdout


READ = {
    "pdftotext": pdftotext,
    "pymupdf4llm": pymupdf4llm.to_markdown,
    "markitdown": lambda path: markitdown.MarkItDown().convert(path).text_content,
}

if __name__ == "__main__":
    root, out = map(pathlib.Path, sys.argv[2:])
    for path in sorted(p for p in root.rglob("*") if p.is_file()):
        target = (out / path.relative_to(root)).with_suffix(".md")
        target.parent.mkdir(parents=True, exist_ok=True)
        started, cpu = time.perf_counter(), time.process_time()
        target.write_text(READ[sys.argv[1]](str(path)))
        print(path.name, f"{time.perf_counter() - started:.3f} s, processor {time.process_time() - cpu:.3f} s")
