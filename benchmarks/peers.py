"""What other programs read, in an environment of theirs."""

import argparse
import pathlib
import subprocess
import time
from collections.abc import Callable

Reader = Callable[[str], str]


def pdftotext() -> Reader:
    return lambda path: subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=False).stdout


def pymupdf4llm() -> Reader:
    from pymupdf4llm import to_markdown

    return lambda path: str(to_markdown(path))


def markitdown() -> Reader:
    from markitdown import MarkItDown

    return lambda path: str(MarkItDown().convert(path).text_content)


READ = {"pdftotext": pdftotext, "pymupdf4llm": pymupdf4llm, "markitdown": markitdown}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", choices=READ)
    parser.add_argument("folder", type=pathlib.Path, help="its files are read, those below too")
    parser.add_argument("out", type=pathlib.Path, help="a folder for the Markdown")
    given = parser.parse_args()
    read = READ[given.program]()  # its package is imported before anything is timed
    for path in sorted(p for p in given.folder.rglob("*") if p.is_file()):
        target = (given.out / path.relative_to(given.folder)).with_suffix(".md")
        target.parent.mkdir(parents=True, exist_ok=True)
        started, cpu = time.perf_counter(), time.process_time()
        target.write_text(read(str(path)))
        print(path.name, f"{time.perf_counter() - started:.3f} s, processor {time.process_time() - cpu:.3f} s")
