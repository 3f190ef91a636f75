"""The look at a server before a run: the model's name there, or one line that says what to do."""

import shutil
import ssl
import subprocess

import pytest
from fake_server import MODEL, FakeServer
from fresh import printed

from docparse.errors import EnvironmentProblem, UsageError
from docparse.models.registry import family_named
from docparse.network import forbidden_by
from docparse.served import Served, check_server
from docparse.served.address import Address

DOTS, DEEPSEEK = family_named("dots.ocr"), family_named("deepseek-ocr")


def problem(url, model="", **options):
    with pytest.raises(EnvironmentProblem) as raised:
        check_server(url, model, **options)
    return str(raised.value)


@pytest.mark.parametrize("ending", ["", "/", "/v1", "/v1/", "/v1/models", "/v1/chat/completions"])
def test_an_address_may_be_given_in_many_ways(ending, fake):
    url = fake().url.removesuffix("/v1") + ending
    assert check_server(url) == Served(MODEL, "vllm")
    # gateways keep their own path
    assert Address.of("https://gate.example/openai/v1").base == "https://gate.example/openai/v1"
    assert Address.of("https://gate.example/v1/openai").base == "https://gate.example/v1/openai"
    assert Address.of("https://gate.example/vllm").base == "https://gate.example/vllm/v1"


SEVERAL = {"models": ["qwen/other", "deepseek-ai/DeepSeek-OCR", "/models/dots.ocr"], "software": "sglang"}
FOUND = {  # a server, what is asked for, and what is taken
    "the family's": (SEVERAL, "", DEEPSEEK, Served("deepseek-ai/DeepSeek-OCR", "sglang")),
    "the family's in a folder": (SEVERAL, "", DOTS, Served("/models/dots.ocr", "sglang")),
    "the one that is named": (SEVERAL, "qwen/other", DOTS, Served("qwen/other", "sglang")),
    "the only one": ({"models": ["model"]}, "", DOTS, Served("model", "vllm")),
    "one that is busy": ({"plan": ["429"]}, "", None, Served(MODEL, "vllm")),
    "one whose server is busy": ({"plan": ["503"]}, "", None, Served(MODEL, "vllm")),
    "over a connection that breaks once": ({"plan": ["drop"]}, "", None, Served(MODEL, "vllm")),
    "one that is named, where the list fails": ({"listing": "500"}, MODEL, None, Served(MODEL, "")),
}


@pytest.mark.parametrize(("options", "name", "family", "served"), FOUND.values(), ids=FOUND)
def test_the_model_is_found(options, name, family, served, fake):
    assert check_server(fake(**options).url, name, family=family) == served


NOT_FOUND = {  # a server, what is asked for, and the end of the line
    "one of several": ({"models": ["a", "b"]}, "", DOTS, ": it serves a, b: say which by its name there"),
    "one of many": ({"models": [f"model-{number}" for number in range(20)]}, "", None, "model-7 and 12 more"),
    "one of none": ({"models": []}, "", None, "it serves no model"),
    "another one": ({}, "dots", None, f": it does not serve dots, but {MODEL}"),
    "another family's": ({"models": ["deepseek-ai/DeepSeek-OCR"]}, "", DOTS,
                         "which is deepseek-ocr and not dots.ocr: use --model deepseek-ocr"),
    "one that takes no pictures": ({"plan": ["400"]}, "", None, "status 400: status 400 as planned"),
    **{
        f"in a list that is {listing}": ({"listing": listing}, "", None, words)
        for listing, words in (
            ("html", "the answer is no list of models: is this an OpenAI-compatible server?"),
            ("empty", "the answer is no list of models"),
            ("307", "it sends to another address (status 307): give that one"),
            ("404", "status 404"),
            ("503", "status 503: status 503 as planned"),
            ("cut", "the connection broke"),
            ("endless", "an answer of more than 32 MiB"),
        )
    },
}  # fmt: skip


@pytest.mark.parametrize(("options", "name", "family", "words"), NOT_FOUND.values(), ids=NOT_FOUND)
def test_where_it_is_not_found_the_line_says_why_and_what_there_is(options, name, family, words, fake):
    url = fake(**options).url
    line = problem(url, name, family=family)
    assert line.startswith(f"--server {url}") and words in line


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("ggml-org/DeepSeek-OCR-GGUF:Q8_0", "deepseek-ocr"),
        ("someone/DeepSeek-OCR-2-AWQ", "deepseek-ocr-2"),
        ("allenai/olmOCR-2-7B-1025-FP8", "olmocr"),
        ("/models/GLM-OCR-Q8_0.gguf", "glm-ocr"),
        ("tiny-something", ""),
    ],
)
def test_copies_of_a_model_are_known_by_the_beginning_of_their_name(name, family, fake):
    line = problem(fake(models=[name, "other"]).url, family=DOTS)
    assert line.endswith("say which by its name there")
    only = fake(models=[name]).url
    if family:
        assert check_server(only, family=family_named(family)) == Served(name, "vllm")
        assert f"which is {family} and not dots.ocr" in problem(only, family=DOTS)
    else:
        assert check_server(only, family=DOTS) == Served(name, "vllm")


def test_a_server_that_does_not_list_all_that_it_serves_is_asked_for_the_model(fake):
    quiet = fake(models=[MODEL], software="somebody")
    quiet.models = [MODEL, "unlisted"]
    assert check_server(quiet.url, "unlisted") == Served("unlisted", "")
    assert "wrong: status 404: The model `wrong` does not exist." in problem(quiet.url, "wrong")


def test_a_key_that_is_missing_or_wrong(fake, monkeypatch):
    locked = fake(key="sk-right")
    assert problem(locked.url).endswith("it wants a key: set DOCPARSE_SERVER_KEY")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong")
    line = problem(locked.url)
    assert line.endswith("the key in OPENAI_API_KEY is refused: set DOCPARSE_SERVER_KEY")
    assert "sk-wrong" not in line
    monkeypatch.setenv("DOCPARSE_SERVER_KEY", " sk-right\n")
    assert check_server(locked.url) == Served(MODEL, "vllm")
    monkeypatch.setenv("DOCPARSE_SERVER_KEY", "sk right")
    assert problem(locked.url) == "DOCPARSE_SERVER_KEY has characters that keys do not have: set it again"


def test_a_server_that_is_not_there_or_without_tls(fake):
    ended = FakeServer()
    ended.server_close()
    assert problem(ended.url) == f"--server {ended.url}: no connection (Connection refused)"
    assert "no connection (" in problem("http://nowhere.invalid:8000")
    assert "it does not speak TLS: try http://" in problem(fake().url.replace("http:", "https:"))


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
def test_a_certificate_that_nobody_knows(fake, tmp_path, monkeypatch):
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    files = ["-keyout", str(key), "-out", str(certificate), "-days", "2"]
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *files, *names], check=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server = fake()
    server.socket = context.wrap_socket(server.socket, server_side=True)
    url = server.url.replace("http:", "https:")
    assert "its certificate is not trusted (" in problem(url)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert check_server(url) == Served(MODEL, "vllm")


@pytest.mark.parametrize(
    "url",
    ["", "localhost:8000", "ftp://host", "http://", "http://host:port", "http://a b", "http://h/v1?x=1", "http://["],
)
def test_what_is_no_address(url):
    with pytest.raises(UsageError, match="--server"):
        check_server(url)


def test_a_password_in_the_address_is_refused_and_not_shown():
    with pytest.raises(UsageError, match="set DOCPARSE_SERVER_KEY instead") as raised:
        check_server("http://me:secret@host:8000")
    assert "secret" not in str(raised.value)


def test_a_proxy_is_not_asked_for_this_machine(fake, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    assert check_server(fake().url) == Served(MODEL, "vllm")
    assert "no connection" in problem("http://192.0.2.1:8000")  # by way of the proxy: at once


OFFLINE = """
import socket
from docparse.errors import EnvironmentProblem
from docparse.network import forbid_network
from docparse.served import check_server
forbid_network()
for url in ({here!r}, {here!r}.replace("127.0.0.1", "localhost"), "http://192.0.2.1:8000"):
    try:
        print(check_server(url, offline=True).name)
    except EnvironmentProblem as error:
        print(error)
try:
    socket.create_connection(("127.0.0.1", 9), timeout=1)
except EnvironmentProblem as error:
    print(error)
import sys
print(sorted({{"torch", "transformers", "openai"}} & set(sys.modules)))
"""


def test_offline_a_server_on_this_machine_is_asked_and_no_other_nor_another_port(fake):
    assert printed(OFFLINE.format(here=fake().url)) == [
        MODEL,
        MODEL,
        f"{forbidden_by()} forbids the connection to 192.0.2.1: leave it out, or name a server on this machine",
        f"{forbidden_by()} forbids the connection to 127.0.0.1: leave it out to allow downloads",
        "[]",  # what reads pages by a server needs none of these
    ]
