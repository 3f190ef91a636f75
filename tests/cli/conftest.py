"""The command as a person runs it, with a clean environment: in this process (`run`) or one of its own (`start`)."""

import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import watched_handler

COMMAND = (sys.executable, "-P", "-m", "docparse")
HELPERS = str(Path(watched_handler.__file__).parent)
WATCH = f"import sys; sys.path.append({HELPERS!r}); import watched_handler; watched_handler.main()"
WATCHED = (*COMMAND[:2], "-c", WATCH)


def clean_environment(**more):
    """Return the environment without docparse's own settings; one worker is started as fast as it can be."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("DOCPARSE_")}
    return kept | {"DOCPARSE_WORKERS": "1"} | more


@pytest.fixture(scope="session")
def start():
    """`start("convert", ..., cwd=...)` -> the running process; its output is discarded unless asked for. `watched`: its
    pages are `WatchedPage`s."""

    def begin(*arguments, env=(), watched=False, **more):
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        command = [*(WATCHED if watched else COMMAND), *map(str, arguments)]
        return subprocess.Popen(command, env=clean_environment(**dict(env)), **(options | more))

    return begin


@contextmanager
def as_a_process(env, cwd, given, out):
    """Standard streams on files, an environment and a folder of its own, and everything put back after."""
    before = dict(os.environ), os.getcwd(), (sys.stdin, sys.stdout, sys.stderr)
    (out / "0").write_bytes(given)
    saved = [os.dup(number) for number in range(3)]
    with ExitStack() as stack:
        streams = [stack.enter_context(open(out / str(i), "r" if i == 0 else "w", encoding="utf-8")) for i in range(3)]
        try:
            for number, stream in enumerate(streams):
                os.dup2(stream.fileno(), number)
            sys.stdin, sys.stdout, sys.stderr = streams
            os.environ.clear()
            os.environ.update(clean_environment(**dict(env)))
            os.chdir(cwd or before[1])
            yield
        finally:
            os.environ.clear()
            os.environ.update(before[0])
            os.chdir(before[1])
            sys.stdin, sys.stdout, sys.stderr = before[2]
            for number, file in enumerate(saved):
                os.dup2(file, number)
                os.close(file)


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """`run("convert", ..., cwd=..., input=..., env=...)` -> how the command ended, which runs in this process."""
    import docparse.cli

    def complete(*arguments, env=(), cwd=None, input=b""):
        words, files = [str(argument) for argument in arguments], tmp_path_factory.mktemp("run")
        with as_a_process(env, cwd, input, files):
            code = int(docparse.cli.main(words))
        out, err = ((files / name).read_text(encoding="utf-8") for name in "12")
        return subprocess.CompletedProcess(words, code, out, err)

    return complete


@pytest.fixture
def watched(tmp_path, monkeypatch):
    """`watched("convert", ..., HANG_FROM="3", CALL="")` -> exit code and a note of every page that was read. The
    command runs in this process, and its workers read a `WatchedPage`."""
    import docparse.cli
    import docparse.run.document

    monkeypatch.setattr(docparse.run.document, "ReadPage", watched_handler.WatchedPage)
    notes = tmp_path / "watched.jsonl"
    for name in [name for name in os.environ if name.startswith("DOCPARSE_")]:
        monkeypatch.delenv(name)

    def run(*arguments, **environment):
        notes.unlink(missing_ok=True)
        with monkeypatch.context() as patch:
            for name, value in (environment | {"WATCH": str(notes)}).items():
                patch.setenv(name, value)
            code = docparse.cli.main([str(argument) for argument in arguments])
        lines = notes.read_text().splitlines() if notes.exists() else []
        return int(code), [json.loads(line) for line in lines]

    before = signal.getsignal(signal.SIGTERM)
    yield run
    signal.signal(signal.SIGTERM, before)


@pytest.fixture(scope="session")
def numbered_pdf(typst_pdf):
    """`numbered_pdf(n)` -> a PDF of n pages; page k says `This is page k of the book.`"""

    def build(count):
        return typst_pdf(
            "#set page(width: 300pt, height: 200pt, margin: 30pt)\n"
            f"#for n in range(1, {count + 1}) [#if n > 1 {{ pagebreak() }} This is page #n of the book. #lorem(40)]",
            f"book-{count}",
        )

    return build


@pytest.fixture(scope="session")
def journal():
    """`journal(folder)` -> the whole lines of its journal; a run may be in the middle of one."""

    def read(folder):
        path = folder / "docparse-journal.jsonl"
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        return [json.loads(line) for line in lines if line.endswith(b"\n")]

    return read
