"""Published weights on this machine: where they lie, fetching them whole, and what they are held against."""
