"""Hyphens at line ends: what the rest of the document says of them."""

import pytest
from typeset import lines

from docparse.layout.document.hyphens import SOFT, Hyphens, divided
from docparse.layout.text.inline import spans_of
from docparse.types import Block, Box, Category, Cell, Span, Table, plain


def block(*texts):
    return Block(category=Category.TEXT, box=Box(0, 0, 100, 20), spans=tuple(map(Span, texts)))


MANY = " ".join(f"sepa{SOFT}ration" for _ in range(9))
SIMPLE = (
    "high-lighted short-comings short-ening question-naire real-ization semi-conductor revolution-izing low-ering "
    "four-teenth cross-roads non-sense show-case suit-case life-style nano-scale hyper-sensitive"
)
CASES = {
    "a word that occurs joined": (f"an exam{SOFT}ple of it", ["Another example, by example."], "an example of it"),
    "one that occurs with its hyphen": (f"is self{SOFT}contained", ["Nothing self-contained."], "is self-contained"),
    "two words that occur": (
        f"the bounded{SOFT}error class", ["an error is bounded", MANY], "the bounded-error class"),
    "a word of two that occur": (
        f"put any{SOFT}where with{SOFT}out it", ["any of where it goes out with", MANY], "put anywhere without it"),
    "a word that stands before whole ones": (
        f"a self{SOFT}reported well{SOFT}ness", [MANY], "a self-reported wellness"),
    "a letter alone": (f"the p{SOFT}value", [], "the p-value"),
    "a word that goes on with a hyphen": (f"in word{SOFT}to-word order", [MANY], "in word-to-word order"),
    "a syllable of one": (f"the vi{SOFT}sion-language model", [MANY], "the vision-language model"),
    "an acronym": (f"a CPU{SOFT}intensive task", [MANY], "a CPU-intensive task"),
    "lines end so as often as they have compounds": (
        f"a near{SOFT}matching entry", ["of two-word and three-part names " * 8], "a near-matching entry"),
    "lines hardly ever end so": (
        f"a near{SOFT}matching entry", ["plain words without any division " * 200], "a near-matching entry"),
    "the end of a word where lines hardly ever end so": (
        f"its surround{SOFT}ings", ["plain words without any division " * 200], "its surroundings"),
    "a name that occurs without": (f"how Trace{SOFT}Monkey starts", ["TraceMonkey stops."], "how TraceMonkey starts"),
    "a Russian word": (f"воз{SOFT}можность", [MANY], "возможность"),
    "a name that does not": (f"an Anglo{SOFT}Saxon name", [MANY], "an Anglo-Saxon name"),
    "two parts that begin and end compounds": (
        f"fine{SOFT}grained real{SOFT}world non{SOFT}empty", [MANY, "an empty one"],
        "fine-grained real-world non-empty"),
    "an adverb and what it says of": (f"tick monotonically{SOFT}increasing", [MANY], "tick monotonically-increasing"),
    "a whole word by its end, and one that goes on behind it": (
        f"hypomethylation{SOFT}inducing relation{SOFT}ships", [MANY, "inducing it"],
        "hypomethylation-inducing relationships"),
    "a prefix before the end of one": (f"an under{SOFT}specified de{SOFT}fined realistic", [MANY],
        "an underspecified defined realistic"),
    "a word that mostly occurs with its hyphen": (
        f"the pre{SOFT}copy phase", ["precopy is pre-copy or pre-copy", MANY], "the pre-copy phase"),
    "syllables where lines hardly ever end so, and once within a word": (
        f"most fre{SOFT}quently", [f"plain words without any divi{SOFT}sion", "plain division " * 200],
        "most frequently"),
    "syllables of which one is a word, where lines hardly ever end so": (
        f"In{SOFT}triguingly normal{SOFT}izations", ["in normal words without any division " * 200],
        "Intriguingly normalizations"),
    "syllables where one line of several ends within a word": (
        f"the con{SOFT}tent", [f"free{SOFT}surface flow of two{SOFT}phase divi{SOFT}sion", "a division " * 900],
        "the content"),
    "words behind others that occur": (
        f"sinc{SOFT}shaped time{SOFT}varying second{SOFT}moment book{SOFT}case", [MANY, "time of a sinc in a book"],
        "sinc-shaped time-varying second-moment bookcase"),
    "parts where lines hardly ever end so, and never within a word": (
        f"with codon{SOFT}optimization", ["plain words without any division " * 200], "with codon-optimization"),
    "simple words that begin and end as compounds do": (
        SIMPLE.replace("-", SOFT), [MANY], SIMPLE.replace("-", "")),
    "parts where lines hardly ever end so, and once in a compound that is written in two ways": (
        f"a near{SOFT}matching entry", [f"it is on{SOFT}line", "go online on a line " * 200], "a near-matching entry"),
    "words in capitals": (
        f"ASSESS{SOFT}MENT REQUIRE{SOFT}MENTS TECHNO{SOFT}LOGY CPU{SOFT}GPU", [MANY, "a CPU and a GPU"],
        "ASSESSMENT REQUIREMENTS TECHNOLOGY CPU-GPU"),
    "a word in capitals that occurs": (f"RA{SOFT}DOS stores", ["RADOS is a store", MANY], "RADOS stores"),
    "lines often end so": (f"a near{SOFT}matching entry", [MANY], "a nearmatching entry"),
}  # fmt: skip


@pytest.mark.parametrize(
    "first, second, said",
    [
        ("how Trace-", "Monkey runs", f"how Trace{SOFT}Monkey runs"), ("an Anglo-Saxon", "chronicle", None),
        ("by Jean-Luc,", "Picard said", None), ("Baden-Baden.", "Then he", None), ("она какой-то", "дом", None),
        ("of RA-", "DOS", f"of RA{SOFT}DOS"),
        ("the Trace-", "monkey runs", f"the Trace{SOFT}monkey runs"), ("東京-大阪間", "Tokyo", None),
    ],
)  # fmt: skip
def test_a_line_that_ends_in_the_middle_of_a_name_is_marked_and_no_letter_is_lost(first, second, said):
    found = plain(spans_of(lines([first, second]), divided=SOFT))
    assert found == (said or f"{first} {second}")


@pytest.mark.parametrize("text, others, settled", CASES.values(), ids=CASES)
def test_the_document_says_whether_a_hyphen_divides_or_joins(text, others, settled):
    hyphens = Hyphens()
    for each in (text, *others):
        hyphens.add(block(each))
    assert hyphens.settle(block(text)).text == settled


def test_without_a_document_every_mark_divides_and_none_is_left():
    assert divided(block(f"exam{SOFT}ple", f" broken{SOFT}")).text == "example broken"


def test_the_document_settles_the_cells_of_its_tables_and_learns_their_words():
    cells = (Cell(0, 0, (Span(f"emacs{SOFT}nox", code=True),)), Cell(0, 1, (Span("the well-known editor"),)))
    table = Block(category=Category.TABLE, box=Box(0, 0, 100, 20), table=Table(rows=1, columns=2, cells=cells))
    hyphens = Hyphens()
    for each in (table, block("plain words without any division " * 200)):
        hyphens.add(each)
    settled = hyphens.settle(table).table
    assert settled.cells[0].spans == (Span("emacs-nox", code=True),)
    assert plain(settled.cells[1].spans) == "the well-known editor"
    assert hyphens.settle(block(f"a well{SOFT}known one")).text == "a well-known one"
