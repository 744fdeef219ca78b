"""The model with a method's formula in place of the derivatives of chosen states (`saltus.ir.inline`).

    L*der(i) = u       ->       L*di = u,  i = c + weight*h*di,  der(c) = di

The state i becomes an ordinary unknown, and so does its derivative di: `der(i)` by name. What the formula
needs of the time before the step is a state c of its own, the carrier. So a switch that determines the
current while it is open, and nothing while it is closed, contradicts no state: it is in a loop with the
formula, which tearing and symbolic solution see as they see any other.

The model is a differential equation for the carriers, and the explicit Euler method of step h solves it as
the implicit one solves the original: with weight 1, `c + h*der(c)` is i. The step h is a parameter. At the
start, i is what initial equations and start values say, and c follows from it.

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

from collections.abc import Collection
from dataclasses import replace

from saltus.analyse.index.reduction import derivative_variable, rewritten_model
from saltus.analyse.modes.modes import ModeGuards
from saltus.analyse.trivial.alias import Reduced
from saltus.core.diagnostics import model_error
from saltus.expr.helpers import Helper, derivative_name
from saltus.expr.nodes import (
    ONE,
    ZERO,
    Expr,
    Op,
    Symbol,
    add,
    const,
    der,
    if_,
    mul,
    no_event,
    pre,
    ref,
    relation,
    sub,
    substitute,
)
from saltus.ir.balance import Balance
from saltus.ir.flat import Equation, Variability, Variable
from saltus.ir.hybrid import HybridModel, Inlined, Inlining, Jump
from saltus.ir.inline import STEP, Formula
from saltus.ir.structure import Structure


def inlined(
    reduced: Reduced, formula: Formula, chosen: Collection[str], switched: Collection[str]
) -> Reduced:
    """The model in which a formula determines the `chosen` states, by name. Those that are `switched` are not
    held at events."""
    model = reduced.model
    length = Symbol(STEP, helper=Helper.LENGTH)
    ahead = Symbol(Helper.AHEAD.value, helper=Helper.AHEAD)
    weight = mul(const(formula.weight), ref(length))
    states: list[Variable] = []
    algebraics: list[Variable] = []
    equations: list[Equation] = []
    notes: list[Inlined] = []
    rates: dict[Expr, Expr] = {}
    carriers: dict[Symbol, tuple[Symbol, Expr]] = {}
    for v in model.states:
        if v.name not in chosen:
            states.append(v)
            continue
        x = ref(v.symbol)
        carrier = Symbol(Helper.CARRIED.belonging_to(v.name), helper=Helper.CARRIED)
        rate = Symbol(derivative_name(v.name), derivative_of=v.symbol)
        speed = model.balance.nominal(der(x)) if model.balance is not None else None
        states.append(Variable(carrier, Variability.CONTINUOUS, v.span, nominal=v.nominal, unit=v.unit))
        algebraics += [v, derivative_variable(v, rate, speed)]
        held = v.name not in switched
        way = mul(ref(ahead) if held else weight, ref(rate))
        equations += [
            Equation(x, add(ref(carrier), way), v.span, v.owner),
            Equation(der(ref(carrier)), ref(rate), v.span, v.owner),
        ]
        rates[der(x)] = ref(rate)
        carriers[v.symbol] = carrier, way
        notes.append(Inlined(v.symbol, carrier, held))
    memo: dict[Expr, Expr] = {}

    def rewrite(e: Expr) -> Expr:
        return substitute(e, rates, memo)

    def rewritten(q: Equation) -> Equation:
        lhs, rhs = rewrite(q.lhs), rewrite(q.rhs)
        return q if lhs is q.lhs and rhs is q.rhs else replace(q, lhs=lhs, rhs=rhs)

    changed = {q: rewritten(q) for q in model.equations}
    made = rewritten_model(
        model,
        rewrite,
        tuple(states),
        (*algebraics, *model.algebraics),
        (*changed.values(), *equations),
    )
    origins = {new: reduced.written.get(old, old) for old, new in changed.items() if new is not old}
    step = Variable(length, Variability.PARAMETER, model.span, start=ONE, unit="s")
    seen = {
        ref(s): if_(no_event(relation(Op.GT, ref(ahead), ZERO)), ref(s), pre(ref(s)))
        for s, held in ((note.symbol, note.held) for note in notes)
        if not held
    }
    if seen:
        asking = set(ModeGuards(model).inert)
        made = replace(
            made,
            relations=tuple(
                replace(r, residue=substitute(r.residue, seen)) if k in asking else r
                for k, r in enumerate(made.relations)
            ),
        )
    if notes:
        before = Variable(ahead, Variability.DISCRETE, model.span, start=ZERO, fixed=True)
        stays = Equation(ref(ahead), pre(ref(ahead)), model.span, when_assigned=True)
        made = replace(made, discretes=(*made.discretes, before), equations=(*made.equations, stays))
    made = replace(
        made,
        parameters=(*made.parameters, step),
        jumps=tuple(_of_carrier(j, carriers) for j in made.jumps),
        balance=_with_rates(made, rates),
        inlining=Inlining(tuple(notes), length, ahead),
    )
    return Reduced(made, reduced.aliases, reduced.written | origins)


def refuse_inlining(structure: Structure, present: Collection[Expr]) -> None:
    """Refuses a model whose states a formula cannot determine, as it was sorted."""
    reason = None
    if structure.pivot_guards:
        reason = "which of its variables are states changes during the run"
    elif present:
        reason = "some of its equations exist in some modes only"
    if reason is not None:
        raise model_error(
            "E302",
            f"inline integration is not possible here: {reason}",
            structure.model.span,
            hint="choose another method, or inline:euler, which leaves the equations as they are",
        )


def _of_carrier(jump: Jump, carriers: dict[Symbol, tuple[Symbol, Expr]]) -> Jump:
    """A jump of an inlined variable is one of its carrier, with which the formula gives the value."""
    if jump.state not in carriers:
        return jump
    carrier, way = carriers[jump.state]
    return replace(jump, state=carrier, value=sub(jump.value, way))


def _with_rates(model: HybridModel, rates: dict[Expr, Expr]) -> Balance | None:
    """What tells how large variables are speaks of derivatives by their new names."""
    balance = model.balance
    if balance is None:
        return None
    return replace(balance, leaves=tuple(rates.get(x, x) for x in balance.leaves))
