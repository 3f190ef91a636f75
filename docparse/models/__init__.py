"""Vision-language model families, one adapter file each: how to load, prompt and read them."""
