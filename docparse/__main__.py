"""`python -m docparse` is the `docparse` command."""

from docparse.cli import main

if __name__ == "__main__":
    main()
