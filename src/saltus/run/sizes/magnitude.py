"""How large an expression is where its variables have given sizes. All sizes are logarithms to base ten."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from saltus.core.diagnostics import ModelError
from saltus.expr.evaluate import NotEvaluable, evaluate
from saltus.expr.nodes import RELATIONS, TIME, Expr, Op, Type, leaf_symbol
from saltus.expr.traversal import leaves
from saltus.functions.interpret import call_function
from saltus.run.memory.memory import Memory

#: The size of zero, and of what may be anything.
NOTHING, ANYTHING = -math.inf, math.inf

#: A number that is larger stands for infinity: a limit that limits nothing.
ENDLESS = 59.0

#: The points of a run at which functions of time are evaluated: nowhere near the same phase of anything
#: periodic.
SAMPLES = tuple((0.5 + k * 0.6180339887498949) % 1.0 for k in range(12))

_TRANSPARENT = frozenset({Op.NEG, Op.NOEVENT, Op.SMOOTH, Op.HOMOTOPY})
_TRUTHS = frozenset({*RELATIONS, Op.AND, Op.OR, Op.NOT, Op.INITIAL, Op.TERMINAL})

Size: TypeAlias = float | None  # None: not known so far


def log_size(value: float) -> float:
    """The size of a number; that of none may be anything."""
    if math.isnan(value) or math.isinf(value):
        return ANYTHING
    return math.log10(abs(value)) if value else NOTHING


class Magnitudes:
    """Sizes of expressions; those of parameters and functions of time are kept."""

    def __init__(
        self,
        memory: Memory,
        start: float,
        stop: float,
        numbers: Mapping[Expr, int],
        kept: dict[Expr, float],
        *,
        certain: bool = False,
    ) -> None:
        """`kept` are those that are known; with `certain` that of a maximum or minimum is the least."""
        self._memory = memory
        self._certain = certain
        self._start, self._stop = start, stop
        self._numbers = numbers
        self._time = log_size(max(abs(start), abs(stop)))
        model = memory.structure.model
        self._parameters = {v.symbol for v in (*model.constants, *model.parameters)}
        self._kept = kept

    def of_number(self, e: Expr) -> float:
        """The size of what is made of parameters."""
        if e.op is Op.CONST and e.type is not Type.STRING:
            return log_size(float(e.data))
        found = self._kept.get(e)
        if found is None:
            found = self._kept[e] = log_size(self._memory.number(e, math.nan))
        return found

    def variables(self, e: Expr) -> set[int]:
        """The numbers of the variables in an expression."""
        return {self._numbers[leaf] for leaf in leaves(e) if leaf in self._numbers}

    def of(self, e: Expr, sizes: Sequence[Size], *, partly: bool = False) -> Size:
        """The size of any expression, None where that of a variable is needed that is not known. `partly`:
        what is known of it, where some terms of a sum are known, and others are not."""
        while e.op in _TRANSPARENT:
            e = e.args[0]
        match e.op:
            case Op.CONST:
                return self.of_number(e) if e.type is not Type.STRING else ANYTHING
            case Op.REF | Op.PRE | Op.DER:
                return self._of_leaf(e, sizes)
            case Op.ADD:
                return _largest([self.of(a, sizes, partly=partly) for a in e.args], partly)
            case Op.MUL:
                return _product([self.of(a, sizes, partly=partly) for a in e.args])
            case Op.DIV:
                above, below = (
                    self.of(e.args[0], sizes, partly=partly),
                    self.of(e.args[1], sizes, partly=partly),
                )
                if above is None or below is None:
                    return None
                return ANYTHING if math.isinf(below) else above - below
            case Op.POW:
                return self._of_power(e, sizes, partly)
            case Op.IF:
                found = [self.of(a, sizes, partly=partly) for a in _alternatives(e)]
                return _largest([a for a in found if a is not None])
            case Op.CALL:
                return self._of_call(e, sizes, partly)
        if e.op in _TRUTHS:
            return 0.0
        return self._of_function(e)

    def _of_leaf(self, leaf: Expr, sizes: Sequence[Size]) -> Size:
        if leaf is TIME:
            return self._time
        number = self._numbers.get(leaf)
        if number is not None:
            return sizes[number]
        symbol = leaf_symbol(leaf)
        if symbol in self._parameters:
            return self.of_number(leaf)
        return 0.0 if symbol.type in (Type.BOOLEAN, Type.INTEGER) else ANYTHING

    def _of_power(self, e: Expr, sizes: Sequence[Size], partly: bool) -> Size:
        base, exponent = self.of(e.args[0], sizes, partly=partly), self._memory.number(e.args[1], math.nan)
        if math.isnan(exponent):
            return self._of_function(e)
        return base * exponent if base is not None and exponent else base

    def _of_call(self, e: Expr, sizes: Sequence[Size], partly: bool) -> Size:
        match e.data:
            case "cos" | "sign":
                return 0.0
            case "abs" | "real" | "integer" | "floor" | "ceil":
                return self.of(e.args[0], sizes, partly=partly)
            case "sin" | "tanh" | "atan":  # the argument where it is small
                return _least(self.of(e.args[0], sizes, partly=partly), 0.0)
            case "exp" if self._sign(e.args[0]) < 0:  # what fades
                return 0.0
            case "sqrt":
                found = self.of(e.args[0], sizes, partly=partly)
                return None if found is None else 0.5 * found
            case "max" | "min":
                all_ = [self.of(a, sizes, partly=partly) for a in e.args]
                known = [s for s in all_ if s is not None and s != NOTHING]
                return min(known, default=None) if self._certain else _largest(all_, partly)
        return self._of_function(e)

    def _sign(self, e: Expr) -> int:
        """1 for what is never negative, -1 for what is never positive, whatever the variables are; else 0."""
        while e.op in (Op.NOEVENT, Op.SMOOTH, Op.HOMOTOPY):
            e = e.args[0]
        match e.op:
            case Op.NEG:
                return -self._sign(e.args[0])
            case Op.MUL | Op.DIV:
                rest: dict[Expr, int] = {}
                for a in e.args:
                    rest[a] = rest.get(a, 0) + 1
                return math.prod(self._sign(a) if count % 2 else 1 for a, count in rest.items())
            case Op.ADD:
                signs = {self._sign(a) for a in e.args}
                return signs.pop() if len(signs) == 1 else 0
            case Op.POW if self._memory.number(e.args[1], math.nan) % 2.0 == 0.0:
                return 1
            case Op.CALL if e.data in ("abs", "sqrt", "exp"):
                return 1
        known = all(leaf_symbol(leaf) in self._parameters for leaf in leaves(e) if leaf is not TIME)
        if not known or TIME in leaves(e):
            return 0
        value = self._memory.number(e, math.nan)
        return 1 if value > 0.0 else -1 if value < 0.0 else 0

    def _of_function(self, e: Expr) -> float:
        """The size of any function of time and parameters; that of others may be anything."""
        found = self._kept.get(e)
        if found is None:
            known = all(leaf is TIME or leaf_symbol(leaf) in self._parameters for leaf in leaves(e))
            found = self._kept[e] = self._sampled(e) if known else ANYTHING
        return found

    def _sampled(self, e: Expr) -> float:
        largest = NOTHING
        for part in SAMPLES:
            now = self._start + part * (self._stop - self._start)
            largest = max(largest, log_size(_value(e, self._at(now))))
        return largest

    def _at(self, now: float) -> Callable[[Expr], Any]:
        return lambda leaf: now if leaf is TIME else self._memory.value(leaf)


def _alternatives(e: Expr) -> list[Expr]:
    """What a chain of if-expressions may be: there may be hundreds of branches."""
    found = []
    while e.op is Op.IF:
        found.append(e.args[1])
        e = e.args[2]
    return [*found, e]


def _value(e: Expr, lookup: Callable[[Expr], Any]) -> float:
    try:
        return float(evaluate(e, lookup, apply=call_function))
    except (NotEvaluable, ModelError, ArithmeticError, ValueError, TypeError, IndexError):
        return math.nan  # the run decides, if it gets there


def _largest(sizes: Sequence[Size], partly: bool = False) -> Size:
    """The size of a sum: unknown if one of its parts is unknown, unless `partly` asks for that of the known
    ones."""
    known = [s for s in sizes if s is not None]
    return max(known) if known and (partly or len(known) == len(sizes)) else None


def _product(sizes: Sequence[Size]) -> Size:
    known = [s for s in sizes if s is not None]
    if NOTHING in known:
        return NOTHING
    return sum(known) if len(known) == len(sizes) else None


def _least(size: Size, other: float) -> Size:
    return None if size is None else min(size, other)
