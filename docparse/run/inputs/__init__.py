"""What a run is given: arguments become documents, and what comes through a pipe becomes a file."""

from docparse.run.inputs.document import IMAGES_SUFFIX, OWN_LAYOUT, SUFFIXES, Input, Inputs, display_name
from docparse.run.inputs.resolve import resolve

__all__ = ["IMAGES_SUFFIX", "OWN_LAYOUT", "SUFFIXES", "Input", "Inputs", "display_name", "resolve"]
