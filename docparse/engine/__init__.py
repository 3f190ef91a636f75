"""A decoder run over prompts and trees of tokens, with its cache; it knows no model and no method by name."""
