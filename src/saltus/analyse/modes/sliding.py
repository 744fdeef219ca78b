"""Motion on a surface: where a model slides along `residue = 0`, or rests on it, it is another model.

Sliding. Both sides push towards the surface, so the truth of its relations would change without end. In the
limit the model is on one side for a part u of the time and on the other for the rest (Filippov, Differential
Equations with Discontinuous Righthand Sides, 1988; Utkin's equivalent control is the same where the control
enters linearly). So for every surface

    a new unknown u, the weight of the side residue > 0          a new equation  residue = 0
    every term f of an equation whose value the side decides     becomes  f(-) + u * (f(+) - f(-))

where f(+) and f(-) are the term with the truths of one and of the other side. A term is as small as it can be
without being a product with another such term: `a - (if s > 0 then 1 else -1)*b` is weighted as a whole sum,
term by term, and a product of two of them as one. Boolean and Integer variables that the relation decides are
looked through: they have no value in between, and keep the one that they had. Where the past of such a
variable counts (`pre`, so all when-clauses), there is no limit, and sliding is refused.

Resting. A ball that bounces ever lower ends on the floor. The limit of infinitely many small reinits is a
force: for the states v_i that are reinitialised, with the directions d_i of their jumps,

    a new unknown r, the reaction     a new equation  residue = 0     der(v_i)  becomes  der(v_i) - r * d_i

Either way the relations of the surface are no longer watched, but whether u stays between 0 and 1, and
whether the reaction pushes: these are relations after the model's own. Everything else is index reduction:
the surface is a constraint like any other, and u or r is found by differentiating it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from saltus.analyse.order.system import System
from saltus.core.diagnostics import ModelError, model_error
from saltus.core.source import Span
from saltus.expr.helpers import Helper
from saltus.expr.nodes import (
    ONE,
    ZERO,
    Expr,
    Op,
    Symbol,
    Type,
    const,
    der,
    leaf_symbol,
    leaves,
    mul,
    not_,
    postorder,
    rebuild,
    ref,
    sub,
    transform,
    walk,
)
from saltus.ir.flat import Equation, Variability, Variable
from saltus.ir.hybrid import HybridModel, Relation
from saltus.ir.structure import OnSurface, Surface

#: Nodes that a weighted term may stand in: what they make of the limit is the limit of what they make.
_LINEAR = frozenset({Op.ADD, Op.NEG, Op.NOEVENT, Op.SMOOTH})


def reinitialised_by(model: HybridModel, relations: Iterable[int]) -> tuple[Symbol, ...]:
    """The states that are reinitialised when one of the relations becomes true or false."""
    reach = _Reach(model, relations)
    found = [j.state for j in model.jumps if reach.any(leaves(j.condition))]
    return tuple(dict.fromkeys(found))


def on_surfaces(model: HybridModel, wanted: Iterable[OnSurface]) -> tuple[HybridModel, tuple[Surface, ...]]:
    """The model on the surfaces. Raises `ModelError` where there is no such motion."""
    made = [_New(model, w) for w in sorted(wanted, key=lambda w: w.relation)]
    sliding = {k: new for new in made if not new.resting for k in new.relations}
    weighting = _Weighting(model, sliding)
    weighting.refuse_memory()
    pushed = {
        der(ref(v)): sub(der(ref(v)), mul(new.multiplier, ref(d)))
        for new in made
        for v, d in new.directions.items()
    }
    memo: dict[Expr, Expr] = {}

    def rewrite(e: Expr) -> Expr:
        return transform(weighting.weigh(e), pushed.get, memo) if pushed else weighting.weigh(e)

    claims = weighting.reach.system.claims
    equations = [
        _equation(q, rewrite(q.lhs), rewrite(q.rhs)) if claims[row] < 0 else q
        for row, q in enumerate(model.equations)
    ]
    relations = [replace(r, residue=rewrite(r.residue)) for r in model.relations]
    for new in made:
        leader = relations[new.leader]
        equations.append(Equation(leader.residue, ZERO, leader.span, leader.origin))
    for new in made:
        for k, sign in new.relations.items():
            side = mul(const(float(sign)), ref(new.side))
            relations[k] = replace(relations[k], slope=ZERO, offset=side)  # for ever on that side
    surfaces = []
    for new in made:
        surfaces.append(new.surface(len(relations)))
        relations += new.exits()
    changed = replace(
        model,
        parameters=(*model.parameters, *(p for new in made for p in new.parameters)),
        algebraics=(*model.algebraics, *(new.unknown for new in made)),
        equations=tuple(equations),
        initial_equations=(),
        relations=tuple(relations),
        jumps=tuple(replace(j, value=rewrite(j.value)) for j in model.jumps),
    )
    return changed, tuple(surfaces)


def _equation(q: Equation, lhs: Expr, rhs: Expr) -> Equation:
    return q if lhs is q.lhs and rhs is q.rhs else replace(q, lhs=lhs, rhs=rhs)


# ---------------------------------------------------------------- what is new


class _New:
    """The unknown, the parameters and the relations that one surface brings."""

    def __init__(self, model: HybridModel, wanted: OnSurface) -> None:
        self.resting = wanted.resting
        self.relations = model.surface(wanted.relation)
        self.leader = min(self.relations)
        self._of: Relation = model.relations[self.leader]
        self.multiplier = ref(self._symbol())
        self.side = self._symbol("side")
        self.directions: dict[Symbol, Symbol] = {}
        if self.resting:
            states = reinitialised_by(model, self.relations)
            if not states:
                raise model_error(
                    "E302",
                    f"nothing is reinitialised when `{self._of.text}` changes, so nothing can rest there",
                    self._of.span,
                )
            self.directions = {v: self._symbol(v.name) for v in states}
        start = const(0.5) if not self.resting else ZERO
        self.unknown = Variable(self.multiplier.data, Variability.CONTINUOUS, self._of.span, start=start)

    def _symbol(self, part: str = "", type: Type = Type.REAL) -> Symbol:
        """The multiplier, or what belongs to it."""
        helper = Helper.REACTION if self.resting else Helper.WEIGHT
        return Symbol(helper.numbered(self.leader + 1, part), type, helper=helper)

    @property
    def parameters(self) -> list[Variable]:
        """Numbers that the run writes."""
        symbols = (self.side, *self.directions.values())
        return [Variable(s, Variability.PARAMETER, self._of.span, start=ONE, final=True) for s in symbols]

    def exits(self) -> list[Relation]:
        """The relations that hold as long as the surface is not left."""
        value, r = self.multiplier, self._of
        bounds = [value] if self.resting else [value, sub(ONE, value)]
        symbols = (self._symbol(f"exit{k + 1}", Type.BOOLEAN) for k in range(len(bounds)))
        return [
            Relation(symbol, Op.GT, bound, ONE, r.text, r.span, r.origin)
            for symbol, bound in zip(symbols, bounds, strict=True)
        ]

    def surface(self, first_exit: int) -> Surface:
        return Surface(
            self.relations,
            self.multiplier.data,
            self.side,
            tuple(range(first_exit, first_exit + (1 if self.resting else 2))),
            self.directions,
        )


# ---------------------------------------------------------------- who depends on a relation


class _Reach:
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


# ---------------------------------------------------------------- weighted terms


class _Weighting:
    """Expressions with weights in place of truths. `sliding` has the surface of each sliding relation."""

    def __init__(self, model: HybridModel, sliding: Mapping[int, _New]) -> None:
        self.reach = _Reach(model, sliding)
        self._model = model
        self._sliding = sliding
        self._surfaces: dict[Expr, frozenset[_New]] = {}  # on which an expression depends
        self._one_sided: dict[tuple[_New, int], dict[Expr, Expr]] = {}
        self._weighed: dict[Expr, Expr] = {}

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

    def surfaces(self, e: Expr) -> frozenset[_New]:
        """The surfaces whose sides decide the value of an expression."""
        known = self._surfaces
        for node in postorder(e, known):
            found: frozenset[_New] = frozenset()
            if node.op is Op.REF:
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

    def weigh(self, e: Expr) -> Expr:
        """An expression of numbers with each of its terms weighted."""
        surfaces = self.surfaces(e)
        if not surfaces:
            return e
        if e not in self._weighed:
            self._weighed[e] = self._weigh(e, surfaces)
        return self._weighed[e]

    def _weigh(self, e: Expr, surfaces: frozenset[_New]) -> Expr:
        depending = [k for k, a in enumerate(e.args) if self.surfaces(a)]
        through = (
            e.op in _LINEAR
            or (e.op is Op.MUL and len(depending) == 1)
            or (e.op is Op.DIV and depending == [0])
            or (e.op is Op.IF and 0 not in depending)
            or (e.op is Op.CALL and e.data == "real")
        )
        if through:
            return rebuild(e, tuple(self.weigh(a) if k in depending else a for k, a in enumerate(e.args)))
        surface = min(surfaces, key=lambda s: s.leader)
        above, below = (self.weigh(self._on_side(e, surface, side)) for side in (1, -1))
        return below + surface.multiplier * sub(above, below)

    def _on_side(self, e: Expr, surface: _New, side: int) -> Expr:
        """The expression with the truths of one side of a surface."""
        memo = self._one_sided.setdefault((surface, side), {})

        def visit(node: Expr) -> Expr | None:
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
