"""Sorted blocks: which equation is solved for which unknown, in which order.

Unknowns are leaves (`REF` of a variable or `DER` of a state). Aliases have been eliminated: equations
speak of their representatives only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from zlib import crc32

from saltus.core.diagnostics import Diagnostic
from saltus.core.nullspace import residue
from saltus.expr.nodes import Expr, Symbol, Type, ref
from saltus.expr.traversal import leaves
from saltus.ir.flat import Equation, Variable
from saltus.ir.hybrid import HybridModel, Jump, Relation
from saltus.ir.signature import Signature
from saltus.ir.sorted.blocks import Block, Explicit, Leading, Linear, Solving, Switched, block_expressions
from saltus.ir.sorted.jacobian import Jacobian
from saltus.ir.sorted.modes import GENERAL, Entry, Mode, Open
from saltus.ir.sorted.surfaces import Surface


@dataclass(frozen=True, eq=False)
class Alias:
    """`symbol = target` or `symbol = -target`."""

    symbol: Symbol
    target: Symbol
    negated: bool


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
    `pivot_guards` watch whether the states still determine them, by relations that come after the model's
    own; `jumps` are those of the variables that are no states."""

    differentiated: tuple[Differentiated, ...]
    demoted: tuple[Variable, ...]
    index: int
    pivot_guards: tuple[PivotGuard, ...] = ()
    jumps: tuple[Jump, ...] = ()


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
        """The signature of the system whose structure is found numerically, if there is one."""
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
        from saltus.expr.traversal import substitute

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

        pairs = self.signature.pairs if self.signature is not None else ()
        found = dict.fromkeys(x for p in pairs for x in leaves(p.slope))
        return tuple(x for x in found if x in self.local)

    def _in_mode(self, mode: Mode, value: Callable[[Expr], float], zeros: frozenset[str]) -> Structure:

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

        if not self.presumptions:
            return ()
        read = {leaf for e in block_expressions(block) for leaf in leaves(e)}
        return tuple(p for p in self.presumptions if p.presumed in read)

    def verify(self) -> None:
        """Each unknown is determined exactly once, and before it is used."""
        from saltus.expr.nodes import der
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
