"""Accelerator kernels, one operation per file; installed as `docparse.kernels`. Imports nothing from docparse."""
