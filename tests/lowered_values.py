"""A model as lowering leaves it, for tests of that stage, and the values that can be read off it.

Nothing is sorted, compiled or run. Bindings and equations are taken as they stand: where all but one of the
variables of an equation are known, and this one stands there to the first power, the equation gives its
value. Whatever needs more, as loops of equations, derivatives and events do, is seen in a run only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from saltus.compiler import flatten_class
from saltus.core.diagnostics import Diagnostic
from saltus.core.stopwatch import Stopwatch
from saltus.expr.evaluate import evaluate
from saltus.expr.nodes import Expr, Op, Symbol, Type, leaf_symbol, ref
from saltus.expr.traversal import leaves
from saltus.finding import find_class
from saltus.functions.interpret import call_function
from saltus.ir.flat import Equation, FlatModel
from saltus.ir.hybrid import HybridModel
from saltus.lower.flat.flatten import new_context
from saltus.lower.hybrid.clauses import to_hybrid


@dataclass(frozen=True)
class Lowered:
    """What lowering makes of a class."""

    flat: FlatModel
    hybrid: HybridModel
    warnings: tuple[Diagnostic, ...]


def lower(
    path_or_text: str | Path,
    model: str | None = None,
    libraries: Sequence[str | Path] = (),
    overrides: Mapping[str, Any] | None = None,
) -> Lowered:
    """As `saltus.load`, up to the hybrid model. `overrides` are values of structural parameters."""
    cls = find_class(path_or_text, model, libraries)
    context = new_context(cls.library, overrides or {})
    _, flat = flatten_class(context, cls, Stopwatch())
    hybrid = to_hybrid(flat)
    hybrid.verify()
    return Lowered(flat, hybrid, tuple(context.reporter.warnings))


def shown_values(
    path_or_text: str | Path,
    model: str | None = None,
    libraries: Sequence[str | Path] = (),
    set: Mapping[str, Any] | None = None,
    time: float | None = 1.0,
) -> dict[str, Any]:
    """The values of all variables at a time, by name, as far as the lowered model shows them; None is the end
    of its experiment. `set` gives parameters other values."""
    found = lower(path_or_text, model, libraries)
    overrides = dict(set or {})
    structural = {
        v.name: overrides.pop(v.name) for v in found.flat.variables if v.structural and v.name in overrides
    }
    if structural:
        found = lower(path_or_text, model, libraries, structural)
    return _values(found.hybrid, found.hybrid.experiment.stop_time if time is None else time, overrides)


class NotShown(Exception):
    """The lowered model does not show its values: a run does."""


def _values(model: HybridModel, time: float, overrides: Mapping[str, Any]) -> dict[str, Any]:
    """The values of all variables at a time, by name. `overrides` are values of parameters, in the place of
    their bindings. What the model asserts is checked as well."""
    for moving in (model.relations, model.clocks, model.states, model.jumps, model.delays, model.transports):
        if moving:
            raise NotShown(moving[0])
    if model.initial_equations or model.endings:
        raise NotShown("an initial equation, or an end")
    values = _Values(time)
    waiting: list[tuple[Expr, Expr]] = []
    for v in (*model.constants, *model.parameters):
        if v.name in overrides:
            values.known[v.symbol] = overrides[v.name]
        elif v.binding is not None:
            waiting.append((ref(v.symbol), v.binding))
    waiting += [_sides(equation) for equation in model.equations]
    while waiting:
        left = [sides for sides in waiting if not values.take(*sides)]
        if len(left) == len(waiting):
            raise NotShown(f"not one after another: {left}")
        waiting = left
    for check in model.checks:
        if values.of(check.guard):
            assert values.of(check.condition), values.of(check.message)
    return {symbol.name: value for symbol, value in values.known.items()}


def _sides(equation: Equation) -> tuple[Expr, Expr]:
    if equation.presence is not None:
        raise NotShown(equation)
    return equation.lhs, equation.rhs


class _Values:
    """The values known so far."""

    def __init__(self, time: float) -> None:
        self.known: dict[Symbol, Any] = {}
        self._time = time

    def take(self, lhs: Expr, rhs: Expr) -> bool:
        """Whether `lhs = rhs` says what a variable is; then it is known."""
        unknown = [e for e in dict.fromkeys((*leaves(lhs), *leaves(rhs))) if not self._has(e)]
        if len(unknown) != 1:
            return False
        (leaf,) = unknown
        if leaf.op is not Op.REF:
            raise NotShown(leaf)
        symbol = leaf_symbol(leaf)
        for one, other in ((lhs, rhs), (rhs, lhs)):
            if one is leaf and leaf not in leaves(other):
                self.known[symbol] = self.of(other)
                return True
        self.known[symbol] = self._solved(symbol, lhs, rhs)
        return True

    def _solved(self, symbol: Symbol, lhs: Expr, rhs: Expr) -> float:
        """The root of a linear equation, from three points of the line."""
        if symbol.type is not Type.REAL:
            raise NotShown(symbol)
        points = []
        for x in (0.0, 1.0, 2.0):
            self.known[symbol] = x
            points.append(self.of(lhs) - self.of(rhs))
        slope = points[1] - points[0]
        if not slope or abs(points[2] - points[1] - slope) > 1e-12 * abs(slope):
            raise NotShown(symbol)
        return float(-points[0] / slope)

    def of(self, e: Expr) -> Any:
        return evaluate(e, self._leaf, apply=call_function)

    def _has(self, leaf: Expr) -> bool:
        return leaf.op is Op.REF and (leaf_symbol(leaf) in self.known or leaf_symbol(leaf).name == "time")

    def _leaf(self, leaf: Expr) -> Any:
        symbol = leaf_symbol(leaf)
        return self._time if symbol.name == "time" else self.known[symbol]
