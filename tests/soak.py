"""Try damaged documents on docparse for as long as you like.

    python tests/soak.py --seed 1 --mutations 2000 --keep soak/

Runs `docparse convert` over a hundred of them at a time and prints what was lost, repeated or left behind. The same
seed gives the same documents; those of a run with findings are kept. The exit code is 1 where there is a finding.
"""

import argparse
import io
import json
import logging
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random

from PIL import Image, ImageDraw, ImageFont
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, DecodedStreamObject, FloatObject, NameObject, NumberObject

ROOT = Path(__file__).parents[1]
EXAMPLES = ("examples/paper.pdf", "examples/paper-scan.pdf", "docparse/data/doctor.pdf", "docparse/data/check.pdf")
BATCH = 100  # damaged documents of one run
LIMITS = ("--page-timeout", "20", "--document-timeout", "40", "-vv")
LONGEST = 3 * 2**20  # bytes of a content stream: some 200,000 lines that are drawn

OBJECT = re.compile(rb"\d+ \d+ obj\b.*?\bendobj\s*", re.DOTALL)
NUMBER = re.compile(rb"/[A-Za-z0-9]+\s*\[?\s*(-?\d+(?:\.\d+)?)|\b(\d{10}) \d{5} [nf]|startxref\s+(\d+)")
OPERAND = re.compile(rb"(?<![\w./#-])-?\d*\.?\d+(?![\w.])")
STRANGE = b"0 -1 1 2147483648 -2147483648 99999999999999999999 1e999 0.0000000001 null".split()
NESTS = ((b"q ", b"Q "), (b"BT ", b"ET "), (b"[ ", b"] "), (b"<< ", b">> "), (b"( ", b") "), (b"/A BMC ", b"EMC "))
BOXES = ((0, 0, 0, 0), (0, 0, 14400, 14400), (0, 0, 1e6, 20), (-9e9, -9e9, 9e9, 9e9), (500, 500, 0, 0))


# ---- damage: a row of bytes, a PDF as text, and a PDF that stays well formed


def flip_bytes(random, data):
    changed = bytearray(data)
    for _ in range(2 ** random.randrange(7)):
        changed[random.randrange(len(changed))] ^= random.randrange(1, 256)
    return bytes(changed)


def cut_off(random, data):
    return data[: random.randrange(1, len(data))]


def move_object(random, data):
    """An object is gone, and stands a second time at another place, or neither."""
    found = list(OBJECT.finditer(data))
    place, copy = random.choice(found), random.choice([b"", random.choice(found)[0]])
    return data[: place.start()] + copy + data[place.end() :]


def change_number(random, data):
    place = random.choice(list(NUMBER.finditer(data)))
    begin, end = place.span(place.lastindex)
    return data[:begin] + random.choice(STRANGE) + data[end:]


def edit_stream(random, data):
    """Any stream of the file: content, font, character map, picture."""
    writer = opened(data)
    stream = random.choice([each for each in writer._objects if hasattr(each, "get_data") and each.get_data()])
    stream.set_data(random.choice((flip_bytes, cut_off))(random, stream.get_data()))
    return written(writer)


def edit_content(random, data):
    """Lines of a page's content are repeated many thousand times, nested deeply, or have numbers out of range."""
    writer = opened(data)
    page = random.choice(writer.pages)
    lines = page.get_contents().get_data().split(b"\n")
    match random.randrange(3):
        case 0:
            part = lines[random.randrange(len(lines)) :][: random.randrange(1, 20)]
            lines += part * min(10 ** random.randrange(1, 6), LONGEST // (1 + len(b"\n".join(part))))
        case 1:
            (opening, closing), depth = random.choice(NESTS), 10 ** random.randrange(2, 6)
            lines = [opening * depth, *lines, closing * random.choice((0, depth // 2, depth))]
        case _:
            share = random.choice((0.001, 0.01, 0.1))
            strange = lambda found: random.choice(STRANGE) if random.random() < share else found[0]  # noqa: E731
            lines = [OPERAND.sub(strange, line) for line in lines]
    stream = DecodedStreamObject()
    stream.set_data(b"\n".join(lines))
    page[NameObject("/Contents")] = writer._add_object(stream.flate_encode())
    return written(writer)


def strange_pages(random, data):
    """A page of no size, of a huge one, or turned, which the page tree names many times."""
    writer = opened(data)
    page, tree = random.choice(writer.pages), writer.root_object["/Pages"]
    page[NameObject(random.choice(("/MediaBox", "/CropBox")))] = ArrayObject(map(FloatObject, random.choice(BOXES)))
    page[NameObject("/Rotate")] = NumberObject(random.choice((0, 90, 180, 45, -90, 2**31)))
    page[NameObject("/UserUnit")] = FloatObject(random.choice((1, 0, -1, 75000, 0.001)))
    kids = [*tree["/Kids"], *[random.choice(tree["/Kids"])] * random.randrange(12)]
    tree[NameObject("/Kids")] = ArrayObject(kids)
    tree[NameObject("/Count")] = NumberObject(random.choice((len(kids), 1, 20_000, -1)))
    return written(writer)


def opened(data):
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    return PdfWriter(clone_from=PdfReader(io.BytesIO(data)))


def written(writer):
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


ANY_WAYS = (flip_bytes, cut_off)
PDF_WAYS = (*ANY_WAYS, move_object, change_number, edit_stream, edit_content, edit_content, strange_pages)


def damaged(random, source):
    """Return the bytes of a document that was damaged once or twice."""
    data = source.read_bytes()
    for _ in range(random.choice((1, 1, 1, 2))):
        way = random.choice(PDF_WAYS if source.suffix.lower() == ".pdf" else ANY_WAYS)
        try:
            data = way(random, data)
        except Exception:  # pypdf meets documents here that nobody can read
            data = flip_bytes(random, data)
    return data


def make_pictures(folder):
    """Return a page as a picture in two formats."""
    page = Image.new("RGB", (520, 200), "white")
    text = "A page of a picture.\nIt has three lines\nof large type."
    ImageDraw.Draw(page).text((30, 30), text, "black", ImageFont.load_default(size=28))
    page.save(folder / "picture.jpg")
    page.save(folder / "picture.tiff", save_all=True, append_images=[page, page])
    return [folder / "picture.jpg", folder / "picture.tiff"]


# ---- a run, and whether it has accounted for everything


def findings(folder, documents):
    """Convert the documents, which are in `folder`, and yield a line about everything that is not as it should be."""
    out, temporary = folder / "out", folder / "tmp"
    temporary.mkdir()
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("DOCPARSE_")}
    command = [sys.executable, "-P", "-m", "docparse", "convert", *map(str, documents), "-o", str(out), *LIMITS]
    environment = inherited | {"TMPDIR": str(temporary)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=3600)
    if done.returncode not in (0, 1, 4) or "internal error" in done.stderr:
        yield f"exit code {done.returncode}: {done.stderr[-2000:]}"
    entries = [json.loads(line) for line in (out / "docparse-journal.jsonl").read_text().splitlines()]
    for document in map(str, documents):
        own = [entry for entry in entries if entry["input"] == document]
        yield from (f"{document}: {entry['error']}" for entry in own if entry["error_category"] == "internal")
        ended = [entry for entry in own if entry["page"] is None]
        if len(ended) != 1:
            yield f"{document}: {len(ended)} lines say how it ended"
            continue
        spans = [range(entry["page"], (entry.get("last") or entry["page"]) + 1) for entry in own if entry["page"]]
        pages = Counter(page for span in spans for page in span)
        if ended[0].get("outputs") and pages != Counter(range(1, ended[0]["pages"] + 1)):
            yield f"{document}: of {ended[0]['pages']} pages the journal has {sorted(pages.elements())}"
        yield from (f"{path} is not there" for path in ended[0].get("outputs", ()) if not Path(path).is_file())
    yield from (f"{path} is left" for path in (*temporary.iterdir(), *out.rglob("*.tmp"), *out.rglob("*.gone")))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="decides every damage")
    parser.add_argument("--mutations", type=int, default=100, metavar="M", help="damaged documents")
    parser.add_argument("--data", type=Path, action="append", default=[], metavar="FILE", help="one more to be damaged")
    parser.add_argument("--keep", type=Path, default=Path("soak"), metavar="FOLDER", help="of runs with findings")
    options = parser.parse_args()
    count = 0
    for first in range(0, options.mutations, BATCH):
        with tempfile.TemporaryDirectory(prefix="soak-") as name:
            folder = Path(name)
            sources = [*(ROOT / example for example in EXAMPLES), *make_pictures(folder), *options.data]
            documents = []
            for number in range(first, min(options.mutations, first + BATCH)):
                random = Random(f"{options.seed}/{number}")
                source = random.choice(sources)
                documents.append(folder / f"{number:05d}-{source.name}")
                documents[-1].write_bytes(damaged(random, source))
            found = list(findings(folder, documents))
            if found:
                shutil.copytree(folder, options.keep / str(first), dirs_exist_ok=True)
        print(f"{len(documents)} damaged documents, {len(found)} findings", *found, sep="\n  ", flush=True)
        count += len(found)
    return min(count, 1)


if __name__ == "__main__":
    sys.exit(main())
