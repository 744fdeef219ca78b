"""How a mode is entered: one matrix gives what jumps and which impulses make it jump.

Let J be the matrix with which a mode computes its top variables v^(d_v), from the equations e differentiated
c_e times (`offsets`). For each variable let q_v be the jump of v^(d_v - 1), or, if d_v = 0, the weight of its
impulse: the integral over the instant. Integrated over the instant, finite terms vanish; and what constrains
states must hold at its end. So

    c_e = 0:   sum over v of J_ev q_v = 0                                  (what is conserved)
    c_e > 0:   e^(c_e - 1) = 0  at  v^(d_v - 1) = left limit + q_v         (what the mode demands)

The system has the structure of J, so it is sorted and solved like any other. Most of it says 0 = 0: only what
comes after an equation with c_e > 0 in the order of the blocks can be other than zero, and the rest is left
out. This system is the *entry* of the mode; one without constraints has none.

What J_ev depends on may jump as well (a power is a torque times a speed). All impulses of an instant do their
work together, so everything goes from its left to its right limit in proportion, and J_ev is taken on the
average of the way. An equation that is not linear in an impulse is refused if the impulse is there, unless it
only tells something that nothing depends on.

A violation of a constraint that is no larger than the errors with which events are located makes no impulse:
it is tolerated at first, so that impulses decide about the mode only where there are some, and corrected at
the end. The unknowns are the jumps, not the values after the instant: where nothing is demanded they are
zero, and not what rounding leaves of a difference.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Set
from functools import cached_property, reduce

from saltus.analyse.blocks.blocks import BlockMaker
from saltus.analyse.index.derivatives import Level
from saltus.analyse.index.reduction import Choice, Reduction
from saltus.analyse.order.matching import maximum_matching
from saltus.analyse.order.sort import sorted_components
from saltus.analyse.order.system import System
from saltus.analyse.trivial.homotopy import actual
from saltus.analyse.trivial.late_inlining import inlined
from saltus.expr.differentiate import NotDifferentiable, differentiate
from saltus.expr.helpers import Helper
from saltus.expr.linear import solve
from saltus.expr.nodes import (
    ONE,
    ZERO,
    Expr,
    Op,
    Symbol,
    add,
    call,
    const,
    div,
    if_,
    mul,
    neg,
    ref,
    relation,
    sub,
)
from saltus.expr.traversal import leaves, substitute
from saltus.ir.flat import Equation
from saltus.ir.native.contract import BAND
from saltus.ir.sorted.blocks import Block, Explicit, Linear
from saltus.ir.sorted.modes import ROUNDED, Entry

#: A violation of a constraint this small, relative to the sizes of its terms, is an error of event location:
#: ten times the zero band of a relation.
LOCATED = 10 * BAND

#: Of loops with more unknowns it is not known how large the terms are that cancel in them; and how often one
#: goes through a loop for that.
MOST_IN_LOOP, TURNS = 12, 2


def entry_of(reduction: Reduction, choice: Choice, maker: BlockMaker) -> Entry:
    """The entry into a mode with these states."""
    return _Maker(reduction, choice).made(maker)


class _Maker:
    def __init__(self, reduction: Reduction, choice: Choice) -> None:
        self.reduction = reduction
        self.choice = choice
        self.final = reduction.final(choice)
        self.lefts: dict[Expr, Symbol] = {}  # by the leaf of the level
        self.exact = Symbol(Helper.EXACT.value, helper=Helper.EXACT)
        self.jumps: dict[int, Symbol] = {}  # or impulses, by variable
        self.written_out: dict[Expr, Expr] = {}

    # ------------------------------------------------------------ structure

    @cached_property
    def residuals(self) -> list[Expr]:
        """The equations, differentiated as often as they are."""
        return [self.residual(group[-1]) for group in self.reduction.derivatives]

    def residual(self, q: Equation) -> Expr:
        """The residual of an equation as a run computes it. A call of a function would hide that it is linear
        in some of its arguments, and make one large nonlinear loop of what is a linear system."""
        return inlined(actual(q.residual), self.written_out)

    def top(self, leaf: Expr) -> int | None:
        """The variable whose top derivative a leaf is."""
        level = self.reduction.levels.level_of.get(leaf)
        is_top = level is not None and level.order == self.reduction.d[level.variable]
        return level.variable if level is not None and is_top else None

    @cached_property
    def uses(self) -> list[list[int]]:
        """The variables whose top derivatives are in each row."""
        return [[i for leaf in leaves(e) if (i := self.top(leaf)) is not None] for e in self.residuals]

    @cached_property
    def matched(self) -> list[int]:
        """The variable that each row determines."""
        found = maximum_matching(self.uses, len(self.reduction.variables))
        assert min(found, default=0) >= 0, "offsets are those of a perfect matching"
        return list(found)

    @cached_property
    def components(self) -> list[list[int]]:
        """Rows that are solved together, each after those whose variables it uses."""
        row_of = {column: row for row, column in enumerate(self.matched)}
        return [list(m) for m in sorted_components([[row_of[i] for i in used] for used in self.uses])]

    @cached_property
    def active(self) -> tuple[list[int], list[int]]:
        """The rows that may be other than 0 = 0, and their variables."""
        c, uses = self.reduction.c, self.uses
        rows: list[int] = []
        moving: set[int] = set()
        for members in self.components:
            if any(c[row] for row in members) or any(i in moving for row in members for i in uses[row]):
                rows += members
                moving.update(self.matched[row] for row in members)
        return rows, sorted(moving)

    @cached_property
    def jumping(self) -> dict[Expr, int]:
        """What jumps, each with its variable."""
        d = self.reduction.d
        return {self.below(i): i for i in self.active[1] if d[i]}

    @cached_property
    def shifting(self) -> dict[Expr, Expr | None]:
        """What has other values after the instant without being infinite in it, each with the expression that
        gives it; None where it follows from a loop."""
        moving, found = set(self.active[1]), dict[Expr, Expr | None]()
        for members in self.components:
            if any(self.matched[row] in moving for row in members):
                continue
            if not any(
                x in self.jumping or x in found for row in members for x in leaves(self.residuals[row])
            ):
                continue
            for row in members:
                i = self.matched[row]
                leaf = self.reduction.levels.leaf(Level(i, self.reduction.d[i]))
                solution = solve(self.residuals[row], ZERO, leaf) if len(members) == 1 else None
                found[leaf] = None if solution is None else solution.value
        return found

    # ------------------------------------------------------------ expressions

    def left(self, level: Level) -> Expr:
        """The left limit of a derivative of a variable."""
        leaf = self.reduction.levels.leaf(level)
        if leaf not in self.lefts:
            self.lefts[leaf] = _around(Helper.LEFT, leaf.data.name)
        return ref(self.lefts[leaf])

    def at_left(self, e: Expr, put: Mapping[Expr, Expr] | None = None) -> Expr:
        """An expression with left limits, but for what is `put` in the place of a leaf."""
        levels = self.reduction.levels.level_of
        found = {leaf: self.left(levels[leaf]) for leaf in leaves(e) if leaf in levels}
        return substitute(e, found | dict(put or {}))

    def jump(self, i: int) -> Expr:
        """What integration over the instant gives for the top derivative of a variable: its jump where it is
        the derivative of something, and else the weight of its impulse."""
        if i not in self.jumps:
            order = self.reduction.d[i] - 1
            if order >= 0:
                self.jumps[i] = _around(Helper.JUMP, self.below(i).data.name)
            else:
                self.jumps[i] = _around(Helper.IMPULSE, self.name(i))
        return ref(self.jumps[i])

    def below(self, i: int) -> Expr:
        """What jumps if the top derivative of a variable has an impulse."""
        return self.reduction.levels.leaf(Level(i, self.reduction.d[i] - 1))

    def name(self, i: int) -> str:
        return self.reduction.variables[i].name

    def mean(self, slope: Expr) -> Expr | None:
        """A factor of an impulse, on the average over the instant: while the impulse does its work, what
        jumps goes from one limit to the other in proportion (Simpson's rule, exact for cubic factors). None
        where that is not known."""
        levels = self.reduction.levels.level_of
        varying = [leaf for leaf in leaves(slope) if leaf in levels]
        if not any(leaf in self.jumping or leaf in self.shifting for leaf in varying):
            return self.at_left(slope)
        values = [self.on_the_way(slope, part) for part in (0.0, 0.5, 1.0)]
        if None in values:
            return None
        first, middle, last = (v for v in values if v is not None)
        return div(add(first, mul(const(4.0), middle), last), const(6.0))

    def on_the_way(self, e: Expr, part: float) -> Expr | None:
        """An expression after a part of the instant."""
        put: dict[Expr, Expr] = {}
        for leaf in leaves(e):
            if leaf in self.jumping:
                put[leaf] = add(self.at_left(leaf), mul(const(part), self.jump(self.jumping[leaf])))
            elif leaf in self.shifting:
                definition = self.shifting[leaf]
                value = None if definition is None else self.on_the_way(definition, part)
                if value is None:
                    return None
                put[leaf] = value
        return self.at_left(e, put)

    def slopes(self, e: Expr, moving: set[int]) -> dict[int, Expr]:
        """The derivatives by the top derivatives of variables that may move."""
        found: dict[int, Expr] = {}
        for leaf in leaves(e):
            i = self.top(leaf)
            if i is not None and i in moving:
                try:
                    found[i] = self.reduction.levels.slope(e, leaf)
                except NotDifferentiable:
                    found[i] = leaf  # not constant in the leaf: refused if it has an impulse
        return found

    def size(self, e: Expr) -> Expr:
        """How large the terms of a constraint are at the left limits."""
        found: list[Expr] = []
        for leaf in leaves(e):
            level = self.reduction.levels.level_of.get(leaf)
            if level is not None:
                slope = self.at_left(self.reduction.levels.slope(e, leaf))
                found.append(mul(call("abs", slope), self.extent(level)))
        return add(*found, ZERO)

    def extent(self, level: Level) -> Expr:
        """How large a variable or a derivative of it is at the left limits."""
        nominal = self.reduction.nominal(level.variable, level.order)
        return add(call("abs", self.left(level)), call("abs", nominal or ONE))

    def reach(self, i: int) -> Expr:
        """How large what jumps is. A jump is the difference of two such numbers, and has their rounding."""
        return self.extent(Level(i, self.reduction.d[i] - 1))

    # ------------------------------------------------------------ the system

    def bent(self, slopes: Mapping[int, Expr]) -> list[int]:
        """The variables that must have no impulse in an equation: it is not linear in them, or it is not
        known what they are multiplied with."""
        inside = {i for e in slopes.values() for leaf in leaves(e) if (i := self.top(leaf)) is not None}
        unknown = {i for i, e in slopes.items() if self.mean(e) is None}
        return [i for i in sorted((inside & set(slopes)) | unknown) if not self.reduction.d[i]]

    @cached_property
    def needed(self) -> tuple[list[int], list[int]]:
        """The active rows and their variables, without pure outputs: a power or a square that nothing depends
        on is no reason to refuse an impulse, and has none."""
        rows, variables = self.active
        users: dict[int, set[int]] = {i: set() for i in variables}
        for row in rows:
            for i in self.uses[row]:
                if i in users and i != self.matched[row]:
                    users[i].add(row)
        row_of = {self.matched[row]: row for row in rows}
        ends = [i for i in variables if not users[i] and not self.reduction.d[i]]
        told: list[int] = []
        while ends:
            told.append(end := ends.pop())
            for i in {i for i in self.uses[row_of[end]] if i in users and i != end}:
                users[i].remove(row_of[end])
                if not users[i] and not self.reduction.d[i]:
                    ends.append(i)
        dropped: set[int] = set()
        for i in reversed(told):
            slopes = self.slopes(self.residuals[row_of[i]], set(variables))
            if dropped & set(slopes) or self.bent(slopes):
                dropped.add(i)
        return [r for r in rows if self.matched[r] not in dropped], [i for i in variables if i not in dropped]

    def made(self, maker: BlockMaker) -> Entry:
        reduction = self.reduction
        rows, variables = self.needed
        moving = set(variables)
        jumping = self.jumping
        equations: list[Equation] = []
        unknowns = [self.jump(i) for i in variables]
        nonlinear: list[tuple[Equation, Symbol]] = []
        books: list[tuple[Equation, Expr, Expr]] = []
        for row in rows:
            written = reduction.rows[row]
            if reduction.c[row]:
                q = reduction.derivatives[row][reduction.c[row] - 1]
                demand = ref(_around(Helper.DEMAND, str(len(unknowns))))
                unknowns.append(demand)
                equations.append(self.demand(demand, q))
                moved = self.moved(self.residual(q), jumping)
                equations.append(Equation(moved, demand, written.span, written.origin))
                continue
            slopes = self.slopes(self.residuals[row], moving)
            bent = self.bent(slopes)
            factors = {i: self.mean(e) or self.at_left(e) for i, e in slopes.items()}
            factors |= {i: _where_finite(factors[i]) for i in bent}
            terms = [mul(e, self.jump(i)) for i, e in factors.items()]
            equations.append(Equation(add(*terms, ZERO), ZERO, written.span, written.origin))
            sizes = [self.weighed(_where_finite(e) if i in bent else e, i) for i, e in slopes.items()]
            books.append((written, add(*terms, ZERO), add(*sizes, ZERO)))
            nonlinear += [(written, reduction.variables[i].symbol) for i in bent]
        afters = {leaf: _around(Helper.AFTER, leaf.data.name) for leaf in jumping}
        for leaf, i in jumping.items():
            after, span = ref(afters[leaf]), reduction.variables[i].span
            unknowns.append(after)
            equations.append(Equation(after, add(self.at_left(leaf), self.jump(i)), span))
        maker.tell_sizes({self.jump(i).data: self.reach(i) for i in jumping.values()})
        blocks = _sorted(equations, unknowns, maker)
        decides = self.decided(moving, self.terms(blocks))
        lower = self.lower()
        return Entry(
            lefts={symbol: self.final.get(leaf, leaf) for leaf, symbol in self.lefts.items()},
            exact=self.exact,
            blocks=blocks,
            afters={
                leaf.data: afters[leaf]
                for leaf, i in jumping.items()
                if reduction.is_state(Level(i, reduction.d[i] - 1), self.choice)
            },
            impulses={
                reduction.variables[i].symbol: self.jump(i).data for i in variables if not reduction.d[i]
            },
            decides=decides,
            lower=lower,
            nonlinear=tuple(nonlinear),
            books=tuple(books),
        )

    def moved(self, residual: Expr, jumping: Mapping[Expr, int]) -> Expr:
        """By how much the jumps change the residual of a constraint."""
        slope = self.reduction.levels.slope
        slopes = {leaf: slope(residual, leaf) for leaf in leaves(residual) if leaf in jumping}
        if any(leaf in jumping for e in slopes.values() for leaf in leaves(e)):
            if self.is_quadratic(slopes, jumping):
                # Exact, and zero where nothing jumps: a difference of two values would have their rounding.
                middle = {x: add(self.at_left(x), mul(const(0.5), self.jump(jumping[x]))) for x in slopes}
                return add(*(mul(self.at_left(e, middle), self.jump(jumping[x])) for x, e in slopes.items()))
            after = {leaf: add(self.at_left(leaf), self.jump(jumping[leaf])) for leaf in slopes}
            return sub(self.at_left(residual, after), self.at_left(residual))
        terms = (mul(self.at_left(e), self.jump(jumping[leaf])) for leaf, e in slopes.items())
        return add(*terms, ZERO)

    def is_quadratic(self, slopes: Mapping[Expr, Expr], jumping: Mapping[Expr, int]) -> bool:
        """Whether slopes depend on what jumps in proportion, as those of products of two such numbers do."""
        slope = self.reduction.levels.slope
        second = (slope(e, x) for e in slopes.values() for x in leaves(e) if x in jumping)
        return not any(x in jumping for e in second for x in leaves(e))

    def demand(self, unknown: Expr, q: Equation) -> Equation:
        """By how much the residual of a constraint has to change."""
        residual = self.residual(q)
        violation = self.at_left(residual)
        part = call("max", const(LOCATED), ref(self.exact))
        small = relation(Op.LE, call("abs", violation), mul(part, self.size(residual)))
        exact = relation(Op.EQ, ref(self.exact), ONE)
        put_right = neg(violation)
        return Equation(unknown, if_(exact, put_right, if_(small, ZERO, put_right)), q.span, q.origin)

    def weighed(self, slope: Expr, i: int) -> Expr:
        """How much there is of what a variable brings into the balance of an equation; what it brings in an
        instant may be rounding and nothing else."""
        terms = [call("abs", self.jump(i))]
        if self.reduction.d[i]:
            terms.append(call("abs", self.left(Level(i, self.reduction.d[i] - 1))))
        return mul(call("abs", self.at_left(slope)), add(*terms))

    def terms(self, blocks: Iterable[Block]) -> dict[Expr, Expr]:
        """How large the terms are that jumps and impulses are the sums of, where formulas give them. Where
        terms cancel, as fluxes of coils do that share all of it, what is left may be rounding."""
        found = {
            self.jump(i): add(call("abs", left), call("abs", self.jump(i)))
            for leaf, i in self.jumping.items()
            for left in (self.at_left(leaf),)
        }
        own = {self.jump(i) for i in self.jumps}
        for block in blocks:
            if not own.isdisjoint(block.unknowns):
                found.update(_sizes_in(block, own, found))
        return found

    def decided(self, moving: set[int], sizes: Mapping[Expr, Expr]) -> dict[int, Expr]:
        """The integrals of residues over the instant, where unknowns are sums of terms of certain `sizes`. If
        a state has moved by no more than an error of event location, or by rounding, since others jump, there
        is none: `der(x) > 0` has a value then."""
        found: dict[int, Expr] = {}
        for k, r in enumerate(self.reduction.model.relations):
            slopes = self.slopes(actual(self.reduction.levels.plain(r.residue)), moving)
            if slopes:
                terms = (mul(self.mean(e) or self.at_left(e), self.jump(i)) for i, e in slopes.items())
                found[k] = self._beyond_errors(add(*terms, ZERO), slopes, sizes)
        return found

    def _beyond_errors(self, total: Expr, slopes: Mapping[int, Expr], of_terms: Mapping[Expr, Expr]) -> Expr:
        """A sum of jumps, or zero where it is as small as their errors. Weights of impulses have those of
        rounding only."""
        levels = {i: Level(i, self.reduction.d[i] - 1) for i in slopes if self.reduction.d[i]}
        if not levels or len(levels) < len(slopes):
            if any(self.jump(i) not in of_terms for i in slopes):
                return total
            terms = (mul(call("abs", self.at_left(e)), of_terms[self.jump(i)]) for i, e in slopes.items())
            rounded = mul(const(ROUNDED), add(*terms, ZERO))
            return if_(relation(Op.LE, call("abs", total), rounded), ZERO, total)
        sizes = (
            mul(call("abs", self.at_left(slopes[i])), call("abs", self.left(x))) for i, x in levels.items()
        )
        small = relation(Op.LE, call("abs", total), mul(const(LOCATED), add(*sizes, ZERO)))
        return if_(small, ZERO, total)

    def lower(self) -> tuple[tuple[Equation, Expr, Expr], ...]:
        """Constraints on what does not jump."""
        reduction = self.reduction
        found: list[tuple[Equation, Expr, Expr]] = []
        for row, c in enumerate(reduction.c):
            for q in reduction.derivatives[row][: max(c - 1, 0)]:
                residual = self.residual(q)
                found.append((reduction.rows[row], self.at_left(residual), self.size(residual)))
        return tuple(found)


def _sorted(equations: list[Equation], unknowns: list[Expr], maker: BlockMaker) -> tuple[Block, ...]:
    system = System(tuple(equations), tuple(unknowns), len(unknowns))
    matched = system.match()
    assert min(matched, default=0) >= 0, "an entry has the structure of its mode"
    return maker.sorted_blocks(system, matched)


def _sizes_in(block: Block, own: Set[Expr], known: Mapping[Expr, Expr]) -> dict[Expr, Expr]:
    """The sizes of the terms of which a block makes those of its unknowns that are among our `own`, as far as
    they are not `known` themselves. In a loop an unknown has the largest of what its equations give it, from
    what the others are the sums of; a few turns lead from any equation to those in which terms cancel."""
    match block:
        case Explicit():
            slopes = {x: differentiate(block.value, x) for x in leaves(block.value) if x in own}
            rows = [{block.unknown: neg(ONE), **slopes}]
        case Linear() if len(block.unknowns) <= MOST_IN_LOOP:
            rows = [{x: neg(differentiate(e, x)) for x in leaves(e) if x in own} for e in block.right]
            for i, j, e in block.matrix:
                rows[i][block.unknowns[j]] = e
        case _:
            return {}
    if any(x not in known and x not in block.unknowns for row in rows for x in row):
        return {}
    found = {x: known.get(x, call("abs", x)) for row in rows for x in row}
    wanted = [x for x in block.unknowns if x not in known]
    for _ in range(TURNS if len(rows) > 1 else 1):
        sizes = {x: [found[x]] for x in wanted}
        for row in rows:
            terms = {x: mul(call("abs", e), found[x]) for x, e in row.items()}
            for x in (x for x in wanted if x in row):
                others = add(*(term for y, term in terms.items() if y != x), ZERO)
                slope = call("abs", row[x])
                has = relation(Op.GT, slope, ZERO)
                sizes[x].append(others if slope is ONE else if_(has, div(others, slope), ZERO))
        found |= {x: reduce(lambda a, b: call("max", a, b), of) for x, of in sizes.items()}
    return {x: found[x] for x in wanted}


def _where_finite(slope: Expr) -> Expr:
    """A factor of what must have no impulse. At the left limit it may be infinite or undefined, as that of a
    root mean square is where all currents are zero; times no impulse, that is nothing all the same."""
    if slope.op is Op.CONST:
        return slope
    return if_(relation(Op.LE, call("abs", slope), const(sys.float_info.max)), slope, ZERO)


def _around(helper: Helper, text: str) -> Symbol:
    """A symbol for something about an instant."""
    return Symbol(helper.around(text), helper=helper)
