"""The look at a server before anything is converted: is it there, and does it serve the model."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass

import msgspec
import numpy as np

from docparse.errors import EnvironmentProblem
from docparse.models.family import Family
from docparse.models.registry import families, family_named
from docparse.served.address import Address
from docparse.served.background import Background
from docparse.served.exchange import HttpAnswer, NoAnswer, exchange, open_client
from docparse.served.wire import ServedRequest, excerpt, refusal_of

LIST_SECONDS = 30.0
LOAD_SECONDS = 600.0  # some servers load a model when it is first asked for
SHOWN = 8  # names of models in a message
# How servers call themselves in `owned_by`. These list what they serve; others may serve what they do not list.
SOFTWARE = ("vllm", "sglang", "llamacpp")
OVERLOADED = (408, 425, 429)


@dataclass(frozen=True)
class Served:
    """A model by the name that the server has for it, and the server's software ("" for any other than `SOFTWARE`)."""

    name: str
    software: str = ""


class _Model(msgspec.Struct):
    id: str
    owned_by: str | None = None


class _Models(msgspec.Struct):
    data: list[_Model]


def check_server(url: str, model: str = "", *, family: Family | None = None, offline: bool = False) -> Served:
    """Return the served model that is named `model`, or else the one of the `family`, or else the only one.

    A small picture is sent to it, so that a model that takes no pictures is found out. Raises `UsageError` for what is
    no address, and `EnvironmentProblem` in one line for a server that is not there, refuses the key, is none of this
    kind, or does not serve the model.
    """
    address = Address.of(url, offline=offline)
    with closing(Background("docparse-check")) as background:
        return background.run(_Check(address, model, family).served())


class _Check:
    def __init__(self, address: Address, model: str, family: Family | None) -> None:
        self.address = address
        self.model = model
        self.family = family

    async def served(self) -> Served:
        async with open_client(self.address) as self.client:
            try:
                models = self._models(await self._ask("/models", LIST_SECONDS))
                served = self._named(models) if self.model else self._chosen(models)
                await self._try(served, listed=served.name in [model.id for model in models])
            except NoAnswer as why:
                raise self._problem(str(why)) from None
            return served

    async def _ask(self, path: str, seconds: float, body: bytes | None = None) -> HttpAnswer:
        """Return the answer, of a second try where the connection broke: a server may close one that was kept."""
        try:
            return await exchange(self.client, self.address.base + path, seconds=seconds, body=body)
        except NoAnswer as why:
            if why.kind != "cut":
                raise
        return await exchange(self.client, self.address.base + path, seconds=seconds, body=body)

    def _models(self, answer: HttpAnswer) -> list[_Model]:
        """Return the list; empty where `transformers serve` cannot make one but a model was named."""
        if answer.status == 200:
            try:
                return msgspec.json.decode(answer.content, type=_Models).data
            except (msgspec.DecodeError, UnicodeDecodeError):
                raise self._problem("the answer is no list of models: is this an OpenAI-compatible server?") from None
        if self.model and answer.status == 500:
            return []
        raise self._refused(answer)

    def _named(self, models: list[_Model]) -> Served:
        """Return the model that was asked for; whether a server has what it does not list, `_try` finds out."""
        software = _software(models)
        if software and self.model not in [model.id for model in models]:
            raise self._problem(f"it does not serve {self.model}, but {_listed(models)}")
        return Served(self.model, software)

    def _chosen(self, models: list[_Model]) -> Served:
        names = [model.id for model in models]
        mine = [name for name in names if self.family is not None and _family_of(name) == self.family.card.name]
        name = next(iter(mine or names), None)
        if name is None or (len(names) > 1 and len(mine) != 1):
            raise self._problem(f"it serves {_listed(models)}: say which by its name there")
        other = _family_of(name)
        if self.family is not None and other and not mine:
            wanted = self.family.card.name
            raise self._problem(f"it serves {excerpt(name)}, which is {other} and not {wanted}: use --model {other}")
        return Served(name, _software(models))

    async def _try(self, served: Served, *, listed: bool) -> None:
        """Raise `EnvironmentProblem` where the model takes no picture. A listed model may be too busy to answer."""
        white = np.full((256, 256, 3), 255, np.uint8)
        body = ServedRequest(white, "Read.", max_tokens=1).encoded(served.name)
        try:
            answer = await self._ask("/chat/completions", LIST_SECONDS if listed else LOAD_SECONDS, body)
        except NoAnswer as why:
            if listed and why.kind == "late":
                return
            raise
        busy = answer.status >= 500 or answer.status in OVERLOADED
        if answer.status != 200 and not (listed and busy):
            raise self._refused(answer, "" if listed else f"{served.name}: ")

    def _refused(self, answer: HttpAnswer, what: str = "") -> EnvironmentProblem:
        return self._problem(what + refused(self.address, answer))

    def _problem(self, line: str) -> EnvironmentProblem:
        return EnvironmentProblem(f"--server {self.address.base}: {line}")


def refused(address: Address, answer: HttpAnswer) -> str:
    """Return what an answer of another status than 200 says, in words that go on from the server's address."""
    if answer.status in (401, 403):
        return address.key_refused
    if 300 <= answer.status < 400:
        return f"it sends to another address (status {answer.status}): give that one"
    said = address.hide(refusal_of(answer.content))
    return f"status {answer.status}" + (f": {said}" if said else "")


def _software(models: list[_Model]) -> str:
    return next((model.owned_by for model in models if model.owned_by in SOFTWARE), "") or ""


def _family_of(name: str) -> str:
    """Return the family that a served name is one of: a repository, the folder that it was loaded from, or such a name
    with more behind it (`-FP8`, `-GGUF:Q8_0`), the longest that fits."""
    last = name.rstrip("/").rpartition("/")[2]
    family = family_named(name) or family_named(last)
    if family is None:
        published = [(_plain(each.card.repository.rpartition("/")[2]), each) for each in families()]
        fitting = [(len(begin), each) for begin, each in published if begin and _plain(last).startswith(begin)]
        family = max(fitting, key=lambda fit: fit[0])[1] if fitting else None
    return family.card.name if family else ""


def _plain(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())


def _listed(models: list[_Model]) -> str:
    names = [excerpt(model.id) for model in models[:SHOWN]]
    more = f" and {len(models) - SHOWN} more" if len(models) > SHOWN else ""
    return ", ".join(names) + more if names else "no model"
