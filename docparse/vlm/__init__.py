"""Reading a page with a vision-language model: drafts, prompts, decoding, and blocks with their boxes."""
