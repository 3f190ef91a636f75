"""Runs of lines that read as code, whatever they are set in: writers paste it into reports in the font of the text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal

from docparse.hyphenation import CJK
from docparse.layout.chained import chained
from docparse.layout.code.listing import CodeBlock, ListingRow, listing_of, rows_of
from docparse.layout.text.markers import CIRCLED
from docparse.layout.text.words import LEVEL, Word
from docparse.types import union

SURE, KINDS = 4, 2  # lines that are only met in code, and kinds of these: a clause or a formula may look like one
ALL_SURE = 3  # so many are enough where nothing else is among them
ALONE = 3  # of `KEYWORDS`, the first: lines of one of them need no other kind beside them
SURES = 0.25  # of the lines of code: what may be a formula too is not enough
SHARE = 0.75  # of the lines of a run, comments apart, read as code; of prose and algorithms on paper hardly any does
DENSE = 0.1  # of the characters of what a writer wrapped are signs of code; of prose a twentieth is
STRAYS = 2  # lines between code that read as neither: a statement is seldom wrapped into more

TYPE = r"(?:int|void|char|float|double|long|short|bool|boolean|byte|String|string|auto|var|let|const|size_t|u?int\d+_t)"
MODIFIER = r"(?:public|private|protected|static|final|virtual|inline|extern|unsigned|abstract|override|export|async)"
TAG = (
    r"(?:html|head|body|div|p|span|a|[uo]l|li|table|t[rdh]|thead|tbody|script|style|link|meta|title|h[1-6]|img|input|"
    r"form|button|br|label|option|select|header|footer|nav|section|main|template)"
)
SQL_TYPE = r"(?:INT|INTEGER|BIGINT|VARCHAR|CHAR|TEXT|DATE|DATETIME|TIMESTAMP|DECIMAL|FLOAT|BOOLEAN)"
REGISTER = r"(?:[er]?(?:[abcd]x|[sd]i|[sb]p|ip)|[abcd][lh]|[sd]il|[sb]pl|r(?:[89]|1[0-5])[dwb]?|[xyz]mm\d{1,2})"
JUMP = (  # those with names that are words go to what has a sign or a digit: "je suis", "call me"
    r"(?:jmp|jn[a-z]{1,2}|j[abgl]e|callq)\s+[*.]?[A-Za-z_]\w*$|(?:j[abceglosz]|call)\s+(?=\S*[._\d])[.A-Za-z_]\w*$"
)
NAME, ENDS = r"[A-Za-z_$][\w$]*", r"[;{},)(\[]"

KEYWORDS = (
    r"#\s*(?:include\s*[<\"]|define\s+\w|ifn?def\s+\w|endif$|pragma\s)",
    r"(?:std::)?(?:cout|cin|cerr)\s*(?:<<|>>)|(?:System\.out\.print\w*|console\.log|printf|scanf)\s?\(.*;$",
    rf"[a-z]{{2,8}}\s+(?:[-$.\w]+,\s?|[-*.\w]*\()?%{REGISTER}\b",
    r"(?:using\s+namespace\s+\w+|(?:import|package)\s+[\w.*]+|using\s+[\w.]+|import\s.*\sfrom\s+['\"].*['\"]);$",
    r"from\s+[\w.]+\s+import\s+[\w.*, ()]+$|import\s+[\w.]+\s+as\s+\w+$",
    rf"(?:async\s+)?def\s+{NAME}\s*\(.*[:,(]$|class\s+{NAME}\s*\(.*\):$",
    rf"(?:{MODIFIER}\s+)+[\w<>\[\],*&:~ ]*(?:[=(].*)?{ENDS}$|(?:public|private|protected):$",
    rf"(?:const\s+)?{TYPE}(?:\s*<.*>)?[\s*&]+[*&]*{NAME}(?:::~?\w+)?\s*(?:[=(\[,;].*)?{ENDS}$",
    rf"(?:typedef\s+)?(?:struct|class|enum|interface|union|function)\s+{NAME}.*[{{;]$|template\s*<.*>$",
    r"(?:\}\s*)?(?:else\s+)?(?:if|for|while|switch|catch|foreach)\s*\(.*[{;]$|(?:\}\s*)?(?:else|try|do|finally)\s*\{$",
    r"(?:if|elif|while)\s.*(?:[=!<>]=|[<>\])]|\w\.\w).*:$|(?:else|try|finally):$|for\s+[\w, ]+\sin\s+[\w.]+[(\[]?.*:$",
    r"(?:return\b.*|break|continue);$|case\s+['\"\w]+:|default:$",
    r"\"[^\"]+\"\s*:\s*(?:\".*\"|[-\d.eE+]+|true|false|null|[\[{].*),?$",
    rf"</{TAG}>$",
    rf"<{TAG}(?:\s[\w:@-]+=\".*)?/?>(?:.*</{TAG}>)?$|<!DOCTYPE\s|<\?(?:xml|php)",
    r"CREATE\s+(?:TABLE|VIEW|DATABASE)\s+\S|ALTER\s+TABLE\s+\S",
    r"INSERT\s+INTO\s+\S|DELETE\s+FROM\s+\S|UPDATE\s+\S+\s+SET\s",
    rf"`?{NAME}`?\s+{SQL_TYPE}\b.*[,)]?$",
    r"\}(?:[\s)\]};,]*|\s*else\b.*|\s*while\s*\(.*;)$|(?:.*[\w)>=]\s*)?\{$",
    rf"(?:\*?{NAME}(?:\.|->|::))*{NAME}(?:<.*>)?\s?\(.*\);$",
    rf"(?:print|println|self\.{NAME})\s*[(=.].*",
)
"""What a line begins with, or is, that is hardly met but in code: each a kind of its own. The first three are not
met elsewhere at all."""

LIKELY = (
    rf"[*&]*{NAME}(?:(?:\.|->|::)\w+|\[[^\]]*\])*\s*(?:[-+*/%|&^:]?=|<<|>>|\+\+|--).*$",
    r"[A-Za-z_*&].*[\w)\]\"'](?:\+\+|--)?;$",
    rf"{NAME}(?:(?:\.|->|::)\w+)*\(.*\)?[,{{]?$|\.{NAME}\(.*",
    rf"import\s+[\w.]+$|return(?:\s+[\w., ()\[\]-]+)?$|(?:pass|break|continue)$|@{NAME}(?:\(.*\))?$",
    r"[)\]]+[;,:]?$|(?:if|for|while|else if)\s*\(.*\)$|else$",
    rf"(?:{MODIFIER}\s+)*{TYPE}[\s*&]+{NAME}\s*\(.*\)$|(?:class|struct)\s+{NAME}(?:\s*:.*)?$",
    rf"\.L\w*:$|L\d+:$|{JUMP}|(?:ret|leave)[lq]?$",
    r"(?:SELECT|FROM|WHERE|VALUES|SET|ORDER\s+BY|GROUP\s+BY|(?:LEFT\s+|INNER\s+)?JOIN|PRIMARY\s+KEY)\b",
)
"""What a line of code is that may be one of a formula or a list too."""

COMMENT, BULLET = re.compile(r"//|/\*|\*/|\*\s|#|--\s|<!--"), ("* ", "-- ", "##")
BEHIND = re.compile(r"\s*(?:(?<!:)//.*|/\*.*?\*/|\s#\s.*)$")  # a comment at the end of a line
QUOTED = re.compile(r"([\"']).*?\1")
PLAIN = re.compile(r"[\w\s,.'’-]*(?:\s\([\w\s,.§%/–-]*\))?\s?[;:,]?$")  # a clause of a law, and one in brackets
NUMBER = re.compile(rf"(?:\d{{1,4}}\s+|[{CIRCLED}]\s*)(?=\S)")  # of a line, and of a gap in it to fill in
STRAIGHT = str.maketrans("“”‘’；（）", "\"\"'';()")  # as word processors and Chinese keyboards write the signs of code
SIGNS = frozenset("{}()[]<>=;_\"'\\+&|*")
APART, ALIKE = 6.0, 0.12  # em between rows, two paragraphs with a blank line between; of the size of type
LONGEST = 300  # characters: more are no line of code

Look = Literal["code", "comment", "stray", "prose"]
_KEYWORDS = tuple(map(re.compile, KEYWORDS))
_LIKELY = re.compile("|".join(f"(?:{each})" for each in LIKELY))


def code_runs(lines: Sequence[str]) -> list[range]:
    """Return the runs of lines, by index, that read as code: many are of kinds hardly met elsewhere, and next to
    nothing else is among them."""
    said = [_look(NUMBER.sub("", line.strip(), 1).translate(STRAIGHT)) for line in lines]

    def goes_on(run: list[int], i: int) -> bool:
        between = [said[k][0] for k in range(run[-1] + 1, i)]
        return len(between) <= STRAYS and "prose" not in between

    runs = chained((i for i, (look, _) in enumerate(said) if look in ("code", "comment")), goes_on)
    return [found for run in runs if (found := _trimmed(run, lines)) and _is_code([said[i] for i in found])]


def _trimmed(run: Sequence[int], lines: Sequence[str]) -> range:
    """The run without what may be items of a list at its ends."""
    kept = [i for i in run if not lines[i].lstrip().startswith(BULLET)]
    return range(kept[0], kept[-1] + 1) if kept else range(0)


def _is_code(said: Sequence[tuple[Look, int]]) -> bool:
    count = Counter(look for look, _ in said)
    kinds = [kind for _, kind in said if kind]
    least = ALL_SURE if len(kinds) == len(said) else max(SURE, SURES * count["code"])
    known = len(kinds) >= least and (len(set(kinds)) >= KINDS or min(kinds) <= ALONE)
    return known and count["code"] >= SHARE * (count["code"] + count["stray"])


def _look(line: str) -> tuple[Look, int]:
    """Return what a line looks like, and from 1 on which of `KEYWORDS` it has."""
    if COMMENT.match(line) and not _KEYWORDS[0].match(line):
        return "comment", 0
    line = BEHIND.sub("", line[:LONGEST])
    if not line or len(line) == LONGEST:
        return "prose", 0
    kind = next((i for i, keyword in enumerate(_KEYWORDS, 1) if keyword.match(line)), 0)
    if kind or _LIKELY.match(line):
        return "code", 0 if PLAIN.match(line) else kind
    signs = sum(char in SIGNS for char in line)
    return "prose" if CJK.search(QUOTED.sub("", line)) or signs < DENSE * len(line) else "stray", 0


def code_blocks(words: Sequence[Word]) -> list[CodeBlock]:
    """Return the runs of rows under each other, in the order of the file, that read as code."""

    def goes_on(rows: list[ListingRow], row: ListingRow) -> bool:
        last = rows[-1]
        alike = abs(row.size - last.size) < ALIKE * row.size and row.box.x0 - union(r.box for r in rows).x1 < row.size
        return alike and LEVEL * row.size < row.baseline - last.baseline < APART * row.size

    columns = chained(rows_of(words), goes_on)
    runs = ((rows, run) for rows in columns for run in code_runs([row.text for row in rows]))
    return [listing_of([row.words for row in rows[run.start : run.stop]]) for rows, run in runs]
