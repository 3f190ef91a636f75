"""Try damaged documents on docparse for as long as you like.

    python tests/soak.py --seed 1 --mutations 2000 --data FOLDER

Runs `python -m docparse convert` over a hundred of them at a time and prints what was lost, repeated, torn, leaked or
stuck: how docparse writes journal lines and comments is known here a second time. The exit code is 0 where there is no
finding, 1 where there is one, and 2 where the command makes no sense.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from soak_damage import Sources, mutant

ROOT = Path(__file__).parents[1]
BATCH = 100  # damaged documents of one run
LIMITS = ("--page-timeout", "20", "--document-timeout", "40", "-vv")
STUCK = 3600.0  # seconds of one run, of which these limits leave less
MARK = "SOAK_RUN"  # in the environment of every process of a run: the folder that the run works in
GRACE = 5.0  # seconds in which the processes of a run that has ended must be gone
DONE, FOUND, USAGE, INTERRUPTED = (0, 1, 4), 1, 2, 130
SUFFIXES = frozenset({".pdf", ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".bmp"})
FAILED = re.compile(r"<!-- pages? (\d+)(?:-(\d+))? failed: ")
PASSING = re.compile(r"\.tmp$|\.gone$")  # names that files have only while they are made or removed


def main(arguments=None):
    """Return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="decides every damage (default: 1)")
    parser.add_argument("--mutations", type=int, default=100, metavar="M", help="damaged documents (default: 100)")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="more PDFs and images, to be damaged")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="for files to reproduce findings")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a run under way is ended, and its folders are removed
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell has let this process ignore it
    work = Path(tempfile.mkdtemp(prefix="soak-"))
    keep = options.keep or Path(tempfile.gettempdir()) / f"{work.name}-findings"
    found = 0
    try:
        sources = make_sources(work / "sources", options.data)
        for first in range(0, options.mutations, BATCH):
            made = [mutant(options.seed, n, sources) for n in range(first, min(options.mutations, first + BATCH))]
            found += tried(Room(work / f"mutations-{first}", made), keep.absolute())
    except ValueError as error:
        print(f"soak: {error}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print(f"{found} findings" + (f" in {keep}" if found else ""))
    return FOUND if found else 0


# ---- what is damaged


def make_sources(folder, data):
    """Write the documents that everything begins with below `folder` and return them: the examples, pictures in every
    format, and what the user has in `data`. Raises `ValueError` if that has none."""
    folder.mkdir(parents=True)
    examples = ("examples/paper.pdf", "docparse/data/doctor.pdf", "docparse/data/check.pdf")
    light = [Path(shutil.copy(ROOT / name, folder)) for name in examples]
    scan = Path(shutil.copy(ROOT / "examples" / "paper-scan.pdf", folder))
    own = (
        [path for path in sorted(data.rglob("*")) if path.suffix.lower() in SUFFIXES and path.is_file()] if data else []
    )
    if data and not own:
        raise ValueError(f"{data}: no PDF or image in this folder")
    return Sources(light, [scan, *_pictures(folder)], own)


def _pictures(folder):
    """A page as a picture, in every format that docparse reads."""
    from PIL import Image, ImageDraw, ImageFont

    page = Image.new("RGB", (520, 200), "white")
    text = "A page of a picture.\nIt has three lines\nof large type."
    ImageDraw.Draw(page).text((30, 30), text, "black", ImageFont.load_default(size=28))
    exif = Image.Exif()
    exif[0x0112] = 6  # orientation: lies on its right side
    page.rotate(90, expand=True).save(folder / "picture.jpg", exif=exif)
    page.save(folder / "picture.tiff", save_all=True, append_images=[page, page], compression="tiff_lzw")
    for suffix in ("png", "webp", "bmp"):
        page.save(folder / f"picture.{suffix}")
    return sorted(folder.glob("picture.*"))


# ---- a run


class Room:
    """The folders of one run: documents, outputs, and a folder for temporary files that is empty at first."""

    def __init__(self, folder, documents=()):
        self.folder, self.documents = folder, folder / "in"
        self.out, self.temporary = folder / "out", folder / "tmp"
        self.journal = self.out / "docparse-journal.jsonl"
        self.documents.mkdir(parents=True)
        self.temporary.mkdir()
        for each in documents:
            (self.documents / each.name).write_bytes(each.data)


def tried(room, keep):
    """Convert the documents of a room and print what was not as it should be; return how many things those are. Of a
    run that has any a copy stays in `keep`."""
    found = [*convert(room)]
    entries, _ = read_journal(room.journal)
    for entry in entries:
        if entry["status"] == "failed" and entry["error_category"] == "internal":
            found.append(("lost", f"{entry['input']}: page {entry['page']} failed: {entry['error']}"))
    documents = list(map(str, room.documents.iterdir()))
    found += misses(room, documents)
    pages = sum(entry["page"] is not None for entry in entries)
    print(f"{room.folder.name}: {len(documents)} damaged documents, {pages} pages", flush=True)
    for kind, what in found:
        print(f"  {kind}: {what}", flush=True)
    if found:
        shutil.copytree(room.folder, keep / room.folder.name, dirs_exist_ok=True)
    shutil.rmtree(room.folder, ignore_errors=True)
    return len(found)


def convert(room):
    """Run `docparse convert` over the documents of a room, with no settings and a temporary folder of its own. Yield
    what is wrong with how it ended."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("DOCPARSE_", "SOAK_"))}
    environment = inherited | {"TMPDIR": str(room.temporary), MARK: str(room.folder)}
    command = [sys.executable, "-P", "-m", "docparse", "convert", str(room.documents), "-o", str(room.out), *LIMITS]
    nowhere, log = subprocess.DEVNULL, room.folder / "stderr.txt"
    with open(log, "wb") as errors:
        try:
            streams = {"stdin": nowhere, "stdout": nowhere, "stderr": errors}
            code = subprocess.run(command, env=environment, timeout=STUCK, check=False, **streams).returncode
        except subprocess.TimeoutExpired:
            code = None
    said = log.read_text(encoding="utf-8", errors="replace")
    last = (said.strip().splitlines() or ["no message"])[-1]
    if code is None:
        yield "stuck", f"it did not end: {last}"
    elif code not in DONE:
        yield "wrong", f"exit code {code}: {last}"
    if "docparse: internal error" in said:
        yield "lost", said
    if left := outliving(room.folder):
        yield "leaked", f"{len(left)} processes outlived the run"


def outliving(folder):
    """Return the processes of a run that are there `GRACE` seconds after its parent ended; they are killed."""
    until = time.monotonic() + GRACE
    while (left := marked(folder)) and time.monotonic() < until:
        time.sleep(0.05)
    for pid in left:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return left


def marked(folder):
    """Return the ids of all running processes that carry the mark of the run in `folder`."""
    wanted, found = f"{MARK}={folder}".encode(), []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # gone meanwhile, or not ours to look at
            if wanted in (process / "environ").read_bytes().split(b"\0"):
                found.append(int(process.name))
    return found


# ---- whether it has accounted for everything


def read_journal(path):
    """Return the lines of a journal, oldest first, and how many cannot be read."""
    entries, torn = [], 0
    for line in path.read_bytes().split(b"\n") if path.exists() else []:
        try:
            if line:
                entries.append(json.loads(line))
        except ValueError:
            torn += 1
    return entries, torn


def misses(room, inputs):
    """Yield what is missing, double or left over after a run that has ended: its kind, and a line about it."""
    entries, torn = read_journal(room.journal)
    if torn:
        yield "torn", f"{torn} lines of the journal cannot be read"
    for name in sorted({*inputs, *(entry["input"] for entry in entries)}):
        own, short = [entry for entry in entries if entry["input"] == name], Path(name).name
        documents = [entry for entry in own if entry["page"] is None]
        if name not in inputs:
            yield "wrong", f"{short}: a line of the journal is of no input"
        elif len(documents) != 1:
            yield "repeated" if documents else "lost", f"{short}: {len(documents)} lines say how the document ended"
        else:
            found = _pages_missed(documents[0], own)
            yield from ((kind, f"{short}: {what}") for kind, what in found)
    yield from _unaccounted(room, [entry for entry in entries if entry["page"] is None])


def _numbers(first, last):
    return range(first, (last or first) + 1)


def _pages_missed(document, entries):
    pages = Counter(n for entry in entries if entry["page"] for n in _numbers(entry["page"], entry.get("last")))
    yield from (("repeated", f"{times} lines for page {n}") for n, times in sorted(pages.items()) if times > 1)
    if document.get("outputs"):
        missing = sorted(set(range(1, document["pages"] + 1)) - set(pages))
        if missing:
            yield "lost", f"{len(missing)} pages without an outcome, the first is {missing[0]}"
    unread = {n for span in document.get("unread_pages", ()) for n in _numbers(*span)}
    for output in map(Path, document.get("outputs", ())):
        if not output.is_file():
            yield "lost", f"its output {output.name} is not there"
        elif output.suffix == ".md":
            comments = FAILED.findall(output.read_text(encoding="utf-8"))
            said = {n for first, last in comments for n in _numbers(int(first), int(last or 0))}
            for n in sorted({*document.get("failed_pages", ()), *unread} - said)[:1]:
                yield "lost", f"{output.name} does not say that page {n} failed"


def _unaccounted(room, documents):
    """Files that no line of the journal names, and temporary ones."""
    named = {f"{room.out}/{file}" for entry in documents for file in entry.get("files", ())}
    named |= {output for entry in documents for output in entry.get("outputs", ())}
    folders = [path for path in named if Path(path).is_dir()]
    named |= {f"{folder}/{image}" for folder in folders for entry in documents for image in entry.get("images", ())}
    keys = {entry["key"] for entry in documents}
    for path in sorted(room.out.rglob("*")) if room.out.exists() else []:
        name = path.relative_to(room.out)
        if any(PASSING.search(part) for part in name.parts):
            yield "leaked", f"the temporary file {name} is left"
        elif name.parts[0] == ".docparse":
            if len(name.parts) == 2 and name.name not in keys:
                yield "leaked", f"{name} is of no document"
        elif path.is_file() and path != room.journal and str(path) not in named:
            yield "lost", f"no line of the journal names the output {name}"
    yield from (
        ("leaked", f"{path.name} is left in the folder for temporary files") for path in room.temporary.iterdir()
    )


if __name__ == "__main__":
    sys.exit(main())
