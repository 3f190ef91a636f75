"""What is asked of a served model is what a local one is asked, and in the size in which it is seen."""

import json
from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from docparse.layout.reader import Stopwatch
from docparse.logits import Sampling
from docparse.models.registry import families, family_named
from docparse.served import Served, request_for, served_size, text_of
from docparse.served.sizes import RULES
from docparse.served.usage import USAGE
from docparse.types import Box
from docparse.vlm.requests import VlmRequest
from docparse.vlm.served import ServedModel, Serving

ALL = {family.card.name: family for family in families()}
RESIZED = [name for name, family in ALL.items() if getattr(family, "images", "").partition(".")[0] in RULES]
CUT = {*("deepseek-ocr", "deepseek-ocr-2", "unlimited-ocr"), "internvl", "llava-onevision", "llava-next"}
CUT |= {"granite-docling"}
VLLM = Served("model", "vllm")


def picture(width, height):
    return np.full((height, width, 3), 255, np.uint8)


def processor(name):
    """The family's own processor on its published limits, with a tokenizer of nothing."""
    from docparse.models.olmocr import LONGEST_SIDE
    from docparse.models.views import LightOnProcessor, PatchProcessor

    family = ALL[name]
    module, _, kind = family.images.rpartition(".")
    given = {key: value for key, value in family.preprocessing().items() if key != "image_processor_type"}
    images = getattr(import_module(f"transformers.models.{module}"), kind)(**given)
    tokenizer = SimpleNamespace(convert_tokens_to_ids=lambda _: 7, encode=lambda *_, **__: [7])
    if name == "lighton-ocr":
        return LightOnProcessor(tokenizer, "{image}{instruction}", "<image>", images)
    longest = LONGEST_SIDE if name == "olmocr" else None
    return PatchProcessor(tokenizer, "{image}{instruction}", "<image>", images, longest_side=longest)


@pytest.mark.parametrize("name", RESIZED)
@pytest.mark.parametrize("size", [(620, 877), (4, 900)])
def test_the_size_is_the_one_that_the_adapters_image_processor_makes(name, size):
    encoded = processor(name).encode(picture(*size), "")
    assert served_size(ALL[name], *size) == (encoded.width, encoded.height)


@pytest.mark.parametrize("name", RESIZED)
@given(width=st.integers(1, 9000), height=st.integers(1, 9000))
@example(width=2480, height=3508)
@example(width=9000, height=1)
def test_a_picture_of_that_size_is_left_as_it_is(name, width, height):
    size = served_size(ALL[name], width, height)
    assert served_size(ALL[name], *size) == size


@pytest.mark.parametrize("name", RESIZED)
@given(width=st.integers(40, 9000), height=st.integers(40, 9000))
@example(width=2480, height=3508)
def test_the_size_is_transformers_own_for_pages_of_any_size(name, width, height):
    """By the function that the image processors ask, as pictures of these sizes would take minutes."""
    family = ALL[name]
    if name in ("olmocr", "lighton-ocr") or max(width, height) > 180 * min(width, height):
        return  # these do more than ask it
    given, path = family.preprocessing(), family.images.partition(".")[0]
    resize = import_module(f"transformers.models.{path}.image_processing_pil_{path}").smart_resize
    limits = {"min_pixels": given["size"]["shortest_edge"], "max_pixels": given["size"]["longest_edge"]}
    limits["factor"] = given["patch_size"] * given["merge_size"]
    if path == "glm46v":
        limits |= {"num_frames": given["temporal_patch_size"], "temporal_factor": given["temporal_patch_size"]}
    rows, columns = resize(height=height, width=width, **limits)
    assert served_size(family, width, height) == (columns, rows)


def test_what_a_family_cuts_by_itself_is_sent_as_it_is():
    assert {*RESIZED} | CUT == set(ALL) >= set(USAGE)
    assert {served_size(ALL[name], 2480, 3508) for name in CUT} == {(2480, 3508)}


@pytest.mark.parametrize("name", sorted(ALL))
def test_picture_and_instruction_are_in_the_order_of_the_familys_chat_format(name):
    family = ALL[name]
    asked = request_for(family, VLLM, picture(300, 200), family.page_instruction, 50)
    assert asked.text_first == (family.chat.index("{instruction}") < family.chat.index("{image}"))
    assert asked.instruction.endswith(family.page_instruction)
    assert asked.picture.shape[1::-1] == served_size(family, 300, 200)


def asked_of(name, software):
    """The request to a server with such software."""
    return request_for(family_named(name), Served("m", software), picture(300, 200), "Read.", 50)


def test_only_vllm_is_sent_the_tokens_around_a_picture():
    for software, marker in (("vllm", "<|img|><|imgpad|><|endofimg|>"), ("sglang", "")):
        assert asked_of("dots.ocr", software).instruction == f"{marker}Read."
    around = family_named("dots.ocr").chat.partition("<|img|>")[2].partition("{image}")[0]
    assert around == "", "the marker is what the chat format has around a picture"


def test_markup_is_asked_for_where_a_server_would_leave_it_out_and_knows_the_fields():
    deepseek = asked_of("deepseek-ocr", "vllm").body
    assert deepseek["skip_special_tokens"] is False
    assert deepseek["vllm_xargs"]["ngram_size"] == 30
    assert asked_of("deepseek-ocr", "sglang").body == {"skip_special_tokens": False, "repetition_penalty": 1.0}
    assert asked_of("deepseek-ocr", "llamacpp").body == asked_of("deepseek-ocr", "").body == {}


def test_repeating_is_punished_as_the_family_says():
    bans = {"ngram_size": 20, "window_size": 50, "whitelist_token_ids": [128821, 128822]}
    asked = {
        "dots.ocr": (1.0, None),
        "hunyuan-ocr": (1.08, None),
        "glm-ocr": (1.1, None),
        "deepseek-ocr-2": (1.0, bans),
    }
    for name, punished in asked.items():
        body = asked_of(name, "vllm").body
        assert (body["repetition_penalty"], body.get("vllm_xargs")) == punished


def test_the_token_that_ends_an_output_is_no_text():
    family = family_named("dots.ocr")
    assert text_of(family, "[]<|endofassistant|>") == text_of(family, "[]") == "[]"


def test_a_page_that_is_read_again_is_drawn_as_its_authors_do():
    sent = []
    server = SimpleNamespace(room=1, submit=lambda request: sent.append(request) or len(sent), finished=lambda _: [])
    for sampling in (None, Sampling(0.3, 0.95, 7)):
        serving = Serving(ServedModel(ALL["olmocr"], VLLM), server)
        words = ALL["olmocr"].page_instruction, ALL["olmocr"].dialect
        asked = VlmRequest(picture(60, 80), Box(0, 0, 60, 80), *words, lambda _: (), 9, Stopwatch(), sampling=sampling)
        serving.submit([asked])
        assert serving.advance() == []
    plain, drawn = (json.loads(each.encoded("model")) for each in sent)
    assert (plain["temperature"], "top_p" in plain, "seed" in plain) == (0.0, False, False)
    assert (drawn["temperature"], drawn["top_p"], drawn["seed"]) == (0.3, 0.95, 7)
