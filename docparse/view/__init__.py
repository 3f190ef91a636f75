"""A run to look at: every page's picture beside what was read from it, in one HTML file."""
