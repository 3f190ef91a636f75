"""Code: rows of monospaced type, lines that read as code in any font, algorithms as papers print them."""
