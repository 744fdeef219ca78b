"""Clocked continuous equations: between two ticks a solver method takes one step (section 16.8 of the
specification).

The derivative of each state becomes a variable, and the method's formula becomes one more equation:

    ExplicitEuler        x = previous(x) + h previous(x')
    ImplicitEuler        x = previous(x) + h x'
    ImplicitTrapezoid    x = previous(x) + h/2 (x' + previous(x'))
    ExplicitMidPoint2    x = previous(x) + h k2
    ExplicitRungeKutta4  x = previous(x) + h/6 (previous(x') + 2 k2 + 2 k3 + k4)

where k2, k3, k4 are derivatives in copies of the equations, between the ticks. At the first tick initial
conditions stand in place of the formula. Where equations determine a state by themselves, as the inverse of a
plant does, it has no initial condition: there the formula gives its derivative, at the first tick from the
start value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from saltus.core.diagnostics import model_error
from saltus.expr import nodes as x
from saltus.expr.helpers import Helper, derivative_name
from saltus.expr.nodes import Expr, Op, Symbol, Type
from saltus.expr.traversal import substitute
from saltus.ir.flat import Equation, Variability, Variable
from saltus.lower.clocks.dues import Due
from saltus.lower.clocks.matching import matching

#: Between ticks: how far the state and time have gone, in steps, for each copy of the equations; and with
#: which weights derivatives count, the one at the tick before first.
_STAGES: dict[str, tuple[tuple[Fraction, ...], tuple[Fraction, ...]]] = {
    "ExplicitEuler": ((), (Fraction(1),)),
    "ExplicitMidPoint2": ((Fraction(1, 2),), (Fraction(0), Fraction(1))),
    "ExplicitRungeKutta4": (
        (Fraction(1, 2), Fraction(1, 2), Fraction(1)),
        (Fraction(1, 6), Fraction(1, 3), Fraction(1, 3), Fraction(1, 6)),
    ),
}
_IMPLICIT = {
    "ImplicitEuler": (Fraction(0), Fraction(1)),
    "ImplicitTrapezoid": (Fraction(1, 2), Fraction(1, 2)),
}

#: All methods.
METHODS = (*_STAGES, *_IMPLICIT)


@dataclass(frozen=True, eq=False)
class Discretised:
    """Equations of a sub-partition with those of a method, and the variables that were added for it."""

    equations: list[Equation]
    stages: list[Equation]  # between ticks: from the second one on
    variables: list[Variable]
    copies: list[Symbol]  # those of them that the stages determine


def discretised(
    method: str,
    equations: Sequence[Equation],
    initial: Sequence[Equation],
    inputs: Sequence[Equation],
    symbols: Sequence[Symbol],
    declared: Callable[[Symbol], Variable],
    due: Due,
) -> Discretised:
    """The equations of a sub-partition that are solved by a method. `initial` are its initial equations,
    `inputs` those of variables that have the values of inputs; `symbols` are all that they determine, as they
    are `declared`."""
    return _Discretisation(method, equations, initial, inputs, symbols, declared, due).made()


class _Discretisation:
    def __init__(
        self,
        method: str,
        equations: Sequence[Equation],
        initial: Sequence[Equation],
        inputs: Sequence[Equation],
        symbols: Sequence[Symbol],
        declared: Callable[[Symbol], Variable],
        due: Due,
    ) -> None:
        self._method, self._declared, self._due, self._span = method, declared, due, due.span
        self._symbols, self._inputs = symbols, inputs
        self._variables: list[Variable] = []
        under_der = {x.leaf_symbol(e) for q in (*equations, *initial) for e in q.leaves if e.op is Op.DER}
        self._states = [s for s in symbols if s in under_der]
        self._rates = {s: self._variable(derivative_name(s.name), Type.REAL) for s in self._states}
        rates = {x.der(x.ref(s)): rate for s, rate in self._rates.items()}
        memo: dict[Expr, Expr] = {}
        self._equations = [_substituted(q, rates, memo) for q in equations]
        self._initial = [_substituted(q, rates, memo) for q in initial]
        self._copies = 0
        self._of_stages: list[Symbol] = []

    def _variable(self, name: str, kind: Type, helper: Helper | None = None) -> Expr:
        symbol = Symbol(name, kind, helper=helper)
        self._variables.append(Variable(symbol, Variability.DISCRETE, self._span, protected=True))
        return x.ref(symbol)

    def made(self) -> Discretised:
        """Everything together."""
        if self._method in _STAGES:
            steps, stages = self._explicit()
        else:
            before, now = _IMPLICIT[self._method]
            steps, stages = {}, []
            for s, rate in self._rates.items():
                slopes = [x.mul(x.const(float(now)), rate)]
                slopes += [x.mul(x.const(float(before)), x.pre(rate))] if before else []
                steps[s] = self._step(s, x.add(*slopes))
        return Discretised(
            [*self._inputs, *self._equations, *self._with_initial(steps)],
            stages,
            self._variables,
            self._of_stages,
        )

    # ------------------------------------------------------------ the first tick

    def _with_initial(self, steps: dict[Symbol, Expr]) -> list[Equation]:
        """The formulas, with initial conditions in their places at the first tick."""
        unknowns = [*self._symbols, *(x.leaf_symbol(r) for r in self._rates.values())]
        conditions = list(self._initial)
        given = [s for s in self._symbols if self._declared(s).fixed]
        conditions += [self._at_start(s) for s in given]
        many = len(conditions)
        conditions += [self._at_start(s) for s in self._states if s not in given]
        found = matching([*self._inputs, *self._equations, *conditions], unknowns)
        own = len(self._inputs) + len(self._equations)
        chosen = [q for q, s in zip(conditions, found[own:], strict=True) if s is not None]
        if any(s is None for s in found[own : own + many]):
            raise model_error(
                "E303",
                f"{len(self._initial) + len(given)} initial conditions are too many for the "
                f"{len(self._states)} states of this clock partition",
                (self._initial[0] if self._initial else self._equations[0]).span,
            )
        chosen = [*chosen[:many], *chosen[many:][: len(self._states) - many]]
        starting = {q.lhs: q for q in chosen if q.lhs.op is Op.REF}
        result: list[Equation] = []
        left = list(chosen)
        alone: list[Symbol] = []
        for s in self._states:
            own_condition = starting.get(x.ref(s))
            if own_condition is not None and own_condition in left:
                left.remove(own_condition)
                value = x.if_(self._due.first, own_condition.rhs, steps[s])
                result.append(Equation(x.ref(s), value, self._declared(s).span, s.name.rpartition(".")[0]))
            else:
                alone.append(s)
        for s in alone:
            span, origin = self._declared(s).span, s.name.rpartition(".")[0]
            if left:
                q = left.pop(0)
                residual = x.if_(self._due.first, x.sub(q.lhs, q.rhs), x.sub(x.ref(s), steps[s]))
                result.append(Equation(residual, x.ZERO, span, origin))
            else:
                if self._method in _STAGES:
                    raise model_error(
                        "E302",
                        f"`{s.name}` is determined by equations, so {self._method} has no step for it",
                        self._declared(s).span,
                        hint="use ImplicitEuler, which gives its derivative",
                    )
                result.append(Equation(x.ref(s), steps[s], span, origin))
        return result

    def _at_start(self, s: Symbol) -> Equation:
        v = self._declared(s)
        default = x.ZERO if s.type is Type.REAL else x.const(0) if s.type is Type.INTEGER else x.FALSE
        return Equation(x.ref(s), v.start if v.start is not None else default, v.span)

    def _step(self, s: Symbol, slope: Expr) -> Expr:
        return x.add(x.pre(x.ref(s)), x.mul(self._due.interval, slope))

    # ------------------------------------------------------------ explicit methods

    def _explicit(self) -> tuple[dict[Symbol, Expr], list[Equation]]:
        """The steps, and the equations of what is computed between the ticks."""
        nodes, weights = _STAGES[self._method]
        stages: list[Equation] = []
        slopes = [{s: x.pre(rate) for s, rate in self._rates.items()}]
        for node in nodes:
            slopes.append(self._stage(node, slopes[-1], stages))
        steps: dict[Symbol, Expr] = {}
        for s in self._states:
            terms = [x.mul(x.const(float(w)), own[s]) for w, own in zip(weights, slopes, strict=True) if w]
            steps[s] = self._step(s, x.add(*terms))
        return steps, stages

    def _stage(
        self, node: Fraction, slopes: dict[Symbol, Expr], stages: list[Equation]
    ) -> dict[Symbol, Expr]:
        """Copies of the equations in which states have gone a part of the step; gives their derivatives."""
        self._copies += 1
        part = x.const(float(node))
        places: dict[Expr, Expr] = {}
        for s in self._states:
            places[x.ref(s)] = x.add(x.pre(x.ref(s)), x.mul(part, self._due.interval, slopes[s]))
        for v in (q.lhs for q in self._inputs):
            before = x.pre(v)
            if v.type is Type.REAL:
                gone = x.mul(part, x.sub(v, before)) if node != 1 else x.sub(v, before)
                places[v] = x.add(before, gone)
            else:
                places[v] = v if node == 1 else before
        copies: dict[Symbol, Expr] = {}
        for s in self._symbols:
            if s.type is not Type.REAL:
                places.setdefault(x.ref(s), x.pre(x.ref(s)))
        for s in (*self._symbols, *(x.leaf_symbol(r) for r in self._rates.values())):
            if x.ref(s) not in places:
                name = Helper.TICK.numbered(self._due.number, f"stage{self._copies}.{s.name}")
                copies[s] = self._variable(name, s.type, Helper.TICK)
                self._of_stages.append(x.leaf_symbol(copies[s]))
                places[x.ref(s)] = copies[s]
        now = x.pre(x.TIME)
        places[now] = x.sub(now, x.mul(x.const(float(1 - node)), self._due.interval))
        memo: dict[Expr, Expr] = {}
        stages += [_substituted(q, places, memo) for q in self._equations if q.lhs.type is Type.REAL]
        return {s: places[rate] for s, rate in self._rates.items()}


def _substituted(q: Equation, places: dict[Expr, Expr], memo: dict[Expr, Expr]) -> Equation:
    lhs, rhs = (substitute(e, places, memo) for e in (q.lhs, q.rhs))
    return replace(q, lhs=lhs, rhs=rhs)
