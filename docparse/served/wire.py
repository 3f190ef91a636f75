"""What is sent for a picture, and what comes back: bodies of HTTP, without the HTTP."""

from __future__ import annotations

import base64
import io
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec
import numpy as np

Ending = Literal["stop", "length"]
Kind = Literal["temporary", "permanent", "gone"]

FAST = 1  # of PNG's nine levels; on a scan of 2339 x 1655 pixels 0.34 s and 1.8 MB, where the usual 6 takes 0.77 s
EXCERPT = 160  # characters of a server's own words in a message


@dataclass(frozen=True, eq=False)
class ServedRequest:
    """A picture (uint8 RGB [height, width, 3]) and what the model is told to do with it.

    `text_first`: the instruction goes before the picture. `system` is a message of the system, None for none. `body`
    has further fields of the request.
    """

    picture: np.ndarray
    instruction: str
    max_tokens: int
    text_first: bool = False
    system: str | None = None
    body: Mapping[str, Any] = field(default_factory=dict)

    def encoded(self, model: str) -> bytes:
        """Return the body of a chat completion: the picture as PNG in a data URL, decoded greedily."""
        picture = {"type": "image_url", "image_url": {"url": _data_url(self.picture)}}
        text = [{"type": "text", "text": self.instruction}] if self.instruction else []
        content = [*text, picture] if self.text_first else [picture, *text]
        system = [] if self.system is None else [{"role": "system", "content": self.system}]
        body = {
            "model": model,
            "messages": [*system, {"role": "user", "content": content}],
            "max_tokens": self.max_tokens,
            "temperature": 0.0,
            **self.body,
        }
        return msgspec.json.encode(body)


def _data_url(picture: np.ndarray) -> str:
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(picture).save(file, "PNG", compress_level=FAST)
    return "data:image/png;base64," + base64.b64encode(file.getbuffer()).decode("ascii")


def without(body: bytes, names: Collection[str]) -> bytes:
    """Return a request without these fields. Without `max_tokens` the limit is the room in the server's context."""
    fields: dict[str, msgspec.Raw] = msgspec.json.decode(body, type=dict[str, msgspec.Raw])
    return msgspec.json.encode({name: value for name, value in fields.items() if name not in names})


@dataclass(frozen=True)
class RequestFailure:
    """Why there is no answer, in one line. `temporary`: it was tried as often as allowed, and may work later;
    `permanent`: the server refused just this request; `gone`: there is no use in asking this server for anything."""

    kind: Kind
    line: str


@dataclass(frozen=True)
class RequestOutcome:
    """A model's text and the number of its tokens (0 where the server does not tell), or why there is none.
    `attempts` are the times that it was sent, `seconds` those of the last one."""

    text: str = ""
    tokens: int = 0
    ending: Ending = "stop"
    failure: RequestFailure | None = None
    attempts: int = 0
    seconds: float = 0.0


class Nonsense(Exception):
    """An answer that is none; `str(error)` says what is wrong with it."""


class _Message(msgspec.Struct):
    content: str | None = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None


class _Usage(msgspec.Struct):
    completion_tokens: int | None = None


class _Completion(msgspec.Struct):
    choices: list[_Choice]
    usage: _Usage | None = None


ENDINGS: Mapping[str | None, Ending] = {None: "stop", "stop": "stop", "length": "length"}


def outcome_of(content: bytes) -> RequestOutcome:
    """Return what a chat completion says. Raises `Nonsense`."""
    try:
        completion = msgspec.json.decode(content, type=_Completion)
    except msgspec.DecodeError as error:
        raise Nonsense(f"no chat completion ({error})") from None
    if not completion.choices:
        raise Nonsense("a chat completion without a choice")
    choice = completion.choices[0]
    if choice.message.content is None:
        raise Nonsense("a chat completion without text")
    if choice.finish_reason not in ENDINGS:
        raise Nonsense(f"a chat completion that ended with {excerpt(choice.finish_reason or '')!r}")
    tokens = completion.usage.completion_tokens if completion.usage else None
    return RequestOutcome(choice.message.content, tokens or 0, ENDINGS[choice.finish_reason])


def refusal_of(content: bytes) -> str:
    """Return a server's own words for an error, in one short line; "" where it has none. They are in `error.message`
    (OpenAI, vLLM, llama.cpp), `message` (SGLang) or `detail` (`transformers serve`)."""
    try:
        said = msgspec.json.decode(content)
    except msgspec.DecodeError:
        return ""
    for name in ("error", "message", "detail"):
        said = said.get(name, said) if isinstance(said, dict) else said
    return excerpt(said) if isinstance(said, str) else ""


def excerpt(text: str) -> str:
    """Return the beginning of somebody else's text as one printable line."""
    line = " ".join("".join(character if character.isprintable() else " " for character in text).split())
    return line if len(line) <= EXCERPT else line[: EXCERPT - 3] + "..."
