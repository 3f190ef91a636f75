"""What one method did on one page: the numbers of a bench report, as types. `summaries` adds them up."""

from __future__ import annotations

from typing import Literal

import msgspec

AR = "ar"  # the name of plain autoregressive decoding
OVERALL = "overall"  # the category of all pages
STAGES = ("picture", "drafts", "regions", "vision", "prefill", "decode", "markup")

Drafts = Literal["pipeline", "ocr", "truth", "oracle", "none"]  # where they come from


class Accuracy(msgspec.Struct, frozen=True, kw_only=True):
    """The scores of an output against its page's truth; `PageRow` explains it, as the schema of reports has it from
    there."""

    cer: float | None = None
    edit: float | None = None
    teds: float | None = None
    order: float | None = None
    formula: float | None = None
    tests: tuple[int, int] | None = None
    tests_by_file: dict[str, tuple[int, int]] = {}


class PageRow(Accuracy, frozen=True, kw_only=True):
    """One page decoded by one method, once.

    `seconds` by stage: `picture` renders and preprocesses the page, `drafts` is the pipeline and writing its blocks as
    draft tokens (where a model reads regions every method pays for finding them, and one that drafts for their words
    as well), `regions` the region stage (its crops, prefill and decoding), `vision` the vision tower, `prefill` the
    decoder over the prompt and pruning it before that, `decode` everything after the first token and whatever lies
    between the other stages, `markup` output to Markdown.

    `tokens`, `steps` and what was accepted are those of the page; of the regions that only drafted it there are
    `region_tokens` and `region_steps`. `accepted_per_step` are the draft tokens of each step. `visual_tokens` is how
    many the vision tower gave, `kept_visual_tokens` how many of them are there when decoding begins, mean over layers.
    Bytes of keys and values: `kv_prefill_bytes` of the page's whole prompt, before anything is evicted;
    `kv_prompt_bytes` of what is left of it when decoding begins; `kv_bytes` of all rows that hold something, the most,
    of the page's outputs or of its regions, whichever held more; `kv_spare_bytes` of the room beside those that holds
    nothing.
    `peak_memory` are the bytes that the page needed beyond what was in use before it on a GPU, at the peak, which is in
    the prefill (0: unknown); `attention_flops` what the decoder's attention cost while decoding, by the papers' formula
    (`docparse.bench.measures`). `endings` say why each output ended (`stop`: the model was done; `length`:
    `--max-tokens` or a region's room; `loop`), `chosen` what `auto` took, and why.

    `identical` says that the tokens are those of plain decoding on this page, `distance` is the normalised edit
    distance of the two texts. `density` is the true text's characters for each visual token.

    Against the page's truth, None where it has nothing to measure by or a package is missing: `cer` is edits over the
    characters of the truth, 0 best, above 1 possible. `edit` is the normalised edit distance, 0 to 1 (of pages that
    OmniDocBench annotated: its own text distance). `teds` is the mean over the true tables, 1 best. `order` is the edit
    distance of the sequence of blocks, 0 best, `formula` that of display formulas, of pages that OmniDocBench
    annotated. `tests` counts olmOCR-bench's: passed, of; `tests_by_file` the same by the file they come from.
    """

    model: str
    page: str
    category: str
    method: str
    run: int
    seconds: dict[str, float]
    tokens: int
    steps: int
    steps_with_candidates: int
    accepted: int
    accepted_per_step: tuple[int, ...]
    accepted_by_source: dict[str, int]
    proposed_by_source: dict[str, int]
    region_tokens: int
    region_steps: int
    prompt_tokens: int
    visual_tokens: int
    kept_visual_tokens: int
    kv_bytes: int
    peak_memory: int
    attention_flops: float
    endings: tuple[str, ...]
    identical: bool
    distance: float
    chosen: str = ""
    density: float | None = None
    kv_prefill_bytes: int = 0
    kv_prompt_bytes: int = 0
    kv_spare_bytes: int = 0

    @property
    def prefill(self) -> float:
        """Return the vision tower and the decoder over the prompt."""
        return self.seconds["vision"] + self.seconds["prefill"]

    @property
    def decoding(self) -> float:
        """Return what SR_decode compares: decoding with all that speculation costs; prefill and pictures excluded."""
        return self.seconds["drafts"] + self.seconds["regions"] + self.seconds["decode"]

    @property
    def total(self) -> float:
        """Return what SR_e2e compares: from page to markup."""
        return sum(self.seconds.values())


class PageFailure(msgspec.Struct, frozen=True, kw_only=True):
    """A page that a method could not read, and why, in one line. Where it was plain decoding, no method was tried."""

    model: str
    page: str
    method: str
    run: int
    error: str


class ThroughputPoint(msgspec.Struct, frozen=True, kw_only=True):
    """All `pages` read in one go by one method, at most `batch` outputs decoded at once.

    `seconds` are those from the first page's begin to the last one's end, on a clock on the wall, and rates are over
    them. Tokens are those of pages, not of regions that only drafted them; `docparse.bench.show.tables.LOAD` says what
    the others are.
    """

    method: str
    batch: int
    pages: int
    seconds: float
    tokens: int
    pages_per_minute: float
    tokens_per_minute: float
    speedup: float
    latency: float
    latency_p90: float
    passes: int
    rows_per_pass: float
    kv_bytes: int
    different: int


class Throughput(msgspec.Struct, frozen=True, kw_only=True):
    """One model over `pages`, by method and batch size. `preparing` are seconds by stage that all pages took before:
    `picture` renders them, `pipeline`, where drafts come from it, reads them. They are in no point."""

    model: str
    pages: int
    preparing: dict[str, float]
    points: tuple[ThroughputPoint, ...]
