"""docparse: PDFs and page images to Markdown, fast, with the speed measured honestly."""

__version__ = "0.1.0"
