"""Requests on their way through a model: each comes back once, whatever happens to the others."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from docparse.engine.session import DecodeSession
from docparse.errors import PageError
from docparse.layout.reader import Stopwatch
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.types import Box
from docparse.vlm import decoding as module
from docparse.vlm.decoding import BatchDecoder
from docparse.vlm.requests import VlmRequest


def request(name):
    picture = np.zeros((10, 10, 3), np.uint8)
    return VlmRequest(picture, Box(0, 0, 10, 10), name, MarkdownDialect(), lambda frame: (), 500, Stopwatch())


def to_the_end(decoding):
    found = {}
    while decoding.busy:
        for asked, answer in decoding.advance():
            assert asked.instruction not in found
            found[asked.instruction] = answer
    return found


def written(found):
    return {name: answer.text.characters for name, answer in found.items()}


def words_for(*names):
    return {name: f"some words {name}" for name in names}


@pytest.fixture
def engine(reader):
    return reader(lambda picture, name: f"some words {name}").reader.model


def test_one_that_cannot_be_encoded_costs_the_others_nothing(engine, monkeypatch):
    encode = engine.vlm.encode

    def refuse(picture, instruction):
        if instruction == "r2":
            raise MemoryError("no memory for the picture")
        return encode(picture, instruction)

    monkeypatch.setattr(engine.vlm, "encode", refuse)
    decoding = BatchDecoder(engine, 4)
    decoding.submit([request("r0")])
    decoding.advance()
    decoding.submit([request(f"r{number}") for number in (1, 2, 3)])
    found = to_the_end(decoding)
    assert found.pop("r2").generation.ending == "memory"
    assert written(found) == words_for("r0", "r1", "r3")


def test_a_prompt_without_numbers_fails_alone_and_the_others_go_on(engine, monkeypatch):
    decoding = BatchDecoder(engine, 8)
    decoding.submit([request(f"r{number}") for number in range(3)])
    decoding.advance()
    begun = {id(row) for row in decoding._batch.rows}
    prefill = DecodeSession.prefill

    def without_numbers(self, *given):
        logits = prefill(self, *given)
        return replace(logits, every=logits.every * float("nan"))

    monkeypatch.setattr(DecodeSession, "prefill", without_numbers)
    decoding.submit([request("bad")])
    [(asked, answer)] = decoding.advance()
    assert asked.instruction == "bad" and isinstance(answer, PageError)
    assert {id(row) for row in decoding._batch.rows} == begun
    monkeypatch.setattr(DecodeSession, "prefill", prefill)
    decoding.submit([request("next")])  # where the bad one's numbers were
    assert written(to_the_end(decoding)) == words_for("r0", "r1", "r2", "next")


def test_of_several_that_fail_together_only_the_one_that_is_why_fails(engine, monkeypatch):
    start = type(engine).start

    def failing(self, encodings):
        if any(each.request.instruction == "bad" for each in encodings):
            raise ValueError("no such picture")
        return start(self, encodings)

    monkeypatch.setattr(type(engine), "start", failing)
    decoding = BatchDecoder(engine, 8)
    decoding.submit([request("r0"), request("bad"), request("r1")])
    found = to_the_end(decoding)
    assert isinstance(found.pop("bad"), ValueError)
    assert written(found) == words_for("r0", "r1")


def test_a_batch_that_was_halved_grows_again(engine, monkeypatch):
    decoder, hungry = engine.vlm.text.decoder, [True]
    forward = decoder.forward

    def once(**given):
        if hungry:
            hungry.clear()
            raise torch.OutOfMemoryError("CUDA out of memory")
        return forward(**given)

    monkeypatch.setattr(decoder, "forward", once)
    decoding = BatchDecoder(engine, 8)
    decoding.submit([request(f"r{number}") for number in range(8)])
    decoding.advance()
    assert decoding.max_rows == 4
    decoding.submit([request(f"more {number}") for number in range(module.ANSWERS_BEFORE_DOUBLING)])
    assert len(to_the_end(decoding)) == 8 + module.ANSWERS_BEFORE_DOUBLING
    assert decoding.max_rows == 8


def test_outputs_that_outgrow_the_memory_begin_again_later(engine, monkeypatch):
    decoding = BatchDecoder(engine, 4)
    decoding.submit([request(f"r{number}") for number in range(4)])
    decoding.advance()
    monkeypatch.setattr(decoding._batch, "needs", lambda *given: len(decoding._batch.rows))
    decoding._budget = 2
    decoding.advance()
    assert len(decoding._batch.rows) == 2
    monkeypatch.undo()
    assert written(to_the_end(decoding)) == words_for("r0", "r1", "r2", "r3")
