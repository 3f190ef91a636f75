"""Acceleration methods, one file each, and the stack that composes them; no model is known here."""
