"""300 pages on a Ray cluster of two nodes, with a worker killed every ten seconds and one node taken away; then once
more, killed as a whole and resumed. The bytes must be those of one machine, and every page once in the journal.

    python tests/cluster_soak.py [FOLDER] [--pages 300] [--seconds 10]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

LENGTH = 10  # pages of a document
PAGE = """= Page {number}

#lorem({words})

#image(bytes("<svg xmlns='http://www.w3.org/2000/svg' width='200' height='90'><rect width='200' height='90'
fill='#27c'/><circle cx='{number}' cy='40' r='30' fill='#fc3'/></svg>"), width: 200pt)

$ sum_(k=1)^{number} k^2 $

#table(columns: 3, [Alpha], [Beta], [Gamma], [{number}], [2], [3], [4], [5], [6])
"""
JOURNAL = "docparse-journal.jsonl"
OPTIONS = ("--model", "pipeline", "--threads", "1", "--retries", "5", "-q")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=10.0)
    asked = parser.parse_args()
    folder = asked.folder or Path(tempfile.mkdtemp(prefix="docparse-cluster-"))
    pages = make_documents(folder / "in", asked.pages)
    print(f"{pages} pages in {len(list((folder / 'in').iterdir()))} documents", flush=True)
    convert(folder, "alone").wait()
    print(f"one machine: {said(folder, 'alone')}", flush=True)
    good = disturbed(folder, pages, asked.seconds)
    good &= killed_and_resumed(folder, pages)
    print("all as it should be" if good else "NOT AS IT SHOULD BE", flush=True)
    return 0 if good else 1


def make_documents(folder: Path, pages: int) -> int:
    """Fill `folder` with documents of text, pictures, formulas and tables; return how many pages that are."""
    import typst

    folder.mkdir(parents=True)
    for first in range(1, pages + 1, LENGTH):
        numbers = range(first, min(first + LENGTH, pages + 1))
        texts = (PAGE.replace("{number}", str(n)).replace("{words}", str(100 + n % 200)) for n in numbers)
        typst.compile("\n#pagebreak()\n".join(texts).encode(), output=folder / f"{first:04}.pdf")
    return pages


def convert(folder: Path, out: str, *more: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-P", "-m", "docparse", "convert", str(folder / "in"), "-o", str(folder / out)]
    with open(folder / f"{out}.stderr", "ab") as errors:
        return subprocess.Popen([*command, *OPTIONS, *more], stderr=errors)


def disturbed(folder: Path, pages: int, seconds: float) -> bool:
    """Run with a worker killed every so many seconds and a node removed after a third of the pages."""
    with two_nodes() as cluster:
        run = convert(folder, "disturbed", "--ray", cluster.address)
        started, kills, removed = time.monotonic(), Counter[str](), False
        while run.poll() is None:
            time.sleep(0.5)
            if time.monotonic() > started + seconds * (sum(kills.values()) + 1):
                kills[kill_one(cluster, sum(kills.values()))] += 1
            if not removed and done(folder, "disturbed") > pages // 3:
                removed = True
                cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)
        took = time.monotonic() - started
        print(f"disturbed: {took:.0f} s, {dict(kills)} killed, node removed: {removed}, exit code {run.returncode}")
    return run.returncode == 0 and removed and same(folder, "disturbed", pages)


def killed_and_resumed(folder: Path, pages: int) -> bool:
    """Run, kill everything after half of the pages, the cluster included, and resume on a new one."""
    with two_nodes() as cluster:
        run = convert(folder, "resumed", "--ray", cluster.address)
        while run.poll() is None and done(folder, "resumed") < pages // 2:
            time.sleep(0.2)
        run.kill()
        run.wait()
        before = done(folder, "resumed")
    with two_nodes() as cluster:
        run = convert(folder, "resumed", "--resume", "--ray", cluster.address)
        code = run.wait()
    print(f"killed as a whole after {before} pages, and resumed: exit code {code}")
    return code == 0 and same(folder, "resumed", pages)


class two_nodes:
    """A cluster of two nodes with a core each."""

    def __enter__(self) -> Any:
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        from ray.cluster_utils import Cluster

        self.cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        self.cluster.add_node(num_cpus=1)
        return self.cluster

    def __exit__(self, *_: object) -> None:
        self.cluster.shutdown()


def kill_one(cluster: Any, number: int) -> str:
    """Kill, in turns, an actor and the worker process of one; return which."""
    nodes = [cluster.head_node, *cluster.worker_nodes]
    parents = children()
    hosts = [pid for node in nodes for pid in parents.get(node.all_processes["raylet"][0].process.pid, []) if host(pid)]
    workers = [child for pid in hosts for child in parents.get(pid, [])]
    what, victims = ("actor", hosts) if number % 2 else ("worker", workers)
    if not victims:
        return "nobody"
    os.kill(random.choice(victims), signal.SIGKILL)
    return what


def host(pid: int) -> bool:
    try:
        return b"Host" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def children() -> dict[int, list[int]]:
    """Return the processes of this machine by their parent."""
    found: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        found.setdefault(parent, []).append(int(folder.name))
    return found


def entries(folder: Path, out: str) -> list[dict[str, Any]]:
    path = folder / out / JOURNAL
    lines = path.read_bytes().splitlines() if path.exists() else []
    return [json.loads(line) for line in lines if line.endswith(b"}")]


def done(folder: Path, out: str) -> int:
    return sum(entry["page"] is not None for entry in entries(folder, out))


def same(folder: Path, out: str, pages: int) -> bool:
    """Print and return whether every page is once in the journal, and every file as from one machine."""
    found = Counter((entry["input"], entry["page"]) for entry in entries(folder, out) if entry["page"] is not None)
    twice = sum(count > 1 for count in found.values())
    expected, written = contents(folder / "alone"), contents(folder / out)
    differ = sum(expected.get(name) != written.get(name) for name in expected.keys() | written.keys())
    print(f"  {out}: {pages - len(found)} pages lost, {twice} twice, {differ} of {len(expected)} files differ")
    print(f"  {out}: {said(folder, out)}", flush=True)
    return (len(found), twice, differ) == (pages, 0, 0)


def contents(folder: Path) -> dict[str, bytes]:
    paths = [path for path in folder.rglob("*") if path.is_file() and path.name != JOURNAL]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def said(folder: Path, out: str) -> str:
    lines = (folder / f"{out}.stderr").read_text(errors="replace").splitlines()
    again = sum(entry["attempts"] > 1 for entry in entries(folder, out) if entry["page"] is not None)
    return f"{again} pages read again; {len(lines)} lines on stderr{': ' + lines[0] if lines else ''}"


if __name__ == "__main__":
    sys.exit(main())
