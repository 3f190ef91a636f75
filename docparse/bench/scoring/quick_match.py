"""Which piece of the output answers which block of the ground truth: OmniDocBench's "quick match".

Source: the evaluation code and paper of OmniDocBench (Ouyang et al., "OmniDocBench: Benchmarking Diverse PDF Document
Parsing with Comprehensive Annotations", 2024), read and written anew. In short:

1. output lines that closely repeat an ignored block (header, footer, page number, caption, ...) leave the game;
2. neighbouring output lines that together resemble one block are joined (a paragraph cut in two);
3. blocks and lines are paired so that the sum of normalised edit distances is least; a pair above 0.7 does not hold;
4. an unpaired block found inside an output line joins that line's pair (paragraphs run together);
5. what is left over on both sides is paired as well as it goes, and counted at its full distance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docparse.bench.scoring.metrics import edit_distance, window_distance

IGNORED_DISTANCE = 0.25  # an output line this near to an ignored block belongs to it
SURE_DISTANCE = 0.25  # pairs this near are never candidates for joining
PAIR_LIMIT = 0.7
JOIN_LIMIT = 0.6
INSIDE_LIMIT = 0.4

Run = tuple[int, ...]  # neighbouring output lines, by index


@dataclass(frozen=True)
class Match:
    """Blocks of the truth and lines of the output that answer each other, by index; `lines` is empty for a miss."""

    blocks: tuple[int, ...]
    lines: Run


def quick_match(truth: Sequence[str], ignored: Sequence[str], output: Sequence[str]) -> list[Match]:
    """Pair normalised, non-empty `truth` blocks with normalised, non-empty `output` lines. `ignored` holds the blocks
    that are not evaluated. Every block of `truth` is in exactly one match. Output lines in no match answer nothing."""
    if len(truth) == 1 and len(output) == 1 and not ignored:
        return [Match((0,), (0,))]
    kept = [
        i for i, line in enumerate(output) if all(edit_distance(line, block) >= IGNORED_DISTANCE for block in ignored)
    ]
    lines = [output[i] for i in kept]
    groups: dict[Run, list[int]] = {}
    for block, run in (paired := _pair(truth, lines)).items():
        groups.setdefault(run, []).append(block)
    left = [block for block in range(len(truth)) if block not in paired]
    for index, line in enumerate(lines):
        if inside := [block for block in left if window_distance(truth[block], line) < INSIDE_LIMIT]:
            groups.setdefault((index,), []).extend(inside)
            left = [block for block in left if block not in inside]
    used = {index for run in groups for index in run}
    unused = [index for index in range(len(lines)) if index not in used]
    rest = assign([[edit_distance(truth[block], lines[i]) for i in unused] for block in left])
    answers = {left[row]: (unused[column],) for row, column in rest}
    pairs = [(tuple(sorted(blocks)), run) for run, blocks in groups.items()]
    pairs += [((block,), answers.get(block, ())) for block in left]
    return [Match(blocks, tuple(kept[i] for i in run)) for blocks, run in pairs]


def _pair(truth: Sequence[str], lines: Sequence[str]) -> dict[int, Run]:
    """Steps 2 and 3: block -> the run of lines that answers it."""
    if not truth or not lines:
        return {}
    runs = _joined_runs(truth, lines)
    texts = [" ".join(lines[i] for i in run) for run in runs]
    costs = [[edit_distance(block, text) for text in texts] for block in truth]
    return {row: runs[column] for row, column in assign(costs) if costs[row][column] <= PAIR_LIMIT}


def _joined_runs(truth: Sequence[str], lines: Sequence[str]) -> list[Run]:
    """All lines in order, as runs: single ones, and neighbours that make up one block together."""
    costs = [[edit_distance(block, line) for line in lines] for block in truth]
    sure_lines = {i for row in costs for i, cost in enumerate(row) if cost < SURE_DISTANCE}
    candidates: list[tuple[Run, float]] = []
    for block, row in zip(truth, costs, strict=True):
        if min(row) < SURE_DISTANCE:
            continue
        grown = [_grow(block, lines, start, sure_lines) for start in range(len(lines)) if start not in sure_lines]
        options = [(run, edit_distance(block, " ".join(lines[i] for i in run))) for run in grown]
        if options:
            candidates.append(min(options, key=lambda option: option[1]))
    chosen = {run[0]: run for run in _without_overlap(candidates) if len(run) > 1}
    runs: list[Run] = []
    index = 0
    while index < len(lines):
        runs.append(chosen.get(index, (index,)))
        index = runs[-1][-1] + 1
    return runs


def _grow(block: str, lines: Sequence[str], start: int, sure_lines: set[int]) -> Run:
    """Extend a run from `start` while each further line is part of `block` and brings the run nearer to it."""
    end = start + 1
    text = lines[start]
    if window_distance(text, block) > JOIN_LIMIT:
        return (start,)
    while end < len(lines) and end not in sure_lines:
        longer = f"{text} {lines[end]}"
        if edit_distance(block, longer) > edit_distance(block, text):
            break
        if window_distance(lines[end], block) >= JOIN_LIMIT:
            break
        text, end = longer, end + 1
        if len(text) > len(block):
            break
    return tuple(range(start, end))


def _without_overlap(candidates: list[tuple[Run, float]]) -> list[Run]:
    """Return of runs that share lines the selection of disjoint ones with the least mean cost (built greedily in
    order)."""
    groups: list[list[tuple[Run, float]]] = []
    for run, cost in sorted(candidates, key=lambda candidate: candidate[0][0]):
        if not groups or not any(set(run) & set(other) for other, _ in groups[-1]):
            groups.append([])
        groups[-1].append((run, cost))
    chosen: list[Run] = []
    for group in groups:
        paths: list[dict[Run, float]] = []
        for run, cost in group:
            free = [path for path in paths if run in path or not any(set(run) & set(other) for other in path)]
            for path in free:
                path[run] = min(cost, path.get(run, cost))
            if not free:
                paths.append({run: cost})
        best = min(paths, key=lambda path: sum(path.values()) / len(path))
        chosen += best
    return chosen


def assign(costs: list[list[float]]) -> list[tuple[int, int]]:
    """Return the assignment of rows to columns with the least sum, as pairs."""
    from scipy.optimize import linear_sum_assignment

    if not costs or not costs[0]:
        return []
    rows, columns = linear_sum_assignment(costs)
    return [(int(row), int(column)) for row, column in zip(rows, columns, strict=True)]
