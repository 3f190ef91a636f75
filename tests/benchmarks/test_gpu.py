"""The GPU benchmark runs whole at toy sizes, guards every case, and says what it has not measured."""

import importlib
import json

import pytest
import torch


@pytest.fixture
def gpu():
    return importlib.import_module("gpu")


@pytest.fixture
def setup(gpu):
    return gpu.Setup.on(torch.device("cpu"), toy=True)


@pytest.mark.thorough
def test_everything_runs_at_toy_sizes(gpu, tmp_path, capsys):
    assert gpu.main(["--toy", "--minutes", "30", "--json", str(tmp_path / "gpu.json")]) == 0
    report = json.loads((tmp_path / "gpu.json").read_text())
    rows = {(row["part"], row["case"]): row for row in report["rows"]}
    assert {part for part, _ in rows} == set(gpu.PARTS)
    assert not any("error" in row or "left out" in row for row in rows.values())
    assert {"device", "torch", "triton", "transformers"} <= set(report["machine"])
    assert "--toy" in report["command"] and report["sizes"] == "toy"
    for name in gpu.FAMILIES:
        plain, fast = rows[name, "plain, batch 1"], rows[name, "HSD, noise 0%, batch 1"]
        assert plain["tokens/s"] > 0 and plain["AAL"] == 0 and plain["transformers' tokens equal"] == 1
        assert fast["AAL"] > 1  # how much more is a matter of what passes cost here
        assert fast["plain's tokens equal"] == 1 and fast["times plain"] == fast["tokens/s"] / plain["tokens/s"]
        assert set(fast["stages, ms"]) == {"propose", "forward", "accept", "commit"}
        assert rows["exactness", f"{name}'s twin, float32"]["different tokens"] > 20
    steps = {case: row["read by the last step, bytes"] for (part, case), row in rows.items() if "read by" in str(row)}
    whole = steps["plain, 32 visual tokens, batch 1"]
    assert all(read < whole for case, read in steps.items() if "plain" not in case and "batch 1" in case)
    prompts = [row["prompt"] for (part, _), row in rows.items() if part == "pruning"]
    assert prompts == [48, 32, 24]
    table = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("| ") for line in table) == 1 + len(rows)


def test_a_wrong_kernel_is_told(gpu, setup, monkeypatch):
    from on_gpu import kernels

    def wrong(states):
        return states if kernels.os.environ.get(kernels.VARIABLE) == "reference" else states * 1.1

    monkeypatch.setattr(kernels, "swiglu", wrong)
    told = {row["case"] for row in gpu.rows_of("kernels", setup, 60) if "wrong" in row.get("error", "")}
    assert told == {case for case, _ in kernels.kernels(setup) if "SwiGLU" in case}


def test_what_raises_or_has_no_time_is_a_row(gpu, setup, monkeypatch):
    def part(setup):
        yield "raises", lambda: 1 / 0
        yield "works", lambda: {"figure": 1}
        raise OSError("no more")

    monkeypatch.setitem(gpu.PARTS, "part", part)
    raised, worked, ended = gpu.rows_of("part", setup, 60)
    assert raised["error"].startswith("ZeroDivisionError") and worked["figure"] == 1
    assert ended == {"part": "part", "case": "all", "error": "OSError: no more"}
    assert [row.get("left out") is not None for row in gpu.rows_of("part", setup, -1)] == [True, True, False]


@pytest.mark.thorough
def test_a_part_in_a_process_of_its_own(gpu):
    rows = list(gpu.in_a_process("kernels", 300, toy=True))
    assert len(rows) > 20 and not any("error" in row for row in rows)


@pytest.mark.skipif(torch.cuda.is_available(), reason="has a GPU")
def test_without_a_gpu_it_says_what_to_do(gpu, capsys):
    with pytest.raises(SystemExit):
        gpu.main([])
    assert "--toy" in capsys.readouterr().err


@pytest.mark.thorough
@pytest.mark.skipif(torch.cuda.is_available(), reason="has a GPU")
def test_a_process_that_ends_is_told(gpu):
    *_, told = gpu.in_a_process("kernels", 60)
    assert told["error"] == "its process ended with 2"


def test_what_a_model_wrote_is_what_it_writes_again_in_trees(gpu, setup):
    """Its own output after each of its tokens, many in one pass: where all are right, and where one was changed."""
    decoding = importlib.import_module("on_gpu.decoding")
    text = decoding.model(setup, "dots.ocr", chaotic=True)
    prompt = decoding.prompt_of(setup, text, setup.visual)
    decoding.require_lean(text)
    tokens = decoding.run(text, [prompt], 40)[0].tokens
    assert decoding.predicted(text, prompt, tokens) == 1
    assert decoding.predicted(text, prompt, [*tokens[:20], (tokens[20] + 1) % 50, *tokens[21:]]) < 1
