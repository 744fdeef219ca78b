"""Mean values on a surface: terms that the side decides, weighted with the parts of the time on either side.

Two conventions say what becomes of a term that is not linear in what switches.

    Filippov      the model is on one side or on the other, never in between. Everything has the values of the
                  one for a part u of the time and those of the other for the rest; so every term f becomes
                  its mean, f(-) + u * (f(+) - f(-)).
    equivalent    what switches is replaced by its mean, the equivalent control (Utkin), and every formula
                  takes that: f(s) becomes f(mean of s).

They differ in nothing where the switched quantity enters linearly. Either way the answer must not depend on
how the model is written, so a variable stands for its formula. By Filippov's convention a term f is as small
as it can be without being a product with another such term, and where it is not linear in a variable that the
side decides, that variable has two more values, its *one-sided copies*: unknowns with the variable's own
equation on either side. With s = if x > 0 then 1 else -1,

    der(y) = s^2     becomes     der(y) = s(-)^2 + u * (s(+)^2 - s(-)^2),    s(+) = 1,    s(-) = -1

Which equation is a variable's own is found by matching. In a model of higher index some equations have no
unknown of their own, and unknowns that only such equations determine keep one value, their mean.

Boolean and Integer variables that a relation decides are looked through: they have no value in between.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from saltus.analyse.order.system import System
from saltus.core.diagnostics import ModelError, model_error
from saltus.core.source import Span
from saltus.expr.helpers import Helper, derivative_name
from saltus.expr.nodes import Expr, Op, Symbol, Type, const, der, leaf_symbol, not_, ref, sub
from saltus.expr.traversal import leaves, postorder, rebuild, transform, walk
from saltus.ir.flat import Causality, Equation, Variability, Variable
from saltus.ir.hybrid import HybridModel

#: Nodes that a weighted term may stand in: what they make of the limit is the limit of what they make.
_LINEAR = frozenset({Op.ADD, Op.NEG, Op.NOEVENT, Op.SMOOTH})


class Sided(Protocol):
    """A surface whose sides are weighted: its relations with their signs, and the weight of the positive
    side."""

    @property
    def leader(self) -> int: ...
    @property
    def relations(self) -> Mapping[int, int]: ...
    @property
    def multiplier(self) -> Expr: ...


class Reach:
    """Discrete variables that relations decide, at once: not through `pre`."""

    def __init__(self, model: HybridModel, relations: Iterable[int]) -> None:
        self.model = model
        self.of: dict[Expr, int] = {ref(model.relations[k].symbol): k for k in relations}
        continuous = [ref(v.symbol) for v in (*model.states, *model.algebraics)]
        discrete = [ref(v.symbol) for v in model.discretes]
        self.system = System(model.equations, (*continuous, *discrete), len(continuous))
        self.definitions: dict[Expr, Equation] = {}
        users: dict[Expr, list[Expr]] = {}
        for row, column in enumerate(self.system.claims):
            if column >= 0:
                q, d = model.equations[row], self.system.unknowns[column]
                self.definitions[d] = q
                for leaf in (*leaves(q.lhs), *leaves(q.rhs)):
                    if leaf is not d:
                        users.setdefault(leaf, []).append(d)
        self.discretes: set[Expr] = set()
        stack = list(self.of)
        while stack:
            for d in users.get(stack.pop(), ()):
                if d not in self.discretes:
                    self.discretes.add(d)
                    stack.append(d)

    def any(self, found: Iterable[Expr]) -> bool:
        """Whether one of these leaves is decided by the relations."""
        return any(leaf in self.of or leaf in self.discretes for leaf in found)

    def value(self, d: Expr) -> Expr | None:
        """What a discrete variable is equal to."""
        q = self.definitions[d]
        if q.lhs is d:
            return q.rhs
        if q.rhs is d:
            return q.lhs
        if q.lhs.op is Op.NOT and q.lhs.args[0] is d:
            return not_(q.rhs)
        return None


@dataclass(frozen=True)
class _Own:
    """A continuous unknown that sides decide: the equation that determines it, the surfaces, its own name,
    and that of the variable that it is a copy of."""

    equation: Equation
    surfaces: frozenset[Sided]
    name: str
    of: str


class Weighting:
    """Expressions with weights in place of truths. `sliding` has the surface of each sliding relation."""

    def __init__(self, model: HybridModel, sliding: Mapping[int, Sided], *, equivalent: bool = False) -> None:
        self.reach = Reach(model, sliding)
        #: One-sided copies of variables, and their equations: as many as there was need for by now.
        self.copies: list[Variable] = []
        #: The names of the variables that they are copies of, by the leader of the surface.
        self.copied_names: dict[int, dict[Symbol, str]] = {}
        self.equations: list[Equation] = []
        self._averaged: frozenset[Sided] = frozenset()  # surfaces on which unknowns are means of two
        self._model = model
        self._sliding = sliding
        self._equivalent = equivalent
        self._surfaces: dict[Expr, frozenset[Sided]] = {}  # on which an expression depends
        self._one_sided: dict[tuple[Sided, int], dict[Expr, Expr]] = {}
        self._weighed: dict[Expr, Expr] = {}
        self._copied: dict[tuple[Expr, Sided, int], Expr] = {}
        self._to_do: deque[tuple[Variable, Expr, Sided, int]] = deque()
        self._declared = {v.symbol: v for v in (*model.states, *model.algebraics)}
        self._own = {} if equivalent or not sliding else self._decided()

    def refuse_memory(self) -> None:
        """What remembers a truth that changes without end has no limit."""
        reach, model = self.reach, self._model
        if not self._sliding:
            return
        text = model.relations[min(self._sliding)].text
        declared = {v.symbol: v for v in model.discretes}
        for e in model.expressions():
            for node in walk(e):
                if node.op is Op.PRE and node.args[0] in reach.discretes:
                    v = declared[leaf_symbol(node)]
                    raise self._refusal(text, v, reach.definitions[node.args[0]].span)
        for ending in model.endings:
            if reach.any(leaves(ending.condition)):
                raise model_error("E302", f"`{text}` decides when the run is terminated", ending.span)

    @staticmethod
    def _refusal(text: str, v: Variable, span: Span) -> ModelError:
        if v.symbol.helper is not None:
            return model_error("E302", f"`{text}` decides when a when-clause is active", span)
        return model_error("E302", f"`{text}` decides `{v.name}`, whose past counts (pre)", span)

    # ------------------------------------------------------------ who depends on a side

    def _decided(self) -> dict[Expr, _Own]:
        """The continuous unknowns, derivatives among them, that sides decide."""
        model = self._model
        unknowns = [*(der(ref(v.symbol)) for v in model.states), *(ref(v.symbol) for v in model.algebraics)]
        discrete = [ref(v.symbol) for v in model.discretes]
        system = System(model.equations, (*unknowns, *discrete), len(unknowns))
        rows: dict[Expr, Equation] = {}
        users: dict[Expr, list[Expr]] = {}
        for row, column in enumerate(system.match()):
            if 0 <= column < len(unknowns):
                q, unknown = model.equations[row], unknowns[column]
                rows[unknown] = q
                for leaf in q.leaves:
                    if leaf is not unknown:
                        users.setdefault(leaf, []).append(unknown)
        found: dict[Expr, frozenset[Sided]] = {}
        stack = [*self.reach.of, *self.reach.discretes]
        decided = {leaf: self.surfaces(leaf) for leaf in stack}
        while stack:
            leaf = stack.pop()
            by = decided[leaf] if leaf in decided else found[leaf]
            for unknown in users.get(leaf, ()):
                known = found.get(unknown, frozenset())
                if not by <= known:
                    found[unknown] = known | by
                    stack.append(unknown)
        self._surfaces.clear()  # nothing continuous depended on a side while this was found out
        return {
            unknown: _Own(rows[unknown], by, _name(unknown), _name(unknown))
            for unknown, by in found.items()
            if unknown.type is Type.REAL
        }

    def surfaces(self, e: Expr) -> frozenset[Sided]:
        """The surfaces whose sides decide the value of an expression."""
        known, own = self._surfaces, getattr(self, "_own", {})
        for node in postorder(e, known):
            found: frozenset[Sided] = frozenset()
            if node in own:
                found = own[node].surfaces
            elif node.op is Op.REF:
                if node in self.reach.of:
                    found = frozenset((self._sliding[self.reach.of[node]],))
                elif node in self.reach.discretes:
                    known[node] = found  # a loop among discretes ends here
                    value = self.reach.value(node)
                    found = self.surfaces(value) if value is not None else found
            elif node.args and node.op not in (Op.DER, Op.PRE):
                found = frozenset().union(*(known[a] for a in node.args))
            known[node] = found
        return known[e]

    # ------------------------------------------------------------ mean values

    def weigh(self, e: Expr) -> Expr:
        """An expression of numbers with each of its terms weighted."""
        surfaces = self.surfaces(e)
        if not surfaces or e in self._own:  # a variable is its own mean
            return e
        if e not in self._weighed:
            self._weighed[e] = self._weigh(e, surfaces)
        return self._weighed[e]

    def mean(self, unknown: Expr) -> Expr:
        """The weighted mean of the one-sided values of an unknown that sides decide."""
        surface = min(self._own[unknown].surfaces, key=lambda s: s.leader)
        above, below = (self.on_side(unknown, surface, side) for side in (1, -1))
        return below + surface.multiplier * sub(above, below)

    def on_side(self, e: Expr, surface: Sided, side: int) -> Expr:
        """The value of an expression on one side of a surface, weighted with the sides of others."""
        return self.on_sides(e, [(surface, side)])

    def on_sides(self, e: Expr, sides: Iterable[tuple[Sided, int]]) -> Expr:
        """The value of an expression on sides of some surfaces, weighted with the sides of others."""
        for surface, side in sides:
            e = self._on_side(e, surface, side)
        return self.weigh(e)

    def means_on(self, surfaces: Collection[Sided]) -> dict[int, Equation]:
        """For each unknown that the sides of surfaces decide an equation with its mean, by the row of its
        own. What only its two values tell, as the state of an ideal switch, has a mean as well."""
        self._averaged = frozenset(surfaces)
        found, rows = {}, {id(q): row for row, q in enumerate(self._model.equations)}
        for unknown, own in list(self._own.items()):
            if not own.surfaces.isdisjoint(surfaces):
                q = own.equation
                found[rows[id(q)]] = Equation(unknown, self.mean(unknown), q.span, q.origin)
        return found

    def _weigh(self, e: Expr, surfaces: frozenset[Sided]) -> Expr:
        depending = [k for k, a in enumerate(e.args) if self.surfaces(a)]
        through = (
            e.op in _LINEAR
            or (e.op is Op.MUL and len(depending) == 1)
            or (e.op is Op.DIV and depending == [0])
            or (e.op is Op.IF and 0 not in depending)
            or (e.op is Op.CALL and e.data == "real")
            or (self._equivalent and _is_formula(e, depending))
        )
        if through:
            return rebuild(e, tuple(self.weigh(a) if k in depending else a for k, a in enumerate(e.args)))
        surface = min(surfaces, key=lambda s: s.leader)
        above, below = (self.on_side(e, surface, side) for side in (1, -1))
        return below + surface.multiplier * sub(above, below)

    def _on_side(self, e: Expr, surface: Sided, side: int) -> Expr:
        """The expression with the truths of one side of a surface."""
        memo = self._one_sided.setdefault((surface, side), {})

        def visit(node: Expr) -> Expr | None:
            if node in self._own:
                return self._copy(node, surface, side) if surface in self._own[node].surfaces else node
            if node.op is not Op.REF:
                return None
            index = self.reach.of.get(node)
            if index is not None and self._sliding[index] is surface:
                above = self._model.relations[index].op in (Op.GT, Op.GE)
                return const((surface.relations[index] * side > 0) == above)
            if node in self.reach.discretes and surface in self.surfaces(node):
                value = self.reach.value(node)
                assert value is not None  # otherwise it would not depend on the surface
                return self._on_side(value, surface, side)
            return None

        return transform(e, visit, memo)

    # ------------------------------------------------------------ one-sided copies

    def _copy(self, leaf: Expr, surface: Sided, side: int) -> Expr:
        """The value of an unknown on one side of a surface."""
        key = leaf, surface, side
        if key not in self._copied:
            own = self._own[leaf]
            name = f"{own.name}{'+' if side > 0 else '-'}{surface.leader + 1}"
            symbol = Symbol(Helper.ONE_SIDED.belonging_to(name), Type.REAL, helper=Helper.ONE_SIDED)
            of = self._declared.get(leaf_symbol(leaf))
            copied = Variable(symbol, Variability.CONTINUOUS, own.equation.span)
            if leaf.op is Op.REF and of is not None:
                copied = replace(of, symbol=symbol, causality=Causality.LOCAL, fixed=None)
            self._declared[symbol] = copied
            self._copied[key] = copy = ref(symbol)
            # On the sides of other surfaces it has copies of its own.
            self._own[copy] = _Own(own.equation, own.surfaces - {surface}, name, own.of)
            self._surfaces[copy] = own.surfaces - {surface}
            self.copies.append(copied)
            self.copied_names.setdefault(surface.leader, {})[symbol] = own.of
            self._to_do.append((copied, leaf, surface, side))
        return self._copied[key]

    def finish(self) -> None:
        """Gives every copy its equation, and those their copies: call this when all else is weighed."""
        while self._to_do:
            # The oldest first: a copy must have its equation before copies are made of it.
            copied, leaf, surface, side = self._to_do.popleft()
            of = self._own[leaf].equation
            lhs, rhs = (self._on_side(e, surface, side) for e in (of.lhs, of.rhs))
            copy = ref(copied.symbol)
            own = replace(of, lhs=lhs, rhs=rhs)
            self._own[copy] = replace(self._own[copy], equation=own)
            if self._own[copy].surfaces.isdisjoint(self._averaged):
                self.equations.append(replace(of, lhs=self.weigh(lhs), rhs=self.weigh(rhs)))
            else:
                self.equations.append(replace(of, lhs=copy, rhs=self.mean(copy)))


def _name(unknown: Expr) -> str:
    symbol = leaf_symbol(unknown)
    return symbol.name if unknown.op is Op.REF else derivative_name(symbol.name)


def _is_formula(e: Expr, depending: Iterable[int]) -> bool:
    """Whether numbers are all that an expression makes its value of, as far as it is decided by a side."""
    numbers = (Type.REAL, Type.INTEGER)
    if e.type not in numbers or not e.args or e.op in (Op.DER, Op.PRE, Op.REF):
        return False
    return all(e.args[k].type in numbers for k in depending)
