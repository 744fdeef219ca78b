"""One program for all modes of a large component: its structure is found by numbers, during the run.

Cases of a program (`saltus.analyse.modes.local`) are written out for every combination of the guards of a
component, so there must be few of them. A ladder of diodes or a gearbox is one component with all its guards.
But what changes with a guard is only which of the coefficients of its equations are zero. From these follow,
by integers, how often each equation is differentiated and for which derivative of each variable the equations
are solved, and by elimination the solution (`saltus.ir.signature`). Both are found in native code when a
coefficient has changed, and no mode costs any analysis or compilation.

What can be done in this way is linear in the unknowns, with coefficients that change at events only, in the
model as the general program has it: its own index is reduced already, so one differentiation is enough for
switches, clutches and friction, and two for stops and ropes. Blocks that are not linear stay as they are,
before the system or after it; where one is in the middle, or the system is too large, there is no such
program.

What a mode leaves open has values of least change, as in a program for the mode. A mode in which some
equation would have to be differentiated more often, or in which something with a memory depends on what is
open, makes the routine fail, and has a program of its own like any mode without this.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from zlib import crc32

from saltus.analyse.blocks.tangent import jacobian
from saltus.analyse.index.shared_work import Common
from saltus.analyse.modes.entry import LOCATED
from saltus.analyse.modes.spares import in_order, spared, with_spares
from saltus.analyse.modes.tails import tails_of
from saltus.analyse.order.sort import sorted_components
from saltus.expr.differentiate import NotDifferentiable, differentiate, total_derivative
from saltus.expr.helpers import Helper, derivative_name
from saltus.expr.nodes import (
    ONE,
    TIME,
    ZERO,
    Expr,
    Op,
    Symbol,
    Type,
    add,
    call,
    const,
    der,
    if_,
    leaf_symbol,
    mul,
    ref,
    relation,
)
from saltus.expr.show import show
from saltus.expr.traversal import leaves, substitute
from saltus.ir.flat import Equation, Variable
from saltus.ir.signature import MOST_TIMES, Pair, Signature
from saltus.ir.sorted.blocks import Block, Explicit, Leading, Leap, block_expressions
from saltus.ir.sorted.modes import Entry
from saltus.ir.structure import Structure

#: Equations of the system, at most: each of them is printed and compiled.
MOST_ROWS = 20000


class NotLinear(Exception):
    """There is no system for these guards."""


def by_numbers(
    general: Structure, local: frozenset[Expr], common: Common, *, spares: bool = False
) -> Structure:
    """A program that follows guards by itself, of which the general program has all as conditionals: these
    and all others that decide in the same way. With `spares` it has rows for constraints that equations have
    together (`saltus.analyse.modes.spares`). Raises `NotLinear` where there is none."""
    return _System(general, local, spares=spares).structure(common)


class _System:
    def __init__(self, general: Structure, local: frozenset[Expr], *, spares: bool) -> None:
        self._general, self._local, self._has_spares = general, local, spares
        if general.open or general.pivot_guards or general.presumptions or general.echoes:
            raise NotLinear
        if general.model.absent or general.surfaces:
            raise NotLinear
        self._variables = {v.symbol: v for v in (*general.states, *general.algebraics)}
        self._parameters = {ref(v.symbol) for v in (*general.model.constants, *general.model.parameters)}
        discrete = {ref(v.symbol) for v in general.discretes}
        self._continuous = [b for b in general.blocks if discrete.isdisjoint(b.unknowns)]
        self._unknowns = {x for b in self._continuous for x in b.unknowns}
        self._slopes: dict[Equation, dict[Expr, Expr]] = {}
        #: Variables that are known before the system is solved, with what they are; some values and rates.
        self._heads: dict[Expr, Expr] = {}
        self._sources: dict[Expr, tuple[Expr, Expr]] = {}
        self._divide()

    # ------------------------------------------------------------ what belongs to it

    def _varies(self, e: Expr) -> bool:
        """Whether an expression changes between events."""
        return any(
            leaf is TIME or (leaf.op in (Op.REF, Op.DER) and leaf_symbol(leaf) in self._variables)
            for leaf in leaves(e)
        )

    def _is_linear(self, q: Equation) -> bool:
        """Whether an equation is linear in its unknowns; then their coefficients are kept."""
        residual = q.residual
        found: dict[Expr, Expr] = {}
        for leaf in leaves(residual):
            if leaf in self._unknowns:
                try:
                    slope = differentiate(residual, leaf)
                except NotDifferentiable:
                    return False
                if self._varies(slope):
                    return False
                found[leaf] = slope
        self._slopes[q] = found
        return True

    def _is_head(self, block: Block) -> bool:
        """Whether an equation says in every mode what a variable is, from time and parameters alone, as those
        of sources do: that comes before the system, and does not join what reads it."""
        if not isinstance(block, Explicit) or block.unknown.op is not Op.REF:
            return False
        q = block.equation
        left = {leaf for leaf in leaves(q.residual) if leaf is not block.unknown and leaf not in self._heads}
        if any(self._varies(leaf) and leaf is not TIME for leaf in left):
            return False
        try:
            slope = differentiate(q.residual, block.unknown)
        except NotDifferentiable:
            return False
        if slope.op is not Op.CONST or slope.data == 0:
            return False
        source = self._source(block)
        if source is None:
            return False
        self._heads[block.unknown] = substitute(block.value, self._heads)
        self._sources[block.unknown] = source
        return True

    def _source(self, block: Explicit) -> tuple[Expr, Expr] | None:
        """Some value and some rate for what is known beforehand; zero where they are so for the whole run.
        What follows from others has what these have; None where it follows from others and from time."""
        own, e = [x for x in leaves(block.value) if x in self._sources], block.value
        if own:
            if TIME in leaves(e):
                return None
            try:
                slopes = [differentiate(e, x) for x in own]
            except NotDifferentiable:
                return None
            rates = (mul(slope, self._sources[x][1]) for x, slope in zip(own, slopes, strict=True))
            values = {x: self._sources[x][0] for x in own}
            return substitute(e, values), substitute(add(*rates), values)
        value, rate = (_some(block.unknown, word) for word in ("value", "rate"))
        if TIME in leaves(e):
            return value, rate
        is_something = relation(Op.NE, e, ZERO)
        return (ZERO if e.op is Op.CONST and e.data == 0 else if_(is_something, value, ZERO)), ZERO

    def _divide(self) -> None:
        """Which blocks are solved as one system, which come before it and which after."""
        blocks = self._continuous
        linear = [self._is_head(b) or all(map(self._is_linear, b.equations)) for b in blocks]
        home = {x: k for k, b in enumerate(blocks) for x in b.unknowns}
        used = [
            {home[x] for q in b.equations for x in leaves(q.residual) if x in home} - {k}
            for k, b in enumerate(blocks)
        ]
        # In the order of the general program, whatever comes before a block has been looked at.
        depends = [False] * len(blocks)  # on what is linear
        after = [False] * len(blocks)
        heads = [not self._heads.keys().isdisjoint(b.unknowns) for b in blocks]
        for k in range(len(blocks)):
            depends[k] = (linear[k] and not heads[k]) or any(depends[j] for j in used[k])
            after[k] = (not linear[k] and depends[k]) or any(after[j] for j in used[k])
        self._inside = [b for k, b in enumerate(blocks) if linear[k] and not (after[k] or heads[k])]
        self._after = [b for k, b in enumerate(blocks) if after[k]]
        self._equations = [q for b in self._inside for q in b.equations]
        if not self._equations or len(self._equations) > MOST_ROWS:
            raise NotLinear
        if any(x in self._local for b in self._after for q in b.equations for x in leaves(q.residual)):
            raise NotLinear
        own = [x for b in self._inside for x in b.unknowns]
        self._states = [leaf_symbol(x) for x in own if x.op is Op.DER]
        self._algebraics = [leaf_symbol(x) for x in own if x.op is Op.REF]
        if any(x.op not in (Op.DER, Op.REF) for x in own):
            raise NotLinear

    # ------------------------------------------------------------ the system

    @cached_property
    def _symbols(self) -> tuple[Symbol, ...]:
        return (*self._states, *self._algebraics)

    def _terms(self, q: Equation) -> tuple[dict[tuple[Symbol, int], Expr], Expr, bool]:
        """The coefficients of an equation by variable and order, what is left of it, and whether that can be
        differentiated."""
        found: dict[tuple[Symbol, int], Expr] = {}
        zero: dict[Expr, Expr] = {}
        states, own, residual = set(self._states), set(self._symbols), q.residual
        for leaf, slope in self._slopes[q].items():
            if leaf_symbol(leaf) in own:
                found[leaf_symbol(leaf), int(leaf.op is Op.DER)] = slope
                zero[leaf] = ZERO
        for leaf in leaves(residual):
            symbol = leaf_symbol(leaf) if leaf.op is Op.REF else None
            if symbol in states:
                try:
                    slope = differentiate(residual, leaf)
                except NotDifferentiable:
                    continue
                if not self._varies(slope):
                    found[symbol, 0] = slope
                    zero[leaf] = ZERO
        rest = substitute(substitute(residual, zero), self._heads)
        symbols = (leaf_symbol(leaf) for leaf in leaves(rest) if leaf.op in (Op.REF, Op.DER))
        return found, rest, self._variables.keys().isdisjoint(symbols)

    def _driven(self, q: Equation) -> tuple[Expr, tuple[Expr, Expr]]:
        """Whether what is left of an equation is anything in a mode, besides what comes from sources that are
        known beforehand; and what these bring into it with some values, and with some rates. Equations have
        the same source in common, and say the same of it."""
        unknowns = {leaf: ZERO for leaf in self._slopes[q] if leaf not in self._sources}
        left = substitute(q.residual, unknowns | {ref(s): ZERO for s in self._states})
        own = [x for x in leaves(left) if x in self._sources]
        shares = [self._slopes[q].get(x, x) for x in own]
        if any(self._varies(slope) for slope in shares):
            return self._drive(substitute(left, self._heads)), (ZERO, ZERO)
        known = [self._sources[x] for x in own]
        value = add(*(mul(slope, x) for slope, (x, _) in zip(shares, known, strict=True)), ZERO)
        rate = add(*(mul(slope, x) for slope, (_, x) in zip(shares, known, strict=True)), ZERO)
        return self._drive(substitute(left, dict.fromkeys(own, ZERO))), (value, rate)

    def _drive(self, e: Expr) -> Expr:
        """Whether an expression is anything in a mode, as a number; zero by chance is not nothing, but a
        parameter that is zero is."""
        if e.op is Op.CONST:
            return ZERO if e.data == 0 else ONE  # a whole zero, too
        if self._parameters.issuperset(leaves(e)):
            return if_(relation(Op.NE, e, ZERO), ONE, ZERO) if e.type is not Type.BOOLEAN else ONE
        if e.op is Op.IF:
            condition, *branches = e.args
            own = [self._drive(branch) for branch in branches]
            decided = self._local.issuperset(leaves(condition))
            return if_(condition, *own) if decided else call("max", *own)
        if e.op in (Op.MUL, Op.NEG):
            return mul(*map(self._drive, e.args))
        if e.op is Op.ADD:
            found = list(dict.fromkeys(map(self._drive, e.args)))
            most = found[0]
            for other in found[1:]:
                most = call("max", most, other)
            return most
        return ONE

    def _deciding(self, q: Equation, terms: Mapping[tuple[Symbol, int], Expr]) -> frozenset[Expr]:
        """Guards in the coefficients of an equation's unknowns. The program follows them whether a run has
        come upon them or not: of equal converters all are alike, though but one of them has failed."""
        algebraics = set(self._algebraics)
        own = (slope for (symbol, order), slope in terms.items() if order or symbol in algebraics)
        return frozenset(x for slope in own for x in leaves(slope) if x in self._followed)

    @cached_property
    def _followed(self) -> frozenset[Expr]:
        """The truths that decide in this system alone."""
        inside = set(self._inside)
        others = {
            x for b in self._continuous if b not in inside for e in block_expressions(b) for x in leaves(e)
        }
        guards = self._general.model.mode_guards()
        return frozenset(x for x in guards if x.type is Type.BOOLEAN and x not in others)

    def _remembered(self) -> Iterable[Symbol]:
        """Variables that something with a memory depends on: discrete numbers, jumps, delays, and states that
        are computed after the system."""
        general, model = self._general, self._general.model
        continuous = set(self._continuous)
        reads: list[Expr] = [j.value for j in model.jumps]
        reads += [e for delay in model.delays for e in (delay.input, delay.time)]
        reads += [e for transport in model.transports for e in transport.remembered]
        for b in general.blocks:
            of_numbers = b not in continuous and any(x.type is not Type.BOOLEAN for x in b.unknowns)
            if of_numbers or (b in self._after and any(x.op is Op.DER for x in b.unknowns)):
                reads += block_expressions(b)
        home = {x: b for b in self._after for x in b.unknowns}
        found = dict.fromkeys(leaf for e in reads for leaf in leaves(e))
        way = list(found)
        for leaf in way:
            if leaf in home:
                new = dict.fromkeys(x for e in block_expressions(home[leaf]) for x in leaves(e))
                way += [x for x in new if x not in found]
                found |= new
        return [leaf_symbol(leaf) for leaf in found if leaf.op in (Op.REF, Op.DER)]

    def structure(self, common: Common) -> Structure:
        general = self._general
        places = {symbol: k for k, symbol in enumerate(self._symbols)}
        pairs: list[Pair] = []
        rest: list[Expr] = []
        driven: list[Expr] = []
        sourced: list[tuple[Expr, Expr]] = []
        drifts: list[Expr] = []
        bends: list[Expr] = []
        lasting: set[int] = set()
        once: set[int] = set()
        memo: dict[Expr, Expr] = {}
        for row, q in enumerate(self._equations):
            terms, left, changes = self._terms(q)
            pairs += [Pair(row, places[s], order, slope) for (s, order), slope in terms.items()]
            rest.append(left)
            drive, sources = self._driven(q)
            driven.append(drive)
            sourced.append(sources)
            self._local |= self._deciding(q, terms)
            known = _drifts(left, memo) if changes else []
            drifts.append(known[0] if known else ZERO)
            bends.append(known[1] if len(known) > 1 else ZERO)
            if len(known) < MOST_TIMES:
                (once if known else lasting).add(row)
        tails = tails_of(pairs, len(self._equations), len(self._states))
        remembered = {places[s] for s in self._remembered() if s in places}
        for row, column in reversed(tails):
            if column in remembered:
                remembered.update(pair.column for pair in pairs if pair.row == row)
        signature = Signature(
            tuple(self._equations),
            self._symbols,
            len(self._states),
            tuple(pairs),
            frozenset(lasting),
            tuple(self._variables[s].nominal or ONE for s in self._symbols),
            frozenset(remembered),
            tuple(driven),
            frozenset(once),
            tuple(tails),
            tuple(sourced),
        )
        order = [*(row for part in signature.parts for row in part.rows), *(row for row, _ in tails)]
        if any(len(rows) != len(columns) for rows, columns in signature.parts):
            raise NotLinear
        signature = in_order(signature, order)
        rest, drifts, bends = ([own[row] for row in order] for own in (rest, drifts, bends))
        further: list[Variable] = []
        if self._has_spares:
            signature, further = with_spares(signature)
            if not further:
                raise NotLinear
            rest, drifts, bends = (spared(signature, own) for own in (rest, drifts, bends))
            self._equations = list(signature.equations)
            self._algebraics += [v.symbol for v in further]
            self.__dict__.pop("_symbols", None)
        signature.verify()
        system = Leading(
            signature,
            values=tuple(map(ref, self._states)),
            rates=tuple(der(ref(s)) for s in self._states),
            algebraics=tuple(map(ref, self._algebraics)),
            rest=tuple(rest),
            drifts=tuple(drifts),
            bends=tuple(bends),
        )
        blocks = self._sorted(system)
        algebraics = (*general.algebraics, *further)
        found = replace(
            general,
            model=replace(general.model, algebraics=algebraics) if further else general.model,
            algebraics=algebraics,
            blocks=blocks,
            initial=(),
            jacobian=jacobian(general.states, general.discretes, blocks, common),
            mode_exits=(),
            entry=self._entry(signature, rest, drifts),
            local=self._local,
        )
        found.verify()
        return found

    def _sorted(self, system: Leading) -> tuple[Block, ...]:
        """The blocks of the general program in an order in which the system is one of them."""
        inside = set(self._inside)
        blocks: list[Block] = [*(b for b in self._general.blocks if b not in inside), system]
        home = {x: k for k, b in enumerate(blocks) for x in b.unknowns}
        needs = [
            sorted({home[x] for e in block_expressions(b) for x in leaves(e) if x in home} - {k})
            for k, b in enumerate(blocks)
        ]
        order = sorted_components(needs)
        if any(len(members) > 1 for members in order):
            raise NotLinear
        return tuple(blocks[k] for (k,) in order)

    # ------------------------------------------------------------ how modes are entered

    def _entry(self, signature: Signature, rest: Sequence[Expr], drifts: Sequence[Expr]) -> Entry:
        states = set(self._states)
        names = {s: derivative_name(s.name) if s in states else s.name for s in self._symbols}
        lefts = {s: Symbol(Helper.LEFT.around(s.name), helper=Helper.LEFT) for s in self._symbols}
        leaps = {s: Symbol(Helper.JUMP.around(names[s]), helper=Helper.JUMP) for s in self._symbols}
        rates = {
            s: Symbol(Helper.LEFT.around(derivative_name(s.name)), helper=Helper.LEFT) for s in self._states
        }
        afters = {s: Symbol(Helper.AFTER.around(s.name), helper=Helper.AFTER) for s in self._states}
        exact = Symbol(Helper.EXACT.value, helper=Helper.EXACT)
        off, size, displaced, reach = (
            ref(Symbol(f"{Helper.EXACT.value}.{word}", helper=Helper.EXACT))
            for word in ("off", "size", "displaced", "reach")
        )
        leap = Leap(
            signature,
            leaps=tuple(ref(leaps[s]) for s in self._symbols),
            books=(off, size),
            lower=(displaced, reach),
            lefts=tuple(ref(lefts[s]) for s in self._symbols),
            left_rates=tuple(map(ref, rates.values())),
            exact=ref(exact),
            located=LOCATED,
            rest=tuple(rest),
            drifts=tuple(drifts),
        )
        some = self._equations[0]
        after = [Explicit(ref(afters[s]), add(ref(lefts[s]), ref(leaps[s])), some) for s in self._states]
        return Entry(
            lefts={lefts[s]: ref(s) for s in self._symbols} | {r: der(ref(s)) for s, r in rates.items()},
            exact=exact,
            blocks=(leap, *after),
            afters=afters,
            impulses={s: leaps[s] for s in self._algebraics if s.derivative_of is None},
            decides=self._decides(leaps),
            lower=((some, displaced, reach),) if max(signature.most_times) > 1 else (),
            nonlinear=tuple(self._bent()),
            books=((some, off, size),),
        )

    def _decides(self, leaps: Mapping[Symbol, Symbol]) -> dict[int, Expr]:
        """The integrals of residues over the instant."""
        own = {der(ref(s)): s for s in self._states} | {ref(s): s for s in self._algebraics}
        found: dict[int, Expr] = {}
        for k, r in enumerate(self._general.model.relations):
            terms: list[Expr] = []
            for leaf in leaves(r.residue):
                if leaf in own:
                    try:
                        terms.append(mul(differentiate(r.residue, leaf), ref(leaps[own[leaf]])))
                    except NotDifferentiable:
                        raise NotLinear from None
            if terms:
                found[k] = add(*terms)
        return found

    def _bent(self) -> Iterable[tuple[Equation, Symbol]]:
        """Equations after the system with a variable of it that may have an impulse: what they make of that
        is told by a program of the mode, which knows what jumps in them."""
        own = {s for s in self._algebraics if s.derivative_of is None}
        for block in self._after:
            for q in block.equations:
                for leaf in leaves(q.residual):
                    if leaf.op is Op.REF and leaf_symbol(leaf) in own:
                        yield q, leaf_symbol(leaf)


def _drifts(e: Expr, memo: dict[Expr, Expr]) -> list[Expr]:
    """How what depends on time alone changes, how that changes, as often as anybody asks and it is known."""
    found: list[Expr] = []
    with suppress(NotDifferentiable):
        for _ in range(MOST_TIMES):
            e = total_derivative(e, lambda leaf: ONE if leaf is TIME else ZERO, memo)
            found.append(e)
    return found


def _some(leaf: Expr, what: str) -> Expr:
    """A number between a half and three halves without relation to those of others."""
    return const(0.5 + crc32(f"{what} of {show(leaf)}".encode()) / 2**32)
