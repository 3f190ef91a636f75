"""Code that is set in the type of the text: which lines are it, and what they are written as."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import numbered, row

from docparse.layout.code.any_font import code_blocks, code_runs

C = """#include <stdio.h>
// adds what is asked for
int total(int items[], int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) {
        sum += items[i];
    }
    return sum;
}"""
JAVA = """import java.util.List;
public class Account {
    private final String owner;
    public void close() {
        if (owner == null) {
            return;
        }
        System.out.println("closed: " + owner);
    }
}"""
PYTHON = """from pathlib import Path
# 读取数据
def load(path, limit=10):
    rows = []
    for line in Path(path).open():
        if len(rows) == limit:
            break
        rows.append(line.strip())
    return rows
print(load("data.csv"))"""
SQL = """CREATE TABLE student (
    name VARCHAR(20) NOT NULL,
    age INT
);
INSERT INTO student VALUES ('Ann', 20);
DELETE FROM student WHERE age > 30;"""
HTML = """<div class="menu">
    <ul>
        <li><a href="index.html">Home</a></li>
        <li>Contact</li>
    </ul>
</div>"""
ASSEMBLER = """pushq %rbp
movl 8(%ebp),%edx
.L2:
addq $1, %rdi
cmpq %rax, %rdi
jne .L2
ret"""
JSON = """{
    "name": "docs",
    "private": true,
    "scripts": {
        "build": "make all"
    }
}"""
CODE = (C, JAVA, PYTHON, SQL, HTML, JSON, ASSEMBLER)

LAW = ["The council may provide for", "(a) public works (see section 4);", "(b) return of property;",
       "(c) final orders, if (and only if) they are due;", "(d) static displays;", "(e) case law: none."]  # fmt: skip
FORMULAS = ["x = 3;", "y = f(x) + 2;", "z(t) = 4;", "a = {1, 2};", "b = g(y);", "max(a, b) = c;"]
ALGORITHM = ["Input: a graph G = (V, E)", "for each v in V do", "d(v) = 0;", "if d(u) > 3 then", "return d;", "end"]
HOLIDAYS = ["public holidays (see Annex 2);", "private use (not resale);", "return of goods (14 days);"] * 2
BOOKS = ["Smith, J. (2010). Class struggle; an import.", "Wu, L. (2011): For whom? Print (2);", "[3] Int. J. of Code;"]
ENTRIES = [
    "Email: a@b.org",
    "int: a whole number",
    "class: the kind of a thing",
    "print: writes a text",
    "char: a letter",
]


def paste(text, x=60, top=100, indent=2.3):
    """The words of lines in type that is not monospaced: a space is `indent` points wide."""
    lines = [line for line in text.split("\n") if line.strip()]
    starts = (x + indent * (len(line) - len(line.lstrip())) for line in lines)
    rows = (row(line, start, top + 13 * i, space=3) for i, (line, start) in enumerate(zip(lines, starts, strict=True)))
    return [word for each in rows for word in each]


@pytest.mark.parametrize("code", CODE)
@pytest.mark.parametrize("indent", [2.3, 5.0])
def test_code_between_paragraphs_is_a_listing_with_its_lines_and_indents(code, indent):
    before, after = paste("The program was written\nfor the course."), paste("The result is as expected.", top=500)
    found = code_blocks(numbered([*before, *paste(code, top=126, indent=indent), *after]))
    assert [block.text for block in found] == [code]


@pytest.mark.parametrize(
    "lines",
    [LAW, HOLIDAYS, FORMULAS, ALGORITHM, BOOKS, ENTRIES],
    ids=["law", "list", "math", "paper", "books", "terms"],
)
def test_what_has_signs_of_code_but_is_none_is_left(lines):
    assert code_runs(lines * 3) == []


@pytest.mark.parametrize("code", CODE)
def test_two_lines_of_it_are_left(code):
    assert code_runs(code.split("\n")[:2]) == []


def test_a_line_of_text_parts_two_listings():
    lines = [*C.split("\n"), "它的第二个版本如下所示。", *JAVA.split("\n")]
    assert code_runs(lines) == [range(9), range(10, 20)]


def test_typed_and_chinese_quotes_and_the_numbers_of_lines_do_not_matter():
    typed = [f"{i} {line}" for i, line in enumerate(JAVA.replace('"', "“").replace(";", "；").split("\n"), 1)]
    assert code_runs(typed) == [range(10)]


WORDS = st.sampled_from(
    ["return", "public", "class", "int", "for", "if", "while", "import", "the", "case", "法律", "12", "def"]
)
CLAUSES = st.builds(lambda words, end: " ".join(words) + end, st.lists(WORDS, min_size=1, max_size=9),
                    st.sampled_from([";", ",", ".", ":", "", "；", "。"]))  # fmt: skip
LINES = st.sampled_from([line for code in CODE for line in code.split("\n")] + LAW + FORMULAS + ENTRIES)


@given(st.lists(CLAUSES, max_size=30))
def test_words_with_marks_between_them_are_never_code_even_where_languages_have_the_words(lines):
    assert code_runs(lines) == []


@given(st.lists(LINES | CLAUSES, max_size=30))
def test_runs_stand_apart_and_no_word_is_in_two_blocks_or_lost_within_one(lines):
    runs = code_runs(lines)
    assert all(first.stop <= second.start for first, second in pairwise(runs))
    words = numbered(paste("\n".join(lines)))
    blocks = code_blocks(words)
    taken = [word for block in blocks for word in block.words]
    assert not Counter(map(id, taken)) - Counter(map(id, words))
    assert [part for block in blocks for part in block.text.split()] == [word.text for word in taken]


def test_formats_of_numbers_are_no_registers():
    read = ["format %ld reads a long", "format %lf reads a double", "width %lu reads it unsigned"]
    assert code_runs(read) == []


@pytest.mark.parametrize("text", ["Lemma:", "List:", "join us", "just do", "call me", "je suis"])
def test_words_that_look_like_labels_and_jumps_are_no_code(text):
    lines = ASSEMBLER.split("\n")
    assert code_runs([*lines, text]) == [range(len(lines))]


@pytest.mark.parametrize("text", [".LC0:", "L4:", "jmp loop", "jae .L3", "call .L5", "je done_2", "callq puts"])
def test_labels_and_jumps_are_code(text):
    lines = ASSEMBLER.split("\n")
    assert code_runs([*lines, text]) == [range(len(lines) + 1)]


def test_three_lines_are_code_where_each_is_surely_and_no_line_of_the_rest_is_among_them():
    declared = ["int x = 0x80000000;", "unsigned y = 0x00000001;", "int z = 0x80000001;"]
    assert code_runs(["the numbers below:", *declared, "它们的和是多少？"]) == [range(1, 4)]
    assert code_runs([*declared[:2], "z = x + y"]) == []


def test_a_numbered_gap_to_fill_in_is_a_line_of_its_listing():
    lines = C.split("\n")
    assert code_runs(["③________________;", *lines]) == [range(len(lines) + 1)]
