"""Keys: which element a glyph belongs to, written as its colour in a second print of the same pages.

Colour moves nothing, so every glyph stands at the same place in both prints, and its colour there says what it is.
"""

from __future__ import annotations

STEP = 8  # of a colour's 256 values; coarse, so that rounding on the way to the PDF does not matter


class Keys:
    """Gives keys to the pieces of text of one print; `labels[key]` is the label of a piece. Key 0 stands for none."""

    def __init__(self, shown: bool) -> None:
        self.shown = shown
        self.labels = [""]

    def new(self, label: str) -> int:
        self.labels.append(label)
        return len(self.labels) - 1


def colour(key: int) -> str:
    """`#rrggbb` for a key below 32,768."""
    parts = (key >> 10 & 31, key >> 5 & 31, key & 31)
    return "#" + "".join(f"{part * STEP + STEP // 2:02x}" for part in parts)


def key_of(red: int, green: int, blue: int) -> int:
    """The key of a colour; 0 for black, white and whatever is no key."""
    if any(value % STEP not in (3, 4, 5) for value in (red, green, blue)):
        return 0
    return (red // STEP) << 10 | (green // STEP) << 5 | blue // STEP
