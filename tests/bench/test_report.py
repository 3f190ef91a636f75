"""A report and the file that it is kept in."""

import msgspec
import pytest

from docparse.bench.report import encoded, older
from docparse.bench.request import BenchRequest
from docparse.bench.rows import AR
from docparse.errors import UsageError


@pytest.fixture
def measured(row, report_of):
    rows = [row(page, method, decode=seconds) for page in "ab" for method, seconds in ((AR, 8.0), ("hsd", 2.0))]
    return report_of(rows, settings=BenchRequest().settings)


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (None, "No such file"),
        (b"{", "not a JSON report"),
        (b"[1]", "not a JSON report"),
        (b"\xff\xfe", "not a JSON report"),
        (b'{"schema": "docparse-bench-1"}', "docparse-bench-1, this docparse writes docparse-bench-2"),
        (b'{"schema": "docparse-bench-2"}', "not a JSON report"),
    ],
)
def test_what_is_no_report_of_this_kind_is_one_line(tmp_path, content, word):
    path = tmp_path / "old.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=word):
        older(path, "--report")


def test_a_report_says_what_it_takes_to_run_it_again(measured):
    asked = msgspec.json.decode(encoded(measured))["settings"]
    names = set(BenchRequest.__dataclass_fields__)
    assert BenchRequest(**{name: asked[name] for name in names}) == BenchRequest(drafts="pipeline", pages=20)
