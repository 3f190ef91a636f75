"""A hub on this machine: the two requests docparse makes of the real one, and the ways in which they go wrong."""

import hashlib
import json
import threading
from collections import Counter
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

import pytest
from snapshots import shard

from docparse.models.family import Card
from docparse.weights.pull import Watcher, pull

REPOSITORY = "somebody/model"
COMMIT = "c0ffee" + "0" * 34
CARD = Card("model", REPOSITORY, "", "MIT", 2000)


@dataclass
class FakeHub:
    """`files`: what the repository holds. `cut`: file -> bytes after which its connection breaks, once each."""

    files: dict[str, bytes] = field(default_factory=dict)
    cut: dict[str, list[int]] = field(default_factory=dict)
    stalled: set[str] = field(default_factory=set)  # never answered beyond their first bytes
    swapped: dict[str, bytes] = field(default_factory=dict)  # sent in place of what is listed
    answer: str = ""  # the commit it answers with, in place of the one that was asked for
    branches: dict[str, str] = field(default_factory=lambda: {"main": COMMIT})
    gated: bool = False
    absent: bool = False
    without_ranges: bool = False
    requests: list[tuple[str, str]] = field(default_factory=list)  # file, Range
    revisions: list[str] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)

    def listing(self, revision):
        siblings = [self._entry(name, content) for name, content in self.files.items()]
        return {"id": REPOSITORY, "sha": self.answer or self.branches.get(revision, revision), "siblings": siblings}

    def _entry(self, name, content):
        entry = {"rfilename": name, "size": len(content), "blobId": git_hash(content)}
        if name.endswith(".safetensors"):
            lfs = {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content), "pointerSize": 130}
            entry["lfs"] = lfs
        return entry

    def fetched(self):
        """How often each file was asked for."""
        return Counter(name for name, _ in self.requests)


def git_hash(content):
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


class Answer(BaseHTTPRequestHandler):
    """Large files are redirected to another path, as the hub redirects to its store."""

    protocol_version = "HTTP/1.1"
    hub: FakeHub

    def log_message(self, format, *args):
        """Not to the tests' output."""

    def do_GET(self):
        path = unquote(urlsplit(self.path).path)
        if path.startswith("/api/models/"):
            self._list(path.rpartition("/revision/")[2])
        elif path.startswith("/store/"):
            self._file(path.removeprefix("/store/"))
        elif self.hub.gated:
            self._plain(403, b"Access to it is restricted.", {"X-Error-Code": "GatedRepo"})
        elif path.endswith(".safetensors"):
            self._plain(302, b"", {"Location": f"/store/{path.rpartition('/')[2]}"})
        else:
            self._file(path.rpartition("/")[2])

    def _list(self, revision):
        self.hub.revisions.append(revision)
        if self.hub.absent:
            self._plain(404, b"", {"X-Error-Code": "RepoNotFound"})
        elif revision not in self.hub.branches and len(revision) != 40:
            self._plain(404, b"", {"X-Error-Code": "RevisionNotFound"})
        else:
            self._plain(200, json.dumps(self.hub.listing(revision)).encode(), {"Content-Type": "application/json"})

    def _file(self, name):
        asked = self.headers.get("Range", "")
        self.hub.requests.append((name, asked))
        content = self.hub.swapped.get(name, self.hub.files[name])
        start = 0 if self.hub.without_ranges else int(asked.removeprefix("bytes=").rstrip("-") or 0)
        body = content[start:]
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if name in self.hub.stalled:
            self.wfile.write(body[:10])
            self.hub.closing.wait()
        elif self.hub.cut.get(name):
            self.wfile.write(body[: self.hub.cut[name].pop(0)])
            self.close_connection = True
        else:
            self.wfile.write(body)

    def _plain(self, status, body, headers):
        self.send_response(status)
        for key, value in (headers | {"Content-Length": str(len(body))}).items():
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty hub cache; nothing of the user's settings is seen."""
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_HOME", "HUGGINGFACE_HUB_CACHE", "DOCPARSE_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "hub"


@pytest.fixture
def hub(cache, monkeypatch):
    """With a sharded model, and beside it what docparse must not fetch. It listens on the loopback device only."""
    from huggingface_hub import constants

    content = FakeHub()
    handler = type("Handler", (Answer,), {"hub": content})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    endpoint = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setattr(constants, "ENDPOINT", endpoint)
    template = endpoint + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    names = {f"model-0000{number}-of-00002.safetensors": shard(f"part{number}") for number in (1, 2)}
    index = {"metadata": {}, "weight_map": {f"part{n}": name for n, name in enumerate(names, start=1)}}
    content.files = {
        "README.md": b"# A model",
        "config.json": b'{"model_type": "none"}',
        "tokenizer.json": b"{}",
        "model.safetensors.index.json": json.dumps(index).encode(),
        **names,
        "consolidated.safetensors": shard("all"),
        "pytorch_model.bin": b"a pickle",
        "modeling_model.py": b"raise SystemExit",
        "onnx/config.json": b"{}",
    }
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield content
    content.closing.set()
    server.shutdown()
    server.server_close()


class Noted(Watcher):
    """What a pull tells on its way."""

    def __init__(self):
        self.total = self.done = 0
        self.notes: list[str] = []

    def begin(self, revision, total, there):
        self.total, self.done = total, there

    def arrived(self, count):
        self.done += count

    def note(self, text):
        self.notes.append(text)


@pytest.fixture
def fetch():
    """`fetch(card=CARD, timeout=5.0, watcher=None)` pulls; `fetch.watcher` noted the last pull that had none."""

    def pulled(card=CARD, timeout=5.0, watcher=None):
        pulled.watcher = watcher or Noted()
        return pull(card, timeout=timeout, pause=0.0, watcher=pulled.watcher)

    return pulled
