"""Lines of printed pages with their true labels, their features, and what the rules say of them.

    python -m training.lines.labels FOLDER

reads what `printing` wrote there and writes `FAMILY.npz`.
"""

from __future__ import annotations

import argparse
import ctypes
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pypdfium2
from pypdfium2 import raw

from docparse.layout.engines import Engines
from docparse.layout.kinds.contents import has_leader
from docparse.layout.stages import STAGES, first_state
from docparse.layout.state import PageState
from docparse.layout.text.groups import Group
from docparse.layout.text.lines import Line
from docparse.pdf import open_document
from docparse.settings import Settings
from docparse.types import Category
from training.lines.features import features
from training.lines.keys import key_of
from training.lines.model import CLASSES

BEFORE, AFTER = "labels", "categories"
LEFT_OUT = ("structure",)  # the stage that reads tags, so that the rules speak for themselves
RULES = {
    Category.TITLE: "heading", Category.SECTION_HEADER: "heading", Category.TEXT: "text", Category.CAPTION: "caption",
    Category.FOOTNOTE: "footnote", Category.PAGE_HEADER: "header", Category.PAGE_FOOTER: "footer",
    Category.CODE: "code",
}  # fmt: skip


def states(path: Path) -> list[tuple[PageState, PageState]]:
    """Every page when its lines are made, and when the rules have named them."""
    settings = Settings(layout_engine="none", images="none", ocr="off")
    engines, found = Engines(settings), []
    with open_document(path, name=path.name) as document:
        for number in range(1, document.info.pages + 1):
            state = first_state(document.page(number), engines)
            before = state
            for stage in STAGES:
                if stage.name not in LEFT_OUT and stage.needed(state):
                    state = stage.run(state)
                if stage.name == BEFORE:
                    before = state
                if stage.name == AFTER:
                    break
            found.append((before, replace(state, content=replace(state.content, characters=None))))
    return found


def line_features(state: PageState) -> tuple[np.ndarray, list[int | None]]:
    return features(state.lines, state.content.box, state.rulings, state.floats, state.content.panels)


def ruled(lines: Sequence[Line], above: Sequence[int | None], state: PageState) -> tuple[list[str], list[bool]]:
    """What the rules make of each line: its class, and whether it continues the paragraph of the line above it."""
    home: dict[int, tuple[Group, str, bool]] = {}
    for group, category in zip(state.groups, state.categories, strict=True):
        for k, line in enumerate(group.lines):
            if category is Category.LIST_ITEM:
                name = "toc" if has_leader(group) else "more" if k else "item"
            else:
                name = RULES[category]
            home[line.words[0].index] = (group, name, k == 0)
    kinds, goes_on = [], []
    for i, line in enumerate(lines):
        entry = home.get(line.words[0].index)
        kinds.append(entry[1] if entry else "text")
        upper = above[i]
        other = home.get(lines[upper].words[0].index) if upper is not None else None
        goes_on.append(bool(entry and other and entry[0] is other[0]))
    return kinds, goes_on


def glyph_keys(page: pypdfium2.PdfPage) -> tuple[np.ndarray, np.ndarray]:
    """Centres (x, y from the top) of the glyphs of a page printed with keys, and their keys."""
    text, height = page.get_textpage(), page.get_height()
    places, keys = [], []
    rgba = [ctypes.c_uint() for _ in range(4)]
    for i in range(text.count_chars()):
        left, bottom, right, top = text.get_charbox(i, loose=True)
        if right <= left or not raw.FPDFText_GetFillColor(text.raw, i, *rgba):
            continue
        key = key_of(*(value.value for value in rgba[:3]))
        if key:
            places.append(((left + right) / 2, height - (top + bottom) / 2))
            keys.append(key)
    return np.array(places, float).reshape(-1, 2), np.array(keys, int)


def line_keys(lines: Sequence[Line], places: np.ndarray, keys: np.ndarray) -> list[int]:
    """The key that most glyphs of each line have, 0 where none has any."""
    found = []
    for line in lines:
        box = line.box
        x, y = places[:, 0], places[:, 1]
        inside = (x > box.x0 - 0.5) & (x < box.x1 + 0.5) & (y > box.y0) & (y < box.y1)
        counts = Counter(keys[inside].tolist())
        found.append(max(counts, key=counts.__getitem__) if counts else 0)
    return found


def labelled(stem: Path) -> dict[str, np.ndarray]:
    """All lines of one printed file, as arrays."""
    names = json.loads(Path(f"{stem}.json").read_text())
    keyed = pypdfium2.PdfDocument(f"{stem}.keys.pdf")
    rows: dict[str, list] = {name: [] for name in ("x", "y", "on", "upper", "rule", "rule_on", "page", "text")}
    started: set[int] = set()
    for number, (state, after) in enumerate(states(Path(f"{stem}.pdf"))):
        if not state.lines:
            continue
        x, above = line_features(state)
        keys = line_keys(state.lines, *glyph_keys(keyed[number]))
        kinds, goes_on = ruled(state.lines, above, after)
        for i, key in enumerate(keys):
            name = names[key] if key < len(names) else ""
            name = {"title": "heading", "": "none"}.get(name, name)
            if name == "item" and key in started:
                name = "more"
            started.add(key)
            upper = above[i]
            rows["y"].append(CLASSES.index(name) if name in CLASSES else -1)
            rows["on"].append(upper is not None and key > 0 and keys[upper] == key)
            rows["upper"].append(upper is not None and key > 0 and keys[upper] > 0)
            rows["page"].append(number)
            rows["text"].append(state.lines[i].text[:60])
        rows["x"].append(x)
        rows["rule"] += [CLASSES.index(kind) for kind in kinds]
        rows["rule_on"] += goes_on
    return {name: np.concatenate(values) if name == "x" else np.array(values) for name, values in rows.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    families: dict[str, list[Path]] = {}
    for keys in sorted(folder.glob("*.keys.pdf")):
        stem = Path(str(keys).removesuffix(".keys.pdf"))
        families.setdefault(stem.name.split(".")[0], []).append(stem)
    for family, stems in families.items():
        target = folder / f"{family}.npz"
        if target.exists():
            continue
        parts = [labelled(stem) for stem in stems]
        np.savez_compressed(target, **{name: np.concatenate([part[name] for part in parts]) for name in parts[0]})
        labels = np.concatenate([part["y"] for part in parts])
        counts = {name: int((labels == i).sum()) for i, name in enumerate(CLASSES)}
        print(family, len(labels), "none:", int((labels < 0).sum()), counts, flush=True)


if __name__ == "__main__":
    main()
