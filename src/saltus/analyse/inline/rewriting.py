"""The model with a method's formula in place of the derivatives of chosen states (`saltus.ir.inline`).

    L*der(i) = u       ->       L*di = u,  i = c + weight*h*di,  der(c) = di

The state i becomes an ordinary unknown, and so does its derivative di: `der(i)` by name. What the formula
needs of the time before the step is a state c of its own, the carrier. So a switch that determines the
current while it is open, and nothing while it is closed, contradicts no state: it is in a loop with the
formula, which tearing and symbolic solution see as they see any other.

The model is a differential equation for the carriers, and the explicit Euler method of step h solves it as
the implicit one solves the original: with weight 1, `c + h*der(c)` is i. The step h is a parameter. At the
start, i is what initial equations and start values say, and c follows from it; where something that switches
may determine i, c begins with the start value, and i is a short step later (`saltus.run.start.first_step`).

While an event is done, i must not move: what has switched says how i goes on, not how it came to where it is.
There `weight*h` is a discrete variable that is zero then, so that i = c is known as a state is. An exception
are the variables of `switched`, those that a switch may determine (`saltus.analyse.inline.causality`): they
follow from the formula at events, too, as if the last step had been taken with what has switched. Relations
that ask for nothing but states see them as they were when the step ended, or a controller that has switched
off at a limit would find the current below it.

Index reduction comes before: the chosen states are those that are left, and equations that follow from
constraints stay in the model.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from saltus.analyse.index.reduction import derivative_variable
from saltus.analyse.modes.modes import ModeGuards
from saltus.analyse.trivial.alias import Reduced
from saltus.analyse.trivial.rewritten import rewritten_model
from saltus.core.diagnostics import model_error
from saltus.core.nearest import did_you_mean
from saltus.core.option import usage_error
from saltus.core.wording import listed
from saltus.expr.helpers import Helper, derivative_name
from saltus.expr.nodes import (
    FALSE,
    ONE,
    ZERO,
    Expr,
    Op,
    Symbol,
    Type,
    add,
    and_,
    const,
    der,
    if_,
    mul,
    no_event,
    not_,
    pre,
    ref,
    relation,
    sub,
)
from saltus.expr.traversal import substitute
from saltus.ir.flat import Equation, Variability, Variable
from saltus.ir.hybrid import Clock, HybridModel, Inlined, Inlining, Jump, Relation
from saltus.ir.inline import INSTANT, STEP, Formula, Inlines
from saltus.ir.structure import Structure


def inlined(
    reduced: Reduced,
    inlines: Inlines,
    chosen: Collection[str],
    switched: Collection[str],
    switching: Collection[str] = (),
) -> Reduced:
    """The model in which a formula determines the `chosen` states, by name. Those that are `switched` are not
    held at events, unless these are located; those that are `switching` are held by steps that are short,
    since what switches may turn out to determine them. Raises `ModelError` where ticks do not do."""
    free = () if inlines.locates else switched
    carriers: _Stepping | _Ticking
    if inlines.ticks:
        carriers = _Ticking(reduced.model, inlines.formula)
    else:
        carriers = _Stepping(reduced.model, inlines.formula, free, {*switched, *switching})
    model = reduced.model
    states = tuple(v for v in model.states if v.name not in chosen)
    algebraics: list[Variable] = []
    for v in model.states:
        if v.name in chosen:
            algebraics += carriers.carry(v)
    rates, memo = carriers.rates, dict[Expr, Expr]()

    def rewrite(e: Expr) -> Expr:
        return substitute(e, rates, memo)

    def rewritten(q: Equation) -> Equation:
        lhs, rhs = rewrite(q.lhs), rewrite(q.rhs)
        return q if lhs is q.lhs and rhs is q.rhs else replace(q, lhs=lhs, rhs=rhs)

    changed = {q: rewritten(q) for q in model.equations}
    variables, equations = (*algebraics, *model.algebraics), tuple(changed.values())
    made = rewritten_model(model, rewrite, states, variables, equations)
    balance = model.balance
    if balance is not None:
        balance = replace(balance, leaves=tuple(rates.get(x, x) for x in balance.leaves))
    step = Variable(carriers.length, Variability.PARAMETER, model.span, start=ONE, unit="s")
    made = replace(made, parameters=(*made.parameters, step), balance=balance)
    origins = {new: reduced.written.get(old, old) for old, new in changed.items() if new is not old}
    return Reduced(carriers.completed(made), reduced.aliases, reduced.written | origins)


class _Carriers:
    """What carries inlined variables from step to step."""

    def __init__(self, model: HybridModel, formula: Formula) -> None:
        self._model, self.formula = model, formula
        self.length = Symbol(STEP, helper=Helper.LENGTH)
        self._ahead = mul(const(formula.weight), ref(self.length))
        self._equations: list[Equation] = []
        self._notes: list[Inlined] = []
        #: What stands for derivatives.
        self.rates: dict[Expr, Expr] = {}

    def _formula(
        self, v: Variable, weight: Expr, *, held: bool, briefly: bool = False, late: bool = False
    ) -> tuple[Symbol, Variable]:
        """The formula of a variable: its carrier, and its derivative as a variable."""
        x, balance = ref(v.symbol), self._model.balance
        carrier = Symbol(Helper.CARRIED.belonging_to(v.name), helper=Helper.CARRIED)
        rate = Symbol(derivative_name(v.name), derivative_of=v.symbol)
        way = mul(weight, ref(rate))
        self._equations.append(Equation(x, add(ref(carrier), way), v.span, v.owner))
        self._notes.append(Inlined(v.symbol, carrier, held, briefly, late))
        self.rates[der(x)] = ref(rate)
        return carrier, derivative_variable(v, rate, None if balance is None else balance.nominal(der(x)))


class _Stepping(_Carriers):
    """Carriers are states, which native code brings to the next step."""

    def __init__(
        self, model: HybridModel, formula: Formula, free: Collection[str], switching: Collection[str]
    ) -> None:
        super().__init__(model, formula)
        self._free, self._switching = free, switching
        self._weight = Symbol(Helper.AHEAD.value, helper=Helper.AHEAD)
        self._states: list[Variable] = []
        self._jumps: dict[Symbol, tuple[Symbol, Expr]] = {}

    def carry(self, v: Variable) -> Iterator[Variable]:
        """The variable and its derivative, as they are from now on."""
        held, briefly = v.name not in self._free, v.name in self._switching
        weight = ref(self._weight) if held else self._ahead
        if held and briefly:
            weight = add(mul(const(1.0 - INSTANT), weight), mul(const(INSTANT), self._ahead))
        late = briefly and v.fixed is not False
        carrier, rate = self._formula(v, weight, held=held, briefly=briefly, late=late)
        own = Variable(carrier, Variability.CONTINUOUS, v.span, nominal=v.nominal, unit=v.unit)
        if late:
            own, v = replace(own, start=v.start, fixed=v.fixed), replace(v, fixed=None)
        self._states.append(own)
        self._equations.append(Equation(der(ref(carrier)), ref(rate.symbol), v.span, v.owner))
        self._jumps[v.symbol] = carrier, mul(weight, ref(rate.symbol))
        yield from (v, rate)

    def completed(self, model: HybridModel) -> HybridModel:
        """The model with the carriers."""
        weight = self._weight
        before = Variable(weight, Variability.DISCRETE, model.span, start=ZERO, fixed=True)
        stays = Equation(ref(weight), pre(ref(weight)), model.span, when_assigned=True)
        return replace(
            model,
            states=(*model.states, *self._states),
            discretes=(*model.discretes, before),
            equations=(*model.equations, *self._equations, stays),
            relations=self._asking(model),
            jumps=tuple(map(self._of_carrier, model.jumps)),
            inlining=Inlining(self.formula, tuple(self._notes), self.length, weight),
        )

    def _asking(self, model: HybridModel) -> tuple[Relation, ...]:
        """Relations that ask for states only see what is not held as it was when the step ended."""
        on = no_event(relation(Op.GT, ref(self._weight), ZERO))
        free = [ref(note.symbol) for note in self._notes if not note.held or note.briefly]
        seen = {x: if_(on, x, pre(x)) for x in free}
        asking = set(ModeGuards(self._model).inert) if seen else ()
        return tuple(
            replace(r, residue=substitute(r.residue, seen)) if k in asking else r
            for k, r in enumerate(model.relations)
        )

    def _of_carrier(self, jump: Jump) -> Jump:
        """A jump of an inlined variable is one of its carrier, with which the formula gives the value."""
        if jump.state not in self._jumps:
            return jump
        carrier, way = self._jumps[jump.state]
        return replace(jump, state=carrier, value=sub(jump.value, way))


class _Ticking(_Carriers):
    """Carriers are discrete variables, which become what the inlined ones are at the ticks of a clock: the
    integrator has the rest of the model, from tick to tick. They begin with the start values."""

    def __init__(self, model: HybridModel, formula: Formula) -> None:
        super().__init__(model, formula)
        self._clock = Symbol(Helper.CLOCK.numbered(len(model.clocks) + 1), Type.BOOLEAN, helper=Helper.CLOCK)
        #: True during a tick, and what asks for its edge: an event has several rounds.
        self._tick = Symbol(Helper.WHEN.belonging_to("step"), Type.BOOLEAN, helper=Helper.WHEN)
        self._edge = and_(ref(self._tick), not_(pre(ref(self._tick))))
        self._discretes: list[Variable] = []
        self._reinitialised = {j.state: j for j in model.jumps}

    def carry(self, v: Variable) -> Iterator[Variable]:
        """The variable and its derivative, as they are from now on."""
        if v.symbol in self._reinitialised:
            raise model_error(
                "E302",
                f"`{v.name}` is reinitialised, and cannot be inlined beside an integrator",
                self._reinitialised[v.symbol].span,
                hint="choose a method with fixed steps, such as inline:implicit-euler",
            )
        carrier, rate = self._formula(v, self._ahead, held=False)
        self._discretes.append(
            Variable(
                carrier, Variability.DISCRETE, v.span, start=v.start or ZERO, fixed=True, unit=v.unit,
                nominal=v.nominal,
            )
        )  # fmt: skip
        c = ref(carrier)
        value = if_(self._edge, pre(ref(v.symbol)), pre(c))
        self._equations.append(Equation(c, value, v.span, v.owner, when_assigned=True))
        yield from (replace(v, fixed=None), rate)

    def completed(self, model: HybridModel) -> HybridModel:
        """The model with the carriers and the clock."""
        clock = Clock(self._clock, ref(self.length), ref(self.length), model.span)
        tick = Variable(self._tick, Variability.DISCRETE, model.span, start=FALSE, fixed=True)
        ticks = Equation(ref(self._tick), ref(self._clock), model.span)
        return replace(
            model,
            discretes=(*model.discretes, tick, *self._discretes),
            equations=(*model.equations, ticks, *self._equations),
            clocks=(*model.clocks, clock),
            inlining=Inlining(self.formula, tuple(self._notes), self.length, None),
        )


def chosen_states(structure: Structure, wanted: Iterable[str], groups: Iterable[frozenset[str]]) -> list[str]:
    """The states that a user has named, by the names under which they are integrated. Refuses what is none,
    and what is a part of a group that jumps together."""
    states = {v.name for v in structure.states}
    targets = {a.symbol.name: a.target.name for a in structure.aliases}
    found: list[str] = []
    for name in wanted:
        own = name
        while own not in states and own in targets:
            own = targets[own]
        if own not in states:
            known = ", ".join(sorted(n for n in states))
            raise usage_error(
                f"`{name}` is not a state and cannot be inlined",
                hint=did_you_mean(name, states) or f"the states are {known}",
            )
        found.append(own)
    for group in groups:
        missing = sorted(group.difference(found))
        if missing and group.intersection(found):
            part = next(name for name in found if name in group)
            raise usage_error(
                f"`{part}` jumps together with {listed(missing)}, and cannot be inlined alone",
                hint=f"inline all of them: --inline {','.join(sorted(group))}",
            )
    return found


def refuse_inlining(structure: Structure, present: Collection[Expr]) -> None:
    """Refuses a model whose states a formula cannot determine, as it was sorted."""
    reason = None
    if structure.pivot_guards:
        reason = "its choice of states changes during the run"
    elif present:
        reason = "some of its equations exist in some modes only"
    if reason is not None:
        raise model_error(
            "E302",
            f"inline integration is not possible here: {reason}",
            structure.model.span,
            hint="choose another method, or inline:euler, which leaves the equations as they are",
        )


def refuse_positions(structure: Structure, held: Collection[str]) -> None:
    """Refuses a model in which a mode demands something of states that do not jump, as positions are: where a
    step ends they are elsewhere, and what an impact makes of speeds is no matter of formulas."""
    if held:
        raise model_error(
            "E302",
            "inline integration is not possible here: a mode demands something of "
            f"{listed(sorted(held))}, and no impulse brings it there",
            structure.model.span,
            hint="choose another method, or inline:euler with --locate: it leaves equations as they are",
        )
