"""Processes in chi with damage done to them, for the fuzz test.

The undamaged texts are those of `examples`, and those inside of the tests and the page that can be read.
"""

from __future__ import annotations

import re
import tempfile
from functools import cache
from pathlib import Path
from random import Random

from damage import LONGEST, ROOT, Damage, Mutation, blocks_of_page, strings_of_tests

from saltus.analyse.analysis import Analysis
from saltus.compiler import load_flat
from saltus.core.diagnostics import SaltusError
from saltus.core.source import Source
from saltus.lower.hybrid.clauses import to_hybrid
from saltus.read.chi.parsing.parser import parse

TOKEN = re.compile(r"//[^\n]*|\s+|\w+(?:\.\d+)?|::=|:=|->|[<>/]=|\|\[|\]\||\[\]|\|\||.", re.DOTALL)
WORDS = [
    "proc", "syst", "xper", "const", "skip", "nabla", "delta", "not", "and", "or", "true", "false",
    "sample",
]  # fmt: skip
SPARE = [
    *WORDS, "∇", "Δ", "¬", "∧", "∨", "√", "→", "‖", "□", "σ", "ρ", "τ", "tau", "pi", "|[", "]|", "[", "]",
    "[]", "||", "|", "(", ")", "{", "}", "*[", ",", ";", ":", "=", ":=", "::=", "->", "<-", "'", "!", "?",
    "-", "+", "*", "/", "^", "<", ">=", "/=", "0", "-1", "1e400", "x", "real", "int", "bool", "void",
    "[m]", "[-]", "der", "if", "time", "end", "exponential(", "uniform(1, 2)", "// experiment stop = 1",
    "/*", "*/", "\n", '"', "#",
]  # fmt: skip
OPERATORS = [
    "+", "-", "*", "/", "^", "=", "/=", "<", ">", "<=", ">=", "and", "or", ":=", "::=", ";", ",", "->",
]  # fmt: skip

_FOLDER = tempfile.TemporaryDirectory()
_FILE = Path(_FOLDER.name) / "Damaged.chi"


def translate(text: str) -> None:
    """What `saltus check` does, without native code."""
    _FILE.write_text(text, encoding="utf-8", newline="")
    Analysis(to_hybrid(load_flat(_FILE))).structure.verify()


@cache
def sources() -> tuple[str, ...]:
    """The undamaged texts, in a fixed order."""
    found = [p.read_text(encoding="utf-8") for p in sorted((ROOT / "examples").rglob("*.chi"))]
    found += [*strings_of_tests("chi", "read/chi"), *blocks_of_page("chi.md", "chi")]
    return tuple(dict.fromkeys(text for text in found if _is_text(text)))


def _is_text(text: str) -> bool:
    if len(text) > LONGEST or "proc " not in text:
        return False
    try:
        return bool(parse(Source("", text)).definitions)
    except SaltusError:
        return False


CHI = Damage("chi:", TOKEN, ("//",), frozenset(WORDS), SPARE, OPERATORS, sources)


def case(seed: int, number: int) -> tuple[str, str]:
    """What was done, and the text."""
    return CHI.case(seed, number, _OF_LETTERS, _OF_MEANING)


def _deep(random: Random, text: str) -> str:
    """Nested further than any recursion goes."""
    depth = random.choice([20, 200, 2_000, 20_000])
    tokens, names = CHI.names(text)
    at = random.choice(names)
    old = tokens[at]
    tokens[at] = random.choice([
        "(" * depth + old + ")" * depth,
        "(" * depth + old,
        "-(" * depth + old + ")" * depth,
        "|" * depth + old,
        "sqrt " * depth + old,
        "not " * depth + old,
        f"{old} + " * depth + old,
        f"{old} " * depth,
        old * min(depth, 2_000),
        f"*[ [ {old} > 0 -> " * depth + "skip" + " ] ]" * depth,
        f"[ {old} > 0 -> " * depth + f"{old} = 1" + " ]" * depth,
        f"{old} := 1; " * min(depth, 200) + "skip",
        f"({old} - " * depth + old + ")" * depth,
    ])  # fmt: skip
    return "".join(tokens)


def _joined(random: Random, text: str) -> str:
    """Blanks are lost: words that are products, and words that are not."""
    tokens, _ = CHI.tokens(text)
    blanks = [i for i, t in enumerate(tokens) if not t.strip()] or [0]
    for at in random.sample(blanks, min(len(blanks), random.choice([1, 3, 10]))):
        tokens[at] = ""
    return "".join(tokens)


def _added(random: Random, text: str) -> str:
    """A statement or an equation behind a sign after which one may stand."""
    tokens, names = CHI.names(text)
    a, b = tokens[random.choice(names)], tokens[random.choice(names)]
    made = random.choice([
        f"{a} := {b}; ", f"{a} ::= {b}; ", f"nabla {a} > {b}; ", f"nabla {a} = {b}; ", f"delta {a}; ",
        f"{a}!{b}; ", f"{a}?{b}; ", f"{a}!; ", f"*[ {a} > {b} -> {b} := {a} ]; ", f"*[ {a} := {b} ]; ",
        f"[ {a} > 0 -> skip [] {b}; nabla {a} < 1 -> {a} := {b} ]; ", f"{a} := sample uniform({b}, 1); ",
        f"{a}' = {b}, ", f"{a} = {b}, ", f"[ {a} > 0 -> {b}' = 1 [] {a} <= 0 -> {b}' = 2 ], ", "skip; ",
        f"{a} : {random.choice(['int', 'real', '[m]', '!int', '-int', '{A, B}'])}, ",
    ])  # fmt: skip
    places = [m.end() for m in re.finditer(r"[|;\[,]\s", text)] or [0]
    at = random.choice(places)
    return f"{text[:at]}{made}{text[at:]}"


#: Those that mostly break the grammar, and those after which there is still something to lower.
_OF_LETTERS: list[Mutation] = [
    CHI.delete, CHI.repeat, CHI.exchange, CHI.spare, CHI.letter, CHI.cut_off, _deep,
]  # fmt: skip
_OF_MEANING: list[Mutation] = [
    CHI.other_name, CHI.other_name, CHI.renamed_everywhere, CHI.number, CHI.operator,
    _joined, CHI.line, CHI.line, _added, _added,
    _added,
]  # fmt: skip
