"""Scans in other alphabets than Latin are read; what is in none of them is not made of their letters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from readings import reading

from docparse.layout.ocr.alphabets import ALIKE, in_one_script, is_own
from docparse.layout.ocr.scripts import unreadable
from tests.layout.ocr.test_unread_scripts import CYRILLIC, GREEK, LATIN, noisy, page

VIETNAMESE = (
    "Chuyến tàu buổi sáng lại đến muộn, nhưng không ai trên sân ga phàn nàn, vì sau một tuần mưa mặt trời đã trở lại "
    "và dòng sông dưới nhà ga đầy những chiếc thuyền nhỏ."
)
UKRAINIAN = "Ранковий поїзд знову запізнився, та ніхто на платформі не скаржився: після тижня дощів вийшло сонце."
HEBREW = "הרכבת של הבוקר איחרה שוב, ואיש על הרציף לא התלונן: אחרי שבוע של גשם יצאה השמש, והנהר היה מלא סירות קטנות."
ARABIC = "تأخر قطار الصباح مرة أخرى ولم يشتك أحد على الرصيف لأن الشمس عادت بعد أسبوع من المطر"
MIXED = f"{CYRILLIC} Программа SQLite 3.45 написана на Python. Версия 2.0 вышла 15 мая 2024 г., цена — 1200 руб."


def said(result):
    return " ".join(word.text for word in result.words)


def share_of(text, found):
    """The share of the words of a text that were found."""
    return sum(word in found.split() for word in text.split()) / len(text.split())


TEXTS = {"ru": CYRILLIC, "uk": UKRAINIAN, "el": GREEK, "vi": VIETNAMESE, "he": HEBREW, "mixed": MIXED}


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("worn", [False, True], ids=["clean", "noisy"])
def test_print_in_these_alphabets_is_read(draw, ocr, name, worn):
    image = draw(page(TEXTS[name]))
    result = ocr.read(noisy(image) if worn else image)
    assert share_of(TEXTS[name], said(result)) >= (0.8 if worn or name == "he" else 0.9)
    assert unreadable(result.lines) == ""


def test_arabic_in_a_poor_font_is_read_in_parts(draw, ocr):
    assert share_of(ARABIC, said(ocr.read(draw(page(ARABIC))))) >= 0.5


def test_a_latin_page_is_read_as_without_them(draw, ocr, monkeypatch):
    before = said(ocr.read(draw(page(LATIN))))
    monkeypatch.setattr(type(ocr), "alphabets", None)  # whoever asks it fails
    assert said(ocr.read(draw(page(LATIN)))) == before


@pytest.mark.parametrize(
    "text, confidence, own",
    [("Утренний поезд", 0.95, True), ("Το πρωινό τρένο", 0.95, True), ("nhưng không ai trên sân", 0.9, True),
     ("Утренний поезд", 0.5, False), ("The morning train", 0.99, False), ("1 234,5 — 77", 0.99, False),
     ("", 0.0, False), ("오늘 아침 기차가", 0.9, True), ("הרכבת של", 0.9, True), ("٢٠٢٣/٤", 0.9, True)],
)  # fmt: skip
def test_only_a_sure_line_in_letters_of_its_own_counts(text, confidence, own):
    assert is_own(reading(text, confidence)) is own


@pytest.mark.parametrize(
    "read, meant",
    [("МΓТУ имени", "МГТУ имени"), ("НАВЫкИ и технологиЙ", "НАВЫКИ и технологий"), ("Pазмер", "Размер"),
     ("кВт на м", "кВт на м"), ("SQLite и Pуthоn", "SQLite и Python"), ("Утренний СHЕТ", "Утренний СНЕТ"),
     ("Курс CSS", "Курс CSS"), ("گربه كوچك", "گربه کوچک"), ("في البيت", "في البيت"),
     ("Tο πρωινό", "Το πρωινό"), ("nhưng ga", "nhưng ga"), ("", "")],
)  # fmt: skip
def test_a_word_has_letters_of_one_script_and_one_case(read, meant):
    assert in_one_script(read) == meant


@given(st.text(st.sampled_from(" -1ABxyzАБвгдΑΒγδưẻ" + "".join(ALIKE.values()))))
def test_settling_letters_keeps_how_many_there_are_and_all_that_is_none(text):
    settled = in_one_script(text)
    assert len(settled) == len(text)
    assert [c for c in settled if not c.isalpha()] == [c for c in text if not c.isalpha()]
