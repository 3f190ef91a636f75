"""Labelled lines of invented documents, and the small model that is trained on them."""
