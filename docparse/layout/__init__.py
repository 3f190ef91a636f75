"""The layout room: a page's content becomes blocks in reading order. `reader.PageReader` is the door."""
