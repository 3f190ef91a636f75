"""docs/architecture.md is true: every arrow of its picture is an import, every import an arrow, without circles; and a
page goes the way that its last paragraph names."""

import ast
import re
import sys
from graphlib import TopologicalSorter
from itertools import product
from pathlib import Path

import call_path

import docparse
import docparse.run.document
from docparse.cli import main
from docparse.run.process import WorkerProcess

PACKAGE = Path(docparse.__file__).parent
ROOT = PACKAGE.parent
MERMAID = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NODE = re.compile(r'(\w+)(?:\["(.*)"\])?')


def read_picture(text):
    """Return the picture's rooms (name -> top-level modules of docparse) and its arrows between rooms.

    An arrow from or to a group is one from or to each room in it.
    """
    modules = {}
    members = {}  # of groups; a room is its own only member
    opened = []
    arrows = set()
    for line in map(str.strip, text.strip().splitlines()[1:]):
        if " --> " in line:
            tails, heads = ([part.strip() for part in side.split("&")] for side in line.split(" --> "))
            for tail, head in product(tails, heads):
                arrows |= set(product(members[tail], members[head]))
        elif line == "end":
            opened.pop()
        elif line.startswith("subgraph "):
            opened.append(NODE.fullmatch(line.removeprefix("subgraph "))[1])
            members[opened[-1]] = set()
        elif line:
            name, label = NODE.fullmatch(line).groups()
            modules[name] = set((label or name).split(" · "))
            members[name] = {name}
            for group in opened:
                members[group].add(name)
    return modules, arrows


def source_files():
    """Yield every file of docparse and its kernels with the top-level module that it belongs to."""
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path, path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    for path in sorted((ROOT / "kernels").rglob("*.py")):
        yield path, "kernels"


def imported_modules(path):
    """Yield the top-level modules of docparse that the file imports, wherever in it, each with the line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            module = node.module or ""
            names = [f"docparse.{alias.name}" for alias in node.names] if module == "docparse" else [module]
        for name in names:
            parts = name.split(".")
            if parts[0] == "docparse" and len(parts) > 1 and parts[1] != "__version__":
                yield parts[1], node.lineno


MODULES, ARROWS = read_picture(MERMAID.findall((ROOT / "docs" / "architecture.md").read_text())[0])
ROOM = {module: room for room, modules in MODULES.items() for module in modules}


def real_imports():
    """Return the imports from room to room, each with a place where it happens."""
    return {
        (ROOM[own], ROOM[other]): f"{path.relative_to(ROOT)}:{line}"
        for path, own in source_files()
        for other, line in imported_modules(path)
        if ROOM[own] != ROOM[other]
    }


def test_every_module_stands_in_one_room_of_the_picture():
    drawn = [module for modules in MODULES.values() for module in modules]
    assert sorted(drawn) == sorted({module for _, module in source_files()})


def test_every_import_between_rooms_is_an_arrow():
    missing = {arrow: place for arrow, place in real_imports().items() if arrow not in ARROWS}
    assert missing == {}, "draw these arrows in docs/architecture.md, or better, do without the import"


def test_every_arrow_is_an_import():
    assert ARROWS - set(real_imports()) == set(), "take these arrows out of docs/architecture.md"


def test_neither_rooms_nor_modules_go_round_in_circles():
    modules = {}
    for path, own in source_files():
        modules.setdefault(own, set()).update(other for other, _ in imported_modules(path) if other != own)
    list(TopologicalSorter(modules).static_order())  # raises CycleError, which names the circle
    rooms = {room: set() for room in MODULES}
    for tail, head in ARROWS:
        rooms[tail].add(head)
    list(TopologicalSorter(rooms).static_order())


def test_a_page_goes_the_way_from_the_command_to_its_first_word_that_is_named(tmp_path, monkeypatch, one_page_pdf):
    until_given = []
    give = WorkerProcess.give

    def noting(worker, task, *given, **more):
        if isinstance(task, call_path.TracedPage):
            until_given[:] = [*call_path.calls(sys._getframe(1)), "run/process.py give"]
        return give(worker, task, *given, **more)

    monkeypatch.setattr(docparse.run.document, "ReadPage", call_path.TracedPage)
    monkeypatch.setattr(WorkerProcess, "give", noting)
    monkeypatch.setenv("CALL_PATH", str(tmp_path / "calls"))
    assert main(["convert", str(one_page_pdf), "-o", str(tmp_path / "out"), "--model", "pipeline"]) == 0
    went = [*until_given, *(tmp_path / "calls").read_text().splitlines()]

    last = (ROOT / "docs" / "architecture.md").read_text().strip().split("\n\n")[-1]
    pieces = re.findall(r"`([\w./]+)`", last.partition("From Python")[0])
    named, waiting = [], []
    for piece in pieces:
        if not piece.endswith(".py"):
            waiting.append(piece.rpartition(".")[2])
            continue
        named += [f"{piece} {name}" for name in waiting]
        waiting = []
    assert named == went
    assert len(went) <= 10
