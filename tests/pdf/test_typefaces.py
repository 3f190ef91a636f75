"""Faces of type: which Chinese ones are bold among which."""

from types import SimpleNamespace

import numpy as np
import pytest

from docparse.pdf.typefaces import black_runs


def runs(*texts):
    """A text layer of text objects, each a font and what it says."""
    letters = [(ord(char), i) for i, (_, text) in enumerate(texts) for char in text]
    code, run = np.array(letters).T
    names = [name for name, _ in texts]
    return SimpleNamespace(
        code=code,
        run=run,
        inked=np.ones(len(code), bool),
        handle=np.arange(len(texts)),
        of_objects=lambda judge: np.array([judge(SimpleNamespace(name=name)) for name in names]),
    )


SONG = "闪烁探测器是利用辐射在闪烁体内闪光来探测电离辐射的探测器"


@pytest.mark.parametrize("name", ["SimHei", "FandolHei-Regular", "SourceHanSansSC", "NotoSansCJKsc", "FZHTK"])
@pytest.mark.parametrize("text", ["SimSun", "FandolSong-Regular", "SourceHanSerifCN", "NotoSerifCJKsc", "FZSSK"])
def test_a_black_face_amid_text_with_serifs_is_its_bold(name, text):
    assert black_runs(runs((text, SONG), (name, "闪烁体的分类"))).tolist() == [False, True]


@pytest.mark.parametrize(
    "other", [("SimHei", SONG), ("Helvetica", "black"), ("HeiseiMin-W3", "平成明朝"), ("KaiTi", "楷体字")]
)
def test_what_is_as_long_as_the_text_or_in_no_black_face_is_not(other):
    assert not black_runs(runs(("SimSun", SONG), other)).any()
