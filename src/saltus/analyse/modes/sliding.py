"""Motion on a surface: where a model slides along `residue = 0`, or rests on it, it is another model.

Sliding. Both sides push towards the surface, so the truth of its relations would change without end. In the
limit the model is on one side for a part u of the time and on the other for the rest (Filippov, Differential
Equations with Discontinuous Righthand Sides, 1988; Utkin's equivalent control is the same where the control
enters linearly). So for every surface

    a new unknown u, the weight of the side residue > 0          a new equation  residue = 0
    every term f of an equation whose value the side decides     becomes  f(-) + u * (f(+) - f(-))

where f(+) and f(-) are the term with the truths of one and of the other side; `weighting` has that, and the
other convention. Where the past of a Boolean or Integer variable that the relation decides counts (`pre`, so
all when-clauses), there is no limit, and sliding is refused.

Resting. A ball that bounces ever lower ends on the floor. The limit of infinitely many small reinits is a
force: for the states v_i that are reinitialised, with the directions d_i of their jumps,

    a new unknown r, the reaction     a new equation  residue = 0     der(v_i)  becomes  der(v_i) - r * d_i

Settled. Events without reinits, or with reinits that come to nothing, may accumulate as well: those of x > 0
and v > 0 where x'' = -2 sign(x) - sign(v), of s > 0 where s' = w and w' = -sign(s). The motion that is left
is that of sliding, of higher order: residue = 0 is differentiated until the weight appears. Where several
surfaces meet in such a point, one of them holds the model on all, and the others have the same weight, or
that of the other side: so weights are as far from their bounds as they can be. Where a surface does not hold
the model (a switching curve that goes through the point), a state is held in its place.

Either way the relations of the surface are no longer watched, but whether u stays between 0 and 1, and
whether the reaction pushes: these are relations after the model's own. Everything else is index reduction:
the surface is a constraint like any other, and u or r is found by differentiating it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product

from saltus.analyse.modes.weighting import Reach, Weighting
from saltus.core.diagnostics import model_error
from saltus.expr.helpers import Helper
from saltus.expr.nodes import ONE, ZERO, Expr, Op, Symbol, Type, const, der, mul, neg, ref, sub
from saltus.expr.simplify import simplify
from saltus.expr.traversal import leaves, transform
from saltus.ir.flat import Equation, Variability, Variable
from saltus.ir.hybrid import HybridModel, Relation
from saltus.ir.sorted.surfaces import OnSurface, Surface


def reinitialised_by(model: HybridModel, relations: Iterable[int]) -> tuple[Symbol, ...]:
    """The states that are reinitialised when one of the relations becomes true or false."""
    reach = Reach(model, relations)
    found = [j.state for j in model.jumps if reach.any(leaves(j.condition))]
    return tuple(dict.fromkeys(found))


def on_surfaces(model: HybridModel, wanted: Iterable[OnSurface]) -> tuple[HybridModel, tuple[Surface, ...]]:
    """The model on the surfaces. Raises `ModelError` where there is no such motion."""
    made = [_New(model, w) for w in sorted(wanted)]
    sliding = {k: new for new in made if not new.resting for k in new.relations}
    weighting = Weighting(model, sliding, equivalent=any(new.wanted.equivalent for new in made))
    if all(new.wanted.endless or not new.wanted.settled for new in made):
        weighting.refuse_memory()
    pushed: dict[Expr, Expr] = {}
    for new in made:
        for v, d in new.directions.items():  # several surfaces may push one state
            rate = der(ref(v))
            pushed[rate] = sub(pushed.get(rate, rate), mul(new.multiplier, ref(d)))
    memo: dict[Expr, Expr] = {}
    zeroed: dict[Expr, Expr] = {}

    zero = {e: ZERO for new in made if new.is_zeroed for e in _signed(model.relations[new.leader].residue)}

    def weigh(e: Expr) -> Expr:
        return transform(weighting.weigh(e), pushed.get, memo) if pushed else weighting.weigh(e)

    def rewrite(e: Expr) -> Expr:
        # What is singular where the residue is zero (its root) must not be differentiated there.
        return simplify(transform(weigh(e), zero.get, zeroed)) if zero else weigh(e)

    claims = weighting.reach.system.claims
    turning = frozenset(new for new in made if new.wanted.turning)
    means = weighting.means_on(turning) if turning else {}
    equations = [
        means.get(row) or (_equation(q, rewrite(q.lhs), rewrite(q.rhs)) if claims[row] < 0 else q)
        for row, q in enumerate(model.equations)
    ]
    relations = [replace(r, residue=weigh(r.residue)) for r in model.relations]
    jumps = tuple(replace(j, value=rewrite(j.value)) for j in model.jumps)
    sided = {new: _sided(model, new, made, weighting) for new in turning}
    weighting.finish()
    equations += weighting.equations
    holds = next((new for new in made if new.wanted.settled and not new.wanted.follows), None)
    for new in made:
        leader = relations[new.leader]
        lhs, rhs = leader.residue, ZERO
        if new.place is not None:
            state = next((v.symbol for v in model.states if v.name == new.wanted.held), None)
            if state is None:  # it is one of a program only, after a choice of states
                raise model_error("E302", f"`{new.wanted.held}` is not a state that could be held")
            lhs, rhs = ref(state), ref(new.place)
        elif new.wanted.follows and holds is not None:
            same = holds.multiplier
            lhs, rhs = new.multiplier, same if new.wanted.follows > 0 else sub(ONE, same)
        equations.append(Equation(lhs, rhs, leader.span, leader.origin))
    for new in made:
        for k, sign in new.relations.items():
            side = mul(const(float(sign)), ref(new.side))
            relations[k] = replace(relations[k], slope=ZERO, offset=side)  # for ever on that side
    surfaces = []
    for new in made:
        exits = new.exits(sided.get(new, ()))
        surfaces.append(new.surface(len(relations), len(exits), weighting.copied_names.get(new.leader, {})))
        relations += exits
    changed = replace(
        model,
        parameters=(*model.parameters, *(p for new in made for p in new.parameters)),
        algebraics=(*model.algebraics, *(new.unknown for new in made), *weighting.copies),
        equations=tuple(equations),
        initial_equations=(),
        relations=tuple(relations),
        jumps=jumps,
    )
    return changed, tuple(surfaces)


def _sided(model: HybridModel, new: _New, made: Iterable[_New], weighting: Weighting) -> list[Expr]:
    """What has to be positive on the sides of a surface with which relations turn: the residues of these,
    with the signs that they have there; and of other residues that the side decides the product of two, since
    what has one truth on either side must not turn as well. Where several surfaces decide about a residue, it
    is looked at on all of their sides."""
    found: list[Expr] = []
    others = [one for one in made if one is not new]
    for k, r in enumerate(model.relations):
        sign = dict(new.wanted.turning).get(k)
        is_free = not r.is_time_event and not any(k in one.relations for one in made)
        surfaces = weighting.surfaces(r.residue)
        if sign is None and not (is_free and new in surfaces):
            continue
        deciding = [new, *(one for one in others if one in surfaces and one.wanted.turning)]
        cases = [dict(zip(deciding, sides, strict=True)) for sides in product((1, -1), repeat=len(deciding))]
        values = [weighting.on_sides(r.residue, case.items()) for case in cases]
        if sign is None:
            found += [mul(values[0], value) for value in values[1:]]
        else:
            signs = (const(float(sign * case[new])) for case in cases)
            found += [mul(*pair) for pair in zip(signs, values, strict=True)]
    return found


def _signed(residue: Expr) -> tuple[Expr, Expr]:
    return residue, neg(residue)


def _equation(q: Equation, lhs: Expr, rhs: Expr) -> Equation:
    return q if lhs is q.lhs and rhs is q.rhs else replace(q, lhs=lhs, rhs=rhs)


# ---------------------------------------------------------------- what is new


class _New:
    """The unknown, the parameters and the relations that one surface brings."""

    def __init__(self, model: HybridModel, wanted: OnSurface) -> None:
        self.wanted, self.resting = wanted, wanted.resting
        own = model.surface(wanted.relation)
        self.relations = own | dict(wanted.turning)
        self.leader = min(own)
        self._of: Relation = model.relations[self.leader]
        self.multiplier = ref(self._symbol())
        self.side = self._symbol("side")
        self.place = self._symbol("place") if wanted.held else None
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
        symbols = (self.side, *self.directions.values(), *((self.place,) if self.place is not None else ()))
        return [Variable(s, Variability.PARAMETER, self._of.span, start=ONE, final=True) for s in symbols]

    @property
    def is_zeroed(self) -> bool:
        """Whether the residue is zero wherever it occurs."""
        return self.wanted.settled and not self.wanted.follows and not self.wanted.held

    def exits(self, sided: Sequence[Expr] = ()) -> list[Relation]:
        """The relations that hold as long as the surface is not left; `sided` is what has to be positive on
        its sides."""
        value, r = self.multiplier, self._of
        bounds = [value] if self.resting else [value, sub(ONE, value), *sided]
        symbols = (self._symbol(f"exit{k + 1}", Type.BOOLEAN) for k in range(len(bounds)))
        return [
            Relation(symbol, Op.GT, bound, ONE, r.text, r.span, r.origin)
            for symbol, bound in zip(symbols, bounds, strict=True)
        ]

    def surface(self, first_exit: int, exits: int, copies: Mapping[Symbol, str]) -> Surface:
        return Surface(
            self.relations,
            self.multiplier.data,
            self.side,
            tuple(range(first_exit, first_exit + exits)),
            self.directions,
            self.wanted,
            copies,
            self.place,
        )
