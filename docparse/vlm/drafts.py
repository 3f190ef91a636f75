"""What the pipeline read, as draft tokens in the model's own markup; and a model's tokens back as text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from docparse.accel.drafts import DraftTokens
from docparse.models.family import Dialect, Frame
from docparse.types import Block


def draft_tokens(
    blocks: Sequence[Block], frame: Frame, dialect: Dialect, tokenizer: Any, source: str
) -> DraftTokens | None:
    """`blocks` in reading order as one draft, or None where the dialect writes none of them.

    The whole draft is tokenised at once, so that tokens merge across the seam of two blocks as they do in the model's
    own output; a block begins at the token that holds its first character.
    """
    draft = dialect.write(blocks, frame)
    encoding = tokenizer.backend_tokenizer.encode(draft.text, add_special_tokens=False)
    if not encoding.ids or not draft.starts:
        return None
    ends = [end for _, end in encoding.offsets]
    starts = sorted({min(bisect_right(ends, start), len(ends) - 1) for start in draft.starts})
    return DraftTokens(tuple(encoding.ids), source, tuple(starts))


@dataclass(frozen=True)
class Text:
    """Tokens as text: after `i + 1` tokens there are `ends[i]` characters of it."""

    characters: str
    ends: tuple[int, ...]

    def shares(self, starts: Sequence[int]) -> list[int]:
        """Return for every token the number of the part it belongs to, where the parts begin at the characters
        `starts`. What stands between two parts belongs to the one before, what comes first to the first one."""
        firsts = (0, *self.ends[:-1])
        lasts = (max(first, end - 1) for first, end in zip(firsts, self.ends, strict=False))
        return [max(0, bisect_right(starts, last) - 1) for last in lasts]


def text_of(tokens: Sequence[int], tokenizer: Any, end: frozenset[int]) -> Text:
    """Return the text of an output, special tokens included except those that end it. A character that several tokens
    make up is there with the last of them; bytes that make up none are left out."""
    from tokenizers.decoders import DecodeStream

    backend = tokenizer.backend_tokenizer
    stream = DecodeStream(skip_special_tokens=False)
    pieces: list[str] = []
    ends: list[int] = []
    length = 0
    for token in tokens:
        piece = None if token in end else stream.step(backend, token)
        if piece:
            pieces.append(piece)
            length += len(piece)
        ends.append(length)
    return Text("".join(pieces), tuple(ends))
