"""What only all pages together say: levels, the title, lists within lists, hyphens, repeated headers."""
