"""Weights on this machine: where they lie, fetching them whole, what they are held against, whether they fit."""
