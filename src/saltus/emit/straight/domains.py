"""Relations that guard a domain: `if h > 0 then sqrt(h) else 0` must not fail by a rounding of `h`.

Between events the truth of `h > 0` is held, and an event lies at the right end of the bracket in which it was
found, where `h` is just below zero; an integrator tries points further beyond. There sqrt(h) is not wanted
for what it is, but has to have a value. So where a relation is held to a truth that its own numbers
contradict, a function of the same quantities is continued beyond its domain (`Way`). Where the relation holds
by its numbers, nothing is changed: a square root of a negative number is the error that it was.

What an event remembers guards as well: `if not empty then sqrt(h) else 0`, where `when h <= 0` makes it
empty. There no branch tells which relation it is, so all are asked that are about the same quantities:
whether one is held against its numbers, in the memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum

from saltus.emit.straight.sharing import Contains
from saltus.expr.nodes import ONE, ZERO, Expr, Op, Type, and_, call, if_, neg, not_, or_, ref, relation
from saltus.expr.traversal import leaves, rebuild, transform
from saltus.ir.hybrid import Relation
from saltus.ir.sorted.blocks import Explicit, Linear, Nonlinear, block_expressions
from saltus.ir.structure import Structure

#: What a relation is held to, by the leaf that is its truth.
Facts = frozenset[tuple[Expr, bool]]


class Way(Enum):
    """What replaces a root or a power beyond the end of its domain.

    TO_THE_END  zero: the branch stops there, as a tank that is empty does
    MIRRORED    the negative of its value on the other side: where both branches have such a function, as the
                flow in either direction, the curve goes on where the other branch will take over; and a loop
                needs a curve whose slope agrees with the one that Newton's method is given
    REFLECTED   its value on the other side: under a fraction line, where it is the slope of a root
    """

    TO_THE_END = 0
    MIRRORED = 1
    REFLECTED = 2


class Domains:
    """Rewrites the expressions of one program."""

    def __init__(self, structure: Structure) -> None:
        self._relations: Mapping[Expr, Relation] = {
            ref(r.symbol): r for r in structure.model.relations if not r.is_time_event
        }
        # A Boolean that is computed from relations is held where they are.
        self._meanings = {
            block.unknown: block.value
            for block in structure.blocks
            if isinstance(block, Explicit) and block.unknown.type is Type.BOOLEAN
        }
        self._known: dict[tuple[Facts, Way], dict[Expr, Expr]] = {}
        self._about_leaf: dict[Expr, list[Relation]] = {}
        for r in self._relations.values():
            for leaf in dict.fromkeys(leaves(r.residue)):
                self._about_leaf.setdefault(leaf, []).append(r)
        self._limited = Contains(lambda node: _limited(node) is not None)
        self._fixed: Facts = frozenset()
        for guard, value in structure.mode.fixed:
            if guard.type is Type.BOOLEAN:
                self._fixed |= self._facts(guard, truth=value != 0.0)

    def __call__(self, e: Expr) -> Expr:
        """The expression, with a value just beyond the relations that guard its functions."""
        if not self._relations or not self._limited(e):
            return e
        return self._rewritten(e, self._fixed, Way.TO_THE_END)

    def loop(self, block: Linear | Nonlinear) -> Linear | Nonlinear:
        """A loop with its expressions rewritten; itself where there is nothing to do."""
        if not self._relations or not any(map(self._limited, block_expressions(block))):
            return block

        def new(e: Expr) -> Expr:
            return self._rewritten(e, self._fixed, Way.MIRRORED)

        if isinstance(block, Linear):
            matrix = tuple((i, j, new(e)) for i, j, e in block.matrix)
            return replace(block, matrix=matrix, right=tuple(map(new, block.right)))
        return replace(
            block,
            residuals=tuple(map(new, block.residuals)),
            inner=tuple(map(new, block.inner)),
            jacobian=None if block.jacobian is None else tuple((i, j, new(e)) for i, j, e in block.jacobian),
        )

    def _rewritten(self, e: Expr, facts: Facts, how: Way) -> Expr:
        memo = self._known.setdefault((facts, how), {})
        return transform(e, lambda node: self._visit(node, facts, how), memo)

    def _visit(self, node: Expr, facts: Facts, how: Way) -> Expr | None:
        if not self._limited(node):
            return node
        if node.op is Op.IF:
            return self._chosen(node, facts, how)
        if node.op is Op.DIV:
            above, divisor = node.args
            above = self._rewritten(above, facts, how)
            return above / self._rewritten(divisor, facts, Way.REFLECTED)
        brought_back = _limited(node)
        if brought_back is None:
            return None
        argument = self._rewritten(node.args[0], facts, Way.TO_THE_END)
        beyond = [self._contradicted(r, truth=truth) for r, truth in self._about(argument, facts)]
        if beyond and how is Way.MIRRORED and brought_back is _not_negative:
            mirrored = neg(rebuild(node, (call("abs", argument), *node.args[1:])))
            return if_(or_(*beyond), mirrored, rebuild(node, (argument, *node.args[1:])))
        beyond = beyond or [self._contradicts(r) for r in self._others(argument)]
        if beyond:
            inside = call("abs", argument) if how is Way.REFLECTED else brought_back(argument)
            argument = if_(or_(*beyond), inside, argument)
        return rebuild(node, (argument, *node.args[1:]))

    def _chosen(self, node: Expr, facts: Facts, how: Way) -> Expr:
        condition, first, second = node.args
        within = how
        if how is Way.TO_THE_END and self._limited(first) and self._limited(second):
            within = Way.MIRRORED
        return if_(
            self._rewritten(condition, facts, Way.TO_THE_END),
            self._rewritten(first, facts | self._facts(condition, truth=True), within),
            self._rewritten(second, facts | self._facts(condition, truth=False), within),
        )

    def _about(self, argument: Expr, facts: Facts) -> list[tuple[Relation, bool]]:
        """The relations whose residues are made of what an argument is made of: they can be computed where it
        is."""
        known = set(leaves(argument))
        found = sorted(
            ((self._relations[leaf], truth) for leaf, truth in facts), key=lambda f: f[0].symbol.name
        )
        return [(r, truth) for r, truth in found if (own := set(leaves(r.residue))) and own <= known]

    def _others(self, argument: Expr) -> list[Relation]:
        """The relations of which the same is true, whether or not a branch holds them."""
        known = set(leaves(argument))
        near = {r.symbol: r for leaf in known for r in self._about_leaf.get(leaf, ())}
        return sorted(
            (r for r in near.values() if set(leaves(r.residue)) <= known), key=lambda r: r.symbol.name
        )

    def _contradicts(self, r: Relation) -> Expr:
        """Whether a relation is held against its numbers."""
        literal, truth = relation(r.op, r.residue, ZERO), ref(r.symbol)
        return or_(and_(truth, not_(literal)), and_(not_(truth), literal))

    def _contradicted(self, r: Relation, *, truth: bool) -> Expr:
        literal = relation(r.op, r.residue, ZERO)
        return not_(literal) if truth else literal

    def _facts(self, condition: Expr, *, truth: bool, depth: int = 8) -> Facts:
        """The relations that are held to a truth where a condition has one."""
        if condition in self._relations:
            return frozenset({(condition, truth)})
        if condition.op is Op.NOT:
            return self._facts(condition.args[0], truth=not truth, depth=depth)
        if condition.op is (Op.AND if truth else Op.OR) and depth > 0:
            return frozenset().union(*(self._facts(a, truth=truth, depth=depth - 1) for a in condition.args))
        if condition in self._meanings and depth > 0:
            return self._facts(self._meanings[condition], truth=truth, depth=depth - 1)
        return frozenset()


def _limited(node: Expr) -> Callable[[Expr], Expr] | None:
    """How an argument comes back into the domain of a function that is not defined everywhere."""
    if node.op is Op.POW:
        exponent = node.args[1]
        if exponent.op is not Op.CONST:
            return _reflected
        if float(exponent.data) % 1.0 == 0.0:
            return None
        return _not_negative if exponent.data > 0 else _reflected
    return _FUNCTIONS.get(node.data) if node.op is Op.CALL else None


def _reflected(e: Expr) -> Expr:
    return call("abs", e)


def _not_negative(e: Expr) -> Expr:
    return call("max", e, ZERO)


def _not_beyond_one(e: Expr) -> Expr:
    return call("max", neg(ONE), call("min", e, ONE))


_FUNCTIONS = {
    "sqrt": _not_negative,
    "log": _reflected,
    "log10": _reflected,
    "asin": _not_beyond_one,
    "acos": _not_beyond_one,
}
