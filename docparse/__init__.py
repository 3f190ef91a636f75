"""docparse: PDFs and page images to Markdown, fast, with the speed measured honestly."""

from docparse.network import silence

__version__ = "0.1.0"

silence()  # here, because every use of docparse imports this file, and onnxruntime must not have been imported before
