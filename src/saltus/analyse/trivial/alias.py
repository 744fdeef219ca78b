"""Alias elimination: trivial equations between two unknowns are removed before anything is sorted.

    a = b,   a = -b,   a + b = 0,   0 = a - b        (also with a common factor)

Connections make these in great numbers: most equations of an object-oriented model are of this kind. A
union-find with signs (each element knows its sign relative to its parent) groups the unknowns in nearly
linear time; then one representative per group is chosen and substituted in every expression of the model.

An equation is *kept* when eliminating it would lose information:

- it exists in some modes only;
- both sides are in one group already: it is redundant (0 = 0, reported as singular with its place) or says
  a = -a, which solves to 0;
- both groups contain a state: a constraint between states, which is for the matching to find;
- both groups have a fixed start, and the values are not the same: the conflict belongs to initialisation;
- discrete variables whose `pre` values are both used and start with different values.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from saltus.analyse.trivial.cancel import cancel, terms
from saltus.expr.nodes import FALSE, ZERO, Expr, Op, Symbol, Type, const, leaf_symbol, neg, pre, ref
from saltus.expr.traversal import substitute, walk
from saltus.ir.flat import Equation, Variable
from saltus.ir.hybrid import Check, Clock, Delay, Ending, HybridModel, Jump, Relation, Transport
from saltus.ir.structure import Alias


@dataclass(frozen=True, eq=False)
class Reduced:
    """A model that speaks of representatives only. `written` leads from an equation that was changed to
    the equation as it stands in the source, for messages."""

    model: HybridModel
    aliases: tuple[Alias, ...]
    written: dict[Equation, Equation]


def eliminate(model: HybridModel) -> Reduced:
    """Groups the aliases, chooses representatives and substitutes them everywhere."""
    unknowns = (*model.states, *model.algebraics, *model.discretes)
    groups = _Groups(model, unknowns)
    equations = [q for q in model.equations if not groups.absorb(q)]
    aliases, changed = _choose(groups, unknowns)
    eliminated = {a.symbol for a in aliases}
    rewriting = _Rewriting(aliases)

    def left(variables: tuple[Variable, ...]) -> tuple[Variable, ...]:
        kept = (v for v in variables if v.symbol not in eliminated)
        return tuple(rewriting.variable(changed.get(v, v)) for v in kept)

    states, algebraics, discretes = left(model.states), left(model.algebraics), left(model.discretes)
    by_symbol = {v.symbol: v for v in (*states, *algebraics, *discretes)}
    reduced = replace(
        model,
        states=states,
        algebraics=algebraics,
        discretes=discretes,
        equations=tuple(rewriting.equation(q) for q in equations),
        initial_equations=tuple(rewriting.equation(q) for q in model.initial_equations),
        relations=tuple(rewriting.relation(r) for r in model.relations),
        clocks=tuple(rewriting.clock(c) for c in model.clocks),
        delays=tuple(rewriting.delay(d) for d in model.delays),
        transports=tuple(rewriting.transport(t) for t in model.transports),
        jumps=tuple(rewriting.jump(j) for j in model.jumps),
        checks=tuple(rewriting.check(c) for c in model.checks),
        endings=tuple(rewriting.ending(e) for e in model.endings),
        order=tuple(by_symbol.get(v.symbol, v) for v in model.order),
    )
    return Reduced(reduced, aliases, rewriting.written)


def with_equation(reduced: Reduced, old: Equation, new: Equation) -> Reduced:
    """The reduced model with one equation replaced by one that follows from it and others."""
    equations = tuple(new if q is old else q for q in reduced.model.equations)
    return Reduced(replace(reduced.model, equations=equations), reduced.aliases, reduced.written)


def without_equation(reduced: Reduced, old: Equation) -> Reduced:
    """The reduced model without an equation that follows from others."""
    equations = tuple(q for q in reduced.model.equations if q is not old)
    return Reduced(replace(reduced.model, equations=equations), reduced.aliases, reduced.written)


# ---------------------------------------------------------------- grouping


class _Groups:
    """Union-find with signs over the unknowns, by index. The facts of a group are kept at its root, with
    values relative to the sign of the root."""

    def __init__(self, model: HybridModel, unknowns: tuple[Variable, ...]) -> None:
        count = len(unknowns)
        self.index = {v.symbol: i for i, v in enumerate(unknowns)}
        self.states = len(model.states)
        self.continuous = self.states + len(model.algebraics)
        self.parent = list(range(count))
        self.negated = [False] * count  # relative to the parent
        self.size = [1] * count
        self.has_state = [i < self.states for i in range(count)]
        self.fixed: list[Expr | None] = [start_value(v) if v.fixed else None for v in unknowns]
        self.fixed[self.continuous :] = [None] * (count - self.continuous)
        used = _pre_used(model)
        self.with_pre = {i for i in range(self.continuous, count) if unknowns[i].symbol in used}
        self.remembered: list[Expr | None] = [
            start_value(v) if i in self.with_pre else None for i, v in enumerate(unknowns)
        ]

    def find(self, i: int) -> tuple[int, bool]:
        """The root of an element, and whether the element is its negative."""
        path = []
        while self.parent[i] != i:
            path.append(i)
            i = self.parent[i]
        sign = False
        for j in reversed(path):  # from the root downwards, so that signs add up
            sign ^= self.negated[j]
            self.parent[j] = i
            self.negated[j] = sign
        return i, sign

    def absorb(self, equation: Equation) -> bool:
        """Joins the two groups of an alias equation; False if the equation must be kept."""
        pair = self._pair(equation) if equation.presence is None else None
        if pair is None:
            return False
        a, b, opposite = pair
        first, sign_first = self.find(a)
        second, sign_second = self.find(b)
        opposite ^= sign_first ^ sign_second  # now between the roots
        if first == second or (self.has_state[first] and self.has_state[second]):
            return False
        for facts in (self.fixed, self.remembered):
            if not _agree(facts[first], facts[second], opposite):
                return False
        if self.size[first] < self.size[second]:
            first, second = second, first
        self.parent[second] = first
        self.negated[second] = opposite
        self.size[first] += self.size[second]
        self.has_state[first] |= self.has_state[second]
        for facts in (self.fixed, self.remembered):
            if facts[first] is None:
                facts[first] = _signed(facts[second], opposite)
        return True

    def _pair(self, equation: Equation) -> tuple[int, int, bool] | None:
        """The two unknowns of an alias equation, and whether one is the negative of the other."""
        kind = equation.lhs.type
        if kind is not Type.REAL and equation.rhs.type is not Type.REAL:
            if equation.lhs.op is not Op.REF or equation.rhs.op is not Op.REF:
                return None
            a, b, opposite = equation.lhs.data, equation.rhs.data, False
        else:
            if _width(equation) > 3 or kind not in (Type.REAL, Type.INTEGER):
                return None
            found, constant, _ = terms(equation)
            if len(found) != 2 or constant != 0:
                return None
            (first, c), (second, d) = found.items()
            if first.op is not Op.REF or second.op is not Op.REF or abs(c) != abs(d) or c == 0:
                return None
            a, b, opposite = first.data, second.data, c == d
        i, j = self.index.get(a), self.index.get(b)
        if i is None or j is None or a.type is not b.type:
            return None
        if (i < self.continuous) != (j < self.continuous):
            return None
        if opposite and a.type is not Type.REAL:
            return None
        return i, j, opposite


def _width(equation: Equation) -> int:
    """Number of terms at the top of both sides: a cheap bound that spares long sums the full look."""
    return sum(len(e.args) if e.op is Op.ADD else 1 for e in (equation.lhs, equation.rhs))


def _pre_used(model: HybridModel) -> set[Symbol]:
    """Symbols whose `pre` value is used. Each node is visited once: the elements of an array returned by a
    function all contain the whole call."""
    seen: set[Expr] = set()
    nodes = (node for e in model.expressions() for node in walk(e, seen))
    return {leaf_symbol(node) for node in nodes if node.op is Op.PRE}


_DEFAULTS = {Type.REAL: ZERO, Type.INTEGER: const(0), Type.BOOLEAN: FALSE, Type.STRING: const("")}
_DEFAULTS[Type.OBJECT] = const(0)


def start_value(v: Variable) -> Expr:
    """The start attribute, or the default of the type."""
    if v.start is not None:
        return v.start
    return _DEFAULTS[v.symbol.type]


def _signed(value: Expr | None, negated: bool) -> Expr | None:
    return neg(value) if negated and value is not None else value


def _agree(a: Expr | None, b: Expr | None, opposite: bool) -> bool:
    """Two known values do not contradict each other (unknown ones never do)."""
    if a is None or b is None:
        return True
    b = neg(b) if opposite else b
    return a is b or (a.op is Op.CONST and b.op is Op.CONST and bool(a.data == b.data))


# ---------------------------------------------------------------- representatives


def _choose(
    groups: _Groups, unknowns: tuple[Variable, ...]
) -> tuple[tuple[Alias, ...], dict[Variable, Variable]]:
    """One representative per group; the aliases; and the representatives whose attributes changed."""
    members: dict[int, list[int]] = {}
    for i in range(len(unknowns)):
        members.setdefault(groups.find(i)[0], []).append(i)
    target: dict[int, int] = {}
    changed: dict[Variable, Variable] = {}
    for group in members.values():
        if len(group) == 1:
            continue
        best = max(group, key=lambda i: (_merit(groups, i, unknowns[i]), -i))
        for i in group:
            target[i] = best
        own = unknowns[best]
        sign = groups.find(best)[1]
        others = [(unknowns[i], groups.find(i)[1] ^ sign) for i in group if i != best]
        inherited = _inherit(own, others, discrete=best >= groups.continuous)
        if inherited is not own:
            changed[own] = inherited
    aliases = []
    for i, best in sorted(target.items()):
        if i != best:
            negated = groups.find(i)[1] ^ groups.find(best)[1]
            aliases.append(Alias(unknowns[i].symbol, unknowns[best].symbol, negated))
    return tuple(aliases), changed


def _merit(groups: _Groups, i: int, v: Variable) -> tuple[bool, bool, bool, bool]:
    """What makes a good representative: a state, a `pre` value with its own start, attributes."""
    return i < groups.states, i in groups.with_pre, v.fixed is True, v.start is not None


def _inherit(own: Variable, others: list[tuple[Variable, bool]], discrete: bool) -> Variable:
    """The representative with the attributes that its aliases have and it lacks.

    A fixed start goes before one that is not. The start of a discrete variable is the initial value of its
    `pre`, which aliases must not change."""
    start, fixed, nominal, select = own.start, own.fixed, own.nominal, own.state_select
    for wish in ("always", "prefer", "never", "avoid"):
        if select == "default" and any(v.state_select == wish for v, _ in others):
            select = wish
    if not discrete:
        if fixed is not True:
            for v, negated in others:
                if v.fixed is True:
                    start, fixed = _signed(start_value(v), negated), True
                    break
        if start is None:
            start = next((_signed(v.start, n) for v, n in others if v.start is not None), None)
    if nominal is None:
        nominal = next((v.nominal for v, _ in others if v.nominal is not None), None)
    log = _words([own, *(v for v, _ in others)])
    if (start, fixed, nominal, select, log) == (own.start, own.fixed, own.nominal, own.state_select, own.log):
        return own
    return replace(own, start=start, fixed=fixed, nominal=nominal, state_select=select, log=log)


def _words(group: list[Variable]) -> tuple[str, ...] | None:
    """What the log says of all that change together; None if that is the usual."""
    told = tuple(dict.fromkeys(words for v in group for words in v.log or ()))
    return None if not told and any(v.log is None for v in group) else told


# ---------------------------------------------------------------- substitution


class _Rewriting:
    """Substitutes aliases in all parts of a model; expressions share one memo, so it is linear."""

    def __init__(self, aliases: Iterable[Alias]) -> None:
        self.mapping: dict[Expr, Expr] = {}
        for a in aliases:
            now, before = ref(a.target), pre(ref(a.target))
            self.mapping[ref(a.symbol)] = neg(now) if a.negated else now
            self.mapping[pre(ref(a.symbol))] = neg(before) if a.negated else before
        self.memo: dict[Expr, Expr] = {}
        self.written: dict[Equation, Equation] = {}

    def expression(self, e: Expr) -> Expr:
        return substitute(e, self.mapping, self.memo) if self.mapping else e

    def optional(self, e: Expr | None) -> Expr | None:
        return None if e is None else self.expression(e)

    def equation(self, q: Equation) -> Equation:
        lhs, rhs = self.expression(q.lhs), self.expression(q.rhs)
        presence = self.optional(q.presence)
        same = lhs is q.lhs and rhs is q.rhs and presence is q.presence
        new = cancel(q if same else replace(q, lhs=lhs, rhs=rhs, presence=presence))
        if new is not q:
            self.written[new] = q
        return new

    def variable(self, v: Variable) -> Variable:
        start, nominal = self.optional(v.start), self.optional(v.nominal)
        return v if start is v.start and nominal is v.nominal else replace(v, start=start, nominal=nominal)

    def relation(self, r: Relation) -> Relation:
        residue = self.expression(r.residue)
        return replace(
            r,
            residue=residue,
            named=r.named if residue is r.residue else r.in_words,
            nominal=self.optional(r.nominal),
            slope=self.optional(r.slope),
            offset=self.optional(r.offset),
        )

    def clock(self, c: Clock) -> Clock:
        return replace(c, start=self.expression(c.start), interval=self.expression(c.interval))

    def delay(self, d: Delay) -> Delay:
        return replace(
            d,
            input=self.expression(d.input),
            time=self.expression(d.time),
            longest=self.optional(d.longest),
        )

    def transport(self, t: Transport) -> Transport:
        inflows = self.expression(t.inflows[0]), self.expression(t.inflows[1])
        return replace(t, position=self.expression(t.position), inflows=inflows)

    def jump(self, j: Jump) -> Jump:
        return replace(j, condition=self.expression(j.condition), value=self.expression(j.value))

    def check(self, c: Check) -> Check:
        return replace(
            c,
            guard=self.expression(c.guard),
            condition=self.expression(c.condition),
            message=self.expression(c.message),
        )

    def ending(self, e: Ending) -> Ending:
        return replace(e, condition=self.expression(e.condition), message=self.expression(e.message))
