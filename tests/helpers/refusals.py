"""How a command ends that cannot do what was asked for."""

from subprocess import CompletedProcess


def refused(done: CompletedProcess[str], code: int, *parts: str) -> None:
    """One line on stderr with these parts, and nothing else."""
    assert (done.returncode, done.stdout, len(done.stderr.strip().splitlines())) == (code, "", 1), done.stderr
    assert all(part in done.stderr for part in parts), done.stderr
