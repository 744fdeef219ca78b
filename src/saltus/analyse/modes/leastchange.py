"""Equations that give open quantities the values nearest to those they had.

    minimise  sum of ((x_j - held_j) / nominal_j)^2    subject to   r_i(x) = 0

At the minimum the gradient is perpendicular to every direction d along which the equations let x move. Where
their coefficients are constants, as those of Kirchhoff's laws are, so are the directions, and

    sum of d_j (x_j - held_j) / nominal_j^2  =  0       for each of them

completes the equations. Otherwise Lagrange's multipliers do, new unknowns, one for each equation:

    x_j  =  held_j + nominal_j^2 * sum of (d r_i / d x_j) * multiplier_i.

The minimum is unique where the equations are linear. Where an equation has no derivative in symbols, as many
quantities as there are directions keep their values instead, and the others follow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from saltus.core.nullspace import rational
from saltus.expr.helpers import Helper
from saltus.expr.nodes import ONE, ZERO, Expr, Op, Symbol, add, const, div, mul, ref, sub
from saltus.ir.balance import is_inferred
from saltus.ir.flat import Equation, Variability, Variable


@dataclass(frozen=True)
class Binding:
    """An equation between open quantities, with its derivatives by them; None where there is none in
    symbols."""

    equation: Equation
    slopes: Mapping[Symbol, Expr | None]


@dataclass(frozen=True)
class LeastChange:
    """`kept` leads from each quantity that matters to the hidden parameter with its value before."""

    kept: Mapping[Symbol, Symbol]
    parameters: tuple[Variable, ...]
    multipliers: tuple[Variable, ...]
    equations: tuple[Equation, ...]


def least_change(
    quantities: Sequence[Variable],
    bindings: Sequence[Binding],
    directions: Mapping[Symbol, Mapping[Symbol, int]],
) -> LeastChange:
    """`bindings` are independent. `directions` (in residues, see `nullspace`) span all that they allow; each
    is 1 for the quantity that it stands under, for which all others are 0."""
    symbolic = not any(slope is None for b in bindings for slope in b.slopes.values())
    if not symbolic:
        quantities = [v for v in quantities if v.symbol in directions]
    kept = {v.symbol: Symbol(Helper.HELD.belonging_to(v.name), helper=Helper.HELD) for v in quantities}
    multipliers: list[Variable] = []
    constant = _constant_directions(bindings, directions) if symbolic else {s: {} for s in directions}
    if constant is not None:
        equations = [
            _perpendicular(v, constant[v.symbol], quantities, kept)
            for v in quantities
            if v.symbol in constant
        ]
    else:
        multipliers = [
            Variable(
                Symbol(Helper.MULTIPLIER.numbered(k), helper=Helper.MULTIPLIER),
                Variability.CONTINUOUS,
                b.equation.span,
                protected=True,
            )
            for k, b in enumerate(bindings, start=1)
        ]
        equations = [_pulled(v, bindings, multipliers, kept) for v in quantities]
    parameters = (
        Variable(kept[v.symbol], Variability.PARAMETER, v.span, start=ZERO, final=True) for v in quantities
    )
    return LeastChange(kept, tuple(parameters), tuple(multipliers), tuple(equations))


def _constant_directions(
    bindings: Sequence[Binding], directions: Mapping[Symbol, Mapping[Symbol, int]]
) -> dict[Symbol, dict[Symbol, Fraction]] | None:
    """The directions in rational numbers, where coefficients do not vary."""
    if any(slope is None or slope.op is not Op.CONST for b in bindings for slope in b.slopes.values()):
        return None
    found: dict[Symbol, dict[Symbol, Fraction]] = {}
    for own, direction in directions.items():
        found[own] = exact = {}
        for symbol, residue in direction.items():
            value = rational(residue)
            if value is None:
                return None
            exact[symbol] = value
        for b in bindings:
            along = (Fraction(slope.data) * exact.get(s, 0) for s, slope in b.slopes.items() if slope)
            if sum(along):
                return None  # its numbers are too long to be known by their residues
    return found


def _perpendicular(
    own: Variable,
    direction: Mapping[Symbol, Fraction],
    quantities: Sequence[Variable],
    kept: Mapping[Symbol, Symbol],
) -> Equation:
    """The change is perpendicular to a direction, which is 1 for one's own quantity."""
    terms = []
    for v in quantities:
        if v is not own and v.symbol in direction:
            weight = mul(const(float(-direction[v.symbol])), div(_square(own), _square(v)))
            terms.append(mul(weight, sub(ref(v.symbol), ref(kept[v.symbol]))))
    return Equation(ref(own.symbol), add(ref(kept[own.symbol]), *terms), own.span)


def _pulled(
    v: Variable, bindings: Sequence[Binding], multipliers: Sequence[Variable], kept: Mapping[Symbol, Symbol]
) -> Equation:
    """A quantity changes as far as the multipliers pull it."""
    pulls = (
        mul(slope, ref(m.symbol))
        for b, m in zip(bindings, multipliers, strict=True)
        if (slope := b.slopes.get(v.symbol)) is not None
    )
    return Equation(ref(v.symbol), add(ref(kept[v.symbol]), mul(_square(v), add(*pulls, ZERO))), v.span)


def _square(v: Variable) -> Expr:
    nominal = v.nominal
    # What a run finds varies with the parameters of a circuit, and its currents are all of one kind.
    return ONE if nominal is None or is_inferred(nominal) else mul(nominal, nominal)
