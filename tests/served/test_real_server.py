"""A real server, `transformers serve`, in a process of its own, with the model that is shipped.

What the server does differently: it wants a processor class that expands the token of a picture (Qwen3-VL's own needs
torchvision, for videos; PaddleOCR-VL's does the same for pictures), and it cuts reasoning and calls of tools out of
what a Qwen writes, from where an answer begins in Qwen's chat format, which is not the shipped model's. So it serves a
copy of the folder that says both. Pictures, prompt, weights and decoding are those of the shipped model.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from importlib.util import find_spec
from pathlib import Path

import pytest

from docparse.errors import EnvironmentProblem
from docparse.models.registry import family_named
from docparse.served import Served, Server, check_server, request_for, text_of
from docparse.synthetic import recipes
from docparse.synthetic.pixels import draw

SHIPPED = Path(__file__).parents[2] / "docparse" / "data" / "tiny"
NEEDS = ("accelerate", "fastapi", "openai", "uvicorn")  # the extra `serving`
START_SECONDS = 120
TINY = family_named("tiny")
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(
        any(find_spec(name) is None for name in NEEDS), reason=f"`transformers serve` needs {', '.join(NEEDS)}"
    ),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The shipped model as `transformers serve` takes it."""
    copy = tmp_path_factory.mktemp("served") / "tiny"
    shutil.copytree(SHIPPED, copy)
    (copy / "processor_config.json").write_text(json.dumps({"processor_class": "PaddleOCRVLProcessor"}))
    config = json.loads((copy / "tokenizer_config.json").read_text())
    content = {"close_pattern": r"<\|im_end\|>", "content": "text"}
    config["response_template"] = {
        "defaults": {"role": "assistant"},
        "start_anchor": "<|im_start|>",
        "fields": {"content": content},
    }
    (copy / "tokenizer_config.json").write_text(json.dumps(config))
    return copy


@pytest.fixture(scope="module")
def url(folder, tmp_path_factory):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("log") / "serve.log"
    cache = str(folder.parent / "cache")  # that is not there, as on a machine that has downloaded nothing
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "HF_HUB_CACHE": cache, "OMP_NUM_THREADS": "1"}
    command = "from transformers.cli.transformers import main; main()"
    arguments = ["serve", str(folder), "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    with log.open("w") as output:
        server = subprocess.Popen(
            [sys.executable, "-c", command, *arguments], env=environment, stdout=output, stderr=subprocess.STDOUT
        )
    try:
        for _ in range(START_SECONDS * 10):
            with socket.socket() as asked:
                if asked.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert server.poll() is None, log.read_text()
            threading.Event().wait(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(30)


def local(pictures, most):
    """What the shipped model writes when it is loaded here."""
    import torch

    torch.set_num_threads(1)
    model = TINY.load(str(SHIPPED), dtype=torch.float32, device="cpu")
    processor = TINY.processor(str(SHIPPED))
    texts = []
    for picture in pictures:
        encoded = processor.encode(picture, TINY.page_instruction)
        with torch.inference_mode():
            ids = model.generate(**encoded.inputs, max_new_tokens=most, do_sample=False)
        answer = ids[0, encoded.inputs["input_ids"].shape[1] :]
        texts.append(processor.tokenizer.decode(answer, skip_special_tokens=True))
    return texts


def pages():
    """Two short ones."""
    return [draw(sheet) for sheet in recipes.held_out("served", "block", 5)[3:]]


def test_a_served_model_reads_what_a_local_one_reads(url, folder):
    served = check_server(url, str(folder), family=TINY)
    assert served == Served(str(folder), "")
    pictures = pages()
    requests = [request_for(TINY, served, picture, TINY.page_instruction, 400) for picture in pictures]
    with Server(url, model=served.name, in_flight=2, timeout=120.0) as server:
        handles = [server.submit(request) for request in requests]
        found = {}
        while len(found) < len(handles):
            found |= dict(server.finished(120.0))
    outcomes = [found[handle] for handle in handles]
    assert [text_of(TINY, outcome.text) for outcome in outcomes] == local(pictures, 400)
    assert [outcome.ending for outcome in outcomes] == ["stop", "stop"]
    assert [outcome.tokens for outcome in outcomes] == [len(outcome.text) + 1 for outcome in outcomes]  # and an end


def test_an_answer_that_is_cut_is_told_from_one_that_ended(url, folder):
    served = Served(str(folder))
    with Server(url, model=served.name, timeout=120.0) as server:
        server.submit(request_for(TINY, served, pages()[0], "", 5))
        ((_, outcome),) = server.finished(120.0)
    assert (outcome.ending, outcome.tokens) == ("length", 5)


def test_a_model_that_it_does_not_serve_is_an_error_in_its_words(url):
    with pytest.raises(EnvironmentProblem, match="wrong: status 400: Server is pinned to"):
        check_server(url, "wrong", family=TINY)
