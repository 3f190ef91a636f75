"""Tests of the recipe in `training/`, which is not installed: the repository's root is put on the path."""

import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parents[2]))
torch.set_num_threads(1)  # faster for models this small
