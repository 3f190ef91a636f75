"""Accelerator kernels, one operation per file; installed as `docparse.kernels`. Imports nothing from docparse.

Each file holds the same operation twice: `reference` in torch, and `fused`, which launches Triton kernels. The function
named after the file takes Triton on a CUDA device, else the reference, or what the environment variable
DOCPARSE_KERNELS says (`triton`, `reference`). These files import torch, and Triton where it is installed: import them
where they are used.
"""
