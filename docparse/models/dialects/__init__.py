"""How models write a page, both ways: blocks to draft text, output text to blocks."""
