"""Numbers as people write them: 2G, 512M, 1.5 GiB, 1 page."""

from __future__ import annotations

import re

SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)
UNITS = ("", "k", "m", "g", "t")  # powers of 1024


def parse_size(text: str) -> int:
    """Return the bytes that `text` stands for: a number, with K, M, G or T for powers of 1024. Raises `ValueError`."""
    match = SIZE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is not a size")
    return int(float(match[1]) * 1024 ** UNITS.index(match[2].lower()))


def shown_size(size: float) -> str:
    """Return a number of bytes in a unit that keeps it short, such as `1.5 GiB`."""
    units = ("bytes", "KiB", "MiB", "GiB", "TiB")
    power = min(len(units) - 1, max(0, int(size).bit_length() - 1) // 10)
    number = size / 1024**power
    return f"{number:.0f} {units[power]}" if number >= 1000 else f"{number:.3g} {units[power]}"


def counted(number: int, word: str) -> str:
    """Return `1 page`, `2 pages`, `1,000 pages`."""
    return f"{number:,} {word}{'s' * (number != 1)}"
