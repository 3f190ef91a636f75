"""Which languages the recogniser that ships with docparse can read.

PP-OCRv6 small has one dictionary for all of them, so `--lang` selects no model: it is a promise about the document
that is refused where it cannot be kept. Vietnamese is missing as the dictionary lacks most of its vowels.
"""

from __future__ import annotations

import re

from docparse.errors import EnvironmentProblem, UsageError

LATIN = (
    "af az bs ca cs cy da de en es et eu fi fr ga gl hr hu id is it ku la lb lt lv mi ms mt nl no oc pi pl pt qu rm ro "
    "sk sl sq sv sw tl tr uz"
)
READABLE = frozenset(f"{LATIN} zh zh-hans zh-hant ja".split())
CODE = re.compile(r"[a-z]{2,3}(-[a-z]+)?")


def check_languages(text: str) -> None:
    """`auto`, or ISO 639 codes with commas. Raises `UsageError` for what is no code, `EnvironmentProblem` for a
    language that nothing here can read."""
    if text == "auto":
        return
    for code in (part.strip().lower() for part in text.split(",")):
        if not CODE.fullmatch(code):
            raise UsageError(f"lang {code!r} is not a language code: write something like en, de or zh, or auto")
        if code not in READABLE:
            raise EnvironmentProblem(
                f"lang {code!r}: the shipped OCR model reads Latin script (not Vietnamese), Chinese and Japanese only; "
                "drop --lang for pages with a text layer"
            )
