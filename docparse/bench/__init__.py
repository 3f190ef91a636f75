"""Measuring: methods beside plain decoding, on the same pages in one run."""
