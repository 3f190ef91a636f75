"""Words of a page that has no usable text layer: PP-OCRv6 (the detector of rapidocr, a recogniser made of its) on
onnxruntime."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import msgspec
import numpy as np

from docparse.guard import OutOfTime, finish_soon
from docparse.hyphenation import is_cjk
from docparse.layout.chained import chained
from docparse.layout.ocr.alphabets import AlphabetReader, is_own
from docparse.layout.ocr.boldness import darkness_of, embolden, stroke_weights
from docparse.layout.ocr.columns import apart
from docparse.layout.ocr.detector import LineBox, LineFinder
from docparse.layout.ocr.figures import with_figures
from docparse.layout.ocr.italics import italicised, leaning
from docparse.layout.ocr.light import evenly_lit
from docparse.layout.ocr.line_images import Placement, aspect, line_box, line_image, ways
from docparse.layout.ocr.line_ink import ink_of
from docparse.layout.ocr.operators import with_operators
from docparse.layout.ocr.overlooked import SURE, dashes, find_initials, is_flat, is_initial, overlooked, told
from docparse.layout.ocr.pitch import TypedLine, advances, typed_alike
from docparse.layout.ocr.quotes import with_curly_quotes
from docparse.layout.ocr.raised import with_raised
from docparse.layout.ocr.recogniser import HEIGHT, STRAYS, LineReader, Reading, is_accented
from docparse.layout.ocr.result import OcrLine, OcrResult
from docparse.layout.ocr.scripts import is_doubtful, is_unread
from docparse.layout.ocr.ticks import boxes_of_form, without
from docparse.layout.ocr.tints import Tint, evened, tint_of, tinted
from docparse.layout.ocr.tokens import LineType, as_read, cut, measure
from docparse.layout.text.wording import is_rtl
from docparse.layout.text.words import Word
from docparse.pdf.content import PageImage
from docparse.types import Box

LINE_CONFIDENCE = 0.5  # a line read with less is left out
CLEAR = 0.96  # the same for one that is hardly darker than its paper: type of the back of the sheet is read with less
DOUBTFUL = 0.7  # a line read with less may stand upside down, as answers to riddles do: those are read with 0.6
TELLS = 4.0  # line heights: shorter ones read upside down, too, as SIX does
# A line read with less than `UNCLEAR`, or a cramped one, is read from wider pictures, too, and as these say if that is
# surer by `SURER`. Where type is not narrow they cost more words than they tell.
WIDER, UNCLEAR, SURER = (1.5, 2.0), 0.8, 0.05
VAIN = 0.5  # of the width of a page's lines: so much more is read without being surer, at most
RIM = 0.5  # em: how much of the next line the picture of a line reaches over
STRAY_SHARE = 0.03  # of the characters: more Chinese or Japanese ones are meant; misread strokes stay below 0.02
ACCENTED = 0.005  # of the characters of a page, where its language has accents: English has fewer
# Pixels: lines lower than this are cut from a finer image where there is one. Of type of 4 points 0.76 of the words are
# found at 144 dpi, 0.92 at 288.
SMALL_LINE = 20
FOUND = 0.5  # of the length of the lines that a page was not read on, at least, are in another alphabet
# The recogniser's cost is the width of the line images. Pages up to this total are read as they are, denser ones
# squeezed to fit it, but not below 0.75 (0.87 costs no word of clean pages, 0.75 one in 200, 0.65 more).
# Chinese characters are as wide as three letters: on five pages they read no worse at 0.6, 0.5 loses 1 in 300.
BUDGET, MIN_SQUEEZE, MIN_SQUEEZE_CJK = 70_000, 0.75, 0.55


class OcrEngine:
    """Reads page images; `threads` is per model run. The models are loaded by the first page, never downloaded.

    The recogniser reads Latin, Chinese and Japanese alike; lines that it fails on may be in another script.
    """

    def __init__(self, threads: int = 1) -> None:
        self.threads = threads

    @cached_property
    def finder(self) -> LineFinder:
        return LineFinder(self.threads)

    @cached_property
    def reader(self) -> LineReader:
        return LineReader(self.threads)

    @cached_property
    def alphabets(self) -> AlphabetReader:
        return AlphabetReader(self.reader)

    def read(
        self, image: PageImage, *, boxes: Sequence[Box] | None = None, finer: Callable[[], PageImage] | None = None
    ) -> OcrResult:
        """Return words in page space, top line first. With `boxes`, level lines in points, only those are read.

        `finer` gives the same page at a higher resolution; it is asked for once, and only if there is small type.
        """
        ticked = boxes_of_form(image) if boxes is None else []
        if boxes is None:
            image = without(ticked, image)
            lines = apart(image.pixels, self.finder.find(image.pixels))
        else:
            lines = [line_box(box, image.scale) for box in boxes]
        sharp = image = evenly_lit(image, lines)
        if finer and any(line.height < SMALL_LINE for line in lines):
            sharp = without(ticked, finer())
            sharp = evenly_lit(sharp, [line.scaled(sharp.scale / image.scale) for line in lines])
        total = sum(aspect(line) * HEIGHT for line in lines)
        marks = overlooked(image, lines) if boxes is None else {}
        initials = find_initials(image, lines) if boxes is None else []
        read: dict[LineBox, _Line] = {}
        ordered = _top_down([*lines, *marks, *initials])
        unread = characters = east = 0
        for index, line in enumerate(ordered):
            source = sharp if line.height < SMALL_LINE else image
            same = line.scaled(source.scale / image.scale)
            dense = MIN_SQUEEZE_CJK if east > 0.5 * characters else MIN_SQUEEZE
            squeeze = max(dense, BUDGET / max(BUDGET, total))
            try:
                best = self._read_line(source, same, squeeze, mark=line in marks)
            except OutOfTime as ended:  # what was read by then is worth having
                finish_soon(ended)
                unread = len(ordered) - index
                break
            if line not in initials or is_initial(best.reading, best.angle):
                read[line] = best
                characters += len(best.reading.text)
                east += sum(map(is_cjk, best.reading.text))
        read |= self._in_other_alphabets({place: line for place, line in read.items() if place not in marks})
        if not unread:
            read |= self._wider({place: line for place, line in read.items() if place not in marks}, image, sharp)
        said = tuple(line.said for place, line in read.items() if place not in marks)
        for mark in marks.keys() & read.keys():
            read[mark] = replace(read[mark], beside=read.get(marks[mark], read[mark]))
        certain = _without_specks(_certain(list(read.values())))
        legible = list(filter(None, map(_as_mark, _without_strays(certain))))
        return OcrResult(with_figures(with_operators(with_curly_quotes(_printed(legible)))), said, unread)

    def _in_other_alphabets(self, lines: dict[LineBox, _Line]) -> dict[LineBox, _Line]:
        """Return the lines of a page in an alphabet that the recogniser does not know, as `AlphabetReader` reads them:
        none where most lines that it failed on are not."""
        if not is_unread([line.said for line in lines.values()]):
            return {}
        again = {
            place: replace(line, reading=self.alphabets.read(line.picture), has_own_alphabet=True)
            for place, line in lines.items()
        }
        found = {place: line for place, line in again.items() if is_own(line.reading)}
        doubtful = {place: line.length for place, line in lines.items() if is_doubtful(line.said)}
        enough = sum(doubtful[place] for place in doubtful.keys() & found.keys()) >= FOUND * sum(doubtful.values())
        return found if enough else {}

    def _read_line(self, image: PageImage, line: LineBox, stretch: float, *, mark: bool) -> _Line:
        """The line in its likeliest direction. A figure alone stands upright if it can be read so."""
        read = []
        for box, angle in ways(line):
            picture = line_image(image.pixels, box, stretch)
            read.append(_Line(self.reader.read(picture), picture, box, angle, image.scale, aspect(line)))
        best = max(read, key=lambda way: way.reading.confidence)
        first = read[0]
        if first.angle == 0 and first.legible and first.reading.text.isdecimal() and len(best.reading.text) == 1:
            best = first
        if mark or best.angle or best.reading.confidence > DOUBTFUL or best.length < TELLS:
            return best
        picture, box = np.ascontiguousarray(best.picture[::-1, ::-1]), best.box.turned(180)
        other = replace(best, reading=self.reader.read(picture), picture=picture, box=box, angle=180)
        return other if other.reading.confidence > SURE else best

    def _wider(self, lines: dict[LineBox, _Line], image: PageImage, sharp: PageImage) -> dict[LineBox, _Line]:
        """Return the lines that are surer if read from wider pictures: condensed type, pages that a fax has squeezed.
        The surest come first; where enough was read in vain, the rest is noise."""
        better: dict[LineBox, _Line] = {}
        patience = VAIN * sum(line.picture.shape[1] for line in lines.values())
        try:
            for place in sorted(lines, key=lambda place: -lines[place].reading.confidence):
                for stretch in WIDER:
                    line = better.get(place, lines[place])
                    if patience < 0 or line.has_own_alphabet or line.is_clear:
                        break
                    picture = line_image((sharp if place.height < SMALL_LINE else image).pixels, line.box, stretch)
                    wider = replace(line, reading=self.reader.read(picture), picture=picture)
                    if wider.legible and wider.reading.confidence > line.reading.confidence + SURER:
                        better[place] = wider
                    else:
                        patience -= picture.shape[1]
        except OutOfTime as ended:
            finish_soon(ended)
        return better


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that was read: what it says, the image it was read from and where that lies."""

    reading: Reading
    picture: np.ndarray
    box: LineBox
    angle: int
    scale: float  # pixels per point of the image that `box` lies on
    length: float  # line heights
    has_own_alphabet: bool = False  # it was read by `AlphabetReader`
    is_told: bool = False  # what it says follows from what is around it
    beside: _Line | None = None  # the line that has the type of a mark on its row: a mere stroke tells of none

    @property
    def legible(self) -> bool:
        return self.reading.confidence >= LINE_CONFIDENCE and bool(self.reading.text.strip())

    @property
    def is_stroke(self) -> bool:
        """Return whether it is a mark beside a line and a mere stroke, whatever was read."""
        return self.beside is not None and is_flat(ink_of(self.picture))

    @property
    def is_clear(self) -> bool:
        return self.reading.confidence >= UNCLEAR and not self.reading.is_cramped

    @property
    def said(self) -> OcrLine:
        return OcrLine(self.reading.text, self.reading.confidence, self.length, self.has_own_alphabet)

    @property
    def typed(self) -> TypedLine:
        along = self.box.width / self.picture.shape[1] / self.scale
        middle, height = self.box.y / self.scale, self.box.height / self.scale
        return TypedLine(self.reading.text, self.reading.centers * along, middle, height)

    def words(self, advance: float) -> tuple[list[Word], list[float], list[bool], Tint | None]:
        """Return the words in the order in which they are read, the weight of their strokes over the size of their
        type, whether they lean, and the tint of the line.

        `advance` is the width of every character in points where the line is monospaced, else 0.
        """
        ink = ink_of(self.picture)
        tokens = cut(self.reading, ink, advance * self.scale * self.picture.shape[1] / self.box.width)
        kind = measure(tokens, ink) if self.beside is None else self.beside.type_at(self.box.x)
        place = Placement(self.box, self.angle, self.picture.shape[1], self.scale)
        widening = self.picture.shape[1] / self.box.width * self.box.height / HEIGHT
        darkness = darkness_of(self.picture, ink)
        typed = with_raised(tokens, ink, kind) if self.beside is None else [(token, kind) for token in tokens]
        tokens = [token for token, _ in typed]
        weights = stroke_weights(darkness, ink, tokens, widening) / [own.size for _, own in typed]
        upright = is_rtl(self.reading.text)  # pens of Arabic lean, its type is never in italics
        leans = [False] * len(tokens) if upright else leaning(darkness, tokens, widening)
        read = as_read([token.text for token in tokens])
        words = [place.word(replace(tokens[i], text=text), typed[i][1], advance) for i, text in read]
        return words, [float(weights[i]) for i, _ in read], [leans[i] for i, _ in read], tint_of(self.picture, ink)

    def type_at(self, x: float) -> LineType:
        """Return the size of the type and the baseline at one end of the line, that which is nearer to `x`."""
        ink = ink_of(self.picture)
        kind = measure(cut(self.reading, ink), ink)
        end = self.picture.shape[1] if x > self.box.x else 0
        return LineType(kind.size, kind.baseline + kind.slope * end, 0.0)


def _printed(lines: list[_Line]) -> list[Word]:
    """The words of legible lines, those marked that are bold, in italics or of another colour. What is hardly darker
    than its paper on a page that is not, and hard to read, shines through from the back of the sheet."""
    words: list[Word] = []
    weights: list[float] = []
    leans: list[bool] = []
    tints: list[Tint | None] = []
    pairs = zip(lines, advances([line.typed for line in lines]), strict=True)
    parts = [(line, *line.words(advance)) for line, advance in pairs]
    pale = sum(tint is None for *_, tint in parts) > 0.5 * len(parts)
    for line, more, heavy, lean, tint in parts:
        faint = tint is None and not pale and line.reading.confidence < CLEAR
        if faint and not any(map(is_cjk, line.reading.text)):  # Chinese is never read as surely
            continue
        words += [msgspec.structs.replace(word, index=len(words) + i, begins=i == 0) for i, word in enumerate(more)]
        weights += heavy
        leans += lean
        tints += [tint] * len(more)
    words = italicised(tinted(words, tints), leans)
    return _without_rims(typed_alike(embolden(words, evened(words, weights, tints))))


def _without_rims(words: list[Word]) -> list[Word]:
    """The words but for a letter that ends a line and lies on the first word of another one: its rim, read twice."""
    firsts = [word for word in words if word.begins]

    def is_rim(word: Word, behind: Word | None) -> bool:
        ends = not word.begins and (behind is None or behind.begins) and word.box.width < RIM * word.size
        return ends and any(word.box.inside(first.box) > 0.5 for first in firsts)

    behind = [*words[1:], None] if words else []
    return [word for word, other in zip(words, behind, strict=True) if not is_rim(word, other)]


def _without_strays(lines: list[_Line]) -> list[_Line]:
    """On a page without Chinese or Japanese, single characters of it are misreadings: the next best reading counts.

    It takes one line with more than a few of them, or a share of them, for the page to be written so; marks beside the
    lines do not count. A reading that then is too doubtful goes like any other.
    """
    counts = [sum(map(is_cjk, line.reading.text)) for line in lines if line.beside is None]
    letters = sum(len(line.reading.text) for line in lines if line.beside is None)
    if max(counts, default=0) > STRAYS or sum(counts) > STRAY_SHARE * letters:
        return lines
    lines = [replace(line, reading=line.reading.without_cjk()) for line in lines]
    return [line for line in lines if line.legible]


def _without_specks(lines: list[_Line]) -> list[_Line]:
    """On a page with hardly any accents that are certain, the others are specks of its paper."""
    accents = sum(sum(map(is_accented, line.reading.text)) - len(line.reading.bare) for line in lines)
    if accents > ACCENTED * sum(len(line.reading.text) for line in lines):
        return lines
    return [replace(line, reading=line.reading.without_doubtful_accents()) for line in lines]


def _certain(lines: list[_Line]) -> list[_Line]:
    """The legible lines without marks that may be no print, and dashes in cells as what they are."""
    lines = [line for line in lines if line.legible or line.is_stroke]
    said = [(line.box.scaled(1 / line.scale), "-" if line.is_stroke else line.reading.text) for line in lines]
    known = dashes(said)
    result = []
    for i, line in enumerate(lines):
        if i in known:
            middle = np.array([line.picture.shape[1] / 2])
            dash = Reading(known[i], middle, confidences=np.array([SURE]), spaces=np.zeros(1))
            result.append(replace(line, reading=dash, is_told=True))
        elif line.beside is None or line.reading.confidence >= SURE:
            result.append(line)
    return result


def _as_mark(line: _Line) -> _Line | None:
    """A line as it is; one that is a mark beside another, if it is print."""
    if line.beside is None or line.is_told:
        return line
    text = told(line.reading.text, leads=line.box.x < line.beside.box.x)
    return replace(line, reading=replace(line.reading, text=text)) if text else None


def _top_down(lines: list[LineBox]) -> list[LineBox]:
    """Lines by rows, left to right within a row."""
    downward = sorted(lines, key=lambda line: line.y)
    rows = chained(downward, lambda row, line: line.y - row[0].y < 0.5 * min(line.height, row[0].height))
    return [line for row in rows for line in sorted(row, key=lambda line: line.x)]
