"""`docparse convert --model`, end to end, with tiny random twins of real models."""

import json
import shutil
import signal
import time
from collections import Counter

import pytest
from refusals import refused

SHORT = ("--max-tokens", "40", "--threads", "1", "--layout-engine", "none")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """An environment whose caches are empty folders."""
    folder = tmp_path_factory.mktemp("home")
    return {"XDG_CACHE_HOME": str(folder / "cache"), "HF_HUB_CACHE": str(folder / "hub"), "OMP_NUM_THREADS": "1"}


def test_a_page_that_was_cut_is_written_told_and_journaled_and_a_resumed_run_says_so_again(
    run, twin_folder, home, one_page_pdf, tmp_path, journal
):
    """In all formats, by a twin of a model that reads pages; a twin has nothing to say and does not end."""
    flags = ("-o", tmp_path, "--format", "md,html,json", "--model", twin_folder("qwen3-vl"), *SHORT)
    done = run("convert", one_page_pdf, *flags, env=home)
    assert (done.returncode, done.stdout) == (1, "")
    first, second, third, _written = done.stderr.splitlines()
    assert first.startswith("model: ") and first.endswith("float32 on cpu")
    assert "page 1: --accel auto: " in second
    assert "page 1 is partial: the model had not finished after 40 tokens: try a larger --max-tokens" in third

    text = (tmp_path / "one-page.md").read_text()
    assert text.startswith("<!-- page 1 partial: length -->") and len(text) > 60
    assert "partial: the model had not finished" in (tmp_path / "one-page.html").read_text()
    [page] = json.loads((tmp_path / "one-page.json").read_text())["pages"]
    assert (page["status"], page["engine"]) == ("partial", "qwen3-vl")
    assert page["decoding"]["tokens"] == 40 == sum(block.get("tokens", 0) for block in page["blocks"])
    assert page["decoding"]["accel"] == "auto" and page["decoding"]["chosen"].startswith(("hsd (", "none ("))
    assert {block["source"] for block in page["blocks"] if block.get("tokens")} == {"vlm"}

    before = journal(tmp_path)
    page, document = before
    assert (page["status"], page["engine"], page["tokens"]) == ("partial", "qwen3-vl", 40)
    assert page["aal"] >= 0 and sum(page.get("accepted", {}).values()) <= 40
    stages = {"render", "encode", "vision", "draft", "prefill", "propose", "forward", "accept", "commit", "parse"}
    assert stages <= set(page["seconds"]) and page["resized"].startswith("from ")
    assert (document["status"], document["partial_pages"], document["engine"]) == ("partial", [1], "qwen3-vl")

    assert run("convert", one_page_pdf, *flags, "--resume", env=home).returncode == 1
    assert journal(tmp_path) == before


@pytest.mark.thorough
def test_an_interrupted_run_ends_cleanly_and_goes_on(start, run, twin_folder, home, three_page_pdf, tmp_path, journal):
    # so that a page is still being written when the line of the one before is seen
    long = ("--max-tokens", "600", "--batch", "1", "--threads", "1")
    command = ("convert", three_page_pdf, "-o", tmp_path, "--model", twin_folder("qwen3-vl"), *SHORT, *long, "--resume")
    process = start(*command, env=home)
    until = time.monotonic() + 100
    while not journal(tmp_path) and process.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert process.wait() == 130
    assert run(*command, env=home).returncode == 1
    pages = Counter(line["page"] for line in journal(tmp_path) if line["page"] is not None)
    assert pages == {1: 1, 2: 1, 3: 1}
    assert (tmp_path / "three-pages.md").read_text().count("partial: length") == 3


SERVER = ("--server", "http://127.0.0.1:9")
OF_DOTS = ("--model", "dots.ocr")
OF_A_TWIN = ("--model", "TWIN")
NO_MODEL = ("--model", "pipeline")


@pytest.mark.parametrize(
    "flags, code, line",
    [
        (OF_DOTS, 3, "docparse models pull dots.ocr"),
        ((*OF_DOTS, "--offline"), 3, "without the setting offline (--offline, "),
        (("--model", "./nowhere"), 3, "./nowhere: no such folder"),
        (("--model", "docts.ocr"), 2, "'dots.ocr'"),
        ((*OF_A_TWIN, "--device", "cuda:7"), 3, "cuda:7"),
        ((*OF_A_TWIN, "--device", "xpu:9"), 3, "device xpu:9 is not available: this machine has no xpu device"),
        ((*OF_A_TWIN, "--accel", "hds"), 2, "'hsd'"),
        ((*OF_A_TWIN, "--accel", "vsd"), 2, "vsd:model=NAME"),
        ((*OF_A_TWIN, "--accel", "vsd:model=dots.ocr"), 3, "docparse models pull dots.ocr"),
        ((*OF_A_TWIN, "--devices", "cuda"), 2, "'cuda' is not a device: write all, or names like cuda:0,cuda:1"),
        ((*OF_A_TWIN, "--devices", "cuda:0,cuda:0"), 2, "a device is named twice"),
        ((*OF_A_TWIN, "--device", "cpu", "--devices", "all"), 2, "exclude each other"),
        ((*NO_MODEL, "--devices", "all"), 2, "--devices all needs a vision-language model"),
        ((*OF_A_TWIN, "--served-model", "x"), 2, "add --server URL"),
        (SERVER, 2, "also name the family of its model"),
        ((*OF_DOTS, *SERVER), 3, "127.0.0.1:9"),
        ((*OF_DOTS, *SERVER, "--accel", "hsd"), 2, "on this machine"),
        (("--model", "deepseek-ocr:tiny", *SERVER), 2, "a server has no modes"),
        ((*OF_A_TWIN, "--no-formulas"), 2, "--no-formulas"),
        ((*NO_MODEL, "--accel", "lossless"), 2, "--accel lossless needs a vision-language model"),
        ((*NO_MODEL, "--accel", "foo"), 2, "--accel foo: there is no method 'foo'"),
        ((*NO_MODEL, "--device", "cpu"), 2, "--device cpu needs a vision-language model"),
        (("--accel", "hsd"), 2, "no vision-language model is downloaded"),
        ((*NO_MODEL, "--rereads", "2"), 2, "--rereads 2 needs a vision-language model"),
        (
            ("--model", "tiny", "--rereads", "2"),
            2,
            "--rereads: tiny's authors publish no settings for a second reading: leave it out",
        ),
    ],
)
def test_what_cannot_begin_is_told_before_anything_is_converted(
    run, twin_folder, home, one_page_pdf, tmp_path, flags, code, line
):
    flags = [twin_folder("qwen3-vl") if flag == "TWIN" else flag for flag in flags]
    refused(run("convert", one_page_pdf, "-o", ".", *flags, env=home, cwd=tmp_path), code, line)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("accel", ["fastocr(layers=0/99)", "fastv(layer=99)"])
def test_what_only_the_process_of_a_model_can_know_is_told_of_the_option_too(run, home, one_page_pdf, tmp_path, accel):
    done = run("convert", one_page_pdf, "-o", tmp_path, "--model", "tiny", "--accel", accel, env=home)
    assert (done.returncode, done.stdout) == (2, "")
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"docparse: --accel {accel.partition('(')[0]}: layer") and "the model has" in last


def test_damaged_weights_are_told_before_anything_is_converted(run, twin_folder, home, one_page_pdf, tmp_path):
    folder = shutil.copytree(twin_folder("qwen3-vl"), tmp_path / "model")
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    done = run("convert", one_page_pdf, "-o", tmp_path / "out", "--model", folder, env=home)
    refused(done, 3, str(folder))
    assert not (tmp_path / "out").exists()
