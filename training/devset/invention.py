"""Text to fill documents with: sentences from the docstrings and read-me files of installed packages, and what is
made of their words: headings, names, terms, code."""

from __future__ import annotations

import ast
import random
import re
from functools import cache
from importlib.metadata import distributions
from pathlib import Path

SENTENCE = re.compile(r"[A-Z][a-z]*(?: [\w,;:'()/.\-]+){5,38}[.?!]")
UNSAFE = re.compile(r"[*`<>#$\\{}\[\]|~^@_&%\"=+]|https?:|\.\.|--|::|>>>")
STOP = set(
    "a an the of to in on at by for and or but is are was be been as it its this that with from if not no so than".split()
)
FIRST = (
    "Anna Jonas Mary Peter Lucía Omar Ingrid Chen Dmitri Aisha Paul Klara Tomás Helen Viktor Nora Samuel Yuki".split()
)
LAST = "Berg Okafor Smith Lindqvist Tanaka Moreau Rossi Novák Silva Haddad Miller Jensen Kowalski O'Brien Weiss".split()
PLACES = "Lisbon Graz Bergen Utrecht Leeds Porto Tartu Basel Cork Lyon Aarhus Trieste Gdańsk Turku Ghent".split()
MONTHS = "January February March April May June July August September October November December".split()
FIRMS = ("Ltd", "GmbH", "Inc.", "& Sons", "Institute", "University", "Laboratories", "Council", "Press")


@cache
def _sentences() -> tuple[str, ...]:
    """Plain sentences found on this machine, in an order that is always the same."""
    texts = [d.read_text("METADATA") or "" for d in distributions()]
    for module in sorted(Path(ast.__file__).parent.glob("*.py")):
        try:
            tree = ast.parse(module.read_text(encoding="utf-8"))
        except (SyntaxError, UnicodeDecodeError):
            continue
        kinds = (ast.FunctionDef, ast.ClassDef, ast.Module)
        texts += [ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, kinds)]
    found: set[str] = set()
    for text in texts:
        for paragraph in re.split(r"\n\s*\n", text):
            flat = " ".join(paragraph.split())
            found.update(m[0] for m in SENTENCE.finditer(flat) if not UNSAFE.search(m[0]) and m[0].isascii())
    return tuple(sorted(found))


@cache
def _code() -> tuple[tuple[str, ...], ...]:
    """Bodies of functions of the standard library, as lines."""
    bodies = []
    for module in sorted(Path(ast.__file__).parent.glob("*.py"))[:120]:
        try:
            source = module.read_text(encoding="utf-8")
            tree = ast.parse(source)
        except (SyntaxError, UnicodeDecodeError):
            continue
        lines = source.splitlines()
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.end_lineno and 3 < node.end_lineno - node.lineno < 40:
                body = [line for line in lines[node.lineno - 1 : node.end_lineno] if len(line) < 84 and line.isascii()]
                bodies.append(tuple(line for line in body if '"""' not in line))
    return tuple(body for body in bodies if len(body) > 3)


@cache
def _words() -> tuple[str, ...]:
    words = re.findall(r"[a-z]{4,11}", " ".join(_sentences()))
    return tuple(sorted({word for word in words if word not in STOP}))


class Invention:
    """Draws text; the same seed draws the same text on the same machine."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def sentence(self) -> str:
        return self.rng.choice(_sentences())

    def prose(self, low: int = 2, high: int = 6, rich: bool = True) -> str:
        """A paragraph; `rich` ones have a few emphasised words."""
        words = " ".join(self.sentence() for _ in range(self.rng.randint(low, high))).split()
        if rich:
            for _ in range(self.rng.choice((0, 0, 1, 2))):
                at = self.rng.randrange(len(words))
                if re.fullmatch(r"[\w-]+", words[at]):
                    words[at] = self.rng.choice(("**{}**", "*{}*", "`{}`")).format(words[at])
        return " ".join(words)

    def word(self) -> str:
        return self.rng.choice(_words())

    def phrase(self, low: int = 2, high: int = 6) -> str:
        """Some words that follow each other somewhere, without a stop at the end."""
        n = self.rng.randint(low, high)
        words = re.findall(r"[A-Za-z][\w'-]*", self.sentence())
        at = self.rng.randrange(max(1, len(words) - n))
        cut = words[at : at + n]
        while len(cut) > 1 and cut[-1].lower() in STOP:
            cut.pop()
        text = " ".join(cut)
        return text[:1].upper() + text[1:]

    def heading(self, low: int = 1, high: int = 7) -> str:
        text = self.phrase(low, high)
        kind = self.rng.random()
        if kind < 0.35:
            return " ".join(w if w.lower() in STOP and i else w[:1].upper() + w[1:] for i, w in enumerate(text.split()))
        return text + ("?" if kind > 0.95 else "")

    def name(self) -> str:
        return f"{self.rng.choice(FIRST)} {self.rng.choice(LAST)}"

    def firm(self) -> str:
        return f"{self.rng.choice(LAST)} {self.rng.choice(FIRMS)}"

    def place(self) -> str:
        return self.rng.choice(PLACES)

    def date(self) -> str:
        day, month, year = self.rng.randint(1, 28), self.rng.choice(MONTHS), self.rng.randint(1990, 2026)
        forms = f"{day} {month} {year}", f"{month} {day}, {year}", f"{year}-{day:02}-11", f"{month} {year}"
        return self.rng.choice(forms)

    def number(self) -> str:
        value = self.rng.choice((self.rng.randint(1, 99), self.rng.randint(100, 99999), self.rng.uniform(0, 100)))
        text = f"{value:,}" if isinstance(value, int) else f"{value:.{self.rng.randint(1, 3)}f}"
        return self.rng.choice(("", "", "", "$", "")) + text + self.rng.choice(("", "", "", "%", " ms"))

    def code(self, low: int = 2, high: int = 16) -> list[str]:
        """Lines of Python, of a shell session or of a configuration file."""
        kind = self.rng.random()
        if kind < 0.6:
            lines = list(self.rng.choice(_code()))[: self.rng.randint(low, high)]
            indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
            return [line[indent:].rstrip() for line in lines]
        words = [self.word() for _ in range(60)]
        n = self.rng.randint(low, max(low, high // 2))
        if kind < 0.8:
            return [f"$ {words[3 * i]} --{words[3 * i + 1]} {words[3 * i + 2]}.txt" for i in range(min(n, 12))]
        return [f"{words[2 * i]} = {words[2 * i + 1]}" if i else f"[{words[0]}]" for i in range(min(n, 12))]

    def table(self, rows: int, columns: int) -> list[list[str]]:
        """A header and rows, each column of words, short phrases or numbers."""
        kinds = ["name", *(self.rng.choice(("number", "number", "word", "phrase")) for _ in range(columns - 1))]
        draw = {
            "name": lambda: self.phrase(1, 3),
            "number": self.number,
            "word": self.word,
            "phrase": lambda: self.phrase(2, 6),
        }
        head = [self.phrase(1, 2) for _ in range(columns)]
        return [head, *([draw[kind]() for kind in kinds] for _ in range(rows))]
