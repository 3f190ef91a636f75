"""What keeps a run off the network, and who is named where somebody wants to go there."""

import pytest
from fresh import printed

from docparse import network

ASK = "import os, docparse; print(os.environ['ORT_DISABLE_TELEMETRY'])"
FORBIDDEN = """
import socket
from docparse.errors import EnvironmentProblem
from docparse.network import forbid_network, remember_who_forbids
remember_who_forbids("mine.toml: offline")
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


def test_a_forbidden_connection_names_who_forbade_it():
    *forbidden, local = printed(FORBIDDEN.format(attempts=list(ATTEMPTS)))
    line = "mine.toml: offline forbids the connection to {}: drop it to allow downloads"
    assert forbidden == [line.format(host) for host in ATTEMPTS.values()]
    assert local == "a Unix socket is local"


def test_without_a_command_the_setting_is_named(monkeypatch):
    monkeypatch.setenv(network.FORBIDDEN_BY, "--offline")
    network.remember_who_forbids("")
    assert network.forbidden_by() == "the setting offline"
