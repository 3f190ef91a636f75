"""The pictures of pages, drawn by worker processes that may crash: one that cannot be drawn is left out."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from docparse.render.overlay import page_pixels
from docparse.run.result import Observer
from docparse.run.tasks import Source, WorkerState
from docparse.run.workers import Workers
from docparse.settings import Settings
from docparse.types import Page

DPI = 84  # an A4 page is 694 pixels wide, about as wide as it is shown
QUALITY = 30  # of WebP: 57 KB for a page full of small type (96 dpi at 45: 81 KB), which can still be read
SECONDS = 60.0


@dataclass(frozen=True)
class DrawPage:
    """Writes the picture of a page, upright, as WebP."""

    source: Source
    page: Page
    out: Path

    def run(self, state: WorkerState) -> None:
        from PIL import Image

        image = page_pixels(state.document(self.source), self.page, DPI)
        Image.fromarray(image.pixels).save(self.out, "WEBP", quality=QUALITY)


def draw(tasks: Sequence[DrawPage], password: str) -> None:
    """Do the tasks; where one fails there is no picture."""
    waiting = deque(tasks)
    settings = Settings(model="pipeline", password=password)
    with Workers.hired(settings, "none", Observer()) as workers, workers:
        while waiting or workers.pool.busy:
            for worker in workers.pool.idle():
                if not waiting:
                    break
                workers.pool.submit(worker, waiting.popleft(), timeout=SECONDS)
            workers.pool.outcomes()
