"""Sorted blocks: which equation is solved for which unknown, in which order.

Unknowns are leaves (`REF` of a variable or `DER` of a state). Aliases have been eliminated: equations
speak of their representatives only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias
from zlib import crc32

from saltus.core.diagnostics import Diagnostic
from saltus.core.nullspace import residue
from saltus.expr.nodes import Expr, Symbol, Type, ref
from saltus.expr.show import show
from saltus.expr.traversal import leaves
from saltus.ir.flat import Equation, Variable
from saltus.ir.hybrid import HybridModel, Jump, Relation
from saltus.ir.signature import Signature


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


@dataclass(frozen=True, order=True)
class OnSurface:
    """A wish to go on along a surface: `relation` is the first of the relations that it belongs to, `resting`
    that states are held on it by a reaction; otherwise the model slides: by Filippov's convention, or with
    the `equivalent` control.

    `settled`: infinitely many changes of its relations are over, so that what remembers them keeps what it
    has. Such a surface may be one that the model stays on because it stays on another: it `follows` that one,
    with the same weight (1) or that of the other side (-1). Or a state is `held` where it is instead.
    `endless`: it is settled, but its changes would have gone on, lost in the errors of integration; then
    nothing may remember them."""

    relation: int
    resting: bool = False
    equivalent: bool = False
    settled: bool = False
    follows: int = 0
    held: str = ""
    endless: bool = False


@dataclass(frozen=True, eq=False)
class Surface:
    """A surface `residue = 0` on which a program keeps the model (`saltus.analyse.modes.sliding`).

    `relations`: those that change their truth there, by index, with 1 where the residue is that of the first
    of them and -1 where it is its negative. They keep the truths of the side that the hidden parameter `side`
    (1 or -1) names. `multiplier`: the weight of the positive side, between 0 and 1, for a model that slides;
    the reaction for one that rests. `exits`, the surface exits: relations that hold as long as it stays; the
    first is that the multiplier is positive, the second, of a sliding model, that it is less than 1.
    `directions`: the states that the reaction pushes, each with the hidden parameter that says which way.
    `wanted`: the wish that it fulfils. `copies`: unknowns that are values of variables on one of its sides,
    with the names of these. `place`: the hidden parameter that says where a state is held.
    """

    relations: Mapping[int, int]
    multiplier: Symbol
    side: Symbol
    exits: tuple[int, ...]
    directions: Mapping[Symbol, Symbol]
    wanted: OnSurface
    copies: Mapping[Symbol, str]
    place: Symbol | None = None

    @property
    def leader(self) -> int:
        """The first of the relations."""
        return min(self.relations)

    @property
    def resting(self) -> bool:
        """Whether states are held by a reaction."""
        return bool(self.directions)


def in_order_of_texts(guards: Iterable[Expr]) -> list[Expr]:
    """Mode guards in the one order in which they are listed everywhere."""
    return sorted(guards, key=show)


@dataclass(frozen=True)
class Mode:
    """What a program takes for granted: values of mode guards, which are leaves (the symbol of a relation, of
    a discrete variable or of a parameter, or what a discrete variable was before), that its continuous
    equations have in place of the leaves. The general program has none. Two modes are the same where they fix
    the same symbols to the same values; `of` lists them in the order of their texts."""

    fixed: tuple[tuple[Expr, float], ...] = ()

    @staticmethod
    def of(values: Mapping[Expr, float]) -> Mode:
        """The mode in which guards have these values."""
        return Mode(tuple((guard, values[guard]) for guard in in_order_of_texts(values)))

    @property
    def texts(self) -> tuple[tuple[str, float], ...]:
        """The values by the texts of the guards, for people and for files."""
        return tuple((show(guard), value) for guard, value in self.fixed)


#: The mode of the general program.
GENERAL = Mode()

#: In a mode of its own, what is left of terms that cancel, relative to their sizes, is rounding up to here.
ROUNDED = 1e-14

#: From so many guards on, structure is found by numbers where cases do not do. Fewer have few combinations,
#: and a program for each of these is faster in long runs: a bridge of four diodes takes a third of the time.
MANY_GUARDS = 5


@dataclass(frozen=True)
class Fixing:
    """Which mode guards (leaves of relations and discrete variables) have to be fixed, where the general
    program would lose rank: `always` those, and `combinations` of values wherever they occur."""

    always: frozenset[Expr] = frozenset()
    combinations: tuple[Mode, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.always or self.combinations)

    def mode(self, value: Callable[[Expr], float]) -> Mode:
        """The mode in which guards have these values."""
        fixed = {guard: value(guard) for guard in self.always}
        for combination in self.combinations:
            if all(value(guard) == known for guard, known in combination.fixed):
                fixed.update(combination.fixed)
        return Mode.of(fixed)

    def guards(self) -> list[Expr]:
        """All mode guards that are fixed somewhere, in the order of their texts."""
        found = {*self.always, *(guard for mode in self.combinations for guard, _ in mode.fixed)}
        return in_order_of_texts(found)

    def within(self, mode: Mode) -> Fixing:
        """What has to be fixed, as found in a mode: combinations need the values of that mode, too."""
        if not mode.fixed:
            return self
        known = dict(mode.fixed)
        both = (Mode.of({**known, **dict(c.fixed)}) for c in self.combinations)
        return Fixing(self.always, tuple(both))

    def joined(self, other: Fixing) -> Fixing:
        """What either of the two has to fix."""
        more = (c for c in other.combinations if c not in self.combinations)
        return Fixing(self.always | other.always, (*self.combinations, *more)) if other else self

    def leading_out_of(self, mode: Mode) -> tuple[Mode, ...]:
        """The combinations that lead from a mode to another one."""
        known = dict(mode.fixed)
        return tuple(
            c
            for c in self.combinations
            if all(known.get(guard, value) == value for guard, value in c.fixed)
            and not all(guard in known for guard, _ in c.fixed)
        )

    def without(self, guards: frozenset[Expr]) -> Fixing:
        """What is left to fix where the program itself follows these guards."""
        rest = (c for c in self.combinations if guards.isdisjoint(guard for guard, _ in c.fixed))
        return Fixing(self.always - guards, tuple(rest)) if guards else self

    def with_combination(self, mode: Mode) -> Fixing:
        """One more combination."""
        return Fixing(self.always, (*self.combinations, mode))


@dataclass(frozen=True, eq=False)
class Open:
    """Quantities that a mode leaves open: those in `kept` have the values nearest to hidden parameters that
    keep what they were when the mode was entered, of all values that their equations allow. `excess`:
    equations that say in this mode what others say; they are checked, not solved."""

    kept: Mapping[Symbol, Symbol]  # the quantity, and its hidden parameter
    multipliers: tuple[Symbol, ...]  # hidden unknowns: one for each equation between them, or none
    equations: tuple[Equation, ...]  # those between them
    excess: tuple[Equation, ...] = ()


@dataclass(frozen=True, eq=False)
class Entry:
    """The jump system by which a mode is entered: states after an instant, from the left limits before it
    (section "Entering a mode" of the documentation). Its blocks are solved with the left limits, and with the
    truths that are presumed.

    `lefts`: hidden numbers that the run fills in, each with the leaf whose left limit it is.
    `exact`: a hidden number; unless it is 1, violations of constraints that are within the errors of event
    location, or within this part of their sizes, are tolerated, so that they make no impulses.
    `blocks`: what determines the unknowns.
    `afters`: unknowns that are the values after the instant, each for the state that gets it.
    `impulses`: unknowns that are the integrals of variables over the instant.
    `decides`: for relations, by index, the integral of the residue over the instant.
    `lower`: constraints on what does not jump, as residuals of left limits, each with its size.
    `nonlinear`: equations with a variable that must not have an impulse, since it is not linear in them.
    `books`: of the equations that say what is conserved, residuals after the instant, each with its size.
    """

    lefts: Mapping[Symbol, Expr]
    exact: Symbol
    blocks: tuple[Block, ...]
    afters: Mapping[Symbol, Symbol]  # state: unknown
    impulses: Mapping[Symbol, Symbol]  # variable: unknown
    decides: Mapping[int, Expr]
    lower: tuple[tuple[Equation, Expr, Expr], ...]
    nonlinear: tuple[tuple[Equation, Symbol], ...]
    books: tuple[tuple[Equation, Expr, Expr], ...]

    def moves_itself(self, state: Symbol) -> bool:
        """Whether the jump of a state depends on its own left limit: a constraint that ties it to others."""
        after = self.afters.get(state)
        if after is None:
            return False
        own = {ref(symbol) for symbol, leaf in self.lefts.items() if leaf is ref(state)}
        found = set(own)
        for block in self.blocks:
            used = {leaf for e in block_expressions(block) for leaf in leaves(e)}
            is_sum = isinstance(block, Explicit) and block.unknown is ref(after)  # left limit and jump
            if not found.isdisjoint(used - own if is_sum else used):
                if ref(after) in block.unknowns:
                    return True
                found.update(block.unknowns)
        return False


@dataclass(frozen=True, eq=False)
class Differentiated:
    """An equation that constrains states, and its derivatives with respect to time."""

    equation: Equation
    times: int
    derivatives: tuple[Equation, ...]


@dataclass(frozen=True, eq=False)
class IndexReduction:
    """What was done to a model of high index. `demoted` are variables under der() that are no states;
    `pivot_guards` watch whether the states still determine them, by relations that come after the model's
    own; `jumps` are those of the variables that are no states."""

    differentiated: tuple[Differentiated, ...]
    demoted: tuple[Variable, ...]
    index: int
    pivot_guards: tuple[PivotGuard, ...] = ()
    jumps: tuple[Jump, ...] = ()


@dataclass(frozen=True, eq=False)
class Tangents:
    """How everything that the state derivatives need changes along a direction of the states.

    `seeds`: the direction, one leaf per state. `of`: the tangent of each unknown that varies with the states.
    `blocks`: what computes the tangents, in order, each with the block of the run it is the tangent of; the
    unknowns of the run are known in them.
    """

    seeds: tuple[Expr, ...]
    of: Mapping[Expr, Expr]
    blocks: tuple[tuple[Block, Block], ...]


@dataclass(frozen=True, eq=False)
class Elimination:
    """The order in which a sparse matrix is eliminated, and its fill: `below[p]` are the positions after
    `p` that the `p`-th pivot has entries in, row and column alike, ascending."""

    order: tuple[int, ...]
    below: tuple[tuple[int, ...], ...]

    @property
    def work(self) -> int:
        """Multiplications of one factorisation."""
        return sum(len(b) * (len(b) + 1) for b in self.below)


@dataclass(frozen=True, eq=False)
class Presumption:
    """A Boolean or Integer unknown in a loop that no order of evaluation resolves: an element whose equations
    depend on a mode that follows from its values. The blocks before the one of `variable` read `presumed` in
    its place, a hidden number with the value of the last pass; passes are repeated until both agree, as for
    the truth of a relation. Between events they are the same. `equation` determines the variable; `loop` are
    all unknowns that depend on each other there."""

    variable: Expr
    presumed: Expr
    equation: Equation
    loop: tuple[Expr, ...]


@dataclass(frozen=True, eq=False)
class Jacobian:
    """The matrix of the derivatives of the state derivatives by the states.

    `rows`: for each column the rows that may be other than zero, ascending. `colours`: for each column a
    number from 0 up; columns of one colour share no row. `tangents` is None where an equation has no symbolic
    derivative: then differences are taken. `elimination` is None where the matrix fills up too much; `sparse`
    says that it is quicker than dense linear algebra.
    """

    rows: tuple[tuple[int, ...], ...]
    colours: tuple[int, ...]
    tangents: Tangents | None
    elimination: Elimination | None
    sparse: bool

    @property
    def size(self) -> int:
        """Rows and columns."""
        return len(self.rows)

    @property
    def entries(self) -> int:
        """Entries that may be other than zero."""
        return sum(map(len, self.rows))

    @property
    def colour_count(self) -> int:
        """Directions in which all entries are found."""
        return max(self.colours, default=-1) + 1

    def verify(self) -> None:
        """Columns of one colour share no row; each state is eliminated once."""
        if self.colour_count < self.size:
            seen: set[tuple[int, int]] = set()
            for colour, rows in zip(self.colours, self.rows, strict=True):
                for row in rows:
                    assert (row, colour) not in seen, f"two columns of colour {colour} have row {row}"
                    seen.add((row, colour))
        if self.elimination is not None:
            assert sorted(self.elimination.order) == list(range(self.size)), "not an order of the states"


@dataclass(frozen=True, eq=False)
class Structure:
    """Everything sorted.

    `parameters`: dependent parameters, in order.
    `blocks`: all equations of the run, continuous and discrete sorted together. The unknowns of a block
    are either all continuous (der of states, algebraics) or all discrete; `pre` values, states, relation
    and clock symbols are known.
    `initial`: the system solved once at the start; its unknowns include states, parameters with
    fixed = false and discretes (there `pre(d)` of a discrete is known and holds its start value).
    `presumptions`: discrete unknowns that some blocks, of either system, read before they are computed.
    `echoes`: unknowns that stand for continuous ones in blocks of discrete unknowns; what each stands for is
    determined by a block after that, to the same value. Between events only the latter is computed.
    `variables`: representatives only, without aliases.
    `jacobian`: what the integrator needs to know of it; None for a model without states.
    `surfaces`: those on which the model is kept while this program runs. Their exits come after the model's
    own relations, and before the pivot guards.
    `mode`: what is taken for granted. `mode_exits`: combinations of values of mode guards for which there is
    another program, as far as they were known when this one was made. `open`: what it leaves open. `entry`:
    how it is entered; None where nothing constrains the states. `inert`: the model's own relations, by index,
    that ask for nothing but what has a memory: at an instant they are what they were, unless a state really
    jumps. `given`: those that follow from time alone, whatever the mode is. `local`: mode guards whose values
    the program itself follows, by the cases of its switched blocks.
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
    jacobian: Jacobian | None = None
    presumptions: tuple[Presumption, ...] = ()
    echoes: Mapping[Expr, Expr] = field(default_factory=dict)
    surfaces: tuple[Surface, ...] = ()
    mode: Mode = GENERAL
    mode_exits: tuple[Mode, ...] = ()
    open: Open | None = None
    entry: Entry | None = None
    inert: tuple[int, ...] = ()
    given: frozenset[int] = frozenset()
    local: frozenset[Expr] = frozenset()

    @cached_property
    def signature(self) -> Signature | None:
        """That of the system whose structure is found by numbers, if there is one."""
        found = (block.signature for block in self.blocks if isinstance(block, Leading))
        return next(found, None)

    @cached_property
    def known_states(self) -> tuple[Variable, ...]:
        """The states as users know them: what is inlined takes the place of what carries it from step to
        step."""
        inlining = self.model.inlining
        if inlining is None:
            return self.states
        of = {i.carrier: i.symbol for i in inlining.variables}
        variables = {v.symbol: v for v in self.algebraics}
        carried = {v.symbol for v in self.states}
        others = (variables[x] for carrier, x in of.items() if carrier not in carried)
        return (*(variables[of[v.symbol]] if v.symbol in of else v for v in self.states), *others)

    @cached_property
    def pivot_guards(self) -> tuple[PivotGuard, ...]:
        """The guards on the choice of states; their relations are the last ones of the model."""
        return self.reduction.pivot_guards if self.reduction is not None else ()

    @cached_property
    def relations(self) -> tuple[Relation, ...]:
        """The relations that the model itself has."""
        added = len(self.pivot_guards) + sum(len(s.exits) for s in self.surfaces)
        return self.model.relations[: len(self.model.relations) - added]

    def when(self, value: Callable[[Expr], float], zeros: frozenset[str] = frozenset()) -> Structure:
        """What a program that follows guards by itself amounts to while they have these values: as if there
        were a program for the mode. `zeros` are the names of parameters that are zero. For people, not to be
        run."""
        if not self.local:
            return self
        fixed = Mode.of({guard: value(guard) for guard in self.local} | dict(self.mode.fixed))
        known = self._known_when.get((fixed, zeros))
        if known is None:
            known = self._known_when[fixed, zeros] = self._in_mode(fixed, value, zeros)
        return known

    @cached_property
    def _known_when(self) -> dict[tuple[Mode, frozenset[str]], Structure]:
        return {}

    @cached_property
    def switched_by(self) -> dict[Symbol, tuple[Switched, ...]]:
        """The switched blocks whose case depends on a guard, by the symbol of the guard."""
        from saltus.expr.nodes import leaf_symbol
        from saltus.expr.traversal import leaves

        found: dict[Symbol, dict[Switched, None]] = {}
        for block in self.blocks:
            if isinstance(block, Switched):
                for case in block.cases:
                    for leaf in leaves(case.condition):
                        found.setdefault(leaf_symbol(leaf), {})[block] = None
        return {symbol: tuple(blocks) for symbol, blocks in found.items()}

    def given_up(
        self, value: Callable[[Expr], float], zeros: frozenset[str] = frozenset()
    ) -> frozenset[Symbol]:
        """The states that follow from others while guards have these values, where that is found by
        numbers."""
        signature = self.signature
        if signature is None:
            return frozenset()
        key = tuple(map(value, self._guards_of_signature)), zeros
        if key not in self._known_given_up:
            states = signature.given_up(self.present(value, zeros))
            self._known_given_up[key] = frozenset(signature.variables[k] for k in states)
        return self._known_given_up[key]

    def present(self, value: Callable[[Expr], float], zeros: frozenset[str]) -> list[bool]:
        """Which pairs of the signature are there while guards have these values. Other parameters than those
        that are `zeros` count as other than zero."""
        from saltus.expr.nodes import ZERO, const, leaf_symbol
        from saltus.expr.traversal import leaves, substitute

        signature = self.signature
        assert signature is not None
        if signature.spares:
            return [x != 0 for x in signature.summed(self._slopes_in(value, zeros))]
        known: dict[Expr, Expr] = {}
        for guard in self._guards_of_signature:
            number = value(guard)
            known[guard] = const(bool(number) if guard.type is Type.BOOLEAN else number)
        for pair in signature.pairs if zeros else ():
            known |= {x: ZERO for x in leaves(pair.slope) if x not in known and leaf_symbol(x).name in zeros}
        return [substitute(pair.slope, known) is not ZERO for pair in signature.pairs]

    def _open_in(self, value: Callable[[Expr], float], zeros: frozenset[str]) -> Open | None:
        """What is left open while guards have these values, where structure is found by numbers."""
        signature = self.signature
        assert signature is not None
        slopes = self._slopes_in(value, zeros)
        found = [signature.variables[k] for k in sorted(signature.open_columns(slopes))]
        return Open({symbol: symbol for symbol in found}, (), ()) if found else None

    def _slopes_in(self, value: Callable[[Expr], float], zeros: frozenset[str]) -> list[int]:
        """The coefficients of the signature while guards have these values, as residues. Parameters that are
        no `zeros` count as numbers without relation to each other."""
        from saltus.expr.evaluate import evaluate
        from saltus.expr.nodes import leaf_symbol

        signature = self.signature
        assert signature is not None
        local = frozenset(self._guards_of_signature)

        def number(leaf: Expr) -> float | bool:
            if leaf in local:
                return bool(value(leaf)) if leaf.type is Type.BOOLEAN else value(leaf)
            name = leaf_symbol(leaf).name
            return 0.0 if name in zeros else float(1 + crc32(name.encode()) % 2**20)

        return [residue(float(evaluate(pair.slope, number))) for pair in signature.pairs]

    @cached_property
    def _known_given_up(self) -> dict[tuple[tuple[float, ...], frozenset[str]], frozenset[Symbol]]:
        return {}

    @cached_property
    def _guards_of_signature(self) -> tuple[Expr, ...]:
        from saltus.expr.traversal import leaves

        pairs = self.signature.pairs if self.signature is not None else ()
        found = dict.fromkeys(x for p in pairs for x in leaves(p.slope))
        return tuple(x for x in found if x in self.local)

    def _in_mode(self, mode: Mode, value: Callable[[Expr], float], zeros: frozenset[str]) -> Structure:
        from saltus.expr.nodes import ref

        blocks: list[Block] = []
        given_up = self.given_up(value, zeros)
        signature, times = self.signature, 0
        if given_up and signature is not None:
            times = max(signature.offsets_with_excess(self.present(value, zeros)).c)
        left_open = self.open if signature is None else self._open_in(value, zeros)
        for block in self.blocks:
            if isinstance(block, Leading):
                blocks += self._fine_blocks(block, value, zeros)
                continue
            if not isinstance(block, Switched):
                blocks.append(block)
                continue
            case = block.case(value)
            if case is not None:
                blocks += case.blocks
                times = max(times, case.times)
        computed = {x for b in blocks for x in b.unknowns}
        computed.update(map(ref, given_up))
        states = tuple(v for v in self.states if ref(v.symbol) not in computed)
        demoted = tuple(v for v in self.states if v not in states)
        lasting = self.reduction
        reduction = IndexReduction((), demoted, times + 1) if times else lasting
        if lasting is not None and reduction is not None:
            index = max(lasting.index, reduction.index)
            reduction = replace(lasting, demoted=(*lasting.demoted, *demoted), index=index)
        return replace(
            self,
            mode=mode,
            local=frozenset(),
            blocks=tuple(blocks),
            states=states,
            algebraics=(*self.algebraics, *demoted),
            reduction=reduction,
            open=left_open,
        )

    def _fine_blocks(
        self, block: Leading, value: Callable[[Expr], float], zeros: frozenset[str]
    ) -> Iterator[Solving]:
        """What a system whose structure is found by numbers amounts to while guards have these values: which
        equations are solved together, for which rates and other variables."""
        from saltus.core.components import component_numbers
        from saltus.expr.nodes import ZERO

        signature, present = block.signature, self.present(value, zeros)
        offsets = signature.offsets_with_excess(present)
        row_of = {column: row for row, column in enumerate(offsets.column_of)}
        pairs = list(signature.leading(present, offsets))
        needs: list[list[int]] = [[] for _ in range(signature.size)]
        for pair in pairs:
            if pair.column in row_of:
                needs[pair.row].append(row_of[pair.column])
        found: dict[int, list[int]] = {}
        for row, component in enumerate(component_numbers(needs)):
            if offsets.column_of[row] >= 0:
                found.setdefault(component, []).append(row)
        unknowns = (*block.rates, *block.algebraics)
        for rows in found.values():
            own = tuple(unknowns[offsets.column_of[row]] for row in rows)
            equations = tuple(signature.equations[row] for row in rows)
            if len(rows) == 1:
                yield Explicit(own[0], ZERO, equations[0])
            else:
                places = {row: i for i, row in enumerate(rows)}
                columns = {offsets.column_of[row]: i for i, row in enumerate(rows)}
                matrix = tuple(
                    (places[p.row], columns[p.column], p.slope)
                    for p in pairs
                    if p.row in places and p.column in columns
                )
                yield Linear(own, equations, matrix, (ZERO,) * len(rows))

    def presumed_in(self, block: Block) -> tuple[Presumption, ...]:
        """The presumptions that a block relies on."""
        from saltus.expr.traversal import leaves

        if not self.presumptions:
            return ()
        read = {leaf for e in block_expressions(block) for leaf in leaves(e)}
        return tuple(p for p in self.presumptions if p.presumed in read)

    def verify(self) -> None:
        """Each unknown is determined exactly once, and before it is used."""
        from saltus.expr.nodes import der, ref
        from saltus.expr.traversal import leaves

        unknown = {ref(v.symbol) for v in (*self.algebraics, *self.discretes)}
        unknown |= {der(ref(v.symbol)) for v in self.states}
        unknown |= {x for block in self.blocks for x in block.unknowns if x in self.echoes}
        done: set[Expr] = set()
        by_case: set[Expr] = set()  # further blocks may have other cases of these
        for block in self.blocks:
            own = set(block.unknowns)
            assert all(x not in done or x in by_case for x in own), "an unknown is determined twice"
            for e in block_expressions(block):
                for leaf in leaves(e):
                    assert leaf not in unknown or leaf in done or leaf in own, f"{leaf} used too early"
            if isinstance(block, Switched | Leading):
                by_case |= own
                own &= unknown  # states follow from others in some cases
            done |= own
        assert done == unknown, f"not determined: {unknown - done}"
        for presumption in self.presumptions:
            assert presumption.presumed not in unknown, f"{presumption.presumed} is computed"
        if self.jacobian is not None:
            self.jacobian.verify()


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
