"""Settings: the order of the layers, and that nothing unknown passes."""

from typing import get_type_hints

import msgspec
import pytest

from docparse.errors import UsageError
from docparse.settings import ONLY_TYPED, Settings, load_settings


@pytest.fixture
def file(tmp_path):
    return tmp_path / "mine.toml"


def test_a_flag_beats_the_environment_beats_the_file_beats_the_default(file):
    file.write_text("dpi = 100\nretries = 5\nworkers = 3\npage-breaks = true\n")
    environ = {"DOCPARSE_DPI": "200", "DOCPARSE_RETRIES": "7", "DOCPARSE_MAX_TOKENS": ""}  # nothing is not set
    settings = load_settings({"dpi": 300, "retries": None}, file=file, environ=environ)
    assert (settings.dpi, settings.retries, settings.workers, settings.page_breaks) == (300, 7, 3, True)
    assert (settings.page_timeout, settings.max_tokens) == (Settings().page_timeout, Settings().max_tokens)


def test_without_a_file_that_of_the_current_folder_is_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert load_settings({}, environ={}).offline is False
    (tmp_path / "docparse.toml").write_text("offline = true\n")
    assert load_settings({}, environ={}).offline is True


@pytest.mark.parametrize("word, value", [("true", True), ("0", False), ("Yes", True), ("off", False)])
def test_the_environment_speaks_of_switches(word, value):
    assert load_settings({}, environ={"DOCPARSE_KEEP_HEADERS": word}).keep_headers is value


@pytest.mark.parametrize(
    "flags, environ, line",
    [
        ({"tabels": "gfm"}, {}, "'--tables'"),
        ({}, {"DOCPARSE_DIP": "2"}, "^DOCPARSE_DIP is not a setting; did you mean 'DOCPARSE_DPI'"),
        ({}, {"DOCPARSE_DPI": "abc"}, "^DOCPARSE_DPI: 'abc' is not a whole number$"),
        ({}, {"DOCPARSE_PAGE_TIMEOUT": "soon"}, "^DOCPARSE_PAGE_TIMEOUT: 'soon' is not a number$"),
        ({}, {"DOCPARSE_PAGE_BREAKS": "perhaps"}, "^DOCPARSE_PAGE_BREAKS: 'perhaps' is not true or false$"),
        ({}, {"DOCPARSE_OCR": "no"}, "^DOCPARSE_OCR: 'no' is not one of auto, force, off"),
        ({"device": "gpu"}, {}, "^--device 'gpu' is not one of auto, cpu, cuda.*did you mean 'cuda'"),
        ({"device": "cuda:x"}, {}, "'cuda:1'"),
        ({"dtype": "fp16"}, {}, "float16"),
        ({"max_tokens": 0}, {}, "from 1"),
        ({"retries": -1}, {}, "^--retries -1: use 0 or a larger number"),
        ({"max_memory": "3X"}, {}, "^--max-memory '3X': use a size"),
        ({"resume": True}, {}, "^--resume works only on the command line: leave it out here$"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_a_hint(flags, environ, line):
    with pytest.raises(UsageError, match=line):
        load_settings(flags, environ=environ)


@pytest.mark.parametrize("written, pages", [("1", "1"), ('"1-3"', "1-3"), ("[1, -1]", "1,-1"), ('["1-3", 7]', "1-3,7")])
def test_a_file_may_have_a_number_or_a_list_where_commas_are_meant(file, written, pages):
    file.write_text(f'pages = {written}\nformat = ["json", "md"]\n')
    settings = load_settings({}, file=file, environ={})
    assert (settings.pages, settings.format) == (pages, "json,md")


def test_a_number_that_is_to_be_text_is_put_in_quotes(file):
    file.write_text("password = 1234")
    with pytest.raises(UsageError, match=r"password: 1234 is not text \(in quotes\)$"):
        load_settings({}, file=file, environ={})


@pytest.mark.parametrize("device", ["auto", "cpu", "cuda", "cuda:3", "mps", "xpu:1"])
def test_devices_have_torchs_names(device):
    assert load_settings({"device": device}, environ={}).device == device


def test_a_page_has_more_time_with_a_model_unless_its_time_is_given():
    assert Settings().page_seconds == Settings(model="pipeline").page_seconds == 120
    assert Settings(model="dots.ocr").page_seconds == 7200
    assert Settings(model="dots.ocr", page_timeout=7).page_seconds == 7


@pytest.mark.parametrize("content", ["dpi = ", 'unknown = "x"\n', None])
def test_a_broken_or_a_missing_file_is_named(file, content):
    if content is not None:
        file.write_text(content)
    with pytest.raises(UsageError, match=r"mine\.toml") as caught:
        load_settings({}, file=file, environ={})
    if content is None:
        assert str(caught.value) == f"{file}: cannot read settings: No such file or directory"


def test_the_pipeline_key_follows_what_a_page_says_and_not_how_it_is_printed():
    key, model = Settings().pipeline_key("1"), Settings(model="dots.ocr")
    assert Settings(keep_headers=True, tables="html", workers=7).pipeline_key("1") == key
    assert Settings(max_tokens=7, accel="none", device="cpu").pipeline_key("1") == key
    assert msgspec.structs.replace(model, device="cuda").pipeline_key("1") == model.pipeline_key("1")
    changes = ({"accel": "none"}, {"dtype": "float32"}, {"max_tokens": 7}, {"model": "olmocr"})
    keys = [msgspec.structs.replace(model, **change).pipeline_key("1") for change in changes]
    keys += [key, model.pipeline_key("1"), Settings(dpi=200).pipeline_key("1"), Settings().pipeline_key("2")]
    assert len(set(keys)) == len(keys)


def test_options_that_are_no_settings_are_known_as_such():
    from typer.main import get_command

    from docparse.cli.app import app

    options = {option.name for option in get_command(app).commands["convert"].params} - {"inputs"}
    assert options - set(get_type_hints(Settings)) == ONLY_TYPED
