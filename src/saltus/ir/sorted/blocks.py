"""What solves equations for unknowns: one equation, a loop, one of several cases, or by numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from saltus.expr.nodes import Expr
from saltus.ir.flat import Equation
from saltus.ir.signature import Signature


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
class Tearing:
    """How a loop is torn, in rows and columns of its matrix (or Jacobian).

    `inner`: in this order, each row gives the unknown of its column from the tearing variables and the inner
    unknowns before it; the pivot is known not to be zero.
    `rows`, `columns`: the residual equations, and the tearing variables that they determine.
    `order`: in which order those are eliminated, as positions in `rows` and `columns`, where that is fixed;
    None where pivots are sought during the run.
    """

    inner: tuple[tuple[int, int], ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    order: tuple[tuple[int, int], ...] | None = None


@dataclass(frozen=True, eq=False)
class Linear:
    """A x = b: entries of A by (row, column), free of the unknowns, and b."""

    unknowns: tuple[Expr, ...]
    equations: tuple[Equation, ...]
    matrix: tuple[tuple[int, int, Expr], ...]
    right: tuple[Expr, ...]
    tearing: Tearing | None = None


@dataclass(frozen=True, eq=False)
class Nonlinear:
    """r(x) = 0 with the Jacobian's entries by (row, column); `jacobian` is None where an entry has no
    symbolic form (a user function): then differences are taken. `nominals` scale the unknowns. In a torn
    loop `inner` has the values of the inner unknowns, in the order of the tearing."""

    unknowns: tuple[Expr, ...]
    equations: tuple[Equation, ...]
    residuals: tuple[Expr, ...]
    jacobian: tuple[tuple[int, int, Expr], ...] | None
    nominals: tuple[Expr, ...]
    tearing: Tearing | None = None
    inner: tuple[Expr, ...] = ()


@dataclass(frozen=True, eq=False)
class Leading:
    """A system whose structure is found by numbers (`saltus.ir.signature`), solved in the mode that its
    guards have: `rates` of its states and `algebraics` are determined, and `values` of states are put on what
    constrains them. `rest`: of each equation, what is left of its residual where the variables are zero;
    `drifts`: how that changes with time; `bends`: how drifts change."""

    signature: Signature
    values: tuple[Expr, ...]
    rates: tuple[Expr, ...]
    algebraics: tuple[Expr, ...]
    rest: tuple[Expr, ...]
    drifts: tuple[Expr, ...]
    bends: tuple[Expr, ...]

    @property
    def unknowns(self) -> tuple[Expr, ...]:
        return (*self.values, *self.rates, *self.algebraics)

    def given(self, row: int) -> tuple[Expr, Expr, Expr]:
        """What an equation has besides its variables, and how that changes."""
        return self.rest[row], self.drifts[row], self.bends[row]

    @property
    def equations(self) -> tuple[Equation, ...]:
        return self.signature.equations


@dataclass(frozen=True, eq=False)
class Leap:
    """How such a system enters the mode that its guards have: by how much states jump, and the weights of the
    impulses of other variables, from the `lefts` of all of them and the `left_rates` of states. Unless
    `exact` is 1, violations of constraints within that part of their sizes, or within the part `located`,
    make no jumps. `books`: of the equation that says what is conserved and is off most, what is left of it
    after the instant, and its size. `lower`: the same of the constraint on what does not jump, an equation
    that is differentiated twice, that is off most before the instant; this is found beforehand."""

    signature: Signature
    leaps: tuple[Expr, ...]
    books: tuple[Expr, Expr]
    lower: tuple[Expr, Expr]
    lefts: tuple[Expr, ...]
    left_rates: tuple[Expr, ...]
    exact: Expr
    located: float
    rest: tuple[Expr, ...]
    drifts: tuple[Expr, ...]

    @property
    def unknowns(self) -> tuple[Expr, ...]:
        return (*self.leaps, *self.books)

    @property
    def equations(self) -> tuple[Equation, ...]:
        return self.signature.equations


#: What solves equations, whichever mode they belong to.
Solving: TypeAlias = Explicit | Linear | Nonlinear


#: What solves equations in whichever mode their guards have.
SolvingByNumbers: TypeAlias = Leading | Leap


@dataclass(frozen=True, eq=False)
class Case:
    """What is solved, in order, while a condition on mode guards holds. `times`: how often equations were
    differentiated for it."""

    condition: Expr
    blocks: tuple[Solving, ...]
    times: int = 0

    def holds(self, value: Callable[[Expr], float]) -> bool:
        """Whether it is the one in force while guards have these values."""
        from saltus.expr.evaluate import evaluate

        return bool(evaluate(self.condition, lambda leaf: bool(value(leaf))))


@dataclass(frozen=True, eq=False)
class Switched:
    """A part of the equations whose structure depends on a few mode guards: one case for each structure, of
    which at most one holds (`saltus.analyse.modes.local`). What a case determines may be a state, which then
    follows from others as long as the case lasts. Other blocks may have further cases of the same guards."""

    cases: tuple[Case, ...]

    @cached_property
    def inner(self) -> tuple[Solving, ...]:
        """The blocks of all cases."""
        return tuple(block for case in self.cases for block in case.blocks)

    def case(self, value: Callable[[Expr], float]) -> Case | None:
        """The case that is in force while guards have these values."""
        return next((case for case in self.cases if case.holds(value)), None)

    @cached_property
    def unknowns(self) -> tuple[Expr, ...]:
        """What is determined in one of the cases at least."""
        return tuple(dict.fromkeys(x for block in self.inner for x in block.unknowns))

    @cached_property
    def equations(self) -> tuple[Equation, ...]:
        """The equations of all cases, each once."""
        return tuple(dict.fromkeys(q for block in self.inner for q in block.equations))


Block: TypeAlias = Solving | Switched | SolvingByNumbers


def solving(blocks: Iterable[Block]) -> Iterator[Solving | SolvingByNumbers]:
    """The blocks that solve something, those of all cases among them."""
    for block in blocks:
        if isinstance(block, Switched):
            yield from block.inner
        else:
            yield block


def block_expressions(block: Block) -> tuple[Expr, ...]:
    """What is computed to solve a block."""
    match block:
        case Explicit():
            return (block.value,)
        case Linear():
            return (*(e for _, _, e in block.matrix), *block.right)
        case Nonlinear():
            return (*block.inner, *block.residuals, *(e for _, _, e in block.jacobian or ()))
        case Leading():
            slopes = (pair.slope for pair in block.signature.pairs)
            return (*slopes, *block.rest, *block.drifts, *block.bends, *block.values)
        case Leap():
            slopes = (pair.slope for pair in block.signature.pairs)
            lefts = (*block.lefts, *block.left_rates)
            return (*slopes, *block.rest, *block.drifts, *lefts, block.exact, *block.signature.nominals)
        case Switched():
            conditions = (case.condition for case in block.cases)
            return (*conditions, *(e for inner in block.inner for e in block_expressions(inner)))
