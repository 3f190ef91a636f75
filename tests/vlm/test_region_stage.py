"""When a page's regions are decoded before the page."""

import pytest

from docparse.accel.hsd import Hsd
from docparse.accel.lookup import Lookup
from docparse.vlm.generation import Generation
from docparse.vlm.regions import RegionStage


def output(count, **accepted):
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


LEARNED = {  # what earlier pages wrote and whether the stage ran, and whether it is wanted of the next
    "nothing yet": ([], False),
    "good drafts of OCR": ([(output(100, ocr=90), False)], False),
    "poor drafts of OCR": ([(output(100, ocr=90), False), (output(100, ocr=20), False)], True),
    "regions that helped": ([(output(100), False), (output(100, region=60), True)], True),
    "regions that did not": (
        [(output(100), False), (output(100, region=60), True), (output(100, region=2), True)],
        False,
    ),
}


@pytest.mark.parametrize(("pages", "wanted"), LEARNED.values(), ids=LEARNED)
def test_on_demand_it_runs_where_drafts_of_ocr_were_poor_until_it_does_not_help(pages, wanted):
    stage = RegionStage(Hsd())
    for written, ran in pages:
        stage.learn("ocr", written, ran=ran)
    assert stage.wanted("ocr") is wanted
    assert not stage.wanted("text-layer")


def test_where_drafts_may_change_the_text_earlier_pages_decide_nothing():
    stage = RegionStage(Hsd(tau=0.75))
    for accepted in (0, 90):
        stage.learn("ocr", output(100, ocr=accepted), ran=False)
        assert stage.wanted("ocr")
        assert not stage.wanted("text-layer")
