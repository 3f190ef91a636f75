"""Measuring: data sets, metrics and the runners that write the numbers in docs/."""
