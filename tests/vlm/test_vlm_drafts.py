"""Draft tokens and text: what is written is what is read back, token by token."""

from hypothesis import given
from hypothesis import strategies as st

from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Frame
from docparse.types import Block, Box, Category, Span
from docparse.vlm.drafts import draft_tokens, text_of

PAGE = Box(0, 0, 600, 800)
FRAME = Frame(PAGE, 600, 800)
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=60)


@given(text=TEXTS, noise=st.lists(st.integers(0, 600), max_size=30))
def test_the_text_of_tokens_grows_to_the_text_they_make(tokenizer, text, noise):
    ids = tokenizer.encode(text, add_special_tokens=False)
    read = text_of(ids, tokenizer, frozenset())
    assert read.characters == text
    assert list(read.ends) == sorted(read.ends)
    assert len(read.ends) == len(ids)
    mixed = text_of([*noise, *ids], tokenizer, frozenset())
    assert len(mixed.ends) == len(noise) + len(ids)
    assert mixed.ends[-1:] in ((), (len(mixed.characters),))


def test_end_tokens_are_no_text_but_other_special_tokens_are(tokenizer):
    end = tokenizer.convert_tokens_to_ids("<|end|>")
    ids = [*tokenizer.encode("one<|begin|>two", add_special_tokens=False), end]
    read = text_of(ids, tokenizer, frozenset({end}))
    assert read.characters == "one<|begin|>two"
    assert read.ends[-2:] == (15, 15)


@given(texts=st.lists(st.text("abc de", min_size=1, max_size=20), min_size=1, max_size=6))
def test_every_token_belongs_to_the_part_it_stands_in(tokenizer, texts):
    starts = [sum(map(len, texts[:i])) for i in range(len(texts))]
    read = text_of(tokenizer.encode("".join(texts), add_special_tokens=False), tokenizer, frozenset())
    shares = read.shares(starts)
    assert shares == sorted(shares)
    for share, end in zip(shares, read.ends, strict=True):
        assert starts[share] < end  # its last character is in the part or beyond it
        assert share == len(starts) - 1 or end - 1 < starts[share + 1]


def test_a_block_of_a_draft_begins_at_its_start_and_nothing_written_is_no_draft(tokenizer):
    words = ("The first paragraph.", "A heading", "The lighthouse keeper, again.", "x")
    blocks = [Block(category=Category.TEXT, box=PAGE, spans=(Span(text),)) for text in words]
    draft = draft_tokens(blocks, FRAME, MarkdownDialect(), tokenizer, "ocr")
    assert draft.source == "ocr"
    assert len(draft.starts) == len(blocks)
    for start, text in zip(draft.starts, words, strict=True):
        rest = tokenizer.decode(list(draft.tokens[start:]), clean_up_tokenization_spaces=False)
        assert rest.lstrip("\n").startswith(text)
    picture = Block(category=Category.PICTURE, box=PAGE)
    for nothing in ([], [picture]):
        assert draft_tokens(nothing, FRAME, MarkdownDialect(), tokenizer, "ocr") is None
