"""Words become lines, lines become groups: paragraphs, headings, items."""
