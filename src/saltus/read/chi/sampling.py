"""Samples of distributions: numbers that follow from a seed.

The generator is that of Park and Miller (1988), r' = 16807 r mod (2^31 - 1), which is exact in numbers of 53
bits; a uniform number is r/(2^31 - 1). Each process has a stream of its own, which begins with its number in
the system.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from saltus.ir import ast
from saltus.read.chi.names import INTEGER, PARAMETER, Declared
from saltus.read.chi.pieces import binary, called, literal, modifier, path, truth
from saltus.read.chi.types import SAMPLE

MULTIPLIER, MODULUS = 16807, 2**31 - 1
#: Factors that spread seeds and streams over the numbers from which the generator may begin.
_SEEDS, _STREAMS = 69621, 1000003
#: Streams of a system in a system lie so far apart.
_APART = 64
SEED, STREAM, STATE, FIRST = "seed", "'stream'", "'random'", "'first of two'"


def is_sample(node: object) -> bool:
    """Whether an expression is a sample."""
    return isinstance(node, ast.Call) and node.function.text == SAMPLE


def samples(node: object) -> bool:
    """Whether a sample is in a tree."""
    if isinstance(node, tuple):
        return any(samples(part) for part in node)
    if isinstance(node, ast.Node):
        return is_sample(node) or any(samples(value) for value in vars(node).values())
    return False


def parameters(node: ast.Node, known: dict[str, Declared]) -> Iterator[ast.ComponentClause]:
    """The seed, unless the text declares it, and the stream."""
    if SEED not in known or known[SEED].kind != PARAMETER:
        yield _parameter(node, SEED, 1)
    yield _parameter(node, STREAM, 0)


def _parameter(node: ast.Node, name: str, number: int) -> ast.ComponentClause:
    given = ast.Modification(node.start, node.end, None, literal(node, number))
    declaration = ast.Declaration(node.start, node.end, name, modification=given)
    return ast.ComponentClause(
        node.start, node.end, path(node, INTEGER), (), (declaration,), variability=PARAMETER
    )


def handed_on(node: ast.Node, number: int, given: set[str]) -> Iterator[ast.ElementModification]:
    """What a system passes to its processes."""
    if SEED not in given:
        yield modifier(node, SEED, path(node, SEED))
    apart = binary("*", literal(node, _APART), path(node, STREAM))
    yield modifier(node, STREAM, binary("+", apart, literal(node, number)))


def state(node: ast.Node) -> ast.ComponentClause:
    """The variable that a process keeps."""
    seeds = binary("*", literal(node, _SEEDS), path(node, SEED))
    streams = binary("*", literal(node, _STREAMS), path(node, STREAM))
    rest = called(node, "mod", binary("+", seeds, streams), literal(node, MODULUS - 1))
    start = binary("+", literal(node, 1), rest)
    given = (modifier(node, "start", start), modifier(node, "fixed", truth(node, True)))
    declaration = ast.Declaration(
        node.start, node.end, STATE, modification=ast.Modification(node.start, node.end, given)
    )
    return ast.ComponentClause(node.start, node.end, path(node, INTEGER), (), (declaration,))


def drawn(
    node: ast.Call, arguments: tuple[ast.Expression, ...], state: ast.Expression
) -> tuple[list[ast.Item], ast.Expression]:
    """What is done for a sample, and its value; `state` is the random number before it."""
    inner = node.args[0]
    assert isinstance(inner, ast.Call)
    uniform = binary("/", path(node, STATE), literal(node, MODULUS))
    match inner.function.text:
        case "exponential":
            value: ast.Expression = binary("*", _minus(arguments[0]), called(node, "log", uniform))
        case "uniform":
            width = binary("-", arguments[1], arguments[0])
            value = binary("+", arguments[0], binary("*", width, uniform))
        case "bernoulli":
            value = binary("<", uniform, arguments[0])
        case _:
            return _normal(node, uniform, arguments, state)
    return [_next(node, state)], value


def _normal(
    node: ast.Call,
    uniform: ast.Expression,
    arguments: tuple[ast.Expression, ...],
    state: ast.Expression,
) -> tuple[list[ast.Item], ast.Expression]:
    """By the transformation of Box and Muller, which needs two numbers."""
    keep = ast.Assignment(node.start, node.end, path(node, FIRST), uniform)
    twice = binary("*", _minus(literal(node, 2)), called(node, "log", path(node, FIRST)))
    whole = ast.Number(node.start, node.end, 2 * math.pi)
    standard = binary("*", called(node, "sqrt", twice), called(node, "cos", binary("*", whole, uniform)))
    value = binary("+", arguments[0], binary("*", arguments[1], standard))
    return [_next(node, state), keep, _next(node, path(node, STATE))], value


def _next(node: ast.Node, state: ast.Expression) -> ast.Assignment:
    product = binary("*", literal(node, MULTIPLIER), state)
    return ast.Assignment(
        node.start, node.end, path(node, STATE), called(node, "mod", product, literal(node, MODULUS))
    )


def _minus(node: ast.Expression) -> ast.Expression:
    return ast.Unary(node.start, node.end, "-", node)
