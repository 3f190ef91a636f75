"""One page read once more by every method, after the race and by its rules, with a recorder riding along."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PIL import Image

from docparse.bench.data.pages import BenchPage
from docparse.bench.measures import MeasuredPage
from docparse.bench.race import Race
from docparse.bench.recorder import Look, Recorder, Seen
from docparse.bench.rows import AR, PageRow
from docparse.bench.traces import Accepted, Corners, Fixation, MethodTrace, Trace
from docparse.vlm.image_prep import page_image
from docparse.vlm.requests import VlmAnswer

LONGEST = 900  # pixels of the page's longer side in the report
FRAMES = 8  # of the filmstrip
SHOWN = 160  # characters of what has been written so far


def typical(pages: Sequence[BenchPage], rows: Sequence[PageRow]) -> BenchPage | None:
    """Return the page, of those that every method read, on which the baseline's output is of median length."""
    methods = {row.method for row in rows}
    read = {name: {row.method for row in rows if row.page == name} for name in {row.page for row in rows}}
    lengths = {row.page: row.tokens for row in rows if row.method == AR and read[row.page] == methods}
    names = sorted(lengths, key=lambda name: (lengths[name], name))
    return next((page for page in pages if names and page.name == names[len(names) // 2]), None)


def trace(race: Race, page: BenchPage) -> Trace:
    """Return what every method of the race does on the page; one that fails on it is left out.

    Raises what plain decoding raises.
    """
    with page.open() as content:
        whole = race.vlm.family.reads_whole(content.box)
    recorders = {name: Recorder() for name in race.methods}
    methods = {name: recorders[name].watching(engine) for name, engine in race.methods.items()}
    watched = replace(race, methods=methods)
    plain: MeasuredPage | None = None
    traces = []
    for name, recorder in recorders.items():
        try:
            attempt = watched.attempt(page, name, plain)
        except Exception:  # the race has told of it, or it is the recorder's memory that was not there
            if name == AR:
                raise
            continue
        plain = plain or attempt
        traces.append(_method(name, recorder.prompts, attempt, whole))
    boxes = recorders[AR].prompts[-1].boxes if whole else np.zeros((0, 4))
    picture, width, height = _picture(race, page)
    return Trace(
        model=race.vlm.name,
        page=page.name,
        picture=picture,
        width=width,
        height=height,
        boxes=_rounded(boxes),
        methods=tuple(traces),
    )


def _method(name: str, prompts: Sequence[Seen], attempt: MeasuredPage, whole: bool) -> MethodTrace:
    """Tokens are drawn where the page is one prompt, the last one: those before it are the regions that drafted it."""
    answers = attempt.written.answers
    mine = prompts[-1:] if whole else prompts
    steps = sum(seen.steps for seen in mine)
    spent = np.sum([seen.spent for seen in mine if seen.steps], axis=0) if steps else np.zeros(0)
    drawn = mine[-1] if whole and mine else None  # none where `auto` left out the methods that were watched
    return MethodTrace(
        method=name,
        text=attempt.markdown,
        image_attention=tuple(round(float(each) / steps, 4) for each in spent),
        focal=mine[-1].focal if mine else (),
        kept=tuple(np.round(drawn.kept, 3).tolist()) if drawn and drawn.removes else (),
        fixations=tuple(_fixation(look, answers[0]) for look in _frames(drawn.looks)) if drawn else (),
        acceptance=_acceptance(answers),
    )


def _frames(looks: Sequence[Look]) -> list[Look]:
    """At most `FRAMES` of them, evenly spread from the first to the last."""
    places = sorted({round(place) for place in np.linspace(0, len(looks) - 1, FRAMES)}) if looks else []
    return [looks[place] for place in places]


def _fixation(look: Look, answer: VlmAnswer) -> Fixation:
    steps = answer.generation.steps[: look.step - 1]
    tokens = 1 + sum(step.length + 1 for step in steps)
    return Fixation(
        step=look.step,
        tokens=tokens,
        text=answer.text.characters[: answer.text.ends[tokens - 1]][-SHOWN:],
        read=tuple(look.read.tolist()),
        attention=tuple(float(f"{each:.3g}") for each in look.attention),
    )


def _acceptance(answers: Sequence[VlmAnswer]) -> tuple[Accepted, ...]:
    """Of all answers one after the other, as they stand on the page."""
    steps = []
    position = 0
    for answer in answers:
        position += 1  # the prefill's token
        for step in answer.generation.steps:
            steps.append(Accepted(position=position, proposed=step.fed - 1, accepted=dict(step.accepted)))
            position += step.length + 1
    return tuple(steps)


def _rounded(boxes: np.ndarray) -> tuple[Corners, ...]:
    return tuple((x0, y0, x1, y1) for x0, y0, x1, y1 in np.round(boxes, 4).tolist())


def _picture(race: Race, page: BenchPage) -> tuple[str, int, int]:
    """The page as the models were shown it, smaller: a data URI, and its width and height."""
    with page.open() as content:
        seen = page_image(content, race.vlm.family, race.pipeline.engines.ocr_dpi)
    image = Image.fromarray(seen.pixels)
    image.thumbnail((LONGEST, LONGEST))
    file = io.BytesIO()
    image.save(file, "JPEG", quality=70, optimize=True)
    return f"data:image/jpeg;base64,{base64.b64encode(file.getvalue()).decode()}", image.width, image.height
