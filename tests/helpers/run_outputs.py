"""What a run leaves."""

from pathlib import Path

from docparse.run.outputs import JOURNAL_NAME


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file of an output folder but the journal, by its path in it."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != JOURNAL_NAME)
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}
