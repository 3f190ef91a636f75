"""What parts the characters of a text layer: spaces that are stored, white that is as wide as one, changes of style."""

from __future__ import annotations

import numpy as np

from docparse.hyphenation import CJK_RANGES, HANGUL, SOUTH_EAST
from docparse.layout.text.words import WORD_GAP
from docparse.pdf.codes import among, within
from docparse.pdf.content import Characters

TATWEEL = 0x640  # stretches Arabic words to fill a line; no letter
UNCONNECTED = "اأإآةدذرزوؤىء"
STYLED = "ℎℬℰℱℋℐℒℳℛℭℌℑℜℨℂℍℕℙℚℝℤ"  # in Unicode before the others

ENOUGH_GAPS = 5  # between letters of a line that tell how far apart they are set
MOSTLY_SPACED = 0.8  # of the neighbours among a page's Chinese characters: such spaces part no words
CELL_GAP = 0.2  # em between Chinese characters: half a cell is a space, less is what justifies a line
WIDEST_TRACKING = 1.0  # em: letters further apart stand in cells of their own
SAME = 0.01  # points
DIVIDED = 0.25  # of the line ends on a page of Korean: if so many have stored spaces, others are within words
PADDING = 0.7  # em around code in a box of its own: web pages have 0.2 to 0.65
SPACED = 0.1  # of the letters of a font, those after stored spaces: a word has ten letters at most in the mean
NARROW_GAP, TIGHT_GAP = 0.11, 0.05  # em: so is one so wide, or so much wider than its neighbours, if these are tight


class Pairs:
    """Every inked character and the next one: what parts them, as arrays [n - 1], float in points or bool.

    `codes` and `blank` are those of all characters, `ink` (int) are those that leave a mark. The PDF library sees a
    space around an accent that it lists out of place; `moved` marks such accents.
    """

    def __init__(
        self, characters: Characters, codes: np.ndarray, blank: np.ndarray, ink: np.ndarray, moved: np.ndarray
    ) -> None:
        def between(marked: np.ndarray) -> np.ndarray:
            """Return how many of the marked characters stand between two of ink."""
            return np.diff(np.cumsum(marked)[ink])

        self._code, self._font, self._box = codes[ink], characters.font[ink], characters.box[ink]
        self._mono = np.array([font.mono for font in characters.fonts])[self._font]
        self._italic = np.array([font.italic for font in characters.fonts])[self._font]
        self._stored = between(blank & ~characters.generated)
        self._inserted = between(blank & characters.generated) > 0
        # where every letter is placed by itself, the library may take lines for columns of letters, and end each
        self._ended = between((codes == ord("\n")) & characters.generated) > 0
        self._moved = between(moved) > 0
        self._rtl = _is_rtl(self._code[1:])
        size = characters.size[ink].astype(np.float32)
        em = self._em = np.maximum(size[1:], size[:-1])
        shift = self._shift = np.abs(np.diff(characters.baseline[ink]))
        angle = np.array([font.angle for font in characters.fonts], np.int32)[self._font]
        gap, step = _along(self._box, angle[1:] % 180 == 0)
        self._ahead = step > 0
        self._back = (step < -0.5 * em) & (shift > 0.3 * em)
        self._jump = (shift > 0.7 * em) | (gap > 1.5 * em) | (angle[1:] != angle[:-1])
        cjk = within(self._code, CJK_RANGES)
        self._ideographs = cjk[1:] & cjk[:-1] & ~self._jump & (gap <= WIDEST_TRACKING * em)
        spread = self._ideographs & (self._stored == 1)  # spaces that only set Chinese apart, as nearly all here are
        self._spread = spread & (spread.sum() > MOSTLY_SPACED * self._ideographs.sum())
        self._spaced = (self._stored > 0) & ~self._spread
        # how far apart letters are set: those of a word, or of a line where its words are too short to tell
        off = np.where(self._jump | self._rtl, np.inf, shift) >= 0.1 * em
        inner = ~off & ~self._spaced
        tracking, few = _tracked(characters, ink, gap, inner, off | self._spaced)
        self._tracking = np.where(few, _tracked(characters, ink, gap, inner, off)[0], tracking)
        self._gap, self._white = gap, gap - self._tracking

    @property
    def separate(self) -> np.ndarray:
        """Return whether two words meet that are not glued."""
        padded = _padded(self._code, self._mono) & (self._white < PADDING * self._em)
        justified = self._ideographs & (self._white < CELL_GAP * self._em)
        seen = (self._is_inserted() | self._is_wide()) & ~justified
        return ((self._spaced | (seen & ~padded)) & ~self._spread) | self._jump | self._back

    @property
    def restyled(self) -> np.ndarray:
        styled = is_mathematical(self._code)
        return (np.diff(self._font) != 0) | (self._shift > 0.08 * self._em) | (styled[1:] != styled[:-1])

    @property
    def divided(self) -> np.ndarray:
        """Return whether a line ends within a Korean word."""
        korean = within(self._code, HANGUL)
        ends = korean[1:] & korean[:-1] & (self._shift > 0.7 * self._em)
        return ends & (self._stored == 0) & ((ends & (self._stored > 0)).sum() > DIVIDED * ends.sum())

    def _is_wide(self) -> np.ndarray:
        """Return whether there is so much white that it is a space though none is stored."""
        white, em, code = self._white, self._em, self._code
        around = np.concatenate([white[:1], white, white[-1:]])
        beside = np.maximum(around[:-2], around[2:])  # the wider of the gaps before and after
        clear = (white > NARROW_GAP * em) | ((white - beside > NARROW_GAP * em) & (white > 0.04 * em))
        narrow = clear & (beside < TIGHT_GAP * em) & ~_stores_spaces(self._font, self._stored > 0)[1:]
        narrow &= ~within(code[1:], SOUTH_EAST)  # a letter and its mark share the width of one
        joined = _connects(code[:-1]) & _connects(code[1:], True)
        parted = (white > 0.6 * em) | (joined & (white > TIGHT_GAP * em / 2))
        return np.where(self._rtl, parted, (white > WORD_GAP * em) | narrow)  # Arabic letters' boxes overlap

    def _is_inserted(self) -> np.ndarray:
        """Return whether the PDF library saw a space, and rightly so."""
        white, em, shift = self._white, self._em, self._shift
        found = self._inserted & ((self._tracking == 0) | (white > TIGHT_GAP * em))
        found[1:] &= ~self._is_ligature() | (white[1:] > NARROW_GAP * em[1:])
        found &= ~(self._ended & (shift < 0.02 * em) & self._ahead & (white < TIGHT_GAP * em))
        level = (np.diff(self._font) == 0) & (shift < 0.02 * em)  # after a superscript the library sees spaces, too
        level &= ~self._moved & ~self._is_kerned()
        return found & ((white > 0.02 * em) | level | self._rtl)

    def _is_kerned(self) -> np.ndarray:
        """Return whether the PDF library took for a space what TeX's bitmaps have before an upright j, which hangs over
        to the left: spaces of its font are mostly white."""
        clear = np.where(self._white > WORD_GAP * self._em, 1, -1) * self._inserted
        shown = (np.bincount(self._font[1:], clear, self._font.max() + 1) > 0)[self._font[1:]]
        return np.asarray(shown & ~self._italic[1:] & (self._code[1:] == ord("j")))

    def _is_ligature(self) -> np.ndarray:
        """bool [n - 2]: whether the two before a gap are a ligature, which is cut into letters of one width and may be
        wider than they are."""
        even = np.abs(np.diff(self._box[:, 2] - self._box[:, 0]))[:-1] < SAME
        return np.asarray(among(self._code[:-2], "f") & even & (np.abs(self._gap[:-1]) < SAME))


def _along(box: np.ndarray, upright: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two float [n - 1]: the white between neighbours along their line, whichever way the text runs, and how far behind
    the first one the second one begins. `upright` is bool [n - 1]."""
    near, far, row = np.where(upright, 0, 1), np.where(upright, 2, 3), np.arange(len(box) - 1)
    start, end, next_start, next_end = box[row, near], box[row, far], box[row + 1, near], box[row + 1, far]
    return np.maximum(next_start - end, start - next_end), next_start - start


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


def _tracked(
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


def _is_rtl(codes: np.ndarray) -> np.ndarray:
    """bool [n]: characters of the Hebrew, Arabic and related blocks."""
    return ((codes >= 0x590) & (codes < 0x900)) | ((codes >= 0xFB1D) & (codes < 0xFEFF))


def is_mathematical(codes: np.ndarray) -> np.ndarray:
    """bool [n]: letters that Unicode has for mathematics only, italic or bold or in a script of their own."""
    return ((codes >= 0x1D400) & (codes < 0x1D800)) | among(codes, STYLED)
