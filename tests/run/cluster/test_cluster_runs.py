"""A run on two nodes: the same bytes as on one machine, every page once in the journal, whoever dies. What it does not
find of a cluster is one line and exit code 3, before anything is written."""

import os
import shutil
import signal
import socket
import sys
import time
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from run_outputs import contents

from docparse.errors import EnvironmentProblem, ExitCode
from docparse.run.cluster import connect
from docparse.run.cluster.actor import SentDocument
from docparse.run.convert import Observer, convert
from docparse.run.journal import Journal
from docparse.run.outputs import JOURNAL_NAME
from docparse.settings import Settings

HERE = Settings(model="pipeline", workers=1, threads=1)


def there(cluster):
    return Settings(model="pipeline", threads=1, ray=cluster.address)


def actors(node):
    """The processes of our actors on a node: children of its raylet, which sets their names."""
    raylet, found = node.all_processes["raylet"][0].process.pid, []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == raylet and b"Host" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except (OSError, ValueError):
            continue
    return found


@pytest.fixture(scope="module")
def inbox(tmp_path_factory, three_page_pdf, example_pdf):
    folder = tmp_path_factory.mktemp("inbox")
    for number in range(4):
        shutil.copy(three_page_pdf, folder / f"three-{number}.pdf")
    shutil.copy(example_pdf, folder / "paper.pdf")
    return folder


@pytest.fixture(scope="module")
def expected(inbox, tmp_path_factory):
    out = tmp_path_factory.mktemp("expected")
    assert convert([str(inbox)], str(out), HERE).exit_code is ExitCode.OK
    return contents(out)


class Disturbing(Observer):
    """Kills the actor on the head node after the second page, and takes the other node away after the fifth."""

    def __init__(self, cluster):
        self.cluster, self.pages, self.before = cluster, 0, set(actors(cluster.head_node))

    def page(self, entry):
        self.pages += 1
        if self.pages == 2:
            until = time.monotonic() + 60
            while not (ours := set(actors(self.cluster.head_node)) - self.before) and time.monotonic() < until:
                time.sleep(0.02)  # the other node's may have been first; this one is on its way
            assert ours
            for pid in ours:
                os.kill(pid, signal.SIGKILL)
        if self.pages == 5:
            self.cluster.remove_node(next(iter(self.cluster.worker_nodes)), allow_graceful=False)


def test_other_versions_on_a_node_are_one_line(two_nodes, monkeypatch):
    monkeypatch.setattr(connect, "__version__", "9.9")
    line = r"Ray node .* has docparse .*, and this machine has docparse 9\.9"
    with pytest.raises(EnvironmentProblem, match=line), connect.connected(two_nodes.address, ()):
        pass


def test_documents_that_the_nodes_do_not_see_are_brought_there(two_nodes, inbox, expected, tmp_path, monkeypatch):
    monkeypatch.setattr(SentDocument, "at", staticmethod(lambda path: SentDocument(path, path.stat().st_size, 0)))
    summary = convert([f"local://{inbox}/paper.pdf"], str(tmp_path), there(two_nodes))
    assert (summary.exit_code, summary.error) == (ExitCode.OK, "")
    assert contents(tmp_path) == {name: content for name, content in expected.items() if name.startswith("paper")}


@pytest.mark.thorough
def test_a_model_has_a_worker_on_each_gpu(two_nodes, three_page_pdf, tmp_path):
    settings = Settings(model="tiny", device="cpu", max_tokens=8, accel="none", pages="1", ray=two_nodes.address)
    assert convert([str(three_page_pdf)], str(tmp_path / "there"), settings).error == ""
    convert([str(three_page_pdf)], str(tmp_path / "here"), msgspec.structs.replace(settings, ray=""))
    assert contents(tmp_path / "there") == contents(tmp_path / "here")
    assert {entry.engine for entry in Journal(tmp_path / "there" / JOURNAL_NAME).entries()} == {"tiny"}


def test_nothing_is_lost_or_there_twice_when_an_actor_and_a_node_go(two_nodes, inbox, expected, tmp_path):
    observer = Disturbing(two_nodes)
    summary = convert([str(inbox)], str(tmp_path), there(two_nodes), observer=observer)
    assert (summary.exit_code, summary.error) == (ExitCode.OK, "")
    assert contents(tmp_path) == expected
    entries = list(Journal(tmp_path / JOURNAL_NAME).entries())
    pages = Counter((entry.input, entry.page) for entry in entries if entry.page)
    assert (len(pages), set(pages.values())) == (14, {1})
    assert {entry.attempts for entry in entries} == {1}  # it was no page's fault


def test_ray_that_is_not_installed(one_page_pdf, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(EnvironmentProblem, match=r"\[ray\]"):
        convert([str(one_page_pdf)], str(tmp_path / "out"), Settings(model="pipeline", ray="local"))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_an_address_where_nobody_listens(one_page_pdf, tmp_path, scheme):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"{scheme}127.0.0.1:{closed.getsockname()[1]}"
        with pytest.raises(EnvironmentProblem, match=f"--ray {address}: cannot reach the cluster"):
            convert([str(one_page_pdf)], str(tmp_path / "out"), Settings(model="pipeline", ray=address))
    assert not (tmp_path / "out").exists()


def test_offline_forbids_a_cluster_elsewhere(one_page_pdf, tmp_path):
    with pytest.raises(EnvironmentProblem, match="forbids the connection to the Ray cluster"):
        convert([str(one_page_pdf)], str(tmp_path), Settings(model="pipeline", ray="192.0.2.1:6379", offline=True))
