"""Phases: quantities from which the driver knows how fast a residue can change, before it does.

Samples of `sin(w*time)` say little while they are further apart than its period: whatever is between them
may be anything. The argument `w*time` says it at once. So the arguments of what oscillates, saturates or has
a pole, wherever residues come from, are computed along with the residues and called *phases*. In their units
a phase may pass about 1 between two samples; then what depends on it is a smooth curve through them.

    sin(u), cos(u), tan(u)                          u
    exp(u), tanh(u), atan(u), sinh(u), cosh(u)      u where it matters, |u| less than about 3: 6u/(1 + |u|)
    even powers of u in an exponent or denominator  the same: a narrow bell lies around u = 0
    division by u, negative powers of u             the sign of u: a change of sign is a pole in between
    a table of one input                            the number of the piece (`emit.layout.table_phases`)
    exp(d)*sin(u), exp(d)*cos(u)                    u, until exp(d) is zero in the machine: then at rest

Phases that depend on time alone and reach the derivatives *steer* the integrator as well: its own control of
errors samples such a signal once or a few times in a step, and can be deceived in the same way. So it is
also where there are no relations, but jumps or kinks without events, `sign(sin(w*time))`: between these the
derivatives may be constant, so that steps would become longer and longer, past any number of kinks.

Arguments with calls of functions are left out: in a branch that is not taken these may fail. What functions
do inside is not known, nor what a delay brings back; where residues depend on such, they are *opaque*, and
panels begin short.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce

from saltus.emit.layout.schedule import continuous_blocks, needed
from saltus.emit.layout.table_phases import table_phase
from saltus.expr.nodes import (
    LEAVES,
    TIME,
    ZERO,
    Expr,
    Op,
    add,
    call,
    const,
    der,
    div,
    if_,
    mul,
    neg,
    power,
    ref,
    relation,
    sub,
)
from saltus.expr.traversal import leaves, walk
from saltus.ir.sorted.blocks import Block, block_expressions
from saltus.ir.structure import Structure

_OSCILLATING = frozenset({"sin", "cos", "tan"})
_SATURATING = frozenset({"exp", "tanh", "atan", "sinh", "cosh"})

_KINKED = frozenset({"abs", "sign", "max", "min"})

#: The whole range of a saturating phase, from far below zero to zero.
_RANGE = 6.0

#: Where the exponential function is zero in the machine, and how far above an oscillation with it as a factor
#: begins to count less. The end is gradual: a phase that leaps would be taken for a pole.
_GONE, _LASTING = -745.0, 45.0

#: By how much more phases of time steer where something has kinks without events.
_DENSER = 4.0

#: The jump of a phase at a pole: more than may pass in one panel.
_POLE = 4.0


@dataclass(frozen=True)
class Phases:
    """Expressions of phases. The first ones, as many as `steering`, limit the integrator's steps. `opaque`:
    whether residues depend on functions or on the past."""

    expressions: tuple[Expr, ...] = ()
    steering: int = 0
    opaque: bool = False


def phases(structure: Structure) -> Phases:
    """The phases that the relations of a structure depend on; none where only the choice of states is
    watched."""
    model = structure.model
    of_states = {guard.relation for guard in structure.pivot_guards}
    residues = [
        r.residue for k, r in enumerate(model.relations) if not r.is_time_event and k not in of_states
    ]
    blocks = continuous_blocks(structure)
    rates = [der(ref(v.symbol)) for v in structure.states]
    moving = _moving(structure, blocks)
    of_time = {TIME, *(x for b in blocks for x in b.unknowns)} - moving
    has_kinks = any(not of_time.isdisjoint(leaves(e)) for e in _kinks(_inside(needed(blocks, rates))))
    if not residues and not has_kinks:
        return Phases()
    varying = {TIME, *(ref(v.symbol) for v in structure.states), *(x for b in blocks for x in b.unknowns)}
    wanted = [x for e in residues for x in leaves(e)]
    origins = [*residues, *_inside(needed(blocks, wanted))]
    watched = list(_arguments(origins, varying))
    # What is delayed is remembered step by step.
    delayed = [d.input for d in model.delays]
    rates += [x for e in delayed for x in leaves(e)]
    of_rates = _arguments([*delayed, *_inside(needed(blocks, rates))], varying)
    steering = [e for e in of_rates if moving.isdisjoint(leaves(e))]
    if has_kinks:
        steering = [mul(const(_DENSER), e) for e in steering]
    return Phases(
        tuple(dict.fromkeys([*steering, *watched])),
        len(dict.fromkeys(steering)),
        opaque=any(node.op in (Op.APPLY, Op.RECALL) for e in origins for node in walk(e)),
    )


def _inside(blocks: Sequence[Block]) -> list[Expr]:
    return [e for b in blocks for e in block_expressions(b)]


def _kinks(expressions: Iterable[Expr]) -> Iterator[Expr]:
    """What has jumps or kinks for which there are no events."""
    for e in expressions:
        for node in walk(e):
            if (node.op is Op.CALL and node.data in _KINKED) or node.op in (Op.NOEVENT, Op.SMOOTH):
                yield node


def _moving(structure: Structure, blocks: Sequence[Block]) -> set[Expr]:
    """The states, and all that varies with them: not with time alone."""
    found = {ref(v.symbol) for v in structure.states}
    for block in blocks:
        if any(x in found for e in block_expressions(block) for x in leaves(e)):
            found.update(block.unknowns)
    return found


def _arguments(expressions: Iterable[Expr], varying: set[Expr]) -> Iterator[Expr]:
    """The phases of these expressions."""
    seen: set[Expr] = set()
    for e in expressions:
        stack = [e]
        while stack:
            node = stack.pop()
            if node in seen or node.op in LEAVES:
                continue
            seen.add(node)
            faded = list(_faded(node))
            inside = {e for e, _ in faded}
            stack += [a for e in node.args for a in (e.args if e in inside else (e,))]
            for u, phase in [*_of_node(node), *((e.args[0], phase) for e, phase in faded)]:
                if not varying.isdisjoint(leaves(u)) and not any(x.op is Op.APPLY for x in walk(u)):
                    yield phase


def _faded(node: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Oscillations that decay, as factors of one product, each with its phase: what has died away is not
    followed from wave to wave for the rest of a run."""
    if node.op is not Op.MUL:
        return
    decays = [e.args[0] for e in node.args if e.op is Op.CALL and e.data == "exp"]
    if not decays or any(x.op is Op.APPLY for u in decays for x in walk(u)):
        return
    left = [div(sub(u, const(_GONE)), const(_LASTING)) for u in decays]
    weight = reduce(partial(call, "min"), left, const(1.0))
    for e in node.args:
        if e.op is Op.CALL and e.data in ("sin", "cos"):
            yield e, mul(call("max", weight, ZERO), e.args[0])


def _of_node(node: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Arguments of one node, each with its phase."""
    if node.op is Op.CALL and node.data in _OSCILLATING:
        yield node.args[0], node.args[0]
    elif node.op is Op.CALL and node.data in _SATURATING:
        yield node.args[0], _saturating(node.args[0])
        yield from _bells(node.args[0])
    elif node.op is Op.DIV:
        yield node.args[1], _pole(node.args[1])
        yield from _bells(node.args[1])
    elif node.op is Op.POW and node.args[1].op is Op.CONST and node.args[1].data < 0:
        yield node.args[0], _pole(node.args[0])
        yield from _bells(node.args[0])
    elif node.op is Op.APPLY:
        found = table_phase(node)
        if found is not None:
            yield found


def _bells(e: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Even powers of u, with all factors that say how narrow they are: of a*u^2 the root is what counts, and
    it has the sign of u. What is added to a constant or a parameter is compared with it."""
    for node in walk(e):
        found = next(_even_powers(node), None)
        if found is not None:
            u, n = found.args[0], found.args[1].data
            yield u, _saturating(_root(u, node, n))
        if node.op is Op.ADD:
            for term in node.args:
                found = next(_even_powers(term), None)
                rest = [t for t in node.args if t is not term]
                if found is not None and rest:
                    u, n = found.args[0], found.args[1].data
                    yield u, _saturating(_root(u, div(term, add(*rest) if len(rest) > 1 else rest[0]), n))


def _even_powers(node: Expr) -> Iterator[Expr]:
    """Even powers that are factors of a product or quotient, or the node itself."""
    stack = [node]
    while stack:
        e = stack.pop()
        if e.op is Op.POW and e.args[1].op is Op.CONST and e.args[1].data > 0 and e.args[1].data % 2 == 0:
            yield e
        elif e.op in (Op.MUL, Op.NEG):
            stack.extend(e.args)
        elif e.op is Op.DIV:
            stack.append(e.args[0])


def _root(u: Expr, term: Expr, n: float) -> Expr:
    size = power(call("abs", term), const(1.0 / n))
    return if_(relation(Op.LT, u, ZERO), neg(size), size)


def _saturating(u: Expr) -> Expr:
    return div(mul(const(_RANGE), u), add(const(1.0), call("abs", u)))


def _pole(u: Expr) -> Expr:
    return if_(relation(Op.LT, u, ZERO), const(-_POLE), const(_POLE))
