"""Numbers in docs/: each stands under a command that prints it, and those that are cheap are measured again."""

import re
import shlex
from functools import partial
from inspect import signature
from itertools import takewhile
from pathlib import Path

import msgspec
import pytest

from docparse.accel.stack import parse_stack
from docparse.bench.data.sources import pages_from
from docparse.bench.race import Race
from docparse.bench.request import BenchRequest
from docparse.bench.rows import AR
from docparse.cli.app import bench
from docparse.layout.reader import PageReader
from docparse.models.names import locate
from docparse.settings import Settings
from docparse.vlm.calibrated import BESIDE, Calibration
from docparse.vlm.engine import VlmEngine
from docparse.vlm.loaded import load

ROOT = Path(__file__).parents[2]
METHODS = ROOT / "docs" / "methods.md"
MEASURED = sorted((ROOT / "docs" / "benchmarks").glob("*.md"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
QUOTED = re.compile(
    r"([\d.]+) % of the tokens of the first twelve built-in pages, against ([\d.]+) % with `mode=code`\s+"
    r"\(`docparse bench --pages (\d+)"
)
COMMAND = re.compile(r"docparse bench|(benchmarks/\w+\.py)")
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)[^)]*\)")
# a number in a cell of its own, or one of these units in a sentence
MEASURE = re.compile(
    r"^\|.*\| *[-+]?\d+\.\d[^|`a-z]*\|.*$|\d (?:times (?:faster|as|plain)|% of|s a page|ms a )", re.MULTILINE
)


def test_rtprune_removes_as_many_tokens_as_is_quoted():
    ours, code, count = QUOTED.search(METHODS.read_text(encoding="utf-8")).groups()
    vlm = load("tiny", device="cpu", offline=True)
    settings = Settings(images="none", max_tokens=1, dpi=vlm.family.dpi)
    stacks = {AR: "none", ours: "rtprune", code: "rtprune(mode=code)"}
    engines = {name: VlmEngine.of(vlm, parse_stack(text), partial(load, device="cpu")) for name, text in stacks.items()}
    race = Race(engines, settings, PageReader(settings), drafts="none")
    pages = pages_from("builtin", int(count))
    for quoted in (ours, code):
        answers = [answer for page in pages for answer in race.attempt(page, quoted).written.answers]
        views = [view for answer in answers for view in answer.pruned]
        removed = 100 * (1 - sum(view.kept for view in views) / sum(view.total for view in views))
        assert removed == pytest.approx(float(quoted), abs=0.05)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_was_measured_stands_beside_a_command_or_links_to_the_page_that_has_it(page):
    text = page.read_text(encoding="utf-8")
    for chapter in re.split(r"^(?=## )", text, flags=re.MULTILINE):
        linked = [page.parent / path if path else page for path in LINK.findall(chapter)]
        said = [chapter, *(each.read_text(encoding="utf-8") for each in linked if each.suffix == ".md")]
        assert any(map(COMMAND.search, said)) or not MEASURE.search(chapter), chapter.splitlines()[0]
    assert all((ROOT / script).is_file() for script in COMMAND.findall(text) if script)


def commands(page):
    """Return the options of every `docparse bench` of a page; what a shell fills in is left out."""
    blocks = re.findall(r"^```(?:sh|text)\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in re.split(r"\n(?=[A-Za-z ])", block.replace("\\\n", ""))]
    found = []
    for line in lines:
        words = shlex.split(line.replace("\n", ""), comments=True)
        if words[:2] == ["docparse", "bench"] or words[1:3] == ["docparse", "bench"]:
            places = [i for i, word in enumerate(words) if word.startswith("--")]
            values = {words[i][2:].replace("-", "_"): " ".join(words[i + 1 : i + 2]) for i in places}
            found.append({name: value for name, value in values.items() if not value.startswith("$")})
    return found


@pytest.mark.parametrize("page", [page for page in MEASURED if commands(page)], ids=lambda page: page.stem)
def test_every_command_can_be_typed(page):
    for options in commands(page):
        assert set(options) <= set(signature(bench).parameters), options
        meant = {name: options[name] for name in ("method", "drafts", "reproduce") if name in options}
        assert BenchRequest(**meant).stacks
    assert "max_tokens" in {name for page in MEASURED for options in commands(page) for name in options}


def test_what_the_calibration_of_tiny_lost_is_quoted_as_it_is_stored():
    folder = locate("tiny", offline=True)[1].folder
    stored = msgspec.json.decode((folder / BESIDE).read_bytes(), type=Calibration)
    text = (ROOT / "docs" / "benchmarks" / "methods.md").read_text(encoding="utf-8")
    section = text.split("## Which layers are focal")[1]
    table = "\n".join(takewhile(lambda line: line.startswith("|"), section[section.index("|") :].splitlines()))
    quoted = dict(re.findall(r"`([^`]+)` \| ([-+][\d.]+)", table))
    assert len(quoted) > 8
    assert quoted == {name: f"{stored.lost[name]:+.1f}" for name in quoted}
    presets = text.split("## The presets")[1].split("```sh")[0].replace("\n", " ")
    assert all(f"`{name}` is `{stored.presets[name]}`" in presets for name in ("balanced", "fast"))


def test_the_readme_quotes_the_page_that_has_every_condition():
    page = (ROOT / "docs" / "benchmarks" / "hsd.md").read_text(encoding="utf-8")
    line = next(line for line in page.splitlines() if line.startswith("| all |"))
    _, cer, _, *speedups = line.strip("| ").split(" | ")
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    for each in speedups:
        ratio, low, high = (f"{float(number):.1f}" for number in re.findall(r"[\d.]+", each))
        assert re.search(rf"{ratio} times[^.;]* \((?:95 % interval )?{low} to {high}\)", readme), each
    assert f"({cer.partition(' ')[0]} % of characters wrong)" in readme
