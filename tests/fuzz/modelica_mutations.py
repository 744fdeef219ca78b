"""Models with damage done to them, for the fuzz test.

Models are those of `examples/`, the texts inside the tests that can be read as Modelica, and the cases of the
language: whatever the language gains in tests, it gains here.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

from damage import LONGEST, ROOT, Damage, Mutation, strings_of

from saltus.core.diagnostics import SaltusError
from saltus.core.source import Source
from saltus.read.modelica.parser import parse

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*\n|/\*.*?\*/|\s+|\w+(?:\.\d+)?|[:<>=]=|<>|.', re.DOTALL)
SPARE = [
    "end", "model", "record", "function", "package", "connector", "block", "type", "operator", "Real",
    "Integer", "Boolean", "String", "enumeration", "if", "then", "else", "for", "loop", "while", "when",
    "elsewhen", "equation", "algorithm", "initial", "connect", "der", "pre", "(", ")", "[", "]", "{", "}",
    ",", ";", "=", ":=", "+", "-", "*", "/", "^", ".", ":", "<", ">=", "==", "<>", ".*", "0", "-1", "1e400",
    "true", "false", "x", "time", "size", "extends", "each", "final", "flow", "stream", "input", "output",
    "parameter", "constant", "discrete", "inner", "outer", "replaceable", "redeclare", "constrainedby",
    "partial", "encapsulated", "expandable", "import", "external", "protected", "public", "within", "break",
    "return", "annotation", "in", "not", "and", "or", '"text"', "'quoted name'",
]  # fmt: skip
TYPES = ["Real", "Integer", "Boolean", "String"]
KINDS = ["model", "block", "record", "connector", "function", "package", "type", "class", "operator record"]
OPERATORS = ["+", "-", "*", "/", "^", ".*", "./", ".^", "==", "<>", "<", ">", "<=", ">=", "and", "or"]
PREFIXES = [
    "parameter", "constant", "discrete", "input", "output", "flow", "stream", "inner", "outer", "inner outer",
    "replaceable", "redeclare", "final", "redeclare replaceable",
]  # fmt: skip
KEYWORDS = frozenset(t for t in SPARE if t.isalpha()) - frozenset(["x", "time", "size", *TYPES])


@cache
def sources() -> tuple[str, ...]:
    """The undamaged texts, in a fixed order."""
    if str(ROOT) not in sys.path:
        sys.path.append(str(ROOT))  # `fuzzing` is a program of its own, too
    from tools.language_cases import read_cases

    found = [p.read_text(encoding="utf-8") for p in sorted((ROOT / "examples").glob("*.mo"))]
    for path in sorted((ROOT / "tests").rglob("*.py")):
        if path.parent == Path(__file__).parent:
            continue
        found += [text for text in strings_of(path) if _is_model(text)]
    found += [case.model for case in read_cases() if _is_model(case.model)]
    return tuple(dict.fromkeys(found))


def _is_model(text: str) -> bool:
    if len(text) > LONGEST or "end " not in text or not re.search(r"\b(model|block|class)\b", text):
        return False
    try:
        return bool(parse(Source("", text)).classes)
    except SaltusError:
        return False


MODELICA = Damage("", TOKEN, ("//", "/*"), KEYWORDS, SPARE, OPERATORS, sources)


def case(seed: int, number: int) -> tuple[str, str]:
    """What was done, and the text."""
    return MODELICA.case(seed, number, _OF_LETTERS, _OF_MEANING, letters=0.25)


# ---------------------------------------------------------------- single tokens


def _replace(random: Random, text: str) -> str:
    tokens, words = MODELICA.tokens(text)
    tokens[random.choice(words)] = f" {random.choice(SPARE)} "
    return "".join(tokens)


def _insert(random: Random, text: str) -> str:
    tokens, words = MODELICA.tokens(text)
    at = random.choice(words)
    tokens[at] = f" {random.choice(SPARE)} {tokens[at]}"
    return "".join(tokens)


def _type(random: Random, text: str) -> str:
    tokens, words = MODELICA.tokens(text)
    at = random.choice([i for i in words if tokens[i] in TYPES] or words)
    tokens[at] = random.choice([*TYPES, *_class_names(text)])
    return "".join(tokens)


def _kind(random: Random, text: str) -> str:
    tokens, words = MODELICA.tokens(text)
    at = random.choice([i for i in words if tokens[i] in KINDS] or words)
    tokens[at] = random.choice(KINDS)
    return "".join(tokens)


def _prefix(random: Random, text: str) -> str:
    tokens, words = MODELICA.tokens(text)
    types = {*TYPES, *KINDS, *_class_names(text)}
    at = random.choice([i for i in words if tokens[i] in types] or words)
    tokens[at] = f"{random.choice(PREFIXES)} {tokens[at]}"
    return "".join(tokens)


# ---------------------------------------------------------------- the text cut


def _truncate(random: Random, text: str) -> str:
    return text[: random.randrange(len(text) + 1)]


def _behead(random: Random, text: str) -> str:
    return text[random.randrange(len(text) + 1) :]


# ---------------------------------------------------------------- structure


_CLASS = re.compile(r"\b(?:model|block|record|connector|package|function|class)\s+(\w+)\b(?!\s*=)")


def _class_names(text: str) -> list[str]:
    return [m[1] for m in _CLASS.finditer(text) if m[1] != "extends"]


def _swap_bodies(random: Random, text: str) -> str:
    """Two classes exchange their names, and with that their meaning for everybody else."""
    names = _class_names(text)
    if len(names) < 2:
        return MODELICA.delete(random, text)
    a, b = random.sample(names, 2)
    heads = re.compile(rf"(\b(?:model|block|record|connector|package|function|class|end)\s+)({a}|{b})\b")
    return heads.sub(lambda m: m[1] + (b if m[2] == a else a), text)


def _into_a_class(random: Random, text: str, element: Callable[[str], str]) -> str:
    """An element at the beginning of some class; the function is given the name of another one."""
    heads = [m for m in _CLASS.finditer(text) if m[1] != "extends"]
    if not heads:
        return _insert(random, text)
    at = random.choice(heads).end()
    return f"{text[:at]} {element(random.choice(heads)[1])} {text[at:]}"


def _cycle(random: Random, text: str) -> str:
    """Inherits from, contains, or is made of another class, or itself."""
    made = random.choice([
        lambda c: f"extends {c};",
        lambda c: f"{c} extra;",
        lambda c: f"{c} extra[3];",
        lambda c: f"model {c} = {c};",
        lambda c: f"package {c} = {c}(redeclare model {c} = {c});",
        lambda c: f"extends {c}(redeclare model {c} = {c});",
        lambda c: f"redeclare model extends {c} end {c};",
        lambda c: f"redeclare replaceable model {c} = {c};",
        lambda c: f"replaceable model Extra = {c} constrainedby {c}; Extra extra;",
        lambda c: f"inner {c} shared; outer {c} shared2;",
        lambda c: f"import {c}; import E = {c}; import {c}.*;",
        lambda c: f"parameter Integer extra = size({c}, 1);",
        lambda c: f"{c} extra(extra(extra = extra));",
    ])  # fmt: skip
    return _into_a_class(random, text, made)


def _huge(random: Random, text: str) -> str:
    """Sizes and loops that nobody can write out."""
    size = random.choice(["1000000", "1000000000", "100000, 100000", "-1", "0", "2:", "end", ":", "1e9", "n"])
    made = random.choice([
        lambda c: f"Real huge[{size}];",
        lambda c: f"parameter Real huge[{size}] = ones({size});",
        lambda c: f"{c} huge[{size}];",
        lambda c: "parameter Integer n = 10^9; Real huge[n] = fill(1.0, n);",
        lambda c: f"Real huge = sum(i for i in 1:{size});",
        lambda c: "Real huge = sum({i*j for i in 1:100000, j in 1:100000});",
        lambda c: "parameter String huge = String(1.5, significantDigits = 1000000000);",
        lambda c: "constant Integer a = 2^1000000000;",
        lambda c: "constant Integer a = integer(1e300); Real huge[a];",
        lambda c: "function f input Integer n; output Integer m; algorithm "
                  "m := if n > 0 then f(n + 1) else 0; end f; constant Integer deep = f(1); Real huge[deep];",
        lambda c: "function g output Integer m; algorithm while true loop m := m + 1; end while; end g; "
                  "constant Integer never = g(); Real huge[never];",
    ])  # fmt: skip
    if random.random() < 0.3:
        loop = f"for huge in 1:{size} loop x[huge] = huge; end for;"
        return re.sub(r"\bequation\b", f"equation {loop}", text, count=1)
    return _into_a_class(random, text, made)


def _deep(random: Random, text: str) -> str:
    """Nested further than any recursion goes."""
    depth = random.choice([20, 200, 2_000, 20_000])
    tokens, words = MODELICA.tokens(text)
    at = random.choice([i for i in words if tokens[i][0].isalnum() and tokens[i] not in KEYWORDS] or words)
    old = tokens[at]
    tokens[at] = random.choice([
        "(" * depth + old + ")" * depth,
        "{" * depth + old + "}" * depth,
        "[" * depth + old + "]" * depth,
        "(" * depth + old,
        "-(" * depth + old + ")" * depth,
        "abs(" * depth + old + ")" * depth,
        f"(if true then {old} else " * depth + old + ")" * depth,
        "not " * depth + old,
        f"{old} + " * depth + old,
        f"{old}^(" * depth + old + ")" * depth,
        f"{old}." * depth + old,
        f"{old}[" * depth + "1" + "]" * depth,
        "".join(f"model D{i} " for i in range(depth)),
        f"({old}(" * depth + ")" * 2 * depth,
    ])  # fmt: skip
    return "".join(tokens)


#: Those that mostly break the grammar, and those after which there is still something to lower.
_OF_LETTERS: list[Mutation] = [
    MODELICA.delete, MODELICA.repeat, MODELICA.exchange, _replace, _insert, _truncate, _behead,
    MODELICA.letter, MODELICA.line, _deep,
]  # fmt: skip
_OF_MEANING: list[Mutation] = [
    MODELICA.other_name, MODELICA.other_name, MODELICA.renamed_everywhere, MODELICA.number, MODELICA.operator,
    _type, _kind, _prefix, MODELICA.line,
    _swap_bodies, _cycle, _cycle, _huge,
]  # fmt: skip
