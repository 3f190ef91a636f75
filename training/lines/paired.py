"""Labelled lines of a paired set: documents whose true Markdown is known, found in the PDF by their text.

    python -m training.lines.paired SET OUT.npz

Only lines of which the truth says one thing are labelled: what occurs under two classes is left out.
"""

from __future__ import annotations

import argparse
import json
import re
import unicodedata
from pathlib import Path

import numpy as np
from markdown_it import MarkdownIt

from training.lines.labels import line_features, ruled, states
from training.lines.model import CLASSES

CAPTION = re.compile(r"(?:fig|tab)\w*\.?\s*\d", re.IGNORECASE)


def key(text: str) -> str:
    """Letters and digits alone."""
    text = unicodedata.normalize("NFKD", text).casefold()
    return "".join(char for char in text if char.isalnum())


def truth_blocks(markdown: str, furniture: list[str]) -> list[tuple[str, str]]:
    """(class, text) of every block; what floats is only a caption where it begins like one."""
    floating, blocks = False, []
    text = re.sub(r"<!--\s*(/?)(float|optional)\s*-->", lambda m: f"\n\n@@{m[1]}{m[2]}@@\n\n", markdown)
    stack: list[str] = []
    for token in MarkdownIt("commonmark", {"html": True}).enable("table").parse(text):
        if token.type.endswith("_open"):
            stack.append(token.type.removesuffix("_open"))
        elif token.type.endswith("_close"):
            stack.pop()
        elif token.type in ("fence", "code_block"):
            blocks += [("code", line) for line in token.content.splitlines() if line.strip()]
        elif token.type == "html_block":
            blocks += [("cell", cell) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", token.content, re.S)]
        elif token.type == "inline":
            said = re.sub(r"<[^>]+>|[*`]|\[\^\w+\]:?", "", re.sub(r"!\[[^\]]*\]\([^)]*\)", "", token.content))
            if mark := re.fullmatch(r"\s*@@(/?)(?:float|optional)@@\s*", said):
                floating = not mark[1]
            elif "heading" in stack:
                blocks.append(("heading", said))
            elif "td" in stack or "th" in stack:
                blocks.append(("cell", said))
            elif CAPTION.match(said) and floating:
                blocks.append(("caption", said))
            elif floating and "list_item" not in stack:
                blocks.append(("float", said))
            else:
                blocks.append(("item" if "list_item" in stack else "text", said))
    return blocks + [("furniture", piece) for piece in furniture]


class Truth:
    """Finds what class a line of text has."""

    def __init__(self, blocks: list[tuple[str, str]]) -> None:
        self._blocks = [(name, key(text)) for name, text in blocks]

    def of(self, text: str) -> tuple[str, int]:
        """The class and the number of the block; "" where the text is in none or the classes differ."""
        bare = key(re.sub(r"^\s*(?:[^\w\s]+|\(?\w{1,3}[.)]|\[\d+\])\s+", "", text))
        whole = key(text)
        if len(bare) < 2:
            return "", -1
        hits = []
        for i, (name, block) in enumerate(self._blocks):
            exact = block in (whole, bare)
            if exact or (len(bare) > 11 and (bare in block or whole in block)):
                starts = block.startswith(bare) or block.startswith(whole)
                hits.append((name if name != "item" or starts else "more", i))
        if len({name for name, _ in hits}) != 1:
            return "", -1
        return hits[0] if len(hits) == 1 else (hits[0][0], -1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("set", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    rows: dict[str, list] = {name: [] for name in ("x", "y", "on", "upper", "rule", "rule_on", "family", "text")}
    for entry in map(json.loads, (options.set / "manifest.jsonl").read_text().splitlines()):
        if entry["family"] == "scan":
            continue
        name = entry["name"]
        truth = Truth(truth_blocks((options.set / "truth" / f"{name}.md").read_text(), entry["furniture"]))
        for state, after in states(options.set / "pdfs" / f"{name}.pdf"):
            if not state.lines or state.noisy:
                continue
            x, above = line_features(state)
            found = [truth.of(line.text) for line in state.lines]
            kinds, goes_on = ruled(state.lines, above, after)
            middle = state.content.height / 2
            for i, (kind, block) in enumerate(found):
                upper, box = above[i], state.lines[i].box
                if kind == "furniture":
                    kind = "header" if box.y0 < middle else "footer"  # noqa: PLW2901
                both = upper is not None and block >= 0 and found[upper][1] >= 0
                rows["y"].append(CLASSES.index(kind) if kind in CLASSES else -1)
                rows["upper"].append(both)
                rows["on"].append(both and upper is not None and found[upper][1] == block)
                rows["text"].append(state.lines[i].text[:60])
                rows["family"].append(entry["family"])
            rows["x"].append(x)
            rows["rule"] += [CLASSES.index(kind) for kind in kinds]
            rows["rule_on"] += goes_on
        print(name, flush=True)
    arrays = {name: np.concatenate(values) if name == "x" else np.array(values) for name, values in rows.items()}
    np.savez_compressed(options.out, **arrays)
    print(len(arrays["y"]), {name: int((arrays["y"] == i).sum()) for i, name in enumerate(CLASSES)})


if __name__ == "__main__":
    main()
