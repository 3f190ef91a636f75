"""A report as tables, Markdown and HTML."""
