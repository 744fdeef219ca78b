"""Symbols that nobody wrote: their spelling, who knows them; and that no code takes names apart."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import saltus
from saltus.expr.helpers import Helper, asked_derivative, derivative_name
from saltus.expr.nodes import Symbol

SOURCES = Path(saltus.__file__).parent

#: Where the beginning of such a name stands in the code, and why.
ALLOWED = {
    "expr/helpers.py": "the spellings, and derivatives that people ask for by their names",
    "core/nearest.py": "suggestions are made of texts, from whatever scope they come",
    "read/modelica/lexer.py": "the reader refuses such names",
    "read/modelica/printer.py": "a class that is the derivative of a function is written like that",
}

#: Beginnings of names that the compiler makes.
MARKS = ("der(", "pre(", "$", *(h.around("").removesuffix(")") for h in Helper), *(h.value for h in Helper))
MARKS = tuple(mark for mark in MARKS if not mark.isalpha())

#: Methods of texts by which a name can be taken apart.
PARTING = {
    *("startswith", "endswith", "removeprefix", "removesuffix", "strip", "lstrip", "rstrip"),
    *("split", "rsplit", "partition", "rpartition", "replace", "find", "index", "count"),
    *("compile", "search", "match", "fullmatch", "sub", "findall"),
}


def test_names() -> None:
    assert Helper.DELAY.numbered(2) == "$delay2" and Helper.DELAY.numbered(2, "input") == "$delay2.input"
    assert Helper.RATE.belonging_to("a.x") == "$rate.a.x" and Helper.LEFT.around("x") == "left(x)"
    assert [derivative_name("x", order) for order in range(3)] == ["x", "der(x)", "der(der(x))"]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("x", ("x", 0)),
        ("der(x)", ("x", 1)),
        ("der(der(x))", ("x", 2)),
        ("der(y)", ("der(y)", 0)),  # a variable of that name
        ("der(z)", ("z", 1)),  # nobody knows it
        ("der(x", ("der(x", 0)),
    ],
)
def test_the_derivative_that_somebody_asks_for(name: str, found: tuple[str, int]) -> None:
    assert asked_derivative(name, {"x", "der(y)"}) == found


@pytest.mark.parametrize("helper", Helper)
def test_helpers_are_hidden(helper: Helper) -> None:
    symbol = Symbol("any name", helper=helper)
    rate = Symbol("der(any name)", derivative_of=symbol)
    assert symbol.is_hidden and rate.is_hidden and Symbol("rate of a rate", derivative_of=rate).is_hidden


def test_what_users_write_is_not_hidden() -> None:
    x = Symbol("$when1")  # whatever it is called
    assert not x.is_hidden and not Symbol("der(x)", derivative_of=x).is_hidden


def recognised(tree: ast.AST) -> Iterator[int]:
    """Lines in which a text that begins like a name of the compiler is compared with, sought or cut off; and
    those with such a beginning alone, which somebody may use so, or make another spelling of."""
    for node in ast.walk(tree):
        tested: list[ast.expr] = []
        match node:
            case ast.Call(func=ast.Attribute(attr=method)) if method in PARTING:
                tested = node.args
            case ast.Compare():
                tested = [node.left, *node.comparators]
            case ast.Constant(value=text) if text in MARKS:
                tested = [node]
        inside = (part for e in tested for part in ast.walk(e))
        if any(
            isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value.startswith(MARKS)
            for part in inside
        ):
            assert isinstance(node, ast.expr)
            yield node.lineno


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('name.startswith("der(")', True),
        ('name.startswith(("$", "left("))', True),
        ('name.removeprefix("pre(").rstrip(")")', True),
        ('name[:4] == "der("', True),
        ('"$when" in name', True),
        ('re.compile(r"\\$floor" + "x")', False),
        ('Symbol(f"$done")', False),
        ('name.startswith("a")', False),
        ('_DER = "der("', True),
        ('f"der({name})"', True),
        ('"der(der(...)) is not supported"', False),
    ],
)
def test_the_search_for_names_taken_apart(code: str, found: bool) -> None:
    assert bool(list(recognised(ast.parse(code)))) is found


def test_no_code_takes_names_apart() -> None:
    found: dict[str, list[int]] = {}
    for path in sorted(SOURCES.rglob("*.py")):
        lines = list(recognised(ast.parse(path.read_text(encoding="utf-8"))))
        if lines:
            found[path.relative_to(SOURCES).as_posix()] = lines
    assert {name: lines for name, lines in found.items() if name not in ALLOWED} == {}
    assert found.keys() == ALLOWED.keys(), "what is allowed is needed"
