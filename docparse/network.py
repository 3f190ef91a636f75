"""What keeps a run off the network, and the words for it where somebody wants to go there."""

from __future__ import annotations

import os
import sys
from ipaddress import ip_address
from typing import Any

from docparse.errors import EnvironmentProblem

TELEMETRY_OFF = {"ORT_DISABLE_TELEMETRY": "1"}

LOOK_UPS = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo")
SENDS = ("socket.connect", "socket.sendto", "socket.sendmsg")


def silence() -> None:
    """Switch off the reports that dependencies send about their use, whatever the environment says of them.

    onnxruntime sends its own from native threads, out of Python's sight, unless it is told not to before it is
    imported. The variable also reaches every process that this one starts.
    """
    os.environ.update(TELEMETRY_OFF)


def forbidden_by() -> str:
    """Return what forbids the network, and where it may have been said."""
    return "the setting offline (--offline, DOCPARSE_OFFLINE or docparse.toml)"


def on_this_machine(host: str) -> bool:
    """Return whether a host is this machine itself: `localhost` or a loopback address."""
    try:
        return host.lower() == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


_named_ports: set[int] = set()


def allow_on_this_machine(port: int) -> None:
    """Let `forbid_network` pass connections of this process to a port of this machine, which the user named.

    One port, not all: a proxy may listen on another, and lead away from here.
    """
    _named_ports.add(port)


def forbid_network() -> None:
    """From now on this process raises `EnvironmentProblem` where Python code would resolve a name or connect."""

    def refuse(event: str, arguments: tuple[Any, ...]) -> None:
        if event not in LOOK_UPS and event not in SENDS:
            return
        address = arguments[0] if event in LOOK_UPS else arguments[1]
        host = address[0] if isinstance(address, tuple) else address
        host = host.decode(errors="replace") if isinstance(host, bytes) and event in LOOK_UPS else host
        port = arguments[1] if event == "socket.getaddrinfo" else address[1] if isinstance(address, tuple) else None
        if port in _named_ports and isinstance(host, str) and on_this_machine(host):
            return
        if event in LOOK_UPS or (isinstance(address, tuple) and isinstance(host, str)):  # a Unix socket is local
            raise EnvironmentProblem(
                f"{forbidden_by()} forbids the connection to {host}: leave it out to allow downloads"
            )

    os.environ["HF_HUB_OFFLINE"] = "1"
    sys.addaudithook(refuse)
