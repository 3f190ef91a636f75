"""The reader of symbols: its training runs from a font to a file that the product opens."""

from itertools import islice
from pathlib import Path

import matplotlib
import numpy as np
import pytest
import torch

from docparse.layout.ocr import symbols as reading
from training import symbols


@pytest.fixture(scope="module")
def drawn():
    font = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "STIXGeneral.ttf"
    return [drawing for drawing in symbols.drawings(font) if drawing.char in "xi=Σ"]


def test_what_is_known_of_a_symbol_is_measured_on_its_drawing(drawn):
    known = symbols.known_of(drawn, "xi=")
    assert [known["pieces"][char] for char in "xi="] == [[1], [2], [2]]
    over, under, width, *spreads = known["forms"]["x"]
    assert 0.4 < over < 0.5 and abs(under) < 0.02 and 0.4 < width < 0.6 and spreads == [0.0, 0.0]


def test_a_view_is_the_ink_in_a_square_whatever_its_size(drawn):
    rng = np.random.default_rng(1)
    for drawing in drawn:
        ink, shape = symbols.view(drawing, rng)
        height, width = drawing.mask.shape
        assert ink.shape == (symbols.SIDE, symbols.SIDE) and 0 <= ink.min() < 0.3 < ink.max() <= 1
        assert shape[0] == pytest.approx(np.log(width / height), abs=0.35) and shape[1] == abs(shape[0])


def test_a_trained_network_is_read_by_the_product(drawn, tmp_path, monkeypatch):
    chars = "".join(dict.fromkeys(drawing.char for drawing in drawn))
    (tmp_path / "data").mkdir()
    net = symbols.train(drawn, chars, minutes=0.01, batch=8)
    symbols.export(net, symbols.known_of(drawn, chars), tmp_path / "data" / "symbols.onnx")
    monkeypatch.setattr(reading, "shipped_model", lambda *parts: tmp_path.joinpath(*parts[1:]))
    pictures = [drawing.mask / np.float32(255) for drawing in drawn]
    for chances in reading.SymbolReader().read(pictures):
        assert {char for char, _ in chances} == set(chars)
        assert sum(chance for _, chance in chances) == pytest.approx(1, abs=1e-4)


def test_a_network_that_was_exported_is_opened_as_it_was(drawn, tmp_path):
    chars = "".join(dict.fromkeys(drawing.char for drawing in drawn))
    net = symbols.train(drawn, chars, minutes=0.01, batch=8)
    symbols.export(net, symbols.known_of(drawn, chars), tmp_path / "a.onnx")
    again = symbols.opened(tmp_path / "a.onnx", iter(symbols.Views(drawn, chars)), len(chars)).eval()
    ink, shape = (torch.stack(parts) for parts in list(zip(*islice(symbols.Views(drawn, chars), 9), strict=True))[:2])
    expected = net.eval()(ink, shape)
    torch.testing.assert_close(again(ink, shape), expected, atol=1e-4, rtol=1e-4)
    symbols.export(again, symbols.known_of(drawn, chars), tmp_path / "b.onnx")
    symbols.average(tmp_path / "a.onnx", tmp_path / "b.onnx", keep=0.5)
    mean = symbols.opened(tmp_path / "b.onnx", iter(symbols.Views(drawn, chars)), len(chars)).eval()
    torch.testing.assert_close(mean(ink, shape), expected, atol=1e-4, rtol=1e-4)
