"""Reading order: frames and bands across a page, the columns in them, and which box comes first."""
