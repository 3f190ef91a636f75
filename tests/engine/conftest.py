"""Tiny random decoders."""

from toy_decoders import kind, one_thread, random_tree, toy, toys

__all__ = ["kind", "one_thread", "random_tree", "toy", "toys"]
