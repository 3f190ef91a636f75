"""When a page's regions are decoded before the page."""

import pytest

from docparse.accel.hsd import Hsd
from docparse.accel.lookup import Lookup
from docparse.engine.generation import Generation
from docparse.vlm.regions import RegionStage


def output(count: int, **accepted: int) -> Generation:
    """Of `count` tokens, so many of them drafts from each source."""
    sources = [source for source, number in accepted.items() for _ in range(number)]
    return Generation(tokens=[0] * count, sources=sources + [""] * (count - len(sources)))


@pytest.mark.parametrize(
    ("method", "wanted"),
    [
        (Hsd(regions="always"), True),
        (Hsd(regions="never"), False),
        (Hsd(mode="paper"), True),
        (Hsd(mode="paper", regions="never"), False),
        (None, False),
        (Lookup(), False),
    ],
)
def test_what_is_asked_for_is_done(method, wanted):
    stage = RegionStage(method)
    for source in ("text-layer", "ocr"):
        assert stage.wanted(source) is wanted
        stage.learn(source, output(10), ran=wanted)
        assert stage.wanted(source) is wanted


def test_on_demand_it_runs_where_drafts_of_ocr_were_poor():
    stage = RegionStage(Hsd())
    assert not stage.wanted("ocr")
    stage.learn("ocr", output(100, ocr=90), ran=False)
    assert not stage.wanted("ocr")
    stage.learn("ocr", output(100, ocr=20), ran=False)
    assert stage.wanted("ocr")
    assert not stage.wanted("text-layer")


def test_it_stops_where_it_did_not_help():
    stage = RegionStage(Hsd())
    stage.learn("ocr", output(100), ran=False)
    stage.learn("ocr", output(100, region=60), ran=True)
    assert stage.wanted("ocr")
    stage.learn("ocr", output(100, region=2), ran=True)
    assert not stage.wanted("ocr")


def test_where_drafts_may_change_the_text_earlier_pages_decide_nothing():
    stage = RegionStage(Hsd(tau=0.75))
    for accepted in (0, 90):
        stage.learn("ocr", output(100, ocr=accepted), ran=False)
        assert stage.wanted("ocr")
        assert not stage.wanted("text-layer")
