"""User functions evaluated at translation: for constants and structural parameters, for the choice of states.

A plain interpreter of the imperative statements with a step limit: a function that does not end is
refused, not waited for. It is to functions what `expr.evaluate` is to expressions.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import product
from math import prod

from saltus.core.diagnostics import model_error
from saltus.expr.evaluate import Nested, Value, evaluate
from saltus.expr.nodes import Expr, Symbol, Type, leaf_symbol
from saltus.functions.external.objects import ExternalError
from saltus.ir.program import (
    Assign,
    Break,
    CallFunction,
    Fail,
    Fill,
    For,
    Function,
    If,
    Return,
    Statement,
    While,
)

STEP_LIMIT = 300_000
#: Calls within calls. Each takes several frames of Python, whose own limit is 1000.
DEPTH_LIMIT = 60


class _Leave(Exception):
    """Unwinds to the loop (Break) or to the function (Return)."""

    def __init__(self, statement: Break | Return) -> None:
        self.statement = statement


def call_function(function: Function, args: list[Nested]) -> list[Value]:
    """The flat list of a function's scalar outputs for the given arguments (arrays as nested lists)."""
    return _Interpreter().call(function, args)


class _Interpreter:
    def __init__(self) -> None:
        self.steps = 0
        self.depth = 0

    def call(self, function: Function, args: list[Nested]) -> list[Value]:
        """Runs a function; outputs and locals that nothing assigns are 0 or false."""
        if self.depth >= DEPTH_LIMIT:
            raise model_error(
                "E208", f"`{function.name}` calls itself more than {DEPTH_LIMIT} times deep at translation"
            )
        self.depth += 1
        try:
            return self._call(function, args) or [0.0]  # without outputs: that it was called
        finally:
            self.depth -= 1

    def _call(self, function: Function, args: list[Nested]) -> list[Value]:
        if function.external is not None:
            try:
                return list(function.external.call(*args))
            except ExternalError as error:
                raise model_error(error.code, str(error)) from None
        memory: dict[Symbol, Nested] = {}
        for symbol, value in zip(function.inputs, args, strict=True):
            memory[symbol] = _copied(value)
        for symbol in (*function.outputs, *function.locals):
            memory[symbol] = _nested(symbol.shape, _typed(symbol, 0))
        with suppress(_Leave):
            self._run(function.body, memory, function)
        return [v for symbol in function.outputs for v in _flattened(memory[symbol])]

    def _value(self, e: Expr, memory: dict[Symbol, Nested]) -> Value:
        value: Value = evaluate(e, lambda leaf: memory[leaf_symbol(leaf)], apply=self.call)
        return value

    def _run(self, body: tuple[Statement, ...], memory: dict[Symbol, Nested], function: Function) -> None:
        for s in body:
            self.steps += 1
            if self.steps > STEP_LIMIT:
                raise model_error(
                    "E208", f"`{function.name}` does not end within {STEP_LIMIT} steps at translation"
                )
            self._step(s, memory, function)

    def _step(self, s: Statement, memory: dict[Symbol, Nested], function: Function) -> None:
        match s:
            case Assign(symbol, value, indices):
                try:
                    number = _typed(symbol, self._value(value, memory))
                except OverflowError as error:
                    said = f"`{symbol.name}` in the function `{function.name}`: {error}"
                    raise model_error("E413", said) from None
                if not indices:
                    memory[symbol] = number
                    return
                *outer, last = (int(self._value(i, memory)) for i in indices)
                if any(not 1 <= k <= n for k, n in zip((*outer, last), symbol.shape, strict=True)):
                    raise model_error(
                        "E208", f"a subscript of `{symbol.name}` in `{function.name}` is out of range"
                    )
                _row(memory[symbol], [k - 1 for k in outer])[last - 1] = number
            case Fill(symbol, value):
                memory[symbol] = _nested(symbol.shape, _typed(symbol, self._value(value, memory)))
            case If(branches, otherwise):
                for condition, inner in branches:
                    if self._value(condition, memory):
                        self._run(inner, memory, function)
                        return
                self._run(otherwise, memory, function)
            case For(index, start, step, stop, inner):
                first, by, last = (int(self._value(e, memory)) for e in (start, step, stop))
                for k in range(first, last + (1 if by > 0 else -1), by):
                    memory[index] = k
                    if not self._loop(inner, memory, function):
                        return
            case While(condition, inner):
                while self._value(condition, memory):
                    if not self._loop(inner, memory, function):
                        return
            case Break() | Return():
                raise _Leave(s)
            case CallFunction(targets, callee, args):
                outputs = self.call(callee, [self._value(a, memory) for a in args])
                position = 0
                for target, output in zip(targets, callee.outputs, strict=True):
                    count = prod(output.shape)
                    part = outputs[position : position + count]
                    position += count
                    if target is not None:
                        memory[target] = _shaped(part, output.shape)
            case Fail(_, fault):
                said = f": {fault.message}" if fault is not None else ""
                place = fault.span if fault is not None else None
                raise model_error(
                    "E208", f"an assertion in `{function.name}` is violated at translation{said}", place
                )
            case _:
                raise AssertionError(s)

    def _loop(self, body: tuple[Statement, ...], memory: dict[Symbol, Nested], function: Function) -> bool:
        """One turn of a loop; False when it was left."""
        try:
            self._run(body, memory, function)
        except _Leave as leave:
            if isinstance(leave.statement, Return):
                raise
            return False
        return True


def _typed(symbol: Symbol, value: Value) -> Value:
    """A number as the variable keeps it: Integers assigned to Reals become Reals."""
    if symbol.type is Type.REAL:
        return float(value)
    return bool(value) if symbol.type is Type.BOOLEAN else value


def _nested(shape: tuple[int, ...], value: Value) -> Nested:
    return [_nested(shape[1:], value) for _ in range(shape[0])] if shape else value


def _shaped(flat: list[Value], shape: tuple[int, ...]) -> Nested:
    if not shape:
        return flat[0]
    result = _nested(shape, 0)
    for value, indices in zip(flat, product(*(range(n) for n in shape)), strict=True):
        _row(result, indices[:-1])[indices[-1]] = value
    return result


def _row(array: Nested, indices: Sequence[int]) -> list[Nested]:
    """The innermost row of an array at indices from 0, one fewer than it has dimensions."""
    for k in indices:
        assert isinstance(array, list)
        array = array[k]
    assert isinstance(array, list)
    return array


def _copied(value: Nested) -> Nested:
    return [_copied(v) for v in value] if isinstance(value, list) else value


def _flattened(value: Nested) -> list[Value]:
    return [v for inner in value for v in _flattened(inner)] if isinstance(value, list) else [value]
