"""Synthetic pages: a layout drawn from a seed, then its pixels, its PDF and its Markdown. Needs numpy and Pillow."""
