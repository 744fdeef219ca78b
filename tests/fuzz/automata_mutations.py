"""Petri nets and state machines with damage done to them, for the fuzz test.

The undamaged texts are those of `examples`, and those inside of the tests and the pages that can be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from random import Random
from typing import Any

from damage import LONGEST, ROOT, Damage, Mutation, blocks_of_page, strings_of_tests

from saltus.core.diagnostics import SaltusError
from saltus.core.source import Source
from saltus.read.petri.files import nets
from saltus.read.statechart.files import machines

TOKEN = re.compile(r"#[^\n]*|//[^\n]*|\s+|\w+(?:\.\d+)?|->|[<>=]=|<>|.", re.DOTALL)
SHARED = [
    "parameter", "signal", "memory", "continuous", "variable", "equation", "input", "part", "connect",
    "experiment", "transition", "end", "when", "at", "then", "not", "and", "or", "if", "else", "true", "der",
    "Integer", "Boolean",
]  # fmt: skip
NET_WORDS = [*SHARED, "net", "place", "unless", "tokens", "capacity", "delay", "priority"]
MACHINE_WORDS = [
    *SHARED, "machine", "state", "parallel", "initial", "history", "entry", "exit", "during", "after",
    "priority",
]  # fmt: skip
SIGNS = [
    "->", "→", "+", "-", "*", "/", "^", "=", "==", "<", ">=", "<>", ":", ";", ",", "(", ")", "[", "]", "{",
    "}", ".", "'", '"', "#", "//", "\n", "0", "-1", "1e400", "0.5", "x", "time", "time > 1", "pre(",
    "initial()", "deadlock", "'begun'", "Saltus.Blocks.Math.Gain",
]  # fmt: skip
OPERATORS = ["+", "-", "*", "/", "^", "=", "==", "<>", "<", ">", "<=", ">=", "and", "or", "->", ":", ","]


def _texts(
    read: Callable[[Source], Any], suffix: str, page: str, language: str, *folders: str
) -> tuple[str, ...]:
    """The undamaged texts of a language, in a fixed order."""
    found = [p.read_text(encoding="utf-8") for p in sorted((ROOT / "examples").rglob(f"*{suffix}"))]
    found += [*strings_of_tests(*folders, "transform"), *blocks_of_page(page, language)]
    return tuple(dict.fromkeys(text for text in found if _is_text(text, read)))


def _is_text(text: str, read: Callable[[Source], Any]) -> bool:
    if len(text) > LONGEST or "\n" not in text:
        return False
    try:
        return bool(read(Source("", text)))
    except SaltusError:
        return False


NETS = Damage(
    "net:", TOKEN, ("#", "//"), frozenset(NET_WORDS), [*NET_WORDS, *SIGNS], OPERATORS,
    cache(partial(_texts, nets, ".pn", "petrinets.md", "petrinet", "petri", "read/petri")),
    ends_with_line=True,
)  # fmt: skip
MACHINES = Damage(
    "machine:", TOKEN, ("#", "//"), frozenset(MACHINE_WORDS), [*MACHINE_WORDS, *SIGNS], OPERATORS,
    cache(partial(_texts, machines, ".sm", "statemachines.md", "machine", "machines", "read/statechart")),
    ends_with_line=True,
)  # fmt: skip


def net_case(seed: int, number: int) -> tuple[str, str]:
    """What was done, and the text."""
    return NETS.case(seed, number, *_of(NETS, _net_statement))


def machine_case(seed: int, number: int) -> tuple[str, str]:
    """What was done, and the text."""
    return MACHINES.case(seed, number, *_of(MACHINES, _machine_statement))


def _of(
    damage: Damage, statement: Callable[[str, str, str, Random], str]
) -> tuple[list[Mutation], list[Mutation]]:
    """Mutations that mostly break the grammar, and those after which there is still something to lower."""

    def added(random: Random, text: str) -> str:
        """A statement more, about things that are there."""
        tokens, names = damage.names(text)
        a, b, c = (tokens[random.choice(names)] for _ in range(3))
        lines = text.splitlines(keepends=True) or [""]
        lines.insert(random.randrange(len(lines) + 1), f"  {statement(a, b, c, random)}\n")
        return "".join(lines)

    def deep(random: Random, text: str) -> str:
        return _deep(damage, random, text)

    of_letters: list[Mutation] = [
        damage.delete, damage.repeat, damage.exchange, damage.spare, damage.letter, damage.cut_off, deep,
    ]  # fmt: skip
    of_meaning: list[Mutation] = [
        damage.other_name, damage.other_name, damage.renamed_everywhere, damage.number, damage.operator,
        damage.line, damage.line, added, added, added,
    ]  # fmt: skip
    return of_letters, of_meaning


def _deep(damage: Damage, random: Random, text: str) -> str:
    """Nested further than any recursion goes."""
    depth = random.choice([20, 200, 2_000, 20_000])
    tokens, names = damage.names(text)
    at = random.choice(names)
    old = tokens[at]
    tokens[at] = random.choice([
        "(" * depth + old + ")" * depth,
        "(" * depth + old,
        "-(" * depth + old + ")" * depth,
        "not " * depth + old,
        f"{old} + " * depth + old,
        f"{old} and " * depth + old,
        f"({old} or {old} > 1) and " * min(depth, 200) + old,
        f"(if true then {old} else " * depth + old + ")" * depth,
        "".join(f"\nstate D{k}" for k in range(depth)) + "".join(f"\nend D{k}" for k in range(depth)),
        "".join(f"\nstate D{k}" for k in range(depth))
        + "".join(f"\nend D{k}" for k in reversed(range(depth)))
        + f"\n{old}",
        "".join(f"\nplace D{k}" for k in range(min(depth, 2_000))) + f"\n{old}",
    ])  # fmt: skip
    return "".join(tokens)


def _net_statement(a: str, b: str, c: str, random: Random) -> str:
    return random.choice(
        [
            f"place {a}",
            f"place {a}(tokens = {random.randrange(4)}, capacity = {b})",
            f"transition new: {a} -> {b}",
            f"transition new: {a} + 2*{b} -> {c} unless {a}",
            f"transition new: {a} -> {b} when {c} > 1",
            f"transition new(delay = {a}): {b} -> {c}",
            f"transition new(priority = 2): {a} -> {a} + {b}",
            f"transition new: {a} -> {b} at {c} > 0.5 then {a} = 1",
            f"transition new: -> {a}",
            f"transition new: {a} -> {b} when {a} >= 1 and ({b} >= 1 or {c} > 0.5)",
            f"memory {a} = {b}",
            f"memory Integer new = 0\n  transition n: {a} -> {b} then new = new + {c}",
            f"signal new = {a} + {b}",
            f"continuous new = 0\n  equation der(new) = {a}",
            f"equation {a} = {b}",
            f"part {a} new",
            f"connect {a}, {b}",
            "experiment stop = 1",
            f"parameter Integer new = 2\n  transition t: new*{a} -> {b}",
            f"variable {a}",
            f"input Real {a}",
        ]
    )


def _machine_statement(a: str, b: str, c: str, random: Random) -> str:
    return random.choice(
        [
            f"state {a}",
            f"initial {a}",
            "history",
            f"{a} -> {b}",
            f"{a} -> {b} when {c} > 1",
            f"{a} -> {b} after 1",
            f"{a} -> {b} at {c} > 0.5 then {a} = 1",
            f"{a} -> {b} when {c}",
            f"new: {a} -> {b} when time > 1",
            f"transition new(priority = 2): {a} -> {b} when {a} and not ({b} or {c} > 1)",
            f"state new\n  entry {a} = {b}\n  end new",
            f"state new\n  during {a} = {b}\n  end new",
            f"state new\n  during der({a}) = {b}\n  end new",
            f"state new\n  exit {a} = {a} + 1\n  end new",
            f"parallel new\n  state {a}\n  state new2\n  end new",
            f"state new\n  initial {a}\n  state {a}\n  end new",
            f"entry {a} = {b}",
            f"during {a} = {b}",
            f"memory {a} = {b}",
            f"signal new = {a} + {b}",
            f"end {a}",
            f"continuous new = 0\n  equation der(new) = {a}",
            f"part {a} new",
            "experiment stop = 1",
        ]
    )
