"""The imperative program: what the back ends print.

All numbers of a model live in one vector of doubles, the *memory*: Booleans are 0 and 1, Integers are
exact up to 2^53. A `Layout` says which leaf is where. A `Routine` works on the memory and returns 0, or a
positive status that names what failed. A `Function` is a user function: scalars and fixed-size arrays in,
scalars and arrays out; calls with other sizes are other functions.

Expressions inside statements are those of `saltus.expr`; a leaf is read from its slot, a REF to a local
symbol from that local; INDEX reads an element of a local array (indices from 1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import TypeAlias

from saltus.core.source import Span
from saltus.expr.evaluate import Value
from saltus.expr.nodes import Expr, Op, Symbol, Type
from saltus.ir.hybrid import Delay, Transport
from saltus.ir.parts import Parts
from saltus.ir.sorted.jacobian import Jacobian


@dataclass(frozen=True, slots=True)
class Store:
    """memory[slot] := value"""

    slot: int
    value: Expr


@dataclass(frozen=True, slots=True)
class Assign:
    """local := value, or local[indices] := value"""

    local: Symbol
    value: Expr
    indices: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Fill:
    """Every element of a local array := value"""

    local: Symbol
    value: Expr


@dataclass(frozen=True, slots=True)
class If:
    branches: tuple[tuple[Expr, tuple[Statement, ...]], ...]
    otherwise: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class For:
    """index := start, start + step, ... while not past stop (all Integer)"""

    index: Symbol
    start: Expr
    step: Expr
    stop: Expr
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class While:
    condition: Expr
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Each:
    """Does the body `count` times. Each of the `places` is a symbol, and another slot of the memory in each
    turn: a REF reads it, an assignment writes it. No turn reads what another one writes."""

    count: int
    places: tuple[tuple[Symbol, tuple[int, ...]], ...]
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Break:
    """Leaves the innermost loop."""


@dataclass(frozen=True, slots=True)
class Return:
    """Leaves a function (its outputs are what they are)."""


@dataclass(frozen=True, slots=True)
class CallFunction:
    """(targets...) := function(args): scalar locals get scalar outputs, array locals whole arrays. A target
    of None drops that output. An argument is a scalar expression, an ARRAY, or a REF to an array local."""

    targets: tuple[Symbol | None, ...]
    function: Function
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class SolveLinear:
    """right := matrix^-1 right, by LU with partial pivoting; the matrix (row-major, overwritten) and the
    right side are local arrays. When singular, the routine returns `status`; where that is a local, it is set
    to whether the matrix was singular."""

    matrix: Symbol
    right: Symbol
    status: int | Symbol


@dataclass(frozen=True, slots=True)
class Invoke:
    """Calls another routine of the program; a non-zero status is returned at once, `unless` this is true
    then."""

    routine: str
    unless: Expr | None = None


@dataclass(frozen=True, eq=False)
class FunctionFault:
    """An assertion of a user function: what a run says when it is violated. `detail` is what C code has said
    last, if it is C that reports an error."""

    function: str
    message: str
    span: Span
    detail: Callable[[], str] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Fail:
    """The routine (or, in a function, the routine that called it) returns `status`: a number, or that of a
    local."""

    status: int | Symbol
    fault: FunctionFault | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """Does the body. Where something in it fails (an assertion of a function, a subscript), the rest of it is
    left out, and the local `status` is what the routine would have returned; else it is 0."""

    body: tuple[Statement, ...]
    status: Symbol


#: Sections that make up a row of the result. They lie side by side in the memory.
ROW_SECTIONS = ("states", "derivatives", "algebraics", "discretes")

#: Status of `settle` and `settle_initial` when truths keep changing; blocks have statuses from 1 up.
SETTLE_FAILED = 1_000_000
#: Status when a user function indexes outside an array or calls itself without end.
FUNCTION_FAILED = 2_000_000
#: What an integrator's call-back leaves as the status when a derivative or residual is not finite.
NOT_FINITE = 3_000_000
#: Status when Integers become so large that doubles do not hold them exactly.
INTEGER_OVERFLOW = 4_000_000

Statement: TypeAlias = (
    Store
    | Assign
    | Fill
    | If
    | For
    | While
    | Each
    | Break
    | Return
    | CallFunction
    | SolveLinear
    | Invoke
    | Fail
    | Attempt
)


@dataclass(frozen=True, eq=False)
class Fortran:
    """A routine of LAPACK or BLAS, for native code: its name; whether each argument is a `char`, an `int` or
    a `double`; whether it has a Real as its value; characters by position, which are no inputs; and the
    results by position, None for the value."""

    name: str
    arguments: tuple[str, ...]
    has_value: bool
    texts: Mapping[int, str]
    results: tuple[int | None, ...]


@dataclass(frozen=True)
class Native:
    """A function `int f(const double *in, double *out)` that was loaded: its name, and where it is."""

    symbol: str
    address: int


@dataclass(frozen=True, eq=False)
class Provided:
    """An external function, by its C name. In Python it is provided by `call` (as `functions.external` says),
    in native code, if at all, by `emit.support.external`, or because it was `compiled`: then `said` returns
    the last message of the C code."""

    name: str
    call: Callable[..., Sequence[Value]]
    fortran: Fortran | None = None
    compiled: Native | None = None
    said: Callable[[], str] | None = None


@dataclass(frozen=True, eq=False)
class Function:
    """A user function for arguments of given shapes. Identity is the object.

    Inputs, outputs and locals are symbols with their shapes; the body starts with outputs and locals
    at 0 (or as the body itself initialises them). `derivatives` and `inverses` are those that the user wrote,
    the first that fits is taken. A derivative is linear in its last inputs: `linear_inputs` says in how many.
    One that the compiler made for itself is `internal`: its subscripts are right, and it is seldom called, so
    it is neither checked nor optimised. One that is `external` has no body."""

    name: str
    inputs: tuple[Symbol, ...]
    outputs: tuple[Symbol, ...]
    locals: tuple[Symbol, ...]
    body: tuple[Statement, ...]
    derivatives: tuple[Derivative, ...] = ()
    linear_inputs: int = 0
    internal: bool = False
    external: Provided | None = None
    inverses: tuple[Inverse, ...] = ()

    def __repr__(self) -> str:
        return f"Function({self.name})"

    def derivative_call(
        self, args: tuple[Expr, ...], slopes: tuple[Expr, ...]
    ) -> tuple[Function, tuple[Expr, ...]]:
        """The call that gives the derivatives of the Real outputs, in order, from the arguments and their
        derivatives. `expr.differentiate` calls this."""
        assert differentiation, "saltus.functions.tangent has not been imported"
        return differentiation[0](self, args, slopes)

    def inverse_call(
        self, args: tuple[Expr, ...], position: int, result: Expr
    ) -> tuple[Function, tuple[Expr, ...]] | None:
        """The call that gives the argument at a position from the others and the result; None if the user
        has written none. `expr.linear` calls this."""
        for inverse in self.inverses:
            if inverse.position == position:
                return inverse.function, tuple(result if p is None else args[p] for p in inverse.arguments)
        return None

    def real_position(self, position: int) -> int:
        """Where the derivative has a scalar of the flattened outputs: it has those of the Real ones only."""
        skipped, start = 0, 0
        for output in self.outputs:
            if start + prod(output.shape) > position:
                break
            start += prod(output.shape)
            skipped += 0 if output.type is Type.REAL else prod(output.shape)
        return position - skipped


@dataclass(frozen=True, eq=False)
class Derivative:
    """A derivative that the user wrote for a function (section 12.7.1 of the Modelica specification).

    `function` is called with the arguments of the original and, after them, the derivatives of those at
    `seeds`. It may be used where the arguments at `constant` do not vary, and where for each (i, j) in
    `chain` argument j is the derivative of argument i (so it is in a derivative of order two or more)."""

    function: Function
    seeds: tuple[int, ...]
    constant: tuple[int, ...] = ()
    chain: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, eq=False)
class Inverse:
    """An inverse that the user wrote for a function (section 12.7.3): what the argument at `position` is.
    `arguments` are those of the call, by their positions in a call of the original; None is its result."""

    position: int
    function: Function
    arguments: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class View:
    """An array that is a part of the memory, from a slot on."""

    symbol: Symbol
    slot: int


@dataclass(frozen=True, slots=True)
class Table:
    """An array of constants."""

    symbol: Symbol
    values: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Routine:
    """Works on the memory. `locals` are its scalar and array temporaries. One that is carried out `rare`ly
    is not worth the time of an optimiser; one that consists of `loops` always is, since its text does not
    grow with its work. Subscripts of views and tables are right: they are not checked."""

    name: str
    body: tuple[Statement, ...]
    locals: tuple[Symbol, ...] = ()
    rare: bool = False
    loops: bool = False
    views: tuple[View, ...] = ()
    tables: tuple[Table, ...] = ()

    @property
    def arrays(self) -> tuple[Symbol, ...]:
        """The array symbols of the views and the tables."""
        return (*(v.symbol for v in self.views), *(t.symbol for t in self.tables))

    @property
    def turns(self) -> int | None:
        """How many turns it has if it is a loop over equal parts, or over the entries of sections of the
        memory, and nothing else."""
        match self.body:
            case (Each(count),):
                return count
            case (For(),) if self.views:
                return self.views[0].symbol.shape[0]
            case _:
                return None


@dataclass(frozen=True, eq=False)
class Layout:
    """Where things are in the memory: slots by leaf, and contiguous sections.

    `time` is slot 0. Sections, each contiguous:

    parameters       constants and parameters
    overridden       1 where a value set from outside stands in place of the binding, one flag per entry of
                     `structure.parameters` (the run writes value and flag, `parameters` heeds the flag)
    states           derivatives      (same order: derivative i belongs to state i)
    algebraics       discretes
    pre_states       pre_discretes    (same orders)
    pre_algebraics   left limits of those algebraics that appear under pre(), in the order of the algebraics
                     (`slots` has their PRE leaves); the run copies the values there when an event starts
    relations        truth of each relation of the model, 0 or 1
    presumed         values that blocks read in place of discrete unknowns that are computed after them, in
                     the order of `structure.presumptions`; between events they are the values
    echoes           those of the structure
    signs            its three-valued memory: -1, 0 (inside the band, truth presumed) or 1
    residues         its residue when last computed
    bands            half width of its zero band (0 for time events, which are compared exactly)
    crossing_times   when a relation that is a time event crosses (+inf for the others, and if never)
    phases           arguments of what oscillates or has poles in what the residues depend on, when last
                     computed (`emit.layout.phases`)
    zero_since       when its residue came into the band (for relations that are no time events)
    clocks           1 during an event of that clock
    histories        addresses of the histories of delays, then of transports, as the bits of doubles
                     (`ir.history`)
    remembered       the delayed expressions when last computed, then those that transports remember
    new_states       what a jump assigns to each state
    jumped           1 where a jump is active
    checks           1 where an assertion is violated
    endings          1 where a terminate is active
    loop_values      what an implicit integrator offers for the algebraic unknowns of loops
    rates            what it offers for the derivatives of the states
    residuals        what is left of the equations with that
    flags            those of `ir.contract.Flag`
    homotopy         lambda, if the initial system has one; the run drives it (see
                     `analyse/trivial/homotopy.py`)
    counters         those of `ir.contract.Counter`
    scratch          for routines only
    circle           for settle: a number that stands for all truths and presumed values, an earlier one, and
                     the pass after which the next one is kept
    seeds            a direction of the states, for the tangents
    slopes           tangents of the derivatives (0 where they do not vary with the states)
    tangents         those of other unknowns
    scales           nominal values of the states (the run writes them), for differences
    computed         invariants: what depends on parameters only (none of those that the initial system
                     determines); and intermediate results of long computations
    """

    slots: Mapping[Expr, int]
    sections: Mapping[str, tuple[int, int]]
    size: int

    def section(self, name: str) -> slice:
        first, length = self.sections[name]
        return slice(first, first + length)


@dataclass(frozen=True, eq=False)
class Program:
    """Routines by name. Each returns 0, or the status of the block that failed (a key of `failures`).

    parameters    dependent parameters but those that are overridden, the bands of the relations (and that
                  those of the states have no crossing time), and the invariants: whatever depends on
                  parameters only
    initial       the initial system (relations and pre values known)
    derivatives   from time, states, discretes: everything the state derivatives need, and them
    outputs       all continuous unknowns (discretes known)
    evaluate      all blocks, continuous and discrete: one pass of an event
    relations     residues of all relations and the crossing times of time events, from memory as it is
    approach      at left limits, residues known, as an event begins: a residue that drifted into its band
                  gets sign 0, and one that rests there gets the truth of zero
    crossings     what the residues of state relations need, from time and states; then those residues and
                  the phases
    watch         the same, but where only the choice of states is watched and nothing is near its limit, from
                  memory as it is (only in such programs)
    settle        evaluate, relations, update truths and presumed values; again until none changes (states and
                  pre values stay: tentative passes leave no trace). Status SETTLE_FAILED when it does not end
    settle_initial the same with `initial` in place of `evaluate`; a residue inside its band counts as zero
    commit        jumps, then: pre values of discretes and jumped states take their new values, which are
                  counted if they changed; relations that speak of them are compared anew
    jumps         new_states and jumped of those that can jump, from memory as it is
    checks        checks and endings, from memory as it is
    remembered    the delayed expressions and those that transports remember, from time and states (only where
                  there are any)
    tangents      from seeds, and memory as `derivatives` leaves it: tangents and slopes (only where the model
                  has a symbolic Jacobian)

    and in a program of its own, for the same memory:
    residual      the residuals of the implicit form, from time, states, loop_values and rates
    """

    name: str
    layout: Layout
    routines: Mapping[str, Routine]
    functions: tuple[Function, ...]
    failures: Mapping[int, object] = field(default_factory=dict)  # status -> the block that failed
    state_relations: tuple[int, ...] = ()  # relations that are no time events, in the order of their roots
    components: tuple[int, ...] = ()  # of the implicit form: slots of the states, then of loop unknowns
    jacobian: Jacobian | None = None  # of the derivatives; None without states
    delays: tuple[Delay, ...] = ()  # of the model
    transports: tuple[Transport, ...] = ()
    steering: int = 0  # how many of the phases, the first ones, limit the integrator's steps
    opaque: bool = False  # whether residues depend on functions, in which there may be more of them
    parts: Parts | None = None  # what events keep apart, if there is more than one

    @property
    def remembers(self) -> bool:
        """Whether there are histories."""
        return bool(self.delays or self.transports)

    def verify(self) -> None:
        """Every leaf has a slot or is a local; every invoked routine exists."""
        for routine in self.routines.values():
            _verify(routine.body, {*routine.arrays, *routine.locals}, self.layout.slots, self.routines)
        for function in self.functions:
            names = {*function.inputs, *function.outputs, *function.locals}
            _verify(function.body, names, {}, {})


def _verify(
    body: tuple[Statement, ...],
    local: set[Symbol],
    slots: Mapping[Expr, int],
    routines: Mapping[str, Routine],
) -> None:
    from saltus.expr.traversal import leaves

    def check(*expressions: Expr) -> None:
        for e in expressions:
            for leaf in leaves(e):
                assert leaf in slots or (leaf.op is Op.REF and leaf.data in local), f"{leaf} has no place"

    for s in body:
        match s:
            case Store(_, value):
                check(value)
            case Assign(target, value, indices):
                assert target in local, target
                check(value, *indices)
            case Fill(target, value):
                assert target in local, target
                check(value)
            case If(branches, otherwise):
                for condition, inner in branches:
                    check(condition)
                    _verify(inner, local, slots, routines)
                _verify(otherwise, local, slots, routines)
            case For(index, start, step, stop, inner):
                check(start, step, stop)
                _verify(inner, local | {index}, slots, routines)
            case While(condition, inner):
                check(condition)
                _verify(inner, local, slots, routines)
            case Each(count, places, inner):
                assert all(len(own) == count for _, own in places), "a place has a slot in each turn"
                _verify(inner, local.union(symbol for symbol, _ in places), slots, routines)
            case Attempt(inner, status):
                assert status in local, status
                _verify(inner, local, slots, routines)
            case CallFunction(targets, function, args):
                assert len(targets) == len(function.outputs)
                check(*args)
            case SolveLinear(matrix, right, _):
                assert matrix in local and right in local
            case Invoke(name):
                assert name in routines, name
            case _:
                pass


#: What differentiates functions: `saltus.functions.tangent`, which needs this module, puts it here.
differentiation: list[
    Callable[[Function, tuple[Expr, ...], tuple[Expr, ...]], tuple[Function, tuple[Expr, ...]]]
] = []
