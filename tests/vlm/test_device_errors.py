"""A device without memory and one that fails for ever: what is tried, and what is left of the page."""

import weakref

import pytest
import torch

from docparse.engine.graphs import Graphs
from docparse.errors import DeviceLost
from docparse.vlm import decoding
from docparse.weights.device import responds


@pytest.fixture
def raising(monkeypatch):
    """`raising(reader, when, error)` -> the rows of every pass of its model, which raises where `when(rows)` says."""

    def make(made, when, error):
        decoder = made.vlm.text.decoder
        forward, seen = decoder.forward, []

        def passing(inputs_embeds, **given):
            seen.append(len(inputs_embeds))
            if when(len(inputs_embeds)):
                raise error()
            return forward(inputs_embeds, **given)

        monkeypatch.setattr(decoder, "forward", passing)
        return seen

    return make


def out_of_memory():
    return torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.\nGPU 0 has")


ERRORS = [
    out_of_memory,
    MemoryError,
    lambda: RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 4 bytes"),
    lambda: RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"),
]


@pytest.mark.parametrize("error", ERRORS)
def test_a_page_that_finds_no_memory_once_is_written_after_all(reader, pages, raising, error):
    made, first = reader(lambda *_: "some words"), iter([True])
    raising(made, lambda rows: next(first, False), error)
    page = made.read(pages(1)).page
    assert (page.status, page.engine) == ("ok", "parrot")
    assert "some words" in "".join(block.text for block in page.blocks)


def test_a_page_that_never_finds_memory_is_the_pipelines_and_says_so(reader, pages, found, raising):
    made = reader(lambda *_: "some words")
    seen = raising(made, lambda rows: True, out_of_memory)
    page = made.read(pages(1)).page
    assert len(seen) == 2
    assert (page.status, page.error_category, page.engine) == ("partial", "memory", "pipeline")
    assert page.error == (
        "without model (out of memory); what the pipeline read is kept: try a lower --dpi or --max-tokens"
    )
    assert page.blocks == found(1).page.blocks != ()


@pytest.mark.parametrize("fits", [1, 8])
def test_a_batch_that_does_not_fit_is_halved_until_it_does(reader, pages, page_family, raising, fits):
    def read(most):
        made = reader(lambda picture, _: f"words of {picture.shape[1]}", family=page_family(reads="regions"))
        seen = raising(made, lambda rows: rows > most, out_of_memory)
        return made.read(pages(1)).page, seen

    whole, rows = read(99)
    asked = max(rows)
    assert asked > 8
    page, seen = read(fits)
    assert (page.status, page.engine) == ("ok", "parrot")
    assert page.blocks == whole.blocks
    tried = [rows for rows in seen if rows > fits]
    assert tried == [asked // 2**i for i in range(len(tried))]  # each size once: what did not fit is not tried again


def test_a_region_that_does_not_fit_alone_stays_as_the_pipeline_read_it(reader, pages, found, page_family, monkeypatch):
    made = reader(lambda *_: "word", family=page_family(reads="regions"))
    prompt, widths = made.vlm.prompt, []

    def too_wide(encoded):
        widths.append(encoded.width)
        if encoded.width == widest:
            raise out_of_memory()
        return prompt(encoded)

    widest = 0
    monkeypatch.setattr(made.vlm, "prompt", too_wide)
    made.read(pages(1))
    widest, asked = max(widths), len(widths)
    large = widths.count(widest)
    page = made.read(pages(1)).page
    assert (page.status, page.error_category, page.engine) == ("partial", "memory", "parrot")
    regions = f"{large} of {asked} regions: not enough memory for the model: what the pipeline read there is kept; "
    assert page.error == f"{regions}try a lower --dpi"
    said = [block.text for block in page.blocks]
    known = {block.text.replace("\xad", "") for block in found(1).page.blocks}
    assert said.count("word") == asked - large
    assert all(text == "word" or text.replace("\xad", "") in known for text in said)


def test_nothing_of_a_batch_that_did_not_fit_is_held_when_the_next_is_tried(reader, pages, monkeypatch):
    """Neither its prompts, by the error's traceback, nor its cache, for the next one."""
    made = reader(lambda *_: "some words")
    text, prompt = made.vlm.text, made.vlm.prompt
    prompts = []
    held = []

    def watched(encoded):
        held.append((any(each() is not None for each in prompts), len(text.spare.caches)))
        made_prompt = prompt(encoded)
        prompts.append(weakref.ref(made_prompt.embeds))
        return made_prompt

    def head(hidden):
        raise out_of_memory()

    monkeypatch.setattr(made.vlm, "prompt", watched)
    made.read(pages(1))
    assert len(text.spare.caches) == 1  # kept, where all went well
    object.__setattr__(text, "head", head)
    made.read(pages(1))
    assert held[2:] == [(False, 0)]
    assert len(held) == 3


def test_passes_that_find_no_memory_to_be_captured_in_are_captured_when_there_is_some():
    captured = []

    def capture(compute):
        if not captured:
            captured.append(False)
            raise out_of_memory()
        captured.append(True)
        return compute

    graphs = Graphs(capture)
    graphs.run("key", 1, 1, lambda: torch.zeros(1))  # a pass is captured when it comes again
    with pytest.raises(torch.OutOfMemoryError):
        graphs.run("key", 1, 1, lambda: torch.zeros(1))
    graphs.forget()
    for _ in range(2):
        graphs.run("key", 1, 1, lambda: torch.zeros(1))
    assert captured == [False, True]


ASSERTED = "CUDA error: device-side assert triggered\nSearch for `cudaErrorAssert' in the documentation"


@pytest.mark.parametrize("kind", [torch.AcceleratorError, RuntimeError])
def test_a_device_that_is_lost_is_no_matter_of_one_page(reader, pages, raising, monkeypatch, kind):
    made = reader(lambda *_: "some words")
    seen = raising(made, lambda rows: len(seen) > 3, lambda: kind(ASSERTED))
    monkeypatch.setattr(decoding, "responds", lambda device: len(seen) <= 3)
    for passes in (4, 5):
        with pytest.raises(DeviceLost) as caught:
            made.read(pages(1))
        assert str(caught.value) == "the device failed: CUDA error: device-side assert triggered"
        assert len(seen) == passes  # nothing is tried again here


def test_a_device_that_answers_on_costs_the_page_its_model_only(reader, pages, found, raising, monkeypatch):
    made, first = reader(lambda *_: "some words"), iter([True])
    raising(made, lambda rows: next(first, False), lambda: torch.AcceleratorError("CUDA error: invalid argument"))
    page = made.read(pages(1)).page
    assert (page.status, page.error_category) == ("partial", "model")
    assert page.blocks == found(1).page.blocks
    assert made.read(pages(1)).page.status == "ok"


def test_where_a_pass_failed_is_in_the_log(reader, pages, raising, caplog):
    made = reader(lambda *_: "some words")
    raising(made, lambda rows: True, ZeroDivisionError)
    with caplog.at_level("DEBUG", "docparse"):
        made.read(pages(1))
    assert "in passing\n    raise error()" in caplog.text


def test_on_a_cpu_no_device_is_asked_for_anything(reader, pages, raising, monkeypatch):
    for module, name in ((torch.accelerator, "synchronize"), (torch.accelerator, "empty_cache"), (torch.cuda, "init")):
        monkeypatch.setattr(module, name, lambda *_: pytest.fail("there is no device"))
    for error in (out_of_memory, ZeroDivisionError):
        made = reader(lambda *_: "some words")
        raising(made, lambda rows: True, error)
        assert made.read(pages(1)).page.engine == "pipeline"


def test_a_device_that_fails_every_call_is_found_by_asking_it(monkeypatch):
    def poisoned(device):
        raise torch.AcceleratorError(ASSERTED)

    monkeypatch.setattr(torch.accelerator, "synchronize", poisoned)
    assert not responds(torch.device("cuda"))
    monkeypatch.setattr(torch.accelerator, "synchronize", lambda device: None)
    assert responds(torch.device("cuda"))
