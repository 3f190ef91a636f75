"""The recogniser that ships is what the recipe makes of rapidocr's."""

import numpy as np
import onnx
from onnx import numpy_helper

from docparse.layout.ocr.onnx import shipped_model
from training import recogniser


def integers(model):
    tensors = map(numpy_helper.to_array, model.graph.initializer)
    return [array for array in tensors if array.dtype == np.int8 and array.ndim == 2]


def test_the_weights_that_ship_are_those_of_the_recipe():
    made = recogniser.quantised(shipped_model(*recogniser.SOURCE))
    shipped = onnx.load(shipped_model("docparse", "data", "recogniser.onnx"))
    pairs = list(zip(integers(made), integers(shipped), strict=True))
    assert len(pairs) == 19 and all(np.array_equal(one, other) for one, other in pairs)
    assert sum(one.size for one, _ in pairs) > 4_000_000
