"""What the modes of a model have in common.

Two modes differ in the equations that their guards change, and in what these reach. Everything else is the
same equation, the same block, the same derivative: it is made for the first mode that needs it and found here
by all others. What is kept follows from its key alone, so nothing has to be forgotten.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from saltus.analyse.index.derivatives import Derivatives
from saltus.expr.nodes import Expr, Symbol
from saltus.ir.flat import Equation
from saltus.ir.sorted.blocks import Block

#: Of the residuals of equations the derivatives by the variables, and by their rates, that occur in them;
#: None where there is none in symbols.
Slopes: TypeAlias = dict[Equation, dict[Expr, Expr | None]]


@dataclass(eq=False)
class Common:
    """The work on a model that its modes share."""

    slopes: Slopes = field(default_factory=dict)
    #: Equations solved for unknowns, loops torn.
    blocks: dict[tuple[tuple[Equation, ...], tuple[Expr, ...]], Block] = field(default_factory=dict)
    #: Symbols of tangents by unknown, and of their seeds by state; derivatives along them by the expression,
    #: for given tangents of its leaves.
    tangents: dict[Expr, Expr] = field(default_factory=dict)
    seeds: dict[Expr, Expr] = field(default_factory=dict)
    along: dict[tuple[Expr, tuple[Expr, ...]], Expr] = field(default_factory=dict)
    _derivatives: dict[tuple[Symbol, ...], Derivatives] = field(default_factory=dict)

    def derivatives(self, variables: Sequence[Symbol]) -> Derivatives:
        """The derivatives of these variables, made once for all modes."""
        key = tuple(variables)
        found = self._derivatives.get(key)
        if found is None:
            found = self._derivatives[key] = Derivatives(key)
        return found
