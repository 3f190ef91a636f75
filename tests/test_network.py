"""What keeps a run off the network, and what is said where somebody wants to go there."""

import pytest
from fresh import printed

from docparse.network import forbidden_by

ASK = "import os, docparse; print(os.environ['ORT_DISABLE_TELEMETRY'])"
FORBIDDEN = """
import socket
from docparse.errors import EnvironmentProblem
from docparse.network import forbid_network
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
forbid_network()
here, there = socket.socketpair()
for attempt in {attempts!r}:
    try:
        eval(attempt)
    except EnvironmentProblem as error:
        print(error)
here.send(b"between the ends of a pair")
try:
    socket.socket(socket.AF_UNIX).connect("/nowhere/at/all")
except FileNotFoundError:
    print("a Unix socket is local")
"""
ATTEMPTS = {
    "socket.create_connection(('192.0.2.1', 9), timeout=0.1)": "192.0.2.1",
    "udp.connect(('192.0.2.1', 9))": "192.0.2.1",
    "udp.sendto(b'.', ('192.0.2.1', 9))": "192.0.2.1",
    "udp.sendmsg([b'.'], [], 0, ('192.0.2.1', 9))": "192.0.2.1",
    "socket.gethostbyname('docparse.example')": "docparse.example",
    "socket.getfqdn('docparse.example')": "docparse.example",
}


@pytest.mark.parametrize("said", [None, "0"])
def test_importing_docparse_switches_reports_off_whatever_was_said(said, monkeypatch):
    monkeypatch.delenv("ORT_DISABLE_TELEMETRY", raising=False)
    if said is not None:
        monkeypatch.setenv("ORT_DISABLE_TELEMETRY", said)
    assert printed(ASK) == ["1"]


def test_a_forbidden_connection_names_what_forbids_it():
    *forbidden, local = printed(FORBIDDEN.format(attempts=list(ATTEMPTS)))
    line = f"{forbidden_by()} forbids the connection to {{}}: leave it out to allow downloads"
    assert forbidden == [line.format(host) for host in ATTEMPTS.values()]
    assert local == "a Unix socket is local"
