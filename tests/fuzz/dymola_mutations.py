"""Models in the Dymola language of 1993 with damage done to them, for the fuzz test.

The undamaged texts are those of `examples/papers`, and those inside of the tests and pages that can be read.
"""

from __future__ import annotations

import re
from functools import cache
from random import Random

from damage import LONGEST, NUMBERS, ROOT, Damage, Mutation, blocks_of_page, strings_of_tests

from saltus.core.diagnostics import SaltusError
from saltus.core.source import Source
from saltus.read.dymola.text.parser import parse

TOKEN = re.compile(r"\{[^{}]*\}|\s+|\w+(?:\.\d+)?|//|[<>=]=|<>|.", re.DOTALL)
WORDS = [
    "model", "class", "type", "end", "terminal", "cut", "main", "path", "local", "parameter", "constant",
    "input", "output", "submodel", "node", "connect", "when", "endwhen", "at", "from", "to", "if", "then",
    "else", "and", "or", "not", "der", "der2", "new", "init", "pre", "True", "False", "Time",
]  # fmt: skip
SPARE = [
    *WORDS, "elsewhen", "elseif", "for", "equation", "Real", "time", "(", ")", "[", "]", "{", "}", ",", ";",
    "=", ":=", "+", "-", "*", "/", "//", "^", ".", ":", "<", ">=", "==", "<>", "0", "-1", "1e400", "x",
    '"', "'",
    "new(", "der(", "\n", "/*", "\\", "Common", "TwoPort", "Resistor", "{experiment stop = 1}",
]  # fmt: skip
OPERATORS = ["+", "-", "*", "/", "^", "//", "==", "<>", "<", ">", "<=", ">=", "and", "or", "="]


@cache
def sources() -> tuple[str, ...]:
    """The undamaged texts, in a fixed order."""
    found = [p.read_text(encoding="utf-8") for p in sorted((ROOT / "examples" / "papers").glob("*.dym"))]
    found += [*strings_of_tests("dymola", "read/dymola", "bad_input"), *blocks_of_page("dymola.md", "dymola")]
    return tuple(dict.fromkeys(text for text in found if _is_model(text)))


def _is_model(text: str) -> bool:
    if len(text) > LONGEST or not re.search(r"^\s*end\b", text, re.MULTILINE) or "model" not in text:
        return False
    try:
        return bool(parse(Source("", text)))
    except SaltusError:
        return False


DYMOLA = Damage("dymola:", TOKEN, ("{",), frozenset(WORDS), SPARE, OPERATORS, sources, ends_with_line=True)


def case(seed: int, number: int) -> tuple[str, str]:
    """What was done, and the text."""
    return DYMOLA.case(seed, number, _OF_LETTERS, _OF_MEANING)


def _deep(random: Random, text: str) -> str:
    """Nested further than any recursion goes."""
    depth = random.choice([20, 200, 2_000, 20_000])
    tokens, names = DYMOLA.names(text)
    at = random.choice(names)
    old = tokens[at]
    tokens[at] = random.choice([
        "(" * depth + old + ")" * depth,
        "(" * depth + old,
        "-(" * depth + old + ")" * depth,
        "abs(" * depth + old + ")" * depth,
        "new(" * depth + old + ")" * depth,
        f"(if {old} > 0 then {old} else " * depth + old + ")" * depth,
        f"if {old} > 0 then {old} else " * depth + old,
        "not " * depth + old,
        f"{old} + " * depth + old,
        f"{old} // " * depth + old,
        f"({old} - " * depth + old + ")" * depth,
        f"{old}." * depth + old,
        f"{old}[" * depth + "1" + "]" * depth,
    ])  # fmt: skip
    return "".join(tokens)


def _wrapped(random: Random, text: str) -> str:
    """A name is given to a function."""
    tokens, names = DYMOLA.names(text)
    at = random.choice(names)
    tokens[at] = f"{random.choice(['new', 'init', 'pre', 'der', 'der2', 'not ', 'sin', '-'])}({tokens[at]})"
    return "".join(tokens)


def _broken(random: Random, text: str) -> str:
    """A line ends where it should not."""
    tokens, words = DYMOLA.tokens(text)
    at = random.choice(words)
    tokens[at] += "\n"
    return "".join(tokens)


def _added(random: Random, text: str) -> str:
    """A statement at the beginning of a model, about something that is there."""
    heads = list(re.finditer(r"^[ \t]*model\b[^\n]*\n", text, re.MULTILINE))
    if not heads:
        return DYMOLA.spare(random, text)
    tokens, names = DYMOLA.names(text)
    a, b = tokens[random.choice(names)], tokens[random.choice(names)]
    made = random.choice([
        f"submodel ({a}) {b}", f"submodel {a}", f"submodel ({a}) extra({b} = {a})", f"connect {a} - {b}",
        f"connect {a} at {b}", f"connect {a} from {b} to {a}", f"connect ({a} // {b}) - {a}", f"{a} = {b}",
        f"new({a}) = {b}", f"when {a} > 0 then\n new({b}) = {a}\nendwhen", f"init({a}) = {b}", f"node {a}",
        f"main cut extra ({a} / -{b})", f"cut extra [{a} {b}]", f"main path extra <{a} - {b}>",
        f"der2({a}) = {b}", f"local {a} = {b}", f"parameter {a} = {b}", f"{a} = if {b} then {a} else {b}",
        f"{{experiment stop = {random.choice(NUMBERS)}}}", f"local {a}[3]", f"{a}[1] = {b}",
    ])  # fmt: skip
    at = random.choice(heads).end()
    return f"{text[:at]}{made}\n{text[at:]}"


#: Those that mostly break the grammar, and those after which there is still something to lower.
_OF_LETTERS: list[Mutation] = [
    DYMOLA.delete, DYMOLA.repeat, DYMOLA.exchange, DYMOLA.spare, DYMOLA.letter, DYMOLA.cut_off, _deep,
]  # fmt: skip
_OF_MEANING: list[Mutation] = [
    DYMOLA.other_name, DYMOLA.other_name, DYMOLA.renamed_everywhere, DYMOLA.number, DYMOLA.operator,
    _wrapped, DYMOLA.line, DYMOLA.line, _broken,
    _added, _added,
]  # fmt: skip
