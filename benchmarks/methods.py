"""What every method costs and gains in speed and memory: `python benchmarks/methods.py`.

The model is random, of a size at which a forward pass outweighs the loop around it, so what it writes means nothing. A
picture of noise, of as many visual tokens as a page has, is read by plain decoding and by each method in turn: the race
and the numbers are those of `docparse bench`. Methods that draft do so from plain decoding's output, of which some
tokens are edited; after a lossy method no draft would fit. See docs/benchmarks/methods.md."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image
from twins import make_twin

from docparse.accel.budgets import budget_of
from docparse.accel.stack import METHODS as KNOWN
from docparse.bench.data.pages import BenchPage
from docparse.bench.report_tables import ReportLine, ReportTable
from docparse.bench.request import BenchRequest
from docparse.bench.rows import OVERALL, PageFailure, PageRow
from docparse.bench.run import race_of
from docparse.bench.show.markdown import as_markdown
from docparse.bench.summaries import COLUMNS, summarise
from docparse.errors import DocparseError
from docparse.models.qwen3_vl import Qwen3Vl
from docparse.vlm.loaded import Vlm

MEDIUM: Mapping[str, Any] = {  # of Qwen3-VL's twin: 42 M parameters, a shape between the twin's and the published one
    "config.json": {
        "text_config": {
            **{"vocab_size": 8192, "hidden_size": 512, "intermediate_size": 1536, "num_hidden_layers": 12},
            **{"num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 64},
            "rope_parameters": {"mrope_section": [12, 10, 10]},
        },
        "vision_config": {
            **{"depth": 6, "hidden_size": 256, "intermediate_size": 1024, "num_heads": 4, "out_hidden_size": 512}
        },
    },
    "preprocessor_config.json": {"size": {"shortest_edge": 65536, "longest_edge": 16777216}},
}
ELSEWHERE = ("lookup", "vsd")  # what looks at the words, or needs a second model
METHODS = (
    # a picture of noise has no ratio of its own
    *("rtprune(ratio=0.25)" if name == "rtprune" else name for name in KNOWN if name not in ELSEWHERE),
    "fastocr(preset=fast)",
)
NEUTRAL = tuple(  # settings that change nothing: what they cost is overhead
    f"{name}({budget}={0 if budget == 'ratio' else 1})"
    for name, method in KNOWN.items()
    if (budget := budget_of(method))
)
CELL = 32  # pixels of a side of what a visual token sees
SHOWN = (
    *("sr_decode", "sr_e2e", "prefill", "aal"),
    *("visual_left", "kv_bytes", "kv_left", "kv_prefill_bytes", "kv_spare_bytes", "attention_left"),
)


def load_model(device: str, dtype: str) -> Vlm:
    family = Qwen3Vl()
    with tempfile.TemporaryDirectory(prefix="docparse-") as folder:
        make_twin(family, folder, otherwise=MEDIUM)
        model: Any = family.load(folder, dtype=getattr(torch, dtype), device=device)
        return Vlm.of("medium", family, model, family.processor(folder))


def noise(folder: Path, visual: int) -> BenchPage:
    """Return a page of about so many visual tokens, a picture in the folder."""
    side = CELL * round(visual**0.5)
    pixels = np.random.default_rng(0).integers(0, 256, (side, side, 3), dtype=np.uint8)
    path = folder / "noise.png"
    Image.fromarray(pixels).save(path)
    return BenchPage(path, 1, "noise", path.name)


def measured(request: BenchRequest, page: BenchPage) -> list[PageRow]:
    """Return the rows of all methods. Raises `RuntimeError` where one failed."""
    race = race_of(request, load_model(request.device, request.dtype), request.stacks)
    race.warm_up([page])
    rows = []
    for result in race.rows([page]):
        if isinstance(result, PageFailure):
            raise RuntimeError(f"{result.method}: {result.error}")
        rows.append(result)
    return rows


def table(rows: Sequence[PageRow]) -> ReportTable:
    """Return a line for each method, with the columns of `docparse bench`."""
    columns = [COLUMNS[key] for key in SHOWN]
    overall = [each for each in summarise(rows) if each.category == OVERALL]
    lines = [ReportLine(each.method, [column.cell(each) for column in columns]) for each in overall]
    tokens = f"{rows[0].visual_tokens} visual and {rows[0].prompt_tokens - rows[0].visual_tokens} text tokens"
    return ReportTable(f"{tokens} in the prompt, {rows[0].tokens} tokens of output", columns, lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visual", type=int, default=1024, help="visual tokens of the picture, about")
    parser.add_argument("--tokens", type=int, default=128, help="tokens of output")
    parser.add_argument("--rounds", type=int, default=1, help="how often each method reads it")
    parser.add_argument("--methods", nargs="*", default=[*METHODS, *NEUTRAL], help="stacks to measure")
    parser.add_argument("--edits", type=float, default=0.05, help="share of the drafts' tokens that is wrong")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--threads", type=int, default=1, help="on shared cores a second one waits for its neighbours")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    try:
        request = BenchRequest(
            method=",".join(args.methods),
            random_weights=True,  # no output ends before it is as long as it may be
            draft_noise=args.edits,
            max_tokens=args.tokens,
            runs=args.rounds,
            device=args.device,
            dtype=args.dtype,
        )
    except DocparseError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    with tempfile.TemporaryDirectory(prefix="docparse-") as folder:
        rows = measured(request, noise(Path(folder), args.visual))
    print("\n".join(as_markdown(table(rows))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
