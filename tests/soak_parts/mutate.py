"""Damaged documents from a seed: the same seed and number give the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from soak_parts import mutate_bytes, mutate_images, mutate_streams
from soak_parts.sources import Sources

Way = Callable[[Random, bytes], bytes]

OWN_SHARE = 0.5  # of the damaged documents come from the user's own, where there are some
SCAN_SHARE = 0.15  # need OCR, which takes a second a page and more
TWICE_SHARE = 0.25  # are damaged in two ways
LARGEST = 4 * 2**20  # bytes of a document that is worth damaging
PDF_WAYS: tuple[Way, ...] = (*mutate_bytes.ANY, *mutate_bytes.PDF, *mutate_streams.WAYS)
IMAGE_WAYS: tuple[Way, ...] = (*mutate_bytes.ANY, *mutate_images.WAYS)


@dataclass(frozen=True)
class Mutant:
    """A damaged document; its name says from what and how it was made."""

    name: str
    data: bytes


def mutant(seed: int, number: int, sources: Sources) -> Mutant:
    """Return damaged document `number` of `seed`."""
    random = Random(f"{seed}/mutation/{number}")
    source = random.choice(_kind(random, sources))
    data = source.read_bytes()
    ways = PDF_WAYS if source.suffix.lower() == ".pdf" else IMAGE_WAYS
    names = []
    for _ in range(2 if random.random() < TWICE_SHARE else 1):
        name, data = _damage(random, data, random.choice(ways))
        names.append(name)
    return Mutant(f"{number:05d}-{'-'.join(names)}-{source.stem[:40]}{source.suffix.lower()}", data)


def _kind(random: Random, sources: Sources) -> Sequence[Path]:
    own = [path for path in sources.own if path.stat().st_size <= LARGEST]
    if own and random.random() < OWN_SHARE:
        return own
    return sources.scans if random.random() < SCAN_SHARE else sources.light


def _damage(random: Random, data: bytes, way: Way) -> tuple[str, bytes]:
    """What cannot be damaged in this way, such as a document without streams, has its bytes flipped."""
    try:
        damaged = way(random, data)
    except Exception:  # pypdf and Pillow meet documents here that nobody can read
        damaged = data
    if damaged != data:
        return way.__name__, damaged
    return mutate_bytes.flip_bytes.__name__, mutate_bytes.flip_bytes(random, data)
