"""Code: which words are a listing, and its text."""

import re
from dataclasses import replace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import numbered, rules, word

from docparse.layout.blocks import code_block
from docparse.layout.code.listing import CodeBlock, ListingRow, columns, line_ends, with_numbers
from docparse.layout.code.monospaced import _line_numbers, find_code
from docparse.layout.engines import Engines
from docparse.layout.stages import first_state, parts
from docparse.layout.text.inline import spans_of
from docparse.pdf import open_document
from docparse.settings import Settings
from docparse.types import plain

ADVANCE = 6.0  # of a monospaced font of 10 points


def words(text, x=60, baseline=100, index=0, mono=True):
    found, at = [], 0
    for part in text.split(" "):
        if part:
            wide = ADVANCE * len(part)
            found.append(word(part, x + ADVANCE * at, baseline, width=wide, mono=mono, index=index + at))
        at += len(part) + 1
    return found


def page(*lines, x=60, top=100, mono=True):
    rows = (words(line, x, top + 12 * i, int(1000 * top) + 100 * i, mono) for i, line in enumerate(lines))
    return [word for row in rows for word in row]


PROSE = page(*["a line of prose that is set in another font"] * 8, top=400, mono=False)


def listings(*parts):
    return [block.text for block in find_code([*PROSE, *(word for part in parts for word in part)])]


def set_in_cells(lines, cell):
    """Tokens in the middle of cells that are wider than letters, as TeX's listings set them: between tokens that touch
    there is a gap, narrower than a space."""
    tokens = [(i, each) for i, text in enumerate(lines) for each in re.finditer(r"\w+|[^\w\s]+", text)]
    return [
        word(token[0], 60 + cell * (token.start() + len(token[0]) / 2) - ADVANCE * len(token[0]) / 2, 100 + 12 * i,
             width=ADVANCE * len(token[0]), mono=True, index=index)
        for index, (i, token) in enumerate(tokens)
    ]  # fmt: skip


def going_on(end, code):
    """A line of text whose end may be in typewriter type, over rows that are all of it."""
    text = words("as it is said of each and every", mono=False) + words(end, 60 + 32 * ADVANCE, 100, 50, mono=code)
    return text, page("b == 1, c == 2, d == 3, and == 4, 5,", "e == 5, f == 6, g == 7, or == 8, 9,", "h == 9)", top=112)


LOUD = [msgspec.structs.replace(each, bold=True) for each in page("rivers.open(path, mode)")]
LISTING = [
    "def longest(words, limit=10):",
    "    for w in words:",
    "        if len(w) > limit:",
    "            break  # long",
]
ADDRESSES = ["{ann,ben}@some-school.edu", "ann.lee@school.edu", "http://school.edu/∼ann/", "www.school.edu"]
COMMANDS = [f"git clone {ADDRESSES[2]}", f"ssh {ADDRESSES[1]}"]
SENTENCE = [*words("Type", mono=False), *words("make", 90, index=10), *words("now.", 120, index=20, mono=False)]
BODY = ["def f():", "", "    return 1"]
CONSTANTS = ["FORK_BLOCK", "ACCESS_LIST_COST"]  # behind the longest there is an em of white
CELLS = ["np.integer       int8, int16,", "                 int32", "np.bool_         bool_"]
MATLAB = ("A = magic(4);", "B = inv(A);", "A.*B", "C = A/B;", "A.^2 + B.^2", "A.' * B")
LISTINGS = {  # parts of a page, and the listings on it
    "a heading or a term in bold": ([LOUD], []),
    "bold in a listing": ([LOUD, page("return path", top=112)], ["rivers.open(path, mode)\nreturn path"]),
    "two columns": (
        [page("while c > 2:", "    c -= 1", "    d(c)", x=330, top=106), page("if a == 1:", "    b = {}")],
        ["if a == 1:\n    b = {}", "while c > 2:\n    c -= 1\n    d(c)"]),
    "two columns, over whose gutter rows run": (
        [page("while c > 2:", "    c -= 1", "    d(c)", x=140, top=103),
         page("if a == 1 and x < 2:", "    b = {}", "    e = f(b, a, x)", top=99)],
        ["if a == 1 and x < 2:\n    b = {}\n    e = f(b, a, x)", "while c > 2:\n    c -= 1\n    d(c)"]),
    "blank lines": ([page("import sys", "", "def main():", "    pass")], ["import sys\n\ndef main():\n    pass"]),
    **{f"tokens in cells of {cell}": ([set_in_cells(LISTING, cell)], ["\n".join(LISTING)]) for cell in (6.4, 6.9, 7.4)},
    "addresses of authors": ([page(each, top=100 + 60 * i) for i, each in enumerate(ADDRESSES)], []),
    "addresses at one place, in braces of another font": (
        [[word("{", 60, 100, width=5, index=0), *words("ann,ben", 66, index=1),
          word("}", 110, 100, width=5, index=2), *words("@school.edu", 116, index=3)]], []),
    "addresses of footnotes, one of two lines": (
        [page("http://school.edu/ann/index.php?", "title=Rivers_of_the_north", "http://school.edu/ben/")], []),
    "answers without spaces behind their letters": ([page("int f(x);", "A.1 2 -1 0", "B.0 0 -1 1")], ["int f(x);"]),
    "matrices of MATLAB": ([page(*MATLAB)], ["\n".join(MATLAB)]),
    "a short row under what may be an address": ([page("git@github.com", "clone")], ["git@github.com\nclone"]),
    "an address that ends before the measure": (
        [page("http://school.edu/", "index.html", "http://school.edu/ann/of/the/north")],
        ["http://school.edu/\nindex.html\nhttp://school.edu/ann/of/the/north"]),
    "a numbered listing with comments in Chinese": (
        [page("1 int a;", top=112),
         [*words("2 int b; //", baseline=124, index=130_000), word("这里是", 132, 124, index=130_050)],
         page("3 int c;", top=136)], ["int a;\nint b; // 这里是\nint c;"]),
    "answers under a listing, to choose from": (
        [page("int f(x);", "A. {1, 2}", "B. {3, 4}")], ["int f(x);"]),
    "an item in Chinese over a listing": (
        [[*words("2.", index=1), word("假设有下面的程序定义：", 76, width=110, index=2)],
         page("int x = a >> 2;", top=112)], ["int x = a >> 2;"]),
    "commands with addresses": ([page(each, top=100 + 60 * i) for i, each in enumerate(COMMANDS)], COMMANDS),
    "a command that goes on with an address": (
        [page("curl -O \\", ADDRESSES[2])], [f"curl -O \\\n{ADDRESSES[2]}"]),
    "the address of a reference": (
        [words("http://school.edu/ann/,", index=1), words("2013.", 230, index=2, mono=False)], []),
    "an address without a scheme": ([page("//school.edu/news/")], []),
    "a command by itself, and a name in a sentence": ([page("make install", top=200), SENTENCE], ["make install"]),
    **{f"numbers of lines from {numbers[0]}, {where}": (parts, ["\n".join(BODY)])
       for numbers in (("1", "2", "3"), ("10", "11", "12"))
       for where, parts in (
           ("in the listing", [page(*(f"{n:>2}  {line}" for n, line in zip(numbers, BODY, strict=True)))]),
           ("beside it", [page(*numbers, x=30, mono=False), page(*BODY)]))},
    "a command over a line that begins with code": (
        [page("make install"), words("The", 40, 112, 100, mono=False), words("makefile", 76, 112, 110),
         words("says so", 140, 112, 120, mono=False)], ["make install"]),
    "names beside values": (
        [words(name, 60, 100 + 12 * i, 100 * i) for i, name in enumerate(CONSTANTS)]
        + [words("1900", 60 + 16 * ADVANCE + 11, 100 + 12 * i, 100 * i + 50, mono=False) for i in range(2)], []),
    "numbers before names": (
        [words(name, 60, 100 + 12 * i, 100 * i) for i, name in enumerate(CONSTANTS)]
        + [words(str(i + 1), 40, 100 + 12 * i, 100 * i, mono=False) for i in range(2)], ["\n".join(CONSTANTS)]),
    "rows that go on with an open call": (going_on("call(a,", True), []),
    "rows that go on with a sentence": (going_on("call", False), []),
    "an address that is parted where its last part has no room": (
        [words("as it is said of each and every one of them", mono=False),
         page("(http://a.org/the/first/", "second/third/file.html).", top=112)], []),
    "rows in two columns, at the margin of text": (
        [page("x = f(1)", "y = g(2)"), page("of text and more", top=88, x=180, mono=False),
         page("z = h(3)", top=124, x=180)], ["x = f(1)\ny = g(2)", "z = h(3)"]),
    "rows under a colon": (
        going_on("call:", False),
        ["b == 1, c == 2, d == 3, and == 4, 5,\ne == 5, f == 6, g == 7, or == 8, 9,\nh == 9)"]),
    "a listing under a row that goes on with text": (
        [words("as it is said of each of the ones called", mono=False), page("type(self)", top=112),
         page("def f(x):", "    return x", top=140)], ["def f(x):\n    return x"]),
    "a paragraph that ends with a name": (
        [page("It is required to be a symbolic link to the folder", top=200, mono=False), page("/run/lock.", top=212)],
        []),
    "a cell beside text": ([words("getent"), words("browse the account of a user", 250, index=50, mono=False)], []),
    "a cell beside two lines of text": (
        [words("getent", 50, 106), words("browse the account", 250, 100, 50, mono=False),
         words("of a user", 250, 112, 90, mono=False)], []),
    "a listing over text, beside the next column": (
        [page("x = f(1)"), page("A caption", top=150, mono=False), words("of text", 250, index=190000, mono=False)],
        ["x = f(1)"]),
    "names of columns over cells": ([page("Class            Types", mono=False), page(*CELLS, top=112)], []),
    "words over a listing that begins elsewhere": (
        [page("Class     Types", mono=False), page(*CELLS, top=112)], ["\n".join(CELLS)]),
    "a sentence in typewriter type": ([page("This memo is set in a typewriter face.")], []),
    **{f"typed as {typed}": ([page(printed)], [typed]) for printed, typed in (
        ("cd ˜/bin; x = 2ˆn", "cd ~/bin; x = 2^n"), ("echo ‘date‘ > ’a’", "echo `date` > 'a'"),
        ("f(‘a’) = 1", "f('a') = 1"), ("f('it’s') = 1", "f('it’s') = 1"))},
    "Chinese, which is all of one width": ([page("会议 纪要")], []),
    "a line that begins with an address": ([page("ada@mill.farm · +47 55 12 · home.farm")], []),
    "a line that begins with a prompt": ([page("ada@mill.local:~ $ sudo reboot")], ["ada@mill.local:~ $ sudo reboot"]),
    "comments in Chinese over a listing, between text": (
        [[word("这段文字在列表的上面", 60, 50, index=1), word("这段文字在它的下面", 60, 112, index=200_000)],
         *([*words("//", baseline=y, index=1000 * y),
            word("这是一个比较长的注释", 78, y, width=100, index=1000 * y + 50)]
           for y in (76, 88)), page("int a = 1;")],
        [2 * "// 这是一个比较长的注释\n" + "int a = 1;"]),
    "signs that are digits and no numbers": (
        [page("⑴ if x:", "⑵     y()", "⑶ z()"), page("²", "³", x=40)], ["²  ⑴ if x:\n³  ⑵     y()\n   ⑶ z()"]),
}  # fmt: skip


@pytest.mark.parametrize("parts, found", LISTINGS.values(), ids=LISTINGS)
def test_what_is_set_in_type_of_one_width_is_code_unless_it_reads_as_text(parts, found):
    assert listings(*parts) == found


def set_in(*pieces):
    """Words of a line: a text and its x, and then whether it is in typewriter type and glued to the one before it."""
    return [word(text, x, mono="code" in how, glued="glued" in how) for text, x, *how in pieces]


BRACES = [("{", 40), ("ann,ben", 45, "glued"), ("}", 80, "glued"), ("@mill.org", 85, "glued")]
CODED = {  # lines, and their text with what is code between backticks
    "the tilde of an address": (
        [set_in(("see", 10), ("a.org/˜ann", 40, "code")), set_in(("for more of that", 10))],
        "see `a.org/~ann `for more of that"),
    "a mail address in braces of another font": (
        [set_in(("Mills", 10), *((*each, "code") if k % 2 else each for k, each in enumerate(BRACES)))],
        "Mills {ann,ben}@mill.org"),
    "braces in typewriter type in a mail address": (
        [set_in(("Mills", 10), *(each if k % 2 else (*each, "code") for k, each in enumerate(BRACES)))],
        "Mills {ann,ben}@mill.org"),
    **{f"{code} in braces": (
        [set_in(("Mills", 10), ("{", 60), (code, 65, "code", "glued"), ("};", 150, "glued"))], f"Mills {{`{code}`}};")
       for code in ("@Override", "@angular/core", "me@host")},
    "a name in a sentence": ([SENTENCE], "Type `make `now."),
    "nothing but code": ([words("all of it")], "all of it"),
    "a name among Chinese": ([set_in(("通过", 60), ("make", 90, "code"), ("来实现", 120))], "通过 `make `来实现"),
    "figures and the letter of an answer in Chinese": (
        [set_in(("A.", 60, "code"), ("2", 78, "code"), ("条指令", 90), ("CMP", 130, "code"))], "A. 2 条指令 `CMP`"),
    "a range in Chinese": (
        [set_in(("从", 60), ("1~", 78, "code"), ("条指令", 95), ("CMP", 130, "code"))], "从 1~ 条指令 `CMP`"),
    **{f"{code} in Chinese": ([set_in(("从", 60), (code, 78, "code"), ("的开始", 140))], f"从 `{code} `的开始")
       for code in ("127.0.0.1", "8080", "&&", "->", "()")},
    "a blank to fill in": (
        [set_in(("Type", 60), ("ls", 85, "code"), ("or", 105), ("____", 125, "code"))], "Type `ls `or ____"),
}  # fmt: skip


@pytest.mark.parametrize("lines, text", CODED.values(), ids=CODED)
def test_names_addresses_and_operators_in_a_line_of_text_are_code(lines, text):
    assert "".join(f"`{span.text}`" if span.code else span.text for span in spans_of(lines)) == text


def test_a_minus_in_code_is_the_sign_of_the_keyboard():
    (found,) = find_code(page("tail −n 288 /var/log/drift |", "    sort ‐r > drift.txt"))
    assert plain(code_block(found, "text-layer").spans) == "tail -n 288 /var/log/drift |\n    sort -r > drift.txt"


MEMO = ["This memo is set in a typewriter face throughout", "and it has nothing else in it at all, yes"]
DIAGRAM, SUM = "+---+---+\n| a | b |\n+---+---+", "offset = T2 - (T1 + T3) / 2"
SIGNS = ("* * *", "(CONTINUED)", "[1]", "[Page 3]", '"Yes!"', "TO: Ann", "DATE: 5/6/71", "EMail: <fielding@gbiv.com>")
TYPED = {  # a typewritten text, and what of it is code
    "letters": ([*MEMO * 9], []),
    "a diagram and a formula": (
        [*MEMO * 4, "", *DIAGRAM.split("\n"), "", *MEMO * 4, "", SUM, "", *MEMO * 4],
        [DIAGRAM, SUM],
    ),
    **{signs: ([*MEMO * 4, "", signs, "", *MEMO * 4], []) for signs in SIGNS},
}


@pytest.mark.parametrize("text, code", TYPED.values(), ids=TYPED)
def test_diagrams_and_formulas_in_a_typewritten_text_are_code_and_the_text_around_them_is_none(text, code):
    assert [block.text for block in find_code(page(*text))] == code


ARRAY = page("array([9, 4])", "x1[0]")
HOSTS = [*page("cat hosts.txt"), *page("127.0.0.1 home", "127.0.0.2 away", top=126)]
TOP = [50, 104, 300, 104]
AWAY = "127.0.0.1 home\n127.0.0.2 away"
FRAMES = {  # words, strokes, and the listings that they are
    "no frame": (HOSTS, [], [f"cat hosts.txt\n\n{AWAY}"]),
    "frames": (HOSTS, [[50, y, 300, y] for y in (88, 104, 112, 144)], ["cat hosts.txt", AWAY]),
    "a frame that begins under output": (
        ARRAY, [TOP, [50, 104, 50, 120], [300, 104, 300, 120]], ["array([9, 4])", "x1[0]"]),
    "a grid": (ARRAY, [TOP, [50, 90, 50, 120], [300, 90, 300, 120]], ["array([9, 4])\nx1[0]"]),
}  # fmt: skip


@pytest.mark.parametrize("words, strokes, texts", FRAMES.values(), ids=FRAMES)
def test_frames_part_listings_and_grids_do_not(words, strokes, texts):
    assert [block.text for block in find_code([*PROSE, *words], rulings=rules(*strokes))] == texts


def test_a_line_of_prose_that_is_wrapped_amid_ends_of_statements_goes_on():
    cell = ["red apples;", "the longest exam-", "ple of all", "pears;", "and more;", "x = 1;"]
    assert line_ends([words(text) for text in cell]) == {0: "\n", 3: "\n", 4: "\n"}


@given(
    st.lists(  # 24 lines fit above the prose
        st.tuples(st.integers(0, 3), st.sampled_from(["if x == 1:", "return y", "a  = b", "{};"])),
        min_size=2,
        max_size=24,
    )
)
def test_lines_and_indentation_are_kept(lines):
    listing = [" " * 4 * (depth - min(d for d, _ in lines)) + line for depth, line in lines]
    assert listings(page(*listing)) == ["\n".join(listing)]


def test_the_small_number_of_a_listing_of_one_line_is_none_of_its_text():
    number = word("1", 40, 100, size=5, index=90)
    (block,) = find_code([*PROSE, *page("make all -j"), number])
    assert block.text == "make all -j" and number in block.words


def test_a_wrapped_line_is_whole_again():
    rows = page("curl --silent --output", "    drift.txt $HOST", "sort drift.txt")
    hook = [word(",", 66, 112, size=5, width=1, index=900), word("→", 67, 112, size=5, width=5, index=901, glued=True)]
    (block,) = find_code([*PROSE, *rows, *hook])
    assert block.text == "curl --silent --output drift.txt $HOST\nsort drift.txt"
    assert set(map(id, hook)) <= set(map(id, block.words))


def test_a_wrapped_line_is_whole_again_over_white():
    typed = [[word(text, 60, y, mono=True)] for text, y in (("f();", 100), ("g(a,", 112), ("b);", 148))]
    rows = (*(ListingRow(tuple(words)) for words in typed[:2]), ListingRow(tuple(typed[2]), wrap=(word("→", 50, 148),)))
    assert CodeBlock(rows).text == "f();\ng(a, b);"


@pytest.mark.parametrize(
    "pieces, found",
    [
        ([page("Table with pictures")], 0),
        ([page("Table with pictures"), page("x = f(1)", top=200)], 2),
        ([page("pull origin", "push origin", "fetch origin")], 1),
        ([page(text, top=60 + 60 * k) for k, text in enumerate(("By: Ann (1999)", *["of rivers and lakes"] * 4))], 0),
    ],
    ids=["a line alone", "beside code", "three lines", "many lines beside one with signs"],
)
def test_a_line_or_two_of_even_type_are_no_code_on_a_scan_without_signs_of_it(one_page_pdf, pieces, found):
    loose = [*PROSE, *(word for piece in pieces for word in piece)]
    with open_document(one_page_pdf, name="page") as document:
        state = replace(first_state(document.page(1), Engines(Settings())), words=loose)
    assert len(parts.code(replace(state, source="ocr")).code) == found
    assert len(parts.code(state).code) == len(pieces)


@pytest.mark.parametrize("rows, found", [(["c/o 35, Lordship Park,", "9th May, 1938/5698."], 0), (["x = f(1)"] * 3, 1)])
def test_a_line_or_two_of_a_typewritten_letter_are_no_code_though_they_have_signs_of_it(one_page_pdf, rows, found):
    letter = [each for k in range(20) for each in page("a long line of a letter that was typed", top=200 + 12 * k)]
    with open_document(one_page_pdf, name="page") as document:
        state = replace(first_state(document.page(1), Engines(Settings())), words=[*page(*rows), *letter], source="ocr")
    assert len(parts.code(state).code) == found


@pytest.mark.parametrize("size, blocks", [(10, 1), (16, 0)])
def test_a_line_in_the_largest_type_is_a_title_and_no_code(size, blocks):
    command = [word(text, x, 60, size, mono=True) for text, x in (("make", 60), ("all", 120))]
    assert len(find_code([*PROSE, *command])) == blocks


def test_the_number_of_a_line_is_the_nearest_one_before_it_and_has_few_digits():
    """In two columns of listings, of which the left one has a row with a number of thousands of digits."""
    left, right = word("1", 60, 100, 6), word("7", 300, 100, 6)
    long = word("1" * 5000, 60, 112, width=20)
    rows = [ListingRow((each,)) for each in (right, word("a=1", 320, 100), left, word("b=2", 80, 100), long)]
    assert _line_numbers([*rows, ListingRow((word("c=3", 100, 112),)), ListingRow((word("far", 900, 100),))]) == {
        1: 7,
        3: 1,
    }


def test_a_listing_with_a_number_of_thousands_of_digits_is_one():
    digits = [word("1" * 5000, 60, 100 + 12 * k, width=20, mono=True) for k in range(3)]
    rows = [ListingRow((each, word("x=1;", 100, 100 + 12 * k, mono=True))) for k, each in enumerate(digits)]
    assert with_numbers(CodeBlock(tuple(rows)), ()).rows == tuple(rows)


def test_numbered_lines_in_chinese_are_lines_of_their_listing_and_their_letters_fill_two_columns_each():
    """A listing of LaTeX: each letter stands in the middle of its cells, which are wider than it."""
    cell, left = 6.5, 100.0

    def placed(text, column, y, mono):
        wide = cell * columns(text)
        return word(text, left + column * cell + 0.5, y, width=wide - 1.0, mono=mono)

    rows = [
        [("import", 0, True), ("os", 7, True)],
        [],
        [("数", 0, False), ("据:", 2, False), ("battery.csv", 10, True)],
        [("读", 2, False), ("取", 4, False)],
        [("run(os)", 0, True), ("#", 8, True), ("运行", 10, False)],
    ]
    found = []
    for k, row_ in enumerate(rows, 1):
        found += [word(str(k), 80, 100 + 12 * k, 6), *(placed(text, x, 100 + 12 * k, mono) for text, x, mono in row_)]
    [block] = find_code(numbered(found))
    assert block.text == "import os\n\n数据:     battery.csv\n  读取\nrun(os) # 运行"
