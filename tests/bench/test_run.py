"""A run that ends early keeps the pages that every method has read."""

import pytest

from docparse.bench import run as running
from docparse.bench.race import Race
from docparse.bench.report import INTERRUPTED
from docparse.bench.request import BenchRequest
from docparse.bench.rows import AR
from docparse.bench.show.remarks import remarks
from docparse.errors import EnvironmentProblem

REQUEST = BenchRequest(method="hsd", drafts="oracle", model="tiny,unread")


@pytest.fixture
def measure(race_of, twin, three_pages, monkeypatch):
    """`measure(error, after=n)` -> the report of a run in which `error` comes up when n rows are there."""

    def run(error, after, **more):
        usual, seen = Race.rows, []

        def rows(self, pages):
            for row in usual(self, pages):
                if error and len(seen) == after:
                    raise error
                seen.append(row)
                yield row

        monkeypatch.setattr(Race, "rows", rows)
        monkeypatch.setattr(running, "model_of", lambda *_: twin)
        monkeypatch.setattr(running, "race_of", lambda *_: race_of("hsd", drafts="oracle"))
        return running.run(more.pop("request", REQUEST), three_pages, lambda _: None, **more)

    return run


def test_what_every_method_has_read_is_reported(measure, three_pages):
    found = measure(KeyboardInterrupt(), after=3)  # the second page's hsd is not there yet
    assert [(row.page, row.method) for row in found.rows] == [(three_pages[0].name, name) for name in (AR, "hsd")]
    assert found.unfinished and found.unfinished.why == INTERRUPTED
    assert found.unfinished.pages == {"twin": 1, "unread": 0} and found.unfinished.of == 3
    first = next(iter(remarks(found)))
    assert "interrupted" in first and "1 of 3 pages by twin" in first and "0 of 3 pages by unread" in first
    with pytest.raises(KeyboardInterrupt):  # nothing was read by all: that is no report
        measure(KeyboardInterrupt(), after=1)


def test_a_later_model_that_cannot_be_loaded_loses_no_earlier_one(measure):
    found = measure(EnvironmentProblem("unread: damaged"), after=6)
    assert found.unfinished and found.unfinished.why == "unread: damaged"
    assert len(found.rows) == 6


def test_after_every_page_there_is_a_report_of_the_pages_so_far(measure):
    so_far = []
    request = BenchRequest(method="hsd", drafts="oracle")
    found = measure(None, 0, request=request, save=lambda build: so_far.append(build()))
    assert [len(report.rows) for report in so_far] == [2, 4, 6]
    assert all(report.unfinished for report in so_far)
    assert found.unfinished is None
