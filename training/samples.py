"""Sheets to tensors: patches, the tokens of the Markdown, and labels for the two auxiliary losses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from random import Random

import numpy as np
import torch

from docparse.synthetic import recipes
from docparse.synthetic.fonts import width as text_width
from docparse.synthetic.pdf import rendered
from docparse.synthetic.pixels import draw, turned
from docparse.synthetic.sheet import Run, Sheet
from training import tokens

PATCH = 8
SLOTS = 2  # characters whose centre may lie in one patch
IGNORE = -100
LOOKS = ((draw, 0.6), (rendered, 0.15), (partial(rendered, scale=2.5), 0.25))  # how training sees a page, how often
SHARES = {**dict.fromkeys(recipes.CATEGORIES, 1), "formulas": 2}  # of the categories, in pages that are trained on
CHOICE = 4  # sheets laid out per sheet drawn, so that a batch can be of one length


@dataclass
class Batch:
    """`B` pages of one size, `rows * columns = V` visual tokens each, texts padded to `T`.

    `patches` (B, 4V, 64) grey in -1..1, merge order; `ids` (B, T) with PAD at the end; `dense` (B, V, 4, SLOTS) the
    characters in each patch, 0 for none; `pointer` (B, T) the visual token under each character.
    """

    patches: torch.Tensor
    ids: torch.Tensor
    dense: torch.Tensor
    pointer: torch.Tensor
    rows: int
    columns: int
    decode: bool = True
    """False: the vision tower alone is trained on it."""

    def to(self, device: torch.device | str) -> Batch:
        tensors = ("patches", "ids", "dense", "pointer")
        return replace(self, **{name: getattr(self, name).to(device) for name in tensors})


def batch(seed: str, unit: str, size: int, decode: bool = True, sparse: bool = False) -> Batch:
    """`size` pages of `unit`, of any category and of similar length, all named by `seed`; `sparse`: with few words."""
    rng = Random(seed)
    names = rng.choices(list(SHARES), list(SHARES.values()), k=CHOICE * size)
    if sparse:
        sheets = [page for _, page in recipes.sparse(seed, unit, CHOICE * size)]
    else:
        sheets = [recipes.sheet(f"{seed}/{index}", unit, name) for index, name in enumerate(names)]
    sheets.sort(key=lambda page: len(page.markdown))
    start = rng.randrange(len(sheets) - size + 1)
    (look,) = rng.choices([look for look, _ in LOOKS], [share for _, share in LOOKS])
    return collate(sheets[start : start + size], decode, look)


def collate(sheets: list[Sheet], decode: bool = True, look: Callable[[Sheet], np.ndarray] = draw) -> Batch:
    """Draw `sheets`, which have one size, and stack them."""
    rows, columns = sheets[0].height // 16, sheets[0].width // 16
    parts = [_encode(page, look(page)) for page in sheets]
    length = max(len(ids) for _, ids, _, _ in parts)
    ids = np.full((len(parts), length), tokens.PAD, np.int64)
    pointer = np.full((len(parts), length), IGNORE, np.int64)
    for index, (_, own, _, at) in enumerate(parts):
        ids[index, : len(own)], pointer[index, : len(at)] = own, at
    patches = torch.from_numpy(np.stack([part[0] for part in parts])).float().div_(127.5).sub_(1)
    dense = torch.from_numpy(np.stack([part[2] for part in parts]))
    return Batch(patches, torch.from_numpy(ids), dense, torch.from_numpy(pointer), rows, columns, decode)


def patches(pixels: np.ndarray) -> np.ndarray:
    """Grey pixels as patches of 8 x 8 in the order in which 2 x 2 of them are merged, `(patches, 64)`."""
    height, width = pixels.shape
    grid = pixels.reshape(height // 16, 2, PATCH, width // 16, 2, PATCH)
    return np.ascontiguousarray(grid.transpose(0, 3, 1, 4, 2, 5)).reshape(-1, PATCH * PATCH)


def _encode(page: Sheet, pixels: np.ndarray) -> tuple[np.ndarray, list[int], np.ndarray, list[int]]:
    text, centres = _characters(page)
    ids = [*tokens.encode(text), tokens.EOS]
    rows, columns = page.height // PATCH, page.width // PATCH
    dense = np.zeros((rows, columns, SLOTS), np.int64)
    for char, x, y in _printed(page):
        row, column = _patch(x, y, rows, columns)
        free = int((dense[row, column] != 0).sum())
        if free < SLOTS:
            dense[row, column, free] = tokens.CLASSES.get(char, IGNORE)
    pointer = [_token(centre, rows, columns) for centre in (*centres, None)]
    merged = dense.reshape(rows // 2, 2, columns // 2, 2, SLOTS).transpose(0, 2, 1, 3, 4).reshape(-1, 4, SLOTS)
    return patches(pixels), ids, merged, _filled(pointer, ids)


def _characters(page: Sheet) -> tuple[str, list[tuple[float, float] | None]]:
    """The Markdown and the centre of each character on the picture; None for what is not printed."""
    text: list[str] = []
    centres: list[tuple[float, float] | None] = []
    for piece in page.reading():
        text.append(piece.text)
        if piece.run is None:
            centres += [None] * len(piece.text)
            continue
        places = [(x, y) for _, x, y in _run_characters(page, piece.run)]
        if len(places) != len(piece.text):  # a symbol that is spelled in LaTeX
            places = [places[0]] * len(piece.text)
        centres += places
    return "".join(text), centres


def _printed(page: Sheet) -> list[tuple[str, float, float]]:
    return [found for run in page.runs() for found in _run_characters(page, run)]


def _run_characters(page: Sheet, run: Run) -> list[tuple[str, float, float]]:
    x, y = run.x, run.baseline - 0.36 * run.size
    found = []
    for char in run.text:
        advance = text_width(char, run.face, run.size)
        found.append((char, *turned(page, x + advance / 2, y)))
        x += advance
    return found


def _patch(x: float, y: float, rows: int, columns: int) -> tuple[int, int]:
    return min(max(int(y // PATCH), 0), rows - 1), min(max(int(x // PATCH), 0), columns - 1)


def _token(centre: tuple[float, float] | None, rows: int, columns: int) -> int:
    if centre is None:
        return -1
    row, column = _patch(*centre, rows, columns)
    return row // 2 * (columns // 2) + column // 2


def _filled(pointer: list[int], ids: list[int]) -> list[int]:
    """Line ends look at what was printed last, all other markup and spaces at what is printed next."""
    stay = (tokens.IDS["\n"], tokens.EOS)
    last = IGNORE
    for index, at in enumerate(pointer):
        if at >= 0:
            last = at
        elif ids[index] in stay:
            pointer[index] = last
    following = IGNORE
    for index in reversed(range(len(ids))):
        if pointer[index] == -1:
            pointer[index] = following
        elif ids[index] not in stay:
            following = pointer[index]
    return pointer
