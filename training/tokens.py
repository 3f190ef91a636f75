"""The tokenizer: one token per character, and the tokens that Qwen's models put round an image."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docparse.synthetic.fonts import SYMBOLS, TEXT

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

SPECIAL = (
    "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>", "<|image_pad|>",
    "<|video_pad|>",
)  # fmt: skip
PAD, BOS, EOS, VISION_START, VISION_END, IMAGE, VIDEO = range(7)
CHARACTERS = "\n" + TEXT
FIRST = len(SPECIAL)
IDS = {char: FIRST + index for index, char in enumerate(CHARACTERS)}
UNKNOWN = FIRST + len(CHARACTERS)
VOCABULARY = 192  # a multiple of 64 that holds them all
CLASSES = {**IDS, **{symbol: VOCABULARY + index for index, symbol in enumerate(SYMBOLS)}}
"""What the dense loss tells apart: the characters, and the symbols that Markdown spells in LaTeX."""
PRINTED = VOCABULARY + len(SYMBOLS)

CHAT_TEMPLATE = (
    "{% for m in messages %}{% if m['role'] == 'user' %}{% for c in m['content'] %}"
    "{% if c['type'] == 'image' %}<|vision_start|><|image_pad|><|vision_end|>{% endif %}"
    "{% endfor %}{% else %}{{ m['content'] }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>{% endif %}"
)


def encode(text: str) -> list[int]:
    return [IDS.get(char, UNKNOWN) for char in text]


def decode(ids: list[int]) -> str:
    """The text of `ids` up to the end of the answer, without special tokens."""
    end = ids.index(EOS) if EOS in ids else len(ids)
    return "".join(CHARACTERS[i - FIRST] for i in ids[:end] if FIRST <= i < UNKNOWN)


def tokenizer() -> PreTrainedTokenizerFast:
    """The same mapping for `transformers`, to be saved beside the weights."""
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    vocabulary = {**{name: index for index, name in enumerate(SPECIAL)}, **IDS, "<|unknown|>": UNKNOWN}
    fast = Tokenizer(models.WordLevel(vocabulary, unk_token="<|unknown|>"))
    fast.pre_tokenizer = pre_tokenizers.Split(Regex(r"[\s\S]"), "isolated")
    fast.decoder = decoders.Fuse()
    fast.add_special_tokens([AddedToken(name, special=True, normalized=False) for name in SPECIAL])
    result = PreTrainedTokenizerFast(
        tokenizer_object=fast, bos_token=SPECIAL[BOS], eos_token=SPECIAL[EOS], pad_token=SPECIAL[PAD],
        unk_token="<|unknown|>", clean_up_tokenization_spaces=False,
        extra_special_tokens={
            "image_token": SPECIAL[IMAGE], "video_token": SPECIAL[VIDEO],
            "vision_start_token": SPECIAL[VISION_START], "vision_end_token": SPECIAL[VISION_END],
        },
    )  # fmt: skip
    result.chat_template = CHAT_TEMPLATE
    return result
