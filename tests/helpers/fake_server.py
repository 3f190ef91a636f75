"""A server of chat completions that misbehaves as it is told, in a thread of a test.

Its answer to a picture is Markdown that says the picture's size and a digest of it, so that pages that were lost,
doubled or mixed up are noticed.
"""

import base64
import hashlib
import json
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL = "rednote-hilab/dots.ocr"
JSON = "application/json"
CONTEXT = "This model's maximum context length is 8192 tokens and your request has 900 input tokens"


def markdown_of(picture: bytes) -> str:
    """Return what the server reads in a PNG."""
    width, height = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
    digest = hashlib.sha256(picture).hexdigest()[:16]
    return f"# Page {digest}\n\nThis page is a picture of {width} x {height} pixels, and it says {digest}.\n"


class FakeServer(ThreadingHTTPServer):
    """`plan(number)` names what is done with the request of that number, from 0: "ok", a status ("500"), one with a
    Retry-After ("429:1"), or a fault that `Handler.answer` knows. `key`: the one that it wants. `delay`: seconds before
    an answer."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def __init__(self, plan: Callable[[int], str] = lambda _: "ok", *, port: int = 0, **options: Any) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.plan = plan
        self.models = options.get("models", [MODEL])
        self.software = options.get("software", "vllm")
        self.listing = options.get("listing", "ok")  # what is done with a look at the list of models
        self.key = options.get("key", "")
        self.delay = options.get("delay", 0.0)
        self.hang = options.get("hang", 60.0)
        self.lock = threading.Lock()
        self.ended = threading.Event()
        self.requests: list[dict[str, Any]] = []  # bodies without their pictures, of the last ones
        self.connections = self.number = self.now = self.most = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def begin(self, body: dict[str, Any]) -> str:
        with self.lock:
            number, self.number = self.number, self.number + 1
            self.now += 1
            self.most = max(self.most, self.now)
            self.requests = [*self.requests[-99:], body]
            return self.plan(number)

    def end(self) -> None:
        with self.lock:
            self.now -= 1

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no news."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: FakeServer

    def setup(self) -> None:
        super().setup()
        with self.server.lock:
            self.server.connections += 1

    def log_message(self, format: str, *args: Any) -> None: ...

    def do_GET(self) -> None:
        if self.refused():
            return
        if self.server.listing != "ok":
            self.act(self.server.listing, {"model": self.server.models[0]}, b"")
        elif self.path == "/v1/models":
            listed = [{"id": name, "object": "model", "owned_by": self.server.software} for name in self.server.models]
            self.reply(200, {"object": "list", "data": listed})
        else:
            self.reply(404, {"detail": "Not Found"})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.refused():
            return
        picture = b""
        for message in body["messages"]:
            for part in message["content"] if isinstance(message["content"], list) else ():
                if part["type"] == "image_url":
                    picture = base64.b64decode(part["image_url"]["url"].partition(",")[2])
                    part["image_url"] = {"url": part["image_url"]["url"][:22]}
        what = self.server.begin(body)
        try:
            self.server.ended.wait(self.server.delay)
            self.act(what, body, picture)
        finally:
            self.server.end()

    def refused(self) -> bool:
        wrong = bool(self.server.key) and self.headers.get("Authorization") != f"Bearer {self.server.key}"
        if wrong:
            self.reply(401, {"error": {"message": f"wrong key: {self.headers.get('Authorization')}"}})
        return wrong

    def act(self, what: str, body: dict[str, Any], picture: bytes) -> None:
        status, _, wait = what.partition(":")
        if status.isdecimal():
            self.reply(int(status), {"error": {"message": f"status {status} as planned"}}, wait)
        elif body["model"] not in self.server.models:
            self.reply(404, {"error": {"message": f"The model `{body['model']}` does not exist."}})
        elif what.startswith("unknown ") and (name := what.removeprefix("unknown ")) in body:
            self.reply(422, {"detail": f"body -> {name}: extra fields are not permitted"})
        elif what == "echo":  # as some do, whatever they refuse
            self.reply(422, {"detail": "one page too many", "input": {**body, "messages": []}})
        elif what == "context" and "max_tokens" in body:
            self.reply(400, {"error": {"message": CONTEXT}})
        else:
            self.answer(what, self.completion(markdown_of(picture)))

    def answer(self, what: str, right: dict[str, Any]) -> None:
        """Send a completion, or what a fault makes of it; after some of them the connection is closed."""
        content = json.dumps(right).encode()
        if what in ("hang", "drop", "cut", "short"):
            self.close_connection = True
        match what:
            case "hang" | "drop":
                self.server.ended.wait(self.server.hang if what == "hang" else 0.0)
            case "cut":
                self.raw(content[: len(content) // 2], length=len(content))
            case "short":
                self.raw(content, length=len(content) + 100)
            case "long":
                self.raw(content, length=len(content) - 10)
            case "html":
                self.raw(b"<html><body><h1>It works!</h1></body></html>", kind="text/html")
            case "empty":
                self.reply(200, right | {"choices": []})
            case "null":
                self.reply(200, self.completion(None))
            case "length" | "abort":
                self.reply(200, right | {"choices": [right["choices"][0] | {"finish_reason": what}]})
            case "endless" | "trickle":
                self.raw(b"{", length=None)
                while not self.server.ended.wait(0.0 if what == "endless" else 0.01):
                    self.wfile.write(b" " * (2**20 if what == "endless" else 1))
            case _:
                self.raw(content)

    # ---- writing

    def completion(self, text: str | None) -> dict[str, Any]:
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        tokens = len((text or "").split())
        usage = {"prompt_tokens": 300, "completion_tokens": tokens, "total_tokens": 300 + tokens}
        return {"object": "chat.completion", "choices": [choice], "usage": usage}

    def reply(self, status: int, content: dict[str, Any], wait: str = "") -> None:
        self.raw(json.dumps(content).encode(), status=status, wait=wait)

    def raw(
        self, content: bytes, *, status: int = 200, length: int | None = -1, kind: str = JSON, wait: str = ""
    ) -> None:
        """Write an answer that says it has `length` bytes; -1: as many as it has, None: until the connection ends."""
        headers = [f"HTTP/1.1 {status} Planned", f"Content-Type: {kind}"]
        headers += [f"Retry-After: {wait}"] if wait else []
        headers += [f"Location: {self.server.url}/elsewhere"] if 300 <= status < 400 else []
        said = len(content) if length == -1 else length
        headers += ["Connection: close"] if said is None else [f"Content-Length: {said}"]
        self.wfile.write("\r\n".join([*headers, "", ""]).encode() + content)


def at_random(rate: float, seed: int, faults: tuple[str, ...]) -> Callable[[int], str]:
    """Return a plan in which each request meets one of the faults with a probability of `rate`."""

    def plan(number: int) -> str:
        dice = random.Random(seed * 1_000_003 + number)
        return dice.choice(faults) if dice.random() < rate else "ok"

    return plan


@contextmanager
def serving(server: FakeServer) -> Iterator[FakeServer]:
    """Serve in a thread until the block ends."""
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()
