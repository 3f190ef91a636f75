"""Accelerator kernels, one operation per file; installed as `docparse.kernels`. Imports nothing from docparse.

Each file holds the same operation twice: `reference` in torch, and `fused`, which launches Triton kernels. The function
named after the file picks one by `docparse.kernels.choice`. Every file imports torch, so import it where it is used.
"""
