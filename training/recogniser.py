"""Write the recogniser of OCR that ships: `python -m training.recogniser docparse/data/recogniser.onnx`.

It is rapidocr's `PP-OCRv6_rec_small.onnx` with three quarters of its multiplications in 8-bit integers: the pointwise
convolutions of its later blocks, as matrix products over the channels of each place, and the head. Weights have a scale
per column, activations one per line, found as it is read, so no calibration is needed. What stays in float is stored in
half precision. A second output gives what the convolutions see, for `training/alphabets.py`.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
from onnx import helper, numpy_helper

from docparse.layout.ocr.onnx import shipped_model
from docparse.layout.ocr.recogniser import FEATURES

SOURCE = ("rapidocr", "models", "PP-OCRv6_rec_small.onnx")
ORT = "com.microsoft"
CHANNELS = 192  # of a block at least: with fewer, integers cost accuracy and gain no time


class Graph:
    """The nodes and weights of an ONNX model, to be rewritten."""

    def __init__(self, model: onnx.ModelProto) -> None:
        self.model = model
        self.nodes = list(model.graph.node)
        self.weights = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}

    def maker(self, name: str) -> onnx.NodeProto:
        return next(node for node in self.nodes if name in node.output)

    def users(self, name: str) -> list[onnx.NodeProto]:
        return [node for node in self.nodes if name in node.input]

    def replace(self, old: Sequence[onnx.NodeProto], new: Sequence[onnx.NodeProto]) -> None:
        self.nodes = [node for node in self.nodes if node not in old] + list(new)

    def finished(self) -> onnx.ModelProto:
        """Return the model with its nodes in an order in which they can run, and no weight that none of them uses."""
        graph = self.model.graph
        known = {*self.weights, "", *(value.name for value in graph.input)}
        ordered: list[onnx.NodeProto] = []
        while left := [node for node in self.nodes if node not in ordered]:
            ready = [node for node in left if known.issuperset(node.input)]
            known.update(name for node in ready for name in node.output)
            ordered += ready
        used = {name for node in ordered for name in node.input}
        del graph.node[:], graph.initializer[:], graph.value_info[:]
        graph.node.extend(ordered)
        for name, weights in self.weights.items():
            if name in used and weights.dtype == np.float32 and weights.ndim > 1:
                graph.initializer.append(numpy_helper.from_array(weights.astype(np.float16), f"{name}.half"))
                graph.node.insert(0, helper.make_node("Cast", [f"{name}.half"], [name], to=onnx.TensorProto.FLOAT))
            elif name in used:
                graph.initializer.append(numpy_helper.from_array(weights, name))
        onnx.checker.check_model(self.model)
        return self.model


def simplified(path: Path) -> onnx.ModelProto:
    """Return the model with biases and normalisations inside its convolutions, and no node that does nothing."""
    with tempfile.TemporaryDirectory() as folder:
        options = ort.SessionOptions()
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
        options.optimized_model_filepath = str(Path(folder) / "simplified.onnx")
        ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        model = onnx.load(options.optimized_model_filepath)
    del model.opset_import[:]
    model.opset_import.extend([helper.make_opsetid("", 11), helper.make_opsetid(ORT, 1)])
    return model


def product(graph: Graph, x: str, weights: np.ndarray, bias: np.ndarray, y: str) -> onnx.NodeProto:
    """Return the node of y = x @ weights + bias in integers; weights are float32 [in, out]."""
    scales = np.abs(weights).max(axis=0) / 127
    graph.weights |= {
        f"{y}.weights": np.round(weights / scales).astype(np.int8),
        f"{y}.scales": scales,
        f"{y}.zeros": np.zeros(len(scales), np.int8),
        f"{y}.bias": bias,
    }
    names = [x, *(f"{y}.{part}" for part in ("weights", "scales", "zeros", "bias"))]
    return helper.make_node("DynamicQuantizeMatMul", names, [y], domain=ORT)


def fuse_gelu(graph: Graph) -> list[onnx.NodeProto]:
    """Put one node for each x / √2 → erf → + 1 → · x → / 2; return them."""
    fused = []
    for erf in [node for node in graph.nodes if node.op_type == "Erf"]:
        divided, (plus,) = graph.maker(erf.input[0]), graph.users(erf.output[0])
        (times,) = graph.users(plus.output[0])
        (half,) = graph.users(times.output[0])
        fused.append(helper.make_node("Gelu", [divided.input[0]], list(half.output), domain=ORT))
        graph.replace([divided, erf, plus, times, half], fused[-1:])
    return fused


def quantise_block(graph: Graph, gelu: onnx.NodeProto) -> None:
    """Rewrite x + second(gelu(first(x))), or the same without x, with channels last: pointwise convolutions both."""
    first, (second,) = graph.maker(gelu.input[0]), graph.users(gelu.output[0])
    x, y = first.input[0], second.output[0]
    users = graph.users(y)
    residual = users if len(users) == 1 and users[0].op_type == "Add" and x in users[0].input else []
    (into, before), (back, after) = (
        (np.ascontiguousarray(graph.weights[node.input[1]][:, :, 0, 0].T), graph.weights[node.input[2]])
        for node in (first, second)
    )
    nodes = [
        helper.make_node("Transpose", [x], [f"{x}.last"], perm=[0, 2, 3, 1]),
        product(graph, f"{x}.last", into, before, f"{x}.wide"),
        helper.make_node("Gelu", [f"{x}.wide"], [f"{x}.gelu"], domain=ORT),
        product(graph, f"{x}.gelu", back, after, f"{y}.last"),
    ]
    out = f"{y}.last"
    if residual:
        out = f"{y}.sum"
        nodes.append(helper.make_node("Add", [f"{x}.last", f"{y}.last"], [out]))
    nodes.append(helper.make_node("Transpose", [out], [residual[0].output[0] if residual else y], perm=[0, 3, 1, 2]))
    graph.replace([first, gelu, second, *residual], nodes)


def quantise_head(graph: Graph) -> None:
    """Rewrite the product with the characters, before the last softmax."""
    softmax = graph.maker(graph.model.graph.output[0].name)
    add = graph.maker(softmax.input[0])
    (matmul,) = [graph.maker(name) for name in add.input if name not in graph.weights]
    (bias,) = [graph.weights[name] for name in add.input if name in graph.weights]
    x, weights = matmul.input[0], graph.weights[matmul.input[1]]
    graph.replace([matmul, add], [product(graph, x, weights, bias, add.output[0])])


def expose_features(graph: Graph) -> None:
    """Make what the convolutions see of each column a second output: other alphabets are read from it."""
    pool = [node for node in graph.nodes if node.op_type == "AveragePool"][-1]
    for user in graph.users(pool.output[0]):
        user.input[:] = [FEATURES if name == pool.output[0] else name for name in user.input]
    pool.output[0] = FEATURES
    shape = ["lines", "channels", 1, "columns"]
    graph.model.graph.output.append(helper.make_tensor_value_info(FEATURES, onnx.TensorProto.FLOAT, shape))


def quantised(path: Path) -> onnx.ModelProto:
    """Return the recogniser at `path` with its large products in integers."""
    graph = Graph(simplified(path))
    for gelu in fuse_gelu(graph):
        if graph.weights[graph.maker(gelu.input[0]).input[1]].shape[1] >= CHANNELS:
            quantise_block(graph, gelu)
    quantise_head(graph)
    expose_features(graph)
    return graph.finished()


if __name__ == "__main__":
    onnx.save(quantised(shipped_model(*SOURCE)), sys.argv[1])
