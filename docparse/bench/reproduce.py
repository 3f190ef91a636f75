"""Tables of the papers with our column beside theirs: `docparse bench --reproduce fastocr-table1`.

Every figure is as the paper prints it, on its own models, data and machine; what of ours cannot be compared with it is
said below the table. A figure that we do not have is a dash.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from docparse.bench.report import Report
from docparse.bench.rows import OVERALL
from docparse.bench.show.columns import Standing, points, standings
from docparse.errors import UsageError
from docparse.settings import nearest

if TYPE_CHECKING:
    from rich.table import Table


class PaperFigure(NamedTuple):
    """A line of a paper's table: the model, our method for it, and the figures by column. `category` is OmniDocBench's
    source of the pages."""

    what: str
    model: str
    method: str
    figures: Mapping[str, str]
    category: str = OVERALL


@dataclass(frozen=True)
class PaperTable:
    """`data` and `machine` are the paper's, `leave_out` the pages that it does not count, `more` methods of ours."""

    title: str
    source: str
    data: str
    machine: str
    lines: Sequence[PaperFigure]
    more: Sequence[str] = ()
    leave_out: str = ""
    note: str = ""

    @property
    def methods(self) -> str:
        return ",".join(dict.fromkeys([*(line.method for line in self.lines), *self.more]))

    @property
    def columns(self) -> list[str]:
        return list(dict.fromkeys(name for line in self.lines for name in line.figures))


def _kept(each: Standing) -> float | None:
    """Percent of plain decoding's score that are left: OmniDocBench's overall, or what is right of the characters."""
    if each.plain is None or each.plain.cer is None or each.of.cer is None:
        return None
    ours, full = each.of.overall, each.plain.overall
    if ours is None or full is None:
        ours, full = max(0.0, 1 - each.of.cer), max(0.0, 1 - each.plain.cer)
    return 100 * ours / full if full else None


def _of_plain(field: str) -> Callable[[Standing], float | None]:
    return lambda each: 100 * getattr(each.of, field) / (getattr(each.plain, field, 0) or 1) if each.plain else None


OURS: dict[str, Callable[[Standing], float | None]] = {
    "AAL + 1": lambda each: each.of.aal + 1,
    "SR_decode": lambda each: each.of.sr_decode,
    "SR_e2e": lambda each: each.of.sr_e2e,
    "score kept %": _kept,
    "visual tokens %": lambda each: points(each.of.kept_visual_tokens / (each.of.visual_tokens or 1)),
    "prefill %": _of_plain("prefill"),
    "decode %": _of_plain("decode"),
}
HSD, FASTOCR = "hsd(mode=paper,tau=0.75)", "fastocr(mode=paper,preset=fast)"
SOURCES = (  # HSD's SR_e2e on dots.ocr by the source of the pages
    *(("PPT2PDF", "1.52"), ("academic_literature", "3.47"), ("book", "2.28"), ("colorful_textbook", "2.29")),
    *(
        ("exam_paper", "2.04"),
        ("magazine", "2.34"),
        ("newspaper", "2.98"),
        ("note", "1.39"),
        ("research_report", "4.89"),
    ),
)
TABLES: dict[str, PaperTable] = {
    "hsd-table2": PaperTable(
        "HSD on OmniDocBench v1.5",
        "Liao et al., https://arxiv.org/abs/2602.12957v1",
        "OmniDocBench v1.5, drafts by PP-StructureV3",
        "one A100, Hugging Face",
        (
            PaperFigure("both stages", "dots.ocr", HSD, {"AAL + 1": "4.98", "SR_decode": "2.44", "SR_e2e": "2.42"}),
            PaperFigure(
                *("both stages, tau = 1", "dots.ocr", "hsd(mode=paper)"),
                {"AAL + 1": "3.87", "SR_decode": "2.37", "SR_e2e": "2.34"},
            ),
            PaperFigure(
                *("page stage only", "dots.ocr", "hsd(mode=paper,tau=0.75,regions=never)"),
                {"AAL + 1": "3.49", "SR_e2e": "2.09"},
            ),
            PaperFigure("both stages", "hunyuan-ocr", HSD, {"AAL + 1": "5.55", "SR_e2e": "2.78"}),
            PaperFigure("both stages", "qwen3-vl", HSD, {"AAL + 1": "5.64", "SR_e2e": "2.74"}),
            PaperFigure("both stages", "deepseek-ocr", HSD, {"AAL + 1": "4.72", "SR_e2e": "1.56"}),
            *(PaperFigure(source, "dots.ocr", HSD, {"SR_e2e": figure}, source) for source, figure in SOURCES),
        ),
        ("hsd",),
        "loops,over:2048",
        "The paper's first version counts the free token in its AAL, so ours has one more here too. It says of "
        "Qwen3-VL that outputs have 2,048 tokens at most, and this is applied to all.",
    ),
    "fastocr-table1": PaperTable(
        "FastOCR and evicting methods on OmniDocBench",
        "Tang et al., https://arxiv.org/abs/2605.17447",
        "OmniDocBench",
        "H800",
        (
            PaperFigure("FastOCR, 5 %", "qwen2.5-vl 3B", FASTOCR, {"score kept %": "98.0"}),
            PaperFigure("FastOCR, 20 %", "qwen2.5-vl 3B", "fastocr(mode=paper)", {"score kept %": "99.5"}),
            PaperFigure("FastOCR, 5 %", "dots.ocr", FASTOCR, {"score kept %": "97.9"}),
            PaperFigure("FastOCR, 20 %", "dots.ocr", "fastocr(mode=paper)", {"score kept %": "98.7"}),
            PaperFigure("H2O", "qwen2.5-vl 3B", f"h2o(budget=match:{FASTOCR})", {"score kept %": "10.9"}),
            PaperFigure("FastV", "qwen2.5-vl 3B", f"fastv(keep=match:{FASTOCR})", {"score kept %": "14.7"}),
            PaperFigure("PyramidKV", "qwen2.5-vl 3B", f"pyramidkv(budget=match:{FASTOCR})", {"score kept %": "26.1"}),
            PaperFigure(
                "VisionZip", "qwen2.5-vl 3B", f"visionzip-like(keep=match:{FASTOCR})", {"score kept %": "86.5"}
            ),
        ),
        ("fastocr",),
        note="Baselines in the paper: 7.9, 10.7, 19 and 63 of 72.8; here as percent. Ours read as many rows in a step "
        "as FastOCR does. visionzip-like is not VisionZip.",
    ),
    "rtprune-table1": PaperTable(
        "RTPrune on OmniDocBench",
        "Wan et al., https://arxiv.org/abs/2605.00392",
        "OmniDocBench",
        "not said",
        (
            PaperFigure(
                *("Large, by the page", "deepseek-ocr", "rtprune(mode=paper)"),
                {"visual tokens %": "84.25", "score kept %": "99.47", "prefill %": "81.1"},
            ),
            PaperFigure(
                *("Base, by the page", "deepseek-ocr", "rtprune(mode=paper)"),
                {"visual tokens %": "83.2", "score kept %": "96.1"},
            ),
        ),
        ("rtprune(mode=code)", "rtprune"),
        note="Prefill 96.3 to 78.1 ms; Base keeps 213 of 256 tokens, 81.48 of 84.83 points. The authors' code squares "
        "the cosines and prunes about half as much: mode=code.",
    ),
    "aircache-table5": PaperTable(
        "AirCache with 10 % of the visual rows",
        "Huang et al., https://arxiv.org/abs/2503.23956",
        "visual question answering (four sets)",
        "not said",
        (
            PaperFigure(
                *("AirCache", "LLaVA-OneVision and others", "aircache"),
                {"score kept %": "99 or more", "prefill %": "105 to 112", "decode %": "34 to 71"},
            ),
        ),
        ("aircache(elite=0)", "aircache(shares=uniform)", "aircache(shares=strength)", "aircache(shares=skewness)"),
        note="The paper's answers are a word or a sentence, with batches of 8 to 16 and prompts of 2k to 32k tokens; a "
        "page is read whole. We have its ranges, not the cells of the table.",
    ),
    "vlcache-figure4": PaperTable(
        "VL-Cache: accuracy over the budget",
        "Tu et al., https://arxiv.org/abs/2410.23317",
        "COCO captions, DocVQA, MathVista",
        "A100",
        (
            PaperFigure(
                "10 %", "LLaVA", "vlcache(mode=paper,budget=0.1)", {"score kept %": "98", "decode %": "14 at best"}
            ),
            *(
                PaperFigure(f"{share:.0%}", "LLaVA", f"vlcache(mode=paper,budget={share})", {"score kept %": "–"})
                for share in (0.05, 0.2, 0.4)
            ),
        ),
        ("h2o(budget=0.1)", "snapkv(budget=0.1)", "pyramidkv(budget=0.1)", "prefixkv(budget=0.1)"),
        note="Of the figure we have the one value that the paper's text gives. Decoding is up to 7.08 times as fast.",
    ),
}


def table_named(name: str) -> PaperTable:
    """Raises `UsageError` where no paper's table is called so."""
    if name not in TABLES:
        raise UsageError(f"--reproduce {name}: use one of {', '.join(TABLES)}{nearest(name, TABLES)}")
    return TABLES[name]


def beside(report: Report, paper: PaperTable) -> Iterator[tuple[PaperFigure, dict[str, str]]]:
    """Yield every line of the paper with our numbers by column: of its model where that was measured, else of the
    first."""
    for line in [*paper.lines, *(PaperFigure("ours", "–", method, {}) for method in paper.more)]:
        model = next(
            (each.name for each in report.models if each.name.startswith(line.model.split()[0])), report.models[0].name
        )
        found = {(each.of.method, each.of.category): each for each in standings(report, model)}
        each = found.get((line.method, line.category))
        values = {name: OURS[name](each) for name in paper.columns} if each else {}
        yield line, {name: f"{value:.2f}" for name, value in values.items() if value is not None}


def as_table(report: Report, paper: PaperTable) -> Table:
    """Return a table for the terminal: of every column the paper's figure and ours."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(f"{paper.title} ({paper.source})"), title_justify="left", box=box.SIMPLE_HEAD)
    for head in ("paper", "model", "our method"):
        table.add_column(head, overflow="fold", max_width=34)
    for name in paper.columns:
        table.add_column(f"{name}\npaper", justify="right")
        table.add_column("\nours", justify="right")
    for line, ours in beside(report, paper):
        cells = [cell for name in paper.columns for cell in (line.figures.get(name, "–"), ours.get(name, "–"))]
        table.add_row(*(Text(cell) for cell in (line.what, line.model, line.method, *cells)))
    return table


def differences(report: Report, paper: PaperTable) -> Iterator[str]:
    """Yield what of our column cannot be compared with the paper's, a sentence each."""
    names = [each.name for each in report.models]
    theirs = list(dict.fromkeys(line.model for line in paper.lines))
    if missing := [model for model in theirs if not any(name.startswith(model.split()[0]) for name in names)]:
        yield f"Not measured here: {', '.join(missing)}. In their place stands {names[0]}, which is another model."
    if not report.data.startswith("omnidocbench") or "OmniDocBench" not in paper.data:
        yield f"Pages: the paper's are of {paper.data}, ours of {report.data}."
        yield "Score: ours is 1 - CER, theirs that of their data set." if "score kept %" in paper.columns else ""
    elif "score kept %" in paper.columns:
        yield "Score: OmniDocBench's overall, with the formulas' edit distance in place of CDM."
    machine = report.machine.get("gpu") or report.machine.get("processor", "")
    yield f"Machine: the paper's is {paper.machine}, ours {machine}. Speeds are ratios within a run."
    if any(each.random_weights for each in report.models):
        yield "Weights are random: nothing but speed says anything."
    if any(each.token_per_character for each in report.models):
        yield "A token is a character here, so acceptance lengths cannot be compared."
    if any(line.method.startswith("hsd") for line in paper.lines):
        yield f"Drafts: the paper's are PP-StructureV3's, ours are {report.drafted}."
    yield paper.note
