"""Letters that are drawn, as MathJax prints them: text, where they stand, and no drawing; and signs that KaTeX draws as
long as what they stand by, paths cut to their place by a clip path."""

import re
from importlib.resources import files

import numpy as np
import pytest
from handmade import pdf

import docparse
from docparse.pdf.outlines import drawn_letters

OUTLINES = {  # MathJax 3.2.2 (Apache-2.0)
    "x": "52 289Q59 331 106 386T222 442Q257 442 286 424T329 379Q371 442 430 442Q467 442 494 420T522 361Q522 332 508 314"
    "T481 292T458 288Q439 288 427 299T415 328Q415 374 465 391Q454 404 425 404Q412 404 406 402Q368 386 350 336Q290 115 "
    "290 78Q290 50 306 38T341 26Q378 26 414 59T463 140Q466 150 469 151T485 153H489Q504 153 504 145Q504 144 502 134Q486 "
    "77 440 33T333 -11Q263 -11 227 52Q186 -10 133 -10H127Q78 -10 57 16T35 71Q35 103 54 123T99 143Q142 143 142 101Q142 "
    "81 130 66T107 46T94 41L91 40Q91 39 97 36T113 29T132 26Q168 26 194 71Q203 87 217 139T245 247T261 313Q266 340 266 "
    "352Q266 380 251 392T217 404Q177 404 142 372T93 290Q91 281 88 280T72 278H58Q52 284 52 289",
    "=": "56 347Q56 360 70 367H707Q722 359 722 347Q722 336 708 328L390 327H72Q56 332 56 347ZM56 153Q56 168 72 173H708"
    "Q722 163 722 153Q722 140 707 133H70Q56 140 56 153",
    "7": "55 458Q56 460 72 567L88 674Q88 676 108 676H128V672Q128 662 143 655T195 646T364 644H485V605L417 512Q408 500 "
    "387 472T360 435T339 403T319 367T305 330T292 284T284 230T278 162T275 80Q275 66 275 52T274 28V19Q270 2 255 -10T221 "
    "-22Q210 -22 200 -19T179 0T168 40Q168 198 265 368Q285 400 349 489L395 552H302Q128 552 119 546Q113 543 108 522T98 "
    "479L95 458V455H55V458",
    "⋅": "78 250Q78 274 95 292T138 310Q162 310 180 294T199 251Q199 226 182 208T139 190T96 207T78 250",
}
ADVANCES = {"x": 0.572, "=": 0.778, "7": 0.5, "⋅": 0.278}
SIZE, BASELINE = 12.0, 300.0
OPERATORS = {"M": " m", "Q": " c", "T": " c"}  # all others are lines


def path(outline):
    """An SVG path as PDF writes it, quadratic curves as cubic ones."""
    out, here, bend = [], np.zeros(2), np.zeros(2)
    for command, listed in re.findall(r"([MLHVQTZ])([^A-Z]*)", f"M{outline}Z"):
        values, (x, y) = [float(value) for value in listed.split()], here
        if command == "Z":
            out.append("h")
            continue
        end = np.array({"H": [values[0], y], "V": [x, values[0]]}.get(command, values[-2:]))
        if command in "QT":
            bend = np.array(values[:2]) if command == "Q" else 2 * here - bend
            points = [*((2 * bend + side) / 3 for side in (here, end)), end]
        else:
            bend, points = end, [end]
        out.append(" ".join(f"{x:.4f} {y:.4f}" for x, y in points) + OPERATORS.get(command, " l"))
        here = end
    return " ".join(out)


def drawn(text, x, paint="f", scale=SIZE / 1000):
    """Letters from `x` on, as a browser writes them: each with a matrix of its own."""
    out = ""
    for letter in text:
        out += f"q {scale} 0 0 {scale} {x} {BASELINE} cm {path(OUTLINES[letter])} {paint} Q\n"
        x += 1000 * scale * ADVANCES[letter]
    return out


def page(formula):
    typed = f"BT /F1 12 Tf 40 {BASELINE} Td (Let) Tj ET {formula} BT /F1 12 Tf 100 {BASELINE} Td (be given here.) Tj ET"
    return pdf(typed.encode())


@pytest.mark.parametrize("paint", ["f", "f*", "S", "B"])
def test_drawn_letters_are_text_where_they_were_painted(read, paint):
    content = read(page("0 w " + drawn("x=7", 64, paint)))
    characters = content.characters
    assert re.sub(r"\s", "", characters.text) == "Let𝑥=7begivenhere."
    at = characters.text.index("𝑥")
    np.testing.assert_allclose(characters.box[at : at + 3, 0], [64, 70.9, 80.2], atol=0.1)
    np.testing.assert_allclose(characters.baseline[at : at + 3], 400 - BASELINE, atol=0.1)
    assert [characters.fonts[number].size for number in characters.font[at : at + 3]] == [SIZE] * 3
    assert not len(content.drawings) and not content.marks and not len(content.rulings)


def test_letters_that_are_filled_and_then_stroked_come_once(read):
    assert read(page(drawn("x", 64) + "0 w " + drawn("x", 64, "S"))).characters.text.count("𝑥") == 1


def test_a_page_of_drawn_letters_alone_has_text_and_one_asked_without_its_text_layer_has_none(read):
    source = pdf(drawn("x=7", 64).encode())
    assert read(source).characters.text == "𝑥=7"
    assert read(source, text_layer=False).characters is None


def test_a_path_that_is_almost_a_letter_is_none(read):
    moved = OUTLINES | {"7": OUTLINES["7"].replace("55 458Q", "55 470Q", 1)}
    content = read(page(f"q 0.012 0 0 0.012 64 {BASELINE} cm {path(moved['7'])} f Q"))
    assert "7" not in content.characters.text


def test_the_formula_of_drawn_letters_stands_in_its_sentence():
    assert docparse.convert(page(drawn("x=7", 64))).markdown.strip() == "Let $x = 7$ be given here."


def test_a_letter_that_is_stretched_and_cut_to_its_place_is_where_it_is_seen(read, monkeypatch):
    """So MathJax draws the pieces between the ends of tall brackets; the whole of one would reach into the others."""
    found = []

    def known(paths):
        found.extend(drawn_letters(paths).values())
        return drawn_letters(paths)

    monkeypatch.setattr("docparse.pdf.graphics.drawn_letters", known)
    unit = SIZE / 1000
    read(page(f"q 60 {BASELINE - 2} 20 12 re W n {unit} 0 0 {5 * unit} 64 {BASELINE} cm {path(OUTLINES['7'])} f Q"))
    [letter] = found
    np.testing.assert_allclose(letter.box[1::2], [BASELINE - 1.3, BASELINE + 10], atol=0.1)


def test_a_drawn_point_is_an_operator():
    formula = drawn("7", 64) + drawn("⋅", 72.7) + drawn("x", 78.7)
    assert docparse.convert(page(formula)).markdown.strip() == r"Let $7 \cdot x$ be given here."


def test_no_two_known_letters_have_one_key():
    with np.load(files("docparse") / "data" / "outlines.npz") as data:
        assert len(np.unique(data["keys"], axis=0)) == len(data["codes"]) == len(data["advances"])
        assert len(data["codes"]) > 1_800 and data["fonts"].max() < len(data["names"])


KATEX = 0.01  # points to a unit: 10 to an em


def sign(first, segments, last=(400_000, 100), clip=(100, 280, 60, 40), at=(100, 320), middle=None):
    """A filled path of so many segments from one point to another and back and forth, seen in its clip path only."""
    points = [last, (0, 3_000)] * segments
    if middle is not None:
        points[segments // 2 - 1] = middle
    drawn = " ".join(f"{x} {y} l" for x, y in points[: segments - 1])
    x, y, width, height = clip
    return (
        f"q {x} {y} {width} {height} re W n {KATEX} 0 0 {-KATEX} {at[0]} {at[1]} cm "
        f"{first[0]} {first[1]} m {drawn} f Q "
    ).encode()


def test_a_radical_is_a_sign_and_its_bar_over_all_that_stands_under_it(read):
    content = read(pdf(sign((95, 702), 64)))
    assert content.characters.text == "√"
    np.testing.assert_allclose(content.characters.box[0], [100, 81, 108.3, 110], atol=0.1)
    [bar] = content.rulings
    np.testing.assert_allclose(bar, [108.3, 81.2, 160, 81.2], atol=0.2)
    assert not len(content.drawings)


@pytest.mark.parametrize("middle, char", [((0, 3_000), "]"), ((347, 1759), "⌉")])
def test_a_tall_bracket_is_as_high_as_it_is_drawn(read, middle, char):
    content = read(pdf(sign((347, 1759), 18, last=(500, 0), clip=(90, 200, 50, 200), middle=middle)))
    assert content.characters.text == char
    assert content.characters.box[0, 3] - content.characters.box[0, 1] == pytest.approx(30, abs=0.5)


@pytest.mark.parametrize("drawn", [
    sign((95, 703), 64), sign((95, 702), 63), sign((95, 702), 64, clip=(0, 0, 10, 10)),
    sign((95, 702), 64).replace(b"0.01 0 0 -0.01", b"0.2 0 0 -0.2"),
], ids=["begins elsewhere", "other segments", "cut away", "a drawing's units"])  # fmt: skip
def test_other_paths_are_no_signs(read, drawn):
    assert read(pdf(drawn)).characters is None
