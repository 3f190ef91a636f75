"""Tagged PDFs: what the structure tree says of a page, as far as the page bears it out."""
