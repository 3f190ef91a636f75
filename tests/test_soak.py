"""A short soak: damaged documents lose nothing but themselves, and the soak notices what is lost."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import soak
from soak_damage import mutant

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

HERE = Path(__file__).parent
PAGE = {"input": "a.pdf", "page": 1, "status": "ok", "error": "", "error_category": "", "key": "k"}
DOCUMENT = PAGE | {"page": None, "pages": 1, "outputs": ["{out}/a.md"], "files": ["a.md"]}
UNREAD = {"pages": 7, "unread_pages": [[1, 7]]}
FAILED = {"status": "failed", "error_category": "damaged"}
RANGE = PAGE | FAILED | {"last": 7}


@pytest.mark.thorough
def test_a_short_soak_finds_nothing(tmp_path):
    command = [sys.executable, str(HERE / "soak.py"), "--seed", "12", "--mutations", "10", "--keep", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    first, last = done.stdout.splitlines()
    assert first.startswith("mutations-0: 10 damaged documents, ") and last == "0 findings"


def test_one_seed_makes_the_same_documents(tmp_path):
    made = soak.make_sources(tmp_path / "sources", None)
    first, again, other = ([mutant(seed, number, made) for number in range(20)] for seed in (1, 1, 2))
    assert first == again
    assert first != other
    originals = {path.read_bytes() for path in (*made.light, *made.scans)}
    assert not originals & {one.data for one in first}


@pytest.mark.parametrize(
    "journal, markdown, more, found",
    [
        ([PAGE, DOCUMENT], "text", "", set()),
        ([PAGE], "text", "", {"lost"}),
        ([DOCUMENT], "text", "", {"lost"}),
        ([PAGE, DOCUMENT], None, "", {"lost"}),
        ([PAGE, PAGE, DOCUMENT], "text", "", {"repeated"}),
        ([PAGE, DOCUMENT, DOCUMENT], "text", "", {"repeated"}),
        ([PAGE | FAILED, DOCUMENT | {"failed_pages": [1]}], "text", "", {"lost"}),
        ([PAGE | FAILED, DOCUMENT | {"failed_pages": [1]}], "<!-- page 1 failed: damaged -->", "", set()),
        ([PAGE | FAILED, DOCUMENT | {"failed_pages": [1]}], "<!-- pages 1-7 failed: damaged -->", "", set()),
        ([RANGE, DOCUMENT | UNREAD], "<!-- pages 1-7 failed: damaged -->", "", set()),
        ([RANGE, DOCUMENT | UNREAD], "<!-- pages 1-6 failed: damaged -->", "", {"lost"}),
        ([RANGE | {"last": 6}, DOCUMENT | UNREAD], "<!-- pages 1-7 failed: damaged -->", "", {"lost"}),
        ([PAGE, DOCUMENT, PAGE | {"input": "b.pdf"}], "text", "", {"wrong"}),
        ([PAGE, DOCUMENT], "text", "out/b.md", {"lost"}),
        ([PAGE, DOCUMENT], "text", "out/.docparse/123/md.tmp", {"leaked"}),
        ([PAGE, DOCUMENT], "text", "out/.docparse/k/0001.json.77.tmp", {"leaked"}),
        ([PAGE, DOCUMENT], "text", "out/.docparse/other/0001.json", {"leaked"}),
        ([PAGE, DOCUMENT], "text", "tmp/docparse-abc", {"leaked"}),
        ([PAGE, DOCUMENT, "{"], "text", "", {"torn"}),
    ],
)
def test_what_a_run_does_not_account_for_is_noticed(tmp_path, journal, markdown, more, found):
    room = soak.Room(tmp_path / "room")
    room.out.mkdir()
    if markdown is not None:
        (room.out / "a.md").write_text(markdown)
    lines = [line if isinstance(line, str) else json.dumps(line) for line in journal]
    room.journal.write_text("\n".join(lines).replace("{out}", str(room.out)))
    if more:
        path = room.folder / more
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    assert {kind for kind, _ in soak.misses(room, ["a.pdf"])} == found
