"""Prefill, cache, attention, tree verification and the decode loop; it knows no model and no method by name."""
