"""Processes in chi with damage done to them, for the fuzz test.

The undamaged texts are those of `examples`, and those inside of the tests and the page that can be read. As
with Modelica, a case is made from the seed, its number, and the text on the circle to which it falls.
"""

from __future__ import annotations

import ast as python
import re
import tempfile
from bisect import bisect
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

from mutations import LETTERS, LONGEST, NUMBERS, ROOT, circle_of

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
    for folder in ("chi", "read/chi"):
        for path in sorted((ROOT / "tests" / folder).glob("*.py")):
            for node in python.walk(python.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, python.Constant) and isinstance(node.value, str):
                    found.append(node.value)
    page = (ROOT / "docs" / "chi.md").read_text(encoding="utf-8")
    found += re.findall(r"```chi [^\n]*\n(.*?)```", page, re.DOTALL)
    return tuple(dict.fromkeys(text for text in found if _is_text(text)))


def _is_text(text: str) -> bool:
    if len(text) > LONGEST or "proc " not in text:
        return False
    try:
        return bool(parse(Source("", text)).definitions)
    except SaltusError:
        return False


@cache
def circle() -> tuple[tuple[float, ...], tuple[str, ...]]:
    """Places on a circle of length one, in order, and the text at each."""
    return circle_of(sources())


def _any_source(random: Random) -> str:
    places, texts = circle()
    return texts[bisect(places, random.random()) % len(texts)]


def case(seed: int, number: int) -> tuple[str, str]:
    """What was done, and the text."""
    random = Random(f"chi:{seed}:{number}")
    text = _any_source(random)
    done = []
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        mutation = random.choice(_OF_LETTERS if random.random() < 0.3 else _OF_MEANING)
        done.append(mutation.__name__.strip("_"))
        text = mutation(random, text)
    return "+".join(done), text


# ---------------------------------------------------------------- tokens


def _tokens(text: str) -> tuple[list[str], list[int]]:
    """All tokens, and which of them are neither blanks nor comments."""
    tokens = TOKEN.findall(text) or [" "]
    return tokens, [i for i, t in enumerate(tokens) if t.strip() and not t.startswith("//")] or [0]


def _names(text: str) -> tuple[list[str], list[int]]:
    tokens, words = _tokens(text)
    return tokens, [i for i in words if tokens[i][0].isalpha() and tokens[i] not in WORDS] or words


def _delete(random: Random, text: str) -> str:
    tokens, words = _tokens(text)
    at = random.randrange(len(words))
    for i in words[at : at + random.choice([1, 1, 1, 2, 5])]:
        tokens[i] = ""
    return "".join(tokens)


def _repeat(random: Random, text: str) -> str:
    tokens, words = _tokens(text)
    at = random.choice(words)
    tokens[at] = " ".join([tokens[at]] * random.choice([2, 2, 3, 500]))
    return "".join(tokens)


def _exchange(random: Random, text: str) -> str:
    tokens, words = _tokens(text)
    a, b = random.choice(words), random.choice(words)
    tokens[a], tokens[b] = tokens[b], tokens[a]
    return "".join(tokens)


def _spare(random: Random, text: str) -> str:
    """A word too many, or in place of another."""
    tokens, words = _tokens(text)
    at = random.choice(words)
    tokens[at] = f" {random.choice(SPARE)} " + random.choice(["", tokens[at]])
    return "".join(tokens)


def _letter(random: Random, text: str) -> str:
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice(LETTERS) + text[at:]


def _cut_off(random: Random, text: str) -> str:
    at = random.randrange(len(text) + 1)
    return text[:at] if random.random() < 0.7 else text[at:]


def _deep(random: Random, text: str) -> str:
    """Nested further than any recursion goes."""
    depth = random.choice([20, 200, 2_000, 20_000])
    tokens, names = _names(text)
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


# ---------------------------------------------------------------- what can still be read


def _other_name(random: Random, text: str) -> str:
    tokens, names = _names(text)
    tokens[random.choice(names)] = tokens[random.choice(names)]
    return "".join(tokens)


def _renamed_everywhere(random: Random, text: str) -> str:
    """Two names become one: declared twice, systems that contain themselves."""
    tokens, names = _names(text)
    known = sorted({tokens[i] for i in names})
    old, new = random.choice(known), random.choice(known)
    return "".join(new if t == old else t for t in tokens)


def _number(random: Random, text: str) -> str:
    tokens, words = _tokens(text)
    numbers = [i for i in words if tokens[i][0].isdigit()] or words
    tokens[random.choice(numbers)] = random.choice(NUMBERS)
    return "".join(tokens)


def _operator(random: Random, text: str) -> str:
    tokens, words = _tokens(text)
    at = random.choice([i for i in words if tokens[i] in OPERATORS] or words)
    tokens[at] = f" {random.choice(OPERATORS)} "
    return "".join(tokens)


def _joined(random: Random, text: str) -> str:
    """Blanks are lost: words that are products, and words that are not."""
    tokens, _ = _tokens(text)
    blanks = [i for i, t in enumerate(tokens) if not t.strip()] or [0]
    for at in random.sample(blanks, min(len(blanks), random.choice([1, 3, 10]))):
        tokens[at] = ""
    return "".join(tokens)


def _line(random: Random, text: str) -> str:
    """A line is lost, repeated, moved, or comes from another text."""
    lines = text.splitlines(keepends=True) or [""]
    at, to = random.randrange(len(lines)), random.randrange(len(lines) + 1)
    what = random.randrange(4)
    if what == 0:
        del lines[at]
    elif what == 1:
        lines.insert(to, lines[at])
    elif what == 2:
        lines.insert(min(to, len(lines) - 1), lines.pop(at))
    else:
        lines.insert(to, random.choice(_any_source(random).splitlines(keepends=True) or [""]))
    return "".join(lines)


def _added(random: Random, text: str) -> str:
    """A statement or an equation behind a sign after which one may stand."""
    tokens, names = _names(text)
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
_OF_LETTERS: list[Callable[[Random, str], str]] = [
    _delete, _repeat, _exchange, _spare, _letter, _cut_off, _deep,
]  # fmt: skip
_OF_MEANING: list[Callable[[Random, str], str]] = [
    _other_name, _other_name, _renamed_everywhere, _number, _operator, _joined, _line, _line, _added, _added,
    _added,
]  # fmt: skip
