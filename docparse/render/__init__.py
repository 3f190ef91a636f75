"""Pages to Markdown, HTML and JSON, one page at a time."""

from docparse.render.formats import FILE_SUFFIXES, FORMATS
from docparse.render.html import write_html
from docparse.render.jsonform import read_json, write_json
from docparse.render.markdown import write_markdown
from docparse.render.options import RenderOptions

__all__ = ["FILE_SUFFIXES", "FORMATS", "RenderOptions", "read_json", "write_html", "write_json", "write_markdown"]
