"""Sorted blocks: which equation is solved for which unknown, in which order.

Unknowns are leaves (`REF` of a variable or `DER` of a state). Aliases have been eliminated: equations
speak of their representatives only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from saltus.core.diagnostics import Diagnostic
from saltus.expr.nodes import Expr, Symbol
from saltus.ir.flat import Equation, Variable
from saltus.ir.hybrid import HybridModel, Relation


@dataclass(frozen=True, eq=False)
class Alias:
    """`symbol = target` or `symbol = -target`."""

    symbol: Symbol
    target: Symbol
    negated: bool


@dataclass(frozen=True, eq=False)
class Explicit:
    """One equation, solved symbolically for one unknown."""

    unknown: Expr
    value: Expr
    equation: Equation

    @property
    def unknowns(self) -> tuple[Expr, ...]:
        return (self.unknown,)

    @property
    def equations(self) -> tuple[Equation, ...]:
        return (self.equation,)


@dataclass(frozen=True, eq=False)
class Linear:
    """A x = b: entries of A by (row, column), free of the unknowns, and b."""

    unknowns: tuple[Expr, ...]
    equations: tuple[Equation, ...]
    matrix: tuple[tuple[int, int, Expr], ...]
    right: tuple[Expr, ...]


@dataclass(frozen=True, eq=False)
class Nonlinear:
    """r(x) = 0 with the Jacobian's entries by (row, column); `jacobian` is None where an entry has no
    symbolic form (a user function): then differences are taken. `nominals` scale the unknowns."""

    unknowns: tuple[Expr, ...]
    equations: tuple[Equation, ...]
    residuals: tuple[Expr, ...]
    jacobian: tuple[tuple[int, int, Expr], ...] | None
    nominals: tuple[Expr, ...]


Block: TypeAlias = Explicit | Linear | Nonlinear


#: How much a variable is wanted as a state, by its stateSelect; the higher, the more. One that is
#: reinitialised should be a state unless another must be.
WANTED_AS_STATE = {"never": 0, "avoid": 2, "default": 4, "prefer": 6, "always": 9}
REINITIALISED = 8

#: States are chosen again when a pivot by which they were chosen falls below this, relative to the largest
#: coefficient of its equation: an error of a state reaches what follows from it a few times as large.
PIVOT_FLOOR = 0.3


@dataclass(frozen=True, eq=False)
class PivotGuard:
    """A relation that holds while the states determine the variables called `names` well. `relation` is its
    index in the model; `floor` is the hidden parameter that its pivot must lie above."""

    relation: int
    floor: Symbol
    names: tuple[str, ...]
    equation: Equation


@dataclass(frozen=True, eq=False)
class Differentiated:
    """An equation that constrains states, and its derivatives with respect to time."""

    equation: Equation
    times: int
    derivatives: tuple[Equation, ...]


@dataclass(frozen=True, eq=False)
class IndexReduction:
    """What was done to a model of high index. `demoted` are variables under der() that are no states;
    `guards` watch whether the states still determine them, by relations that come after the model's own."""

    differentiated: tuple[Differentiated, ...]
    demoted: tuple[Variable, ...]
    index: int
    guards: tuple[PivotGuard, ...] = ()


@dataclass(frozen=True, eq=False)
class Structure:
    """Everything sorted.

    `parameters`: dependent parameters, in order.
    `blocks`: all equations of the run, continuous and discrete sorted together. The unknowns of a block
    are either all continuous (der of states, algebraics) or all discrete; `pre` values, states, relation
    and clock symbols are known.
    `initial`: the system solved once at the start; its unknowns include states, parameters with
    fixed = false and discretes (there `pre(d)` of a discrete is known and holds its start value).
    `variables`: representatives only, without aliases.
    """

    model: HybridModel
    aliases: tuple[Alias, ...]
    parameters: tuple[Explicit, ...]
    states: tuple[Variable, ...]
    algebraics: tuple[Variable, ...]
    discretes: tuple[Variable, ...]
    blocks: tuple[Block, ...]
    initial: tuple[Block, ...]
    warnings: tuple[Diagnostic, ...] = ()
    reduction: IndexReduction | None = None

    @property
    def guards(self) -> tuple[PivotGuard, ...]:
        """The guards on the choice of states; their relations are the last ones of the model."""
        return self.reduction.guards if self.reduction is not None else ()

    @property
    def relations(self) -> tuple[Relation, ...]:
        """The relations that the model itself has."""
        return self.model.relations[: len(self.model.relations) - len(self.guards)]

    def verify(self) -> None:
        """Each unknown is determined exactly once, and before it is used."""
        from saltus.expr.nodes import der, leaves, ref

        unknown = {ref(v.symbol) for v in (*self.algebraics, *self.discretes)}
        unknown |= {der(ref(v.symbol)) for v in self.states}
        done: set[Expr] = set()
        for block in self.blocks:
            own = set(block.unknowns)
            assert not own & done, "an unknown is determined twice"
            for e in block_expressions(block):
                for leaf in leaves(e):
                    assert leaf not in unknown or leaf in done or leaf in own, f"{leaf} used too early"
            done |= own
        assert done == unknown, f"not determined: {unknown - done}"


def block_expressions(block: Block) -> tuple[Expr, ...]:
    """What is computed to solve a block."""
    match block:
        case Explicit():
            return (block.value,)
        case Linear():
            return (*(e for _, _, e in block.matrix), *block.right)
        case Nonlinear():
            return (*block.residuals, *(e for _, _, e in block.jacobian or ()))
