"""`python -m docparse` is the `docparse` command."""

import sys

from docparse.cli import main

if __name__ == "__main__":
    sys.exit(main())
