"""An interpreter of its own, in which nothing is imported yet."""

import subprocess
import sys


def printed(code: str) -> list[str]:
    """Return the lines that `code` prints; fails where it raises."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
