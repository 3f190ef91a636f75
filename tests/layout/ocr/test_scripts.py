"""A line that OCR cannot read is told from one that it reads, and a page says so."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.ocr.result import OcrLine
from docparse.layout.ocr.scripts import doubtful_share, foreign_script, is_doubtful, unreadable

TEXTS = {
    "Cyrillic": "Мама мыла раму, а папа читал вчерашнюю газету у окна.",
    "Greek": "Το τρένο άργησε πάλι σήμερα το πρωί, αλλά δεν πειράζει.",
    "Hebrew": "הרכבת איחרה שוב הבוקר ואיש לא התרעם על כך בתחנה",
    "Arabic": "تأخر القطار مرة أخرى هذا الصباح ولم يعترض أحد",
    "Devanagari": "आज सुबह ट्रेन फिर देर से आई और किसी ने शिकायत नहीं की",
    "Thai": "เช้านี้รถไฟมาช้าอีกแล้ว แต่ไม่มีใครว่าอะไร",
    "Hangul": "오늘 아침 기차가 또 늦었지만 아무도 불평하지 않았다",
    "Georgian": "დღეს დილით მატარებელი ისევ დაიგვიანა",
    "Armenian": "Այսօր առավոտյան գնացքը կրկին ուշացավ",
}
GOOD = OcrLine("The morning train was late again and nobody minded.", 0.98, 21.0)
DROPPED = OcrLine("  ,   .", 0.96, 20.0)  # a line of Russian as the recogniser sees it
GUESSED = OcrLine("uanšus š vnu", 0.62, 20.0)  # Thai
GREEK = OcrLine("πνε αδελφσνη. ε τ χει δι ση ω, την", 0.85, 20.0)
VIETNAMESE = OcrLine("và lương tâm và cn phi đi x vi nhau", 0.99, 15.0)  # without its letters with tone marks


@pytest.mark.parametrize(
    "text, script",
    [
        *((text, script) for script, text in TEXTS.items()),
        (GOOD.text, ""),
        ("今朝も電車は遅れたが、誰も文句を言わなかった。川には小舟が浮かんでいた。", ""),
        ("人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心。", ""),
        ("", ""),
        ("12.5 % ± 3 °C → 40", ""),
        ("α + β = γ, where Δ is the angle between the two lines of sight", ""),
        ("мама", ""),  # too little to tell
        ("мШтЯ кЛпЖ фЫвА пРоЛ дЖэЯ чСмИ тЬбЮ йЦуК", ""),  # letters at random
        ("а б в г д е ж з и к л м н о п р с т у ф х", ""),
    ],
)
def test_a_text_has_a_foreign_script_if_ocr_cannot_read_it(text, script):
    assert foreign_script(text) == script


@pytest.mark.parametrize(
    "line, doubtful",
    [*((line, True) for line in (DROPPED, GUESSED, GREEK, OcrLine("", 0.0, 4.0))),
     *((line, False) for line in (GOOD, OcrLine("すべての人間は、", 1.0, 7.5), OcrLine("α+β", 0.9, 2.0),
                                  OcrLine("7", 0.97, 1.2)))],
)  # fmt: skip
def test_lines_that_cannot_be_read_are_doubtful(line, doubtful):
    assert is_doubtful(line) is doubtful


@pytest.mark.parametrize(
    "lines", [[], [GOOD] * 20, [GOOD] * 9 + [DROPPED], [OcrLine("", 0.0, 1.5)] * 3],
    ids=["none", "good", "one of ten", "specks of a photograph"],
)  # fmt: skip
def test_a_page_that_was_read_is_not_complained_of(lines):
    assert unreadable(lines) == ""


def test_a_page_that_was_not_says_how_much_of_it_and_what_may_help():
    line = unreadable([GOOD] * 6 + [DROPPED] * 34)
    assert line.startswith("an unknown script, or no print, is not readable by OCR: 34 of 40 lines are doubtful")
    assert (
        "Latin, Cyrillic, Greek, Hebrew, Arabic, Chinese" in line and "(--model)" in line and "--text-layer" not in line
    )


def test_the_script_is_named_by_the_text_layer_or_by_letters_that_were_read():
    line = unreadable([DROPPED] * 3, TEXTS["Cyrillic"])
    assert line.startswith("poor print in Cyrillic is not readable by OCR: 3 of 3 lines")
    assert "--text-layer only" in line
    assert unreadable([GREEK] * 3).startswith("poor print in Greek is not readable by OCR: 3 of 3 lines")
    assert unreadable([VIETNAMESE] * 3).startswith("poor print in Vietnamese is not readable by OCR")


LINES = st.lists(st.sampled_from([GOOD, DROPPED, GUESSED, GREEK]), max_size=12)


@given(LINES, LINES)
def test_more_doubtful_lines_never_make_a_page_readable(some, more):
    assert 0 <= doubtful_share(some) <= 1
    if unreadable(some):
        assert unreadable([*some, *filter(is_doubtful, more)])
