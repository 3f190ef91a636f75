"""Words: the smallest thing the layout code moves around, the same whether a text layer or OCR read them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from docparse.hyphenation import CJK_RANGES, HANGUL, SOUTH_EAST
from docparse.layout.text.letters import put_together, spelled
from docparse.pdf.codes import among, codes_of, within
from docparse.pdf.content import Characters
from docparse.types import Box

TATWEEL = 0x640  # stretches Arabic words to fill a line; no letter
VARIANTS = 0xFE00, 0xFE0F  # say which shape of the character before them is meant
UNCONNECTED = "اأإآةدذرزوؤىء"
STYLED = "ℎℬℰℱℋℐℒℳℛℭℌℑℜℨℂℍℕℙℚℝℤ"  # in Unicode before the others
SPACES = "\t\n\v\f\r \xa0" + "".join(map(chr, range(0x2000, 0x200C))) + "\u202f\u205f\u3000\ufeff"
JOINERS = "\u200c\u200d"

SMALL_CAPITALS = re.compile(r"csc\d|small-?caps|caps10|[-.]sc\b|^(sf|ec)(cc|xc|sc)\d", re.I)

BLANK = "____"  # a stroke to write on
SMALLEST = 0.01  # points: of a font without a size, so that no measure in em divides by zero
WORD_GAP = 0.17  # em: a wider gap inside a line is a space even where the PDF stores none (narrow fonts print 0.2)
ENOUGH_GAPS = 5  # between letters of a line that tell how far apart they are set
MOSTLY_SPACED = 0.8  # of the neighbours among a page's Chinese characters: such spaces part no words
CELL_GAP = 0.2  # em between Chinese characters: half a cell is a space, less is what justifies a line
WIDEST_TRACKING = 1.0  # em: letters further apart stand in cells of their own
SAME = 0.01  # points
DIVIDED = 0.25  # of the line ends on a page of Korean: if so many have stored spaces, others are within words
PADDING = 0.7  # em around code in a box of its own: web pages have 0.2 to 0.65
SPACED = 0.1  # of the letters of a font, those after stored spaces: a word has ten letters at most in the mean
NARROW_GAP, TIGHT_GAP = 0.11, 0.05  # em: so is one so wide, or so much wider than its neighbours, if these are tight


class Word(msgspec.Struct, frozen=True, kw_only=True):
    """A run of characters without a space and in one style.

    `glued` means that no space separates it from the word before it (a superscript, a change of font inside a word,
    the end of a line within a Korean one). `baseline` is the y of the baseline, `size` the font size in points (for
    OCR: estimated from the line's height). `index` is the position in the PDF's own order, which is the logical order
    for right-to-left text. `angle` is the clockwise rotation of the text on the page: 0, 90, 180 or 270. `font` is the
    PDF's name of the font. `tinted` says that it is in another colour than the page's text; OCR tells it of lines, and
    of light on dark too. `stretched` says that the space before it is one of a justified line, however wide. `begins`
    says that OCR found a line that begins with it. `latex` is the formula that was read in a picture where OCR has the
    text.
    """

    text: str
    box: Box
    baseline: float
    size: float
    glued: bool = False
    bold: bool = False
    italic: bool = False
    math: bool = False
    mono: bool = False
    tinted: bool = False
    stretched: bool = False
    begins: bool = False
    angle: int = 0
    index: int = 0
    confidence: float = 1.0
    font: str = ""
    latex: str = ""

    @property
    def small_caps(self) -> bool:
        """Return whether its font is one of small capitals: small letters are printed as such."""
        return SMALL_CAPITALS.search(self.font) is not None


def in_small_capitals(words: Iterable[Word]) -> bool:
    """Return whether all words, but for numbers, are in a font of small capitals."""
    lettered = [word for word in words if any(map(str.isalpha, word.text))]
    return bool(lettered) and all(word.small_caps for word in lettered)


def is_ring(word: Word, behind: Word) -> bool:
    """Return whether it is a bullet of the second level, for which word processors take the o of a typewriter font."""
    return word.text == "o" and word.mono > behind.mono


def spaced(words: Iterable[Word]) -> str:
    """Return the words of a line as in running text, whatever the gaps between them."""
    return "".join(word.text if word.glued else f" {word.text}" for word in words).strip()


def usual_size(words: Iterable[Word]) -> float:
    """Return the size in points of most characters, the larger of two; 10 where there are none."""
    weight = Counter[float]()
    for word in words:
        weight[word.size] += len(word.text)
    return max(weight, key=lambda size: (weight[size], size), default=10.0)


def first_width(words: Sequence[Word]) -> float:
    """Return the width of the first word with what is glued to it, points."""
    end = next((i for i, word in enumerate(words[1:], 1) if not word.glued), len(words))
    return words[end - 1].box.x1 - words[0].box.x0


def words_of(characters: Characters, whole: np.ndarray | None = None) -> list[Word]:
    """Cut a text layer into words at spaces, gaps, line breaks and changes of style; O(n), vectorised.

    `whole` is int32 [n], what a tagged PDF holds together: characters with different numbers share no word.
    """
    n = len(characters)
    if n == 0:
        return []
    codes = codes_of(characters.text)
    blank = among(codes, SPACES)
    variants = (codes >= VARIANTS[0]) & (codes <= VARIANTS[1])
    drawn = ~(blank | characters.generated | (codes == TATWEEL) | variants | _stray_joiners(codes))
    text = list(characters.text)
    ink = put_together(text, np.flatnonzero(drawn), codes, characters)
    if len(ink) == 0:
        return []
    drawn[ink] = False  # what is left are accents that went to their letters
    starts, glued = _breaks(characters, ink, blank, drawn, codes, whole)
    ends = np.append(starts[1:], len(ink))
    boxes = characters.box[ink]
    low = np.minimum.reduceat(boxes[:, :2], starts, axis=0)
    high = np.maximum.reduceat(boxes[:, 2:], starts, axis=0)
    corners = np.hstack([low, high]).round(2).tolist()
    first = ink[starts]
    styled = _mathematical(codes[first]).tolist()
    baselines = characters.baseline[first].round(2).tolist()
    fonts = characters.font[first].tolist()
    letters = list(map(text.__getitem__, ink.tolist()))
    tinted = characters.tinted[first].tolist() if characters.tinted is not None else [False] * len(first)
    words = []
    for k, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        font = characters.fonts[fonts[k]]
        words.append(
            Word(
                text=spelled("".join(letters[start:end]), mono=font.mono),
                box=Box(*corners[k]),
                baseline=baselines[k],
                size=font.size or max(SMALLEST, corners[k][3] - corners[k][1]),
                glued=bool(glued[k]),
                bold=font.weight >= 600,
                italic=font.italic,
                math=font.math or styled[k],
                mono=font.mono,
                tinted=tinted[k],
                angle=font.angle,
                index=int(first[k]),
                font=font.name,
            )
        )
    return words


def _stray_joiners(codes: np.ndarray) -> np.ndarray:
    """bool [n]: joiners and non-joiners that do not stand between letters of scripts that join, or signs: they mean
    nothing there, and programs leave them behind."""
    joining = ((codes >= 0x590) & (codes < 0x1E00)) | (codes >= 0x2190)
    between = np.append(False, joining[:-1]) & np.append(joining[1:], False)
    return np.asarray(among(codes, JOINERS) & ~between)


def _breaks(
    characters: Characters,
    ink: np.ndarray,
    blank: np.ndarray,
    removed: np.ndarray,
    codes: np.ndarray,
    whole: np.ndarray | None,
) -> tuple[np.ndarray, np.ndarray]:
    """Where words start among the inked characters, and which of them are glued to the word before.

    The PDF library sees a space around an accent that it lists out of place; `removed` marks such accents.
    """
    box, baseline, font = characters.box[ink], characters.baseline[ink], characters.font[ink]
    size = characters.size[ink].astype(np.float32)
    angle = np.array([f.angle for f in characters.fonts], np.int32)[font]
    # spaces between neighbours: stored in the PDF, or inserted by the PDF library where it saw a gap
    stored = np.diff(np.cumsum(blank & ~characters.generated)[ink])
    inserted = np.diff(np.cumsum(blank & characters.generated)[ink]) > 0
    em = np.maximum(size[1:], size[:-1])
    upright = angle[1:] % 180 == 0
    near, far = np.where(upright, 0, 1), np.where(upright, 2, 3)
    row = np.arange(len(ink) - 1)
    rtl, styled = _rtl(codes), _mathematical(codes)[ink]
    # distance between neighbours along the line, whichever way the text runs
    gap = np.maximum(box[row + 1, near] - box[row, far], box[row, near] - box[row + 1, far])
    shift = np.abs(np.diff(baseline))
    jump = (shift > 0.7 * em) | (gap > 1.5 * em) | (angle[1:] != angle[:-1])
    cjk = within(codes[ink], CJK_RANGES)
    ideographs = cjk[1:] & cjk[:-1] & ~jump & (gap <= WIDEST_TRACKING * em)
    apart = ideographs & (stored == 1)  # spaces that only set Chinese characters apart, as nearly all on the page are
    apart &= apart.sum() > MOSTLY_SPACED * ideographs.sum()
    spaced = (stored > 0) & ~apart
    back = (box[row + 1, near] < box[row, near] - 0.5 * em) & (shift > 0.3 * em)
    in_line = np.where(jump | rtl[ink[1:]], np.inf, shift) < 0.1 * em
    tracking, few = _tracking(characters, ink, gap, in_line & ~spaced, ~in_line | spaced)
    tracking = np.where(few, _tracking(characters, ink, gap, in_line & ~spaced, ~in_line)[0], tracking)
    gap = gap - tracking
    around = np.concatenate([gap[:1], gap, gap[-1:]])
    beside = np.maximum(around[:-2], around[2:])  # the wider of the gaps before and after
    clear = (gap > NARROW_GAP * em) | ((gap - beside > NARROW_GAP * em) & (gap > 0.04 * em))
    narrow = clear & (beside < TIGHT_GAP * em) & ~_stores_spaces(font, stored > 0)[1:]
    narrow &= ~within(codes[ink[1:]], SOUTH_EAST)  # a letter and its mark share the width of one
    parted = (gap > 0.6 * em) | (
        _connects(codes[ink[:-1]]) & _connects(codes[ink[1:]], True) & (gap > TIGHT_GAP * em / 2)
    )
    wide = np.where(rtl[ink[1:]], parted, (gap > WORD_GAP * em) | narrow)  # Arabic letters' boxes overlap
    padded = _padded(codes[ink], np.array([f.mono for f in characters.fonts])[font]) & (gap < PADDING * em)
    level = (np.diff(font) == 0) & (shift < 0.02 * em)  # after a superscript the library sees spaces, too
    inserted &= (tracking == 0) | (gap > TIGHT_GAP * em)
    width = box[:, 2] - box[:, 0]  # a ligature is cut into letters of one width, and may be wider than they are
    cut = among(codes[ink[:-2]], "f") & (np.abs(np.diff(width))[:-1] < SAME) & (np.abs(gap[:-1] + tracking[:-1]) < SAME)
    inserted[1:] &= ~cut | (gap[1:] > NARROW_GAP * em[1:])
    # where every letter is placed by itself, the library may take lines for columns of letters, and end each
    ended = np.diff(np.cumsum((codes == ord("\n")) & characters.generated)[ink]) > 0
    inserted &= ~(ended & (shift < 0.02 * em) & (np.abs(gap) < TIGHT_GAP * em))
    inserted, wide = (seen & ~(ideographs & (gap < CELL_GAP * em)) for seen in (inserted, wide))
    inserted &= (gap > 0.02 * em) | (level & (np.diff(np.cumsum(removed)[ink]) == 0)) | rtl[ink[1:]]
    separate = ((spaced | ((inserted | wide) & ~padded)) & ~apart) | jump | back
    restyled = (np.diff(font) != 0) | (shift > 0.08 * em) | (styled[1:] != styled[:-1])
    if whole is not None:
        restyled |= np.diff(whole[ink]) != 0
    starts = np.flatnonzero(np.concatenate([[True], separate | restyled]))
    korean = within(codes[ink], HANGUL)
    ends = korean[1:] & korean[:-1] & (shift > 0.7 * em)
    divided = ends & (stored == 0) & ((ends & (stored > 0)).sum() > DIVIDED * ends.sum())
    return starts, np.concatenate([[False], ~separate | divided])[starts]


def _stores_spaces(font: np.ndarray, spaced: np.ndarray) -> np.ndarray:
    """bool [n]: whether the font of a character is one whose words have stored spaces between them.

    `spaced` (bool [n - 1]) are neighbours with such a space. In these fonts a wide gap is the kerning of the letters.
    """
    kept, all_of = (np.bincount(font[1:], weights, font.max() + 1) for weights in (spaced, None))
    return (kept >= SPACED * all_of)[font]


def _padded(codes: np.ndarray, mono: np.ndarray) -> np.ndarray:
    """bool [n - 1]: code beside the brackets or the point of the sentence around it, which stand outside of its box."""
    closes = mono[:-1] & ~mono[1:] & among(codes[1:], ".,;:!?)]’”")
    return closes | (~mono[:-1] & mono[1:] & among(codes[:-1], "([‘“"))


def _tracking(
    characters: Characters, ink: np.ndarray, gap: np.ndarray, beside: np.ndarray, cut: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """float [n - 1], points: how far apart the letters are set between which a gap is; 0 where they touch as usual; and
    bool [n - 1]: where too few gaps tell.

    Letters are set apart in headings, and some fonts store the ink of a glyph for its advance. Within a piece of a line
    in one font the gap that half of the letters keep is theirs, if hardly any keep much less. `beside` is bool
    [n - 1]: neighbours on one line without a stored space between them; `cut` is bool [n - 1]: where pieces end.
    """
    result, few = np.zeros(len(gap)), np.zeros(len(gap), bool)
    styles: dict[tuple[str, int, bool], int] = {}  # a font in two sizes, as small capitals, is one
    style = np.array([styles.setdefault((f.name, f.weight, f.italic), len(styles)) for f in characters.fonts])
    style = style[characters.font[ink]]
    piece = np.concatenate([[0], np.cumsum((style[1:] != style[:-1]) | cut)])
    letters = np.fromiter(map(str.isalpha, characters.text), bool, len(characters))[ink]
    inner = np.flatnonzero(beside & (piece[1:] == piece[:-1]))
    inner = inner[np.lexsort((gap[inner], piece[inner]))]
    first = np.flatnonzero(np.diff(piece[inner], prepend=-1))
    count = np.diff(first, append=len(inner))
    share = np.add.reduceat((letters[inner] & letters[inner + 1]).astype(int), first) / count if len(first) else count
    usual, least = gap[inner[first + count // 2]], gap[inner[first + count // 5]]
    size = characters.size[ink[inner[first]]]
    fitting = (usual > 0.02 * size) & (usual < WIDEST_TRACKING * size)
    tracked = (count >= ENOUGH_GAPS) & (share > 0.7) & fitting & (least > 0.3 * usual)
    result[inner] = np.repeat(np.where(tracked, usual, 0.0), count)
    few[inner] = np.repeat(count < ENOUGH_GAPS, count)
    return result, few


def _connects(codes: np.ndarray, before: bool = False) -> np.ndarray:
    """bool [n]: Arabic letters that are written in one stroke with the next (`before`: with the one before them)."""
    letter = (codes >= 0x626) & (codes <= 0x64A) & (codes != TATWEEL)
    return letter & (before | ~among(codes, UNCONNECTED))


def _rtl(codes: np.ndarray) -> np.ndarray:
    """bool [n]: characters of the Hebrew, Arabic and related blocks."""
    return ((codes >= 0x590) & (codes < 0x900)) | ((codes >= 0xFB1D) & (codes < 0xFEFF))


def _mathematical(codes: np.ndarray) -> np.ndarray:
    """bool [n]: letters that Unicode has for mathematics only, italic or bold or in a script of their own."""
    return ((codes >= 0x1D400) & (codes < 0x1D800)) | among(codes, STYLED)
