"""Where a server is, and the key that it wants: what the user typed and what the environment says."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from docparse.errors import EnvironmentProblem, UsageError
from docparse.network import allow_on_this_machine, forbidden_by, on_this_machine

KEYS = ("DOCPARSE_SERVER_KEY", "OPENAI_API_KEY")  # the first of these that is set goes to the server
EXAMPLE = "give the whole address, such as http://localhost:8000/v1"


@dataclass(frozen=True)
class Address:
    """`base` is the address that `/models` and `/chat/completions` are added to; `key` comes from the variable
    `key_name`. The key is in no message and in no `repr`."""

    base: str
    host: str
    key: str = field(default="", repr=False)
    key_name: str = ""

    @classmethod
    def of(cls, url: str, *, offline: bool = False) -> Address:
        """Return the address for what the user typed, with or without `/v1`, and the key that the environment has.

        With `offline` a server on this machine is still allowed, as the user named it and nothing leaves the machine;
        any other is refused. Raises `UsageError` for what is no address, `EnvironmentProblem` where it is forbidden
        and for a key that cannot be sent.
        """
        try:
            parts = urlsplit(url.strip())
            port, host = parts.port, parts.hostname or ""
        except ValueError:
            raise UsageError(f"--server: not an address: {EXAMPLE}") from None
        if "@" in parts.netloc:  # not shown: a password is in it
            raise UsageError(f"--server: leave out the name and the password, and set {KEYS[0]} instead")
        if parts.scheme not in ("http", "https") or not host or not re.fullmatch(r"[\w.:%-]+", host):
            raise UsageError(f"--server {url}: not an address: {EXAMPLE}")
        if parts.query or parts.fragment:
            raise UsageError(f"--server {url}: an address must not have `?` or `#`: {EXAMPLE}")
        if on_this_machine(host):
            allow_on_this_machine(port or (443 if parts.scheme == "https" else 80))
        elif offline:
            raise EnvironmentProblem(
                f"{forbidden_by()} forbids the connection to {host}: leave it out, or name a server on this machine"
            )
        return cls(f"{parts.scheme}://{parts.netloc}{_path(parts.path)}", host, *_key())

    def hide(self, text: str) -> str:
        """Return somebody else's text without the key, for a message."""
        return text.replace(self.key, "***") if self.key else text

    @property
    def key_refused(self) -> str:
        """Return the words for an answer that the key is missing or wrong."""
        refused = f"the key in {self.key_name} is refused" if self.key_name else "it wants a key"
        return f"{refused}: set {KEYS[0]}"


def _path(path: str) -> str:
    """Return the path with a version in it: gateways have theirs anywhere, servers at the end."""
    path = re.sub(r"/(chat/completions|completions|models)$", "", path.rstrip("/"))
    return path if re.search(r"/v\d+(/|$)", path) else f"{path}/v1"


def _key() -> tuple[str, str]:
    """Return the key that the environment has and the name of its variable, or empty strings."""
    for name in KEYS:
        found = os.environ.get(name, "").strip()
        if found and (not found.isascii() or not found.isprintable() or " " in found):
            raise EnvironmentProblem(f"{name} has characters that keys do not have: set it again")
        if found:
            return found, name
    return "", ""
