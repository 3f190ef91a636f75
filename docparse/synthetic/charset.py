"""The characters that pages are written in: what the fonts hold and what the tokenizer knows."""

ASCII = "".join(chr(code) for code in range(32, 127))
PUNCTUATION = "–—‘’“”•…°±×÷·§©®€£¥µ½²³"
ACCENTED = "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿŒœ"

TEXT = ASCII + PUNCTUATION + ACCENTED  # characters that may stand in Markdown
SYMBOLS = "αβγδεθλμπρσφωΔΣΩ−≤≥≠≈∞"  # printed in formulas, written as LaTeX
PRINTED = TEXT + SYMBOLS
