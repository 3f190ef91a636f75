"""What the cost model knows of machines: every constant in one table, each with where it comes from."""

from __future__ import annotations

from typing import NamedTuple

HSD = "HSD, arXiv:2602.12957v1, A100, Hugging Face stack"
MILLISECOND = 1e-3
GPT_FAST = "https://pytorch.org/blog/accelerating-generative-ai-2/: Llama-7B, bf16, one A100-80GB"


class Device(NamedTuple):
    """A GPU by its datasheet: bytes a second of its memory, bf16 operations a second of its matrix units (dense)."""

    bandwidth: float
    rate: float
    source: str


class Constant(NamedTuple):
    """One number of the model: what it says, and who says so."""

    value: float
    unit: str
    says: str
    source: str

    def __str__(self) -> str:
        if self.unit == "s" and self.value < MILLISECOND:
            return f"{1e6 * self.value:g} µs"
        return f"{self.value:g} {self.unit}".rstrip()


DEVICES = {
    "a100": Device(2.039e12, 312e12, "NVIDIA A100 80GB SXM datasheet"),
    "h100": Device(3.35e12, 989e12, "NVIDIA H100 SXM datasheet"),
    "h200": Device(4.8e12, 989e12, "NVIDIA H200 SXM datasheet"),
}

BANDWIDTH = Constant(
    0.71,
    "",
    "share of the memory's bandwidth that decoding reaches",
    f"{GPT_FAST}: 107 tokens/s of 13.5 GB are 1.44 of 2.04 TB/s",
)
RATE = Constant(
    0.5, "", "share of the matrix rate that prefill and the vision tower reach", "assumed: half, for middling sizes"
)
EAGER = Constant(
    24e-6,
    "s",
    "launching an operator from Python, one by one (`eager`)",
    f"{GPT_FAST}: 25.5 tokens/s before compilation, over 32 layers of about 51 operators",
)
GRAPH = Constant(1.5e-6, "s", "the same operator in a captured CUDA graph (`graphs`)", "assumed")
EXPERT = Constant(
    5,
    "",
    "operators for every routed expert that a pass touches",
    "`moe_infer` of modeling_deepseekv2.py in deepseek-ai/DeepSeek-OCR: experts in a loop",
)
PROPOSE = Constant(
    0.4e-3, "s", "finding candidates and choosing the tree, a step", "docs/benchmarks/hsd.md: 0.4 to 0.6 ms measured"
)
FED = Constant(
    3.0,
    "",
    "draft tokens that a pass verifies for each one it accepts, where nothing was measured",
    "docs/benchmarks/hsd.md: 2.4 to 3.1 where 5 to 10 % of the tokens are edited",
)
TOKENS = Constant(
    880,
    "tokens",
    "output of a page",
    "OmniDocBench's public demo: 3,070 characters a page on average, 3.5 of them a token (assumed)",
)
CHARACTERS = Constant(3.5, "", "characters of a document in a token of the published models", "assumed")
REGIONS = Constant(
    0.25,
    "",
    "length of the region stage over that of the page: all regions are one batch, as long as the longest",
    "OmniDocBench's public demo: share of a page's characters in its longest element",
)
DRAFTS = Constant(1.99, "s", "the pipeline's drafts of a page, where nothing was measured", HSD)
VERIFY = Constant(
    0.22,
    "",
    "share of operators that a verification pass launches beyond a plain one (tree mask, keeping the cache)",
    f"fitted: {HSD}: dots.ocr, AAL 4.98, SR_decode 2.44",
)

SOFTWARE = {"eager": EAGER, "graphs": GRAPH}
CONSTANTS = (BANDWIDTH, RATE, EAGER, GRAPH, EXPERT, PROPOSE, FED, TOKENS, CHARACTERS, REGIONS, DRAFTS, VERIFY)
