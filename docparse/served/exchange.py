"""One exchange with a server over HTTP, bounded in time and in size; every way in which it fails is one of three."""

from __future__ import annotations

import asyncio
import os
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Literal

from docparse import __version__
from docparse.network import on_this_machine
from docparse.served.address import Address
from docparse.served.wire import excerpt

if TYPE_CHECKING:
    import httpx2

CONNECT_SECONDS = 10.0
LARGEST = 32 * 2**20  # bytes of an answer; 32,000 tokens of text are less than one MiB


class NoAnswer(Exception):
    """An exchange without an answer. `str(error)` says why, in words that go on from the server's address.
    `unreachable`: there was no connection; `late`: the time was up; `cut`: it broke, or was no HTTP."""

    def __init__(self, line: str, kind: Literal["unreachable", "late", "cut"]) -> None:
        super().__init__(line)
        self.kind = kind


@dataclass(frozen=True)
class HttpAnswer:
    """`wait`: the seconds that the server asks to be left alone for."""

    status: int
    content: bytes
    wait: float = 0.0


def open_client(address: Address, kept: int = 1) -> httpx2.AsyncClient:
    """Return a client that keeps up to `kept` idle connections.

    Proxies and certificates are those of the environment, but a server on this machine is asked directly. Redirects
    are not followed, so that neither key nor page goes anywhere else.
    """
    import httpx2

    key = {"Authorization": f"Bearer {address.key}"} if address.key else {}
    direct = {f"all://{address.host}": None} if on_this_machine(address.host) else None
    return httpx2.AsyncClient(
        headers={"User-Agent": f"docparse/{__version__}", "Accept-Encoding": "identity", **key},
        timeout=httpx2.Timeout(None, connect=CONNECT_SECONDS),  # `exchange` has the limit for all of it
        limits=httpx2.Limits(max_connections=None, max_keepalive_connections=kept),
        mounts=direct,
        follow_redirects=False,
    )


async def exchange(client: httpx2.AsyncClient, url: str, *, seconds: float, body: bytes | None = None) -> HttpAnswer:
    """Return the answer to a GET, or to a POST of a JSON `body`. Raises `NoAnswer`; when cancelled or late it closes
    the connection, by which a server knows that it may stop."""
    import httpx2

    method, headers = ("GET", {}) if body is None else ("POST", {"Content-Type": "application/json"})
    try:
        async with asyncio.timeout(seconds), client.stream(method, url, content=body, headers=headers) as response:
            return HttpAnswer(response.status_code, await _content(response), _wait(response.headers))
    except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError) as error:
        raise NoAnswer(_unreachable(error), "unreachable") from None
    except (TimeoutError, httpx2.TimeoutException):
        raise NoAnswer(f"no answer within {seconds:g} s", "late") from None
    except httpx2.HTTPError as error:
        raise NoAnswer(f"the connection broke ({excerpt(str(error)) or type(error).__name__})", "cut") from None


async def _content(response: httpx2.Response) -> bytes:
    content = bytearray()
    async for chunk in response.aiter_raw():
        content += chunk
        if len(content) > LARGEST:
            raise NoAnswer(f"an answer of more than {LARGEST >> 20} MiB", "cut")
    return bytes(content)


def _wait(headers: Mapping[str, str]) -> float:
    """Return the seconds of a Retry-After, which is a number or a date; 0 without one."""
    said = headers.get("retry-after", "").strip()
    if said.isdecimal():
        return float(said)
    try:
        return max(0.0, (parsedate_to_datetime(said) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return 0.0


def _unreachable(error: Exception) -> str:
    """Return why there was no connection, from the innermost reason that the libraries kept."""
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"its certificate is not trusted ({cause.verify_message}): SSL_CERT_FILE names further authorities"
        if isinstance(cause, ssl.SSLError):
            return "it does not speak TLS: try http://"
    words = [_words(cause) for cause in _causes(error) if isinstance(cause, OSError) and cause.strerror]
    late = type(error).__name__ == "ConnectTimeout"
    why = f"nothing came for {CONNECT_SECONDS:g} s" if late else words[-1] if words else str(error)
    return f"no connection ({excerpt(why) or type(error).__name__})"


def _words(error: OSError) -> str:
    """Return the system's own words: asyncio has others, with the address in them."""
    number = error.errno or 0
    return os.strerror(number) if number > 0 else error.strerror or ""


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        inner = error.exceptions[0] if isinstance(error, BaseExceptionGroup) else None
        error = inner or error.__cause__ or error.__context__
