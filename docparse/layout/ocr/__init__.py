"""Words from the pixels of a page: which way up it is, where its lines are, what they say."""
