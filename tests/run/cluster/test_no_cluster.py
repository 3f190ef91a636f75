"""What a run needs of a cluster and does not find is one line and exit code 3, before anything is written."""

import socket
import sys

import pytest

from docparse.errors import EnvironmentProblem
from docparse.run.convert import convert
from docparse.settings import Settings


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
