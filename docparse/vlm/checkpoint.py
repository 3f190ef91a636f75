"""The checkpoint is asked: what the files in its folder say, held against what the adapter has."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import compress, product
from pathlib import Path
from typing import Any

import msgspec

from docparse.errors import one_line
from docparse.models.family import Family, Processor, ids_of

NEUTRAL = "Read this."  # an instruction that no template treats as its own
PICTURE = -1  # stands for the visual tokens of a picture in a row of ids
CONTEXT = 4  # tokens shown before a difference, and from it on
LISTED = ("size", "image_mean", "image_std", "patch_size", "merge_size", "temporal_patch_size")  # of pictures


class CheckpointFact(msgspec.Struct, frozen=True):
    """One thing that the folder says: `about` it, whether the adapter has the `same`, and both sides in a line."""

    about: str
    same: bool
    text: str


def checkpoint_facts(
    folder: str, family: Family, processor: Processor, *, end: frozenset[int], trained: bool
) -> list[CheckpointFact]:
    """Return what the folder's chat template, generation settings and picture settings say, as far as it has them.
    `end` are the tokens that end an output here. A copy that was not `trained` has pictures of its own size."""
    found = [*_template(folder, processor, family), *_generation(folder, family, processor, end)]
    return found + (list(_pictures(family, processor)) if trained else [])


# ---- the chat template


def template_of(folder: str) -> tuple[str, str]:
    """Return the chat template and the file it stands in, as transformers would pick it; "" where there is none."""
    file = Path(folder) / "chat_template.jinja"
    if file.is_file():
        return file.read_text(encoding="utf-8", errors="replace"), file.name
    for name in ("chat_template.json", "tokenizer_config.json"):
        said = _json(folder, name).get("chat_template")
        if isinstance(said, list):  # several with names; the default one is meant for chats
            said = {each.get("name"): each.get("template") for each in said if isinstance(each, dict)}.get("default")
        if isinstance(said, str) and said:
            return said, name
    return "", ""


def _template(folder: str, processor: Processor, family: Family) -> Iterator[CheckpointFact]:
    """Compare the prompt of one turn with a picture, token by token, for the page's instruction and a neutral one."""
    template, file = template_of(folder)
    told = (family.page_instruction, NEUTRAL) if family.page_instruction else ("",)  # to one that takes none: none
    for instruction in told if template else ():
        ours = prompt(processor, instruction)
        try:
            texts = _rendered(template, processor, family, instruction, ours)
        except Exception as error:
            trouble = f"{file} cannot be rendered ({one_line(error)}); the adapter's prompt is used"
            yield CheckpointFact("chat template", False, trouble)
            return
        theirs = [_encoded(processor, text, set(ours.pictures)) for text in texts]
        forms = _forms(ours.ids, processor.tokenizer)
        if not any(ids in forms for ids in theirs):
            nearest = max(product(theirs, forms), key=lambda pair: _common(*pair))
            yield CheckpointFact("chat template", False, _difference(file, *nearest, processor.tokenizer))
            return
    if template:
        yield CheckpointFact("chat template", True, f"{file} renders to the adapter's prompt, token by token")


@dataclass(frozen=True)
class PromptIds:
    """`ids` of a prompt with its picture as one; `pictures` are the tokens which that stands for."""

    ids: list[int]
    pictures: Sequence[int]


def prompt(processor: Processor, instruction: str) -> PromptIds:
    """Return the adapter's prompt for a small white picture."""
    import numpy as np

    encoded = processor.encode(np.full((96, 96, 3), 255, np.uint8), instruction)
    ids = [int(each) for each in encoded.inputs["input_ids"][0]]
    visual = [bool(each) for each in encoded.visual]
    first, last = visual.index(True), len(visual) - visual[::-1].index(True)  # with what stands between its parts
    return PromptIds([*ids[:first], PICTURE, *ids[last:]], list(compress(ids, visual)))


def _rendered(template: str, processor: Processor, family: Family, instruction: str, ours: PromptIds) -> list[str]:
    """Return the turn as authors write it: the picture before or after the words, or inside them as tokens (dots.ocr),
    without a system message or after an empty one (HunyuanOCR). Raises what the template raises for all of them."""
    from transformers.utils.chat_template_utils import render_jinja_template

    picture, words = {"type": "image"}, [{"type": "text", "text": instruction}] if instruction else []
    contents: list[Any] = [[picture, *words], [*words, picture]]
    if family.picture_in_text:
        contents.append(_spelled(ours, processor.tokenizer) + instruction)
    special = dict(processor.tokenizer.special_tokens_map)
    texts, troubles = [], []
    systems: list[list[dict[str, Any]]] = [[], [{"role": "system", "content": ""}]]
    for before, content in product(systems, contents):
        chat = [*before, {"role": "user", "content": content}]
        try:
            made: Any = render_jinja_template([chat], chat_template=template, add_generation_prompt=True, **special)
            texts.append(made[0][0])
        except Exception as error:  # this template has no such turn; a template is a program and may raise anything
            troubles.append(error)
    if not texts:
        raise troubles[0]
    return texts


def _spelled(ours: PromptIds, tokenizer: Any) -> str:
    """Return one picture as the tokens that stand for it, with the special ones on both sides."""
    at, special = ours.ids.index(PICTURE), set(tokenizer.get_added_vocab().values())
    sides = [[each for each in ids if each in special] for ids in (ours.ids[at - 1 : at], ours.ids[at + 1 : at + 2])]
    return str(tokenizer.decode([*sides[0], ours.pictures[0], *sides[1]]))


def _encoded(processor: Processor, text: str, pictures: set[int]) -> list[int]:
    """Return the ids of a rendered turn, with the tokenizer's own beginning unless the text has it, as transformers."""
    tokenizer = processor.tokenizer
    begun = tokenizer.bos_token is not None and text.startswith(tokenizer.bos_token)
    ids = [PICTURE if each in pictures else each for each in tokenizer.encode(text, add_special_tokens=not begun)]
    return [each for before, each in zip([None, *ids], ids, strict=False) if each != PICTURE or before != PICTURE]


def _forms(ours: list[int], tokenizer: Any) -> list[list[int]]:
    """Return the prompt, and the same without the special tokens on both sides of its picture: some checkpoints'
    processors write these and their templates do not (InternVL one before and one after, Idefics3 two and one)."""
    at, special = ours.index(PICTURE), set(tokenizer.get_added_vocab().values())
    after = set(ours[at + 1 : at + 2])
    framed = [count for count in (1, 2) if count <= at and after.union(ours[at - count : at]) <= special]
    return [ours, *([*ours[: at - count], PICTURE, *ours[at + 2 :]] for count in framed)]


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))


def _difference(file: str, theirs: Sequence[int], ours: Sequence[int], tokenizer: Any) -> str:
    at = _common(theirs, ours)

    def shown(ids: Sequence[int]) -> str:
        text = "".join("<picture>" if each == PICTURE else tokenizer.decode([each]) for each in ids)
        return repr(text) if ids else "nothing"

    after, until = shown(ours[max(0, at - CONTEXT) : at]), slice(at, at + CONTEXT)
    has = f"{file} has {shown(theirs[until])} where the adapter has {shown(ours[until])}"
    return f"{has}, at token {at} of the prompt, after {after}"


# ---- how it is decoded, and what pictures it takes


def _generation(folder: str, family: Family, processor: Processor, end: frozenset[int]) -> Iterator[CheckpointFact]:
    said = _json(folder, "generation_config.json")
    if ends := ids_of(said.get("eos_token_id")):
        missing = [f"{each} ({processor.tokenizer.decode([each])})" for each in sorted(ends - end)]
        text = _both("generation_config.json", missing or sorted(ends), sorted(end))
        yield CheckpointFact("end tokens", not missing, text)
    rules = family.logits
    for key, setting, none in (("repetition_penalty", "penalty", 1.0), ("no_repeat_ngram_size", "size", 0)):
        theirs = said.get(key) or none
        ours = next((vars(rule)[setting] for rule in rules if setting in vars(rule)), none)
        if theirs != none and not rules:
            left_out = "which is left out: it makes digits and cells that come again wrong"
            yield CheckpointFact(key.replace("_", " "), True, f"generation_config.json has {theirs}, {left_out}")
        elif theirs != none:
            yield CheckpointFact(key.replace("_", " "), theirs == ours, _both("generation_config.json", theirs, ours))
    most = said.get("max_new_tokens")
    if isinstance(most, int):
        both = _both("generation_config.json", f"{most} tokens", family.max_tokens)
        more = ", which lets it write more and cuts nothing off" if most < family.max_tokens else ""
        yield CheckpointFact("output length", most <= family.max_tokens, both + more)


def _pictures(family: Family, processor: Processor) -> Iterator[CheckpointFact]:
    """Both through the same class, which knows all the spellings of its settings."""
    from docparse.models.native import PREPROCESSING, NativeFamily

    images = getattr(processor, "images", None)
    if images is None or not isinstance(family, NativeFamily):
        return
    module, _, name = family.images.rpartition(".")
    published = getattr(import_module(f"transformers.models.{module}"), name)(**family.preprocessing())
    other = [name for name in LISTED if _plain(images, name) != _plain(published, name)]
    for name in other:
        yield CheckpointFact(name, False, _both(PREPROCESSING, _plain(images, name), _plain(published, name)))
    if not other:
        yield CheckpointFact("picture settings", True, f"{PREPROCESSING} has the published sizes and normalisation")


def _plain(images: Any, name: str) -> Any:
    value = getattr(images, name, None)
    if isinstance(value, (list, tuple)):
        return [round(float(each), 4) for each in value]
    return {key: each for key, each in dict(value).items() if each} if name == "size" and value else value


def _both(file: str, theirs: object, ours: object) -> str:
    return f"{file} has {theirs}, the adapter {ours}"


def _json(folder: str, name: str) -> Mapping[str, Any]:
    """Return what a file of the folder says; nothing where it is not there or is no dictionary."""
    try:
        said = json.loads((Path(folder) / name).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}
