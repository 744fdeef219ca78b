"""The terms of every equation, with the powers of variables in them, from which the sizes of variables
follow.

    L*der(i) + u + R*i = V*sin(w*time)      ->      L der(i)^1,  u^1,  R i^1,  V*sin(w*time)

In an equation the largest terms are of the same size, so sizes go from parameters, sources and start values
to everything else. The numbers are put in when a run begins (`saltus.run.sizes`), since parameters may be set
without translating the model again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from saltus.core.source import Span
from saltus.expr.helpers import Helper
from saltus.expr.nodes import Expr, Op, Symbol, ref

#: Which branches are taken.
Choices: TypeAlias = tuple[tuple[Expr, bool], ...]


@dataclass(frozen=True, eq=False)
class Term:
    """`coefficient * product of variables ^ powers * product of rest ^ powers`, where the choices are as
    said. The coefficient is made of parameters; the rest, of whatever is no power of a variable. Variables
    are numbers of `Balance.leaves`."""

    coefficient: Expr
    powers: tuple[tuple[int, float], ...] = ()
    rest: tuple[tuple[Expr, float], ...] = ()
    choices: Choices = ()


@dataclass(frozen=True, eq=False)
class Sum:
    """An equation: its terms add up to zero. `text` and `span` are for people."""

    terms: tuple[Term, ...]
    text: Expr  # the left side minus the right one
    span: Span


@dataclass(frozen=True, eq=False)
class Balance:
    """The equations of a model, as far as sizes go.

    `leaves`: continuous variables and their derivatives, and discrete Reals. What stands in branches only,
    and may be of another kind in each, has further numbers, `variants`, at the end, each with the choices for
    which it stands: the place on the curve of a diode is a voltage or a current. `rates`: states by
    number, with the numbers of their derivatives. `jumps`: what states are set to at events. `sizes` and
    `relations`: the parameters for sizes, of variables by their number and of relations by index, only of
    those without a nominal value. `deciding`: what stands for the truth of a relation, or for its opposite,
    among choices. `by_truth`: of relations that are such, the parameters for the sizes of their residues
    while they are false and while they are true."""

    leaves: tuple[Expr, ...]
    sums: tuple[Sum, ...]
    rates: Mapping[int, int]
    jumps: Mapping[int, tuple[Expr, ...]]
    sizes: Mapping[int, Symbol]
    relations: Mapping[int, Symbol]
    deciding: Mapping[Expr, tuple[int, bool]]
    by_truth: Mapping[int, tuple[Symbol, Symbol]]
    variants: Mapping[int, tuple[tuple[int, Choices], ...]]

    def nominal(self, leaf: Expr) -> Expr | None:
        """The nominal value of a variable or derivative that has none from anybody."""
        return self._nominals.get(leaf)

    @cached_property
    def _nominals(self) -> dict[Expr, Expr]:
        return {self.leaves[k]: ref(symbol) for k, symbol in self.sizes.items()}

    def verify(self) -> None:
        count = len(self.leaves)
        for q in self.sums:
            for t in q.terms:
                assert all(0 <= k < count for k, _ in t.powers)
        assert all(0 <= k < count for k in (*self.rates, *self.rates.values(), *self.sizes))


#: In place of the number of an equation: what a variable began with or is set to, and what it grows to in the
#: time of the run.
STARTED, GROWN = -1, -2


@dataclass(frozen=True)
class Bound:
    """What a variable is at most, as a logarithm; `sum` is the number of the equation that says so, and it
    `rests_on` the variables in the largest of its other terms."""

    size: float
    sum: int
    rests_on: tuple[int, ...] = ()


@dataclass(frozen=True)
class Found:
    """The size of one variable or residue: the size in use, and the logarithm of the inferred one, None if it
    is unknown."""

    used: float
    size: float | None
    bound: Bound | None = None


@dataclass(frozen=True)
class Sizes:
    """The sizes of a run: of variables by their number in the balance, of relations by index. `by_truth`: of
    residues that are of another kind while their relation is false and while it is true, what is used.
    `given`: logarithms of nominal values from the model, by number."""

    balance: Balance
    variables: Mapping[int, Found]
    relations: Mapping[int, Found]
    by_truth: Mapping[int, tuple[float, float]]
    given: Mapping[int, float]


def is_inferred(nominal: Expr | None) -> bool:
    """Whether a nominal value is not from the model, but the size that a run finds."""
    return nominal is not None and nominal.op is Op.REF and nominal.data.helper is Helper.SIZE
