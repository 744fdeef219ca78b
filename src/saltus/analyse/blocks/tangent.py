"""The integrator's Jacobian: its tangent system, its pattern and its colours.

A step of the integrator solves systems with the matrix I - gamma J, where J has the derivatives of the state
derivatives by the states. They are found by directions. Along a direction s of the states every unknown x
has a tangent dx, and the tangents of a block follow from the block itself:

    x = e            dx = de                   (de: the chain rule, with tangents for the leaves)
    A x = b          A dx = db - dA x
    r(x, z) = 0      r_x dx = -r_z dz

All three are blocks again, explicit or linear, and so the tangent system is emitted like any other. It is as
sparse and as large as the model. Alternative not taken: J symbolically, entry by entry, which grows with the
product of long chains of equations.

Discrete variables, relations, parameters and time do not vary. The condition of an `if` is kept.

The pattern of J is found by passing on, block by block, the set of states that a block depends on. All
unknowns of a loop depend on everything that the loop does: it is strongly connected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from saltus.analyse.blocks.colouring import colour_columns
from saltus.analyse.blocks.fill import eliminate, sparse_is_quicker
from saltus.analyse.index.shared_work import Common
from saltus.expr.differentiate import NotDifferentiable, total_derivative
from saltus.expr.nodes import ZERO, Expr, Symbol, der, mul, neg, ref, sub
from saltus.expr.show import show
from saltus.expr.traversal import leaves
from saltus.ir.flat import Variable
from saltus.ir.sorted.blocks import (
    Block,
    Case,
    Explicit,
    Leading,
    Leap,
    Linear,
    Nonlinear,
    Solving,
    Switched,
    block_expressions,
)
from saltus.ir.sorted.jacobian import Jacobian, Tangents

#: Sets of states passed on, together; a model that passes on more has a full Jacobian for all purposes.
MOST_PASSED = 4_000_000

#: From this part of entries on, a matrix that is not small is taken to be full: listing them gains nothing.
NEARLY_FULL = 0.25
SMALL = 50


def jacobian(
    states: Sequence[Variable],
    discretes: Sequence[Variable],
    blocks: Sequence[Block],
    common: Common | None = None,
) -> Jacobian | None:
    """The structure of the Jacobian of sorted blocks; None without states. Tangents that modes have in
    `common` are made once."""
    if not states:
        return None
    known = [ref(v.symbol) for v in states]
    wanted = [der(x) for x in known]
    constant = {ref(v.symbol) for v in discretes}
    on_the_way = _needed([b for b in blocks if constant.isdisjoint(b.unknowns)], wanted)
    depends = _dependences(known, on_the_way)
    size = len(states)
    if depends is None:
        rows = _full(size)
        varying = {x for block in on_the_way for x in block.unknowns}
    else:
        rows = _columns(size, [depends.get(x, frozenset()) for x in wanted])
        varying = {x for x, on in depends.items() if on}
    full = size > SMALL and sum(map(len, rows)) == size**2
    elimination = None if full else eliminate(rows)
    return Jacobian(
        rows=rows,
        colours=tuple(colour_columns(rows, size)),
        tangents=_tangents(known, on_the_way, varying, common or Common()),
        elimination=elimination,
        sparse=elimination is not None and sparse_is_quicker(elimination),
    )


def _needed(blocks: Sequence[Block], wanted: Iterable[Expr]) -> list[Block]:
    """The blocks that determine the wanted leaves, directly or not, in order."""
    leaves_needed = set(wanted)
    found: list[Block] = []
    for block in reversed(blocks):
        if leaves_needed.isdisjoint(block.unknowns):
            continue
        found.append(block)
        for e in block_expressions(block):
            leaves_needed.update(leaves(e))
    return found[::-1]


# ---------------------------------------------------------------- pattern


def _dependences(
    states: Sequence[Expr], blocks: Sequence[Block], most: int = MOST_PASSED
) -> dict[Expr, frozenset[int]] | None:
    """The numbers of the states that each unknown depends on; None if there are too many to pass on."""
    found = {x: frozenset((k,)) for k, x in enumerate(states)}
    passed = 0
    for block in blocks:
        if isinstance(block, Leading):
            passed += _dependences_of_parts(block, found)
            if passed > most:
                return None
            continue
        sources = {
            on for e in block_expressions(block) for leaf in leaves(e) if (on := found.get(leaf)) is not None
        }
        if isinstance(block, Switched):  # in one case or another, all of them depend on all
            sources |= {on for x in block.unknowns if (on := found.get(x)) is not None}
        passed += sum(map(len, sources))
        if passed > most:
            return None
        union = next(iter(sources)) if len(sources) == 1 else frozenset().union(*sources)
        for x in block.unknowns:
            found[x] = union
    return found


def _dependences_of_parts(block: Leading, found: dict[Expr, frozenset[int]]) -> int:
    """What the unknowns of a system depend on that finds its structure by numbers: in one mode or another,
    all of a part depend on all of it. Gives how many states were passed on."""
    signature, passed = block.signature, 0
    variables = (*block.values, *block.algebraics)
    for part in signature.parts:
        given = [e for row in part.rows for e in block.given(row)]
        given += [variables[k] for k in part.columns if k < signature.states]
        sources = {on for e in given for leaf in leaves(e) if (on := found.get(leaf)) is not None}
        passed += sum(map(len, sources))
        union: frozenset[int] = frozenset().union(*sources)
        for k in part.columns:
            found[variables[k]] = union
            if k < signature.states:
                found[block.rates[k]] = union
    for row, column in signature.tails:
        used = (block.rates[p.column] if p.order else variables[p.column] for p in signature.pairs_of(row))
        read = (*(leaf for e in block.given(row) for leaf in leaves(e)), *used)
        sources = {on for leaf in read if (on := found.get(leaf)) is not None}
        passed += sum(map(len, sources))
        found[variables[column]] = frozenset().union(*sources)
    return passed


def _columns(size: int, rows: Sequence[Iterable[int]]) -> tuple[tuple[int, ...], ...]:
    """The columns of a matrix that is given by rows: the row numbers in each of them."""
    columns: list[list[int]] = [[] for _ in range(size)]
    for i, row in enumerate(rows):
        for j in row:
            columns[j].append(i)
    if size > SMALL and sum(map(len, columns)) > NEARLY_FULL * size**2:
        return _full(size)
    return tuple(map(tuple, columns))


def _full(size: int) -> tuple[tuple[int, ...], ...]:
    return (tuple(range(size)),) * size


# ---------------------------------------------------------------- tangents


def _tangents(
    states: Sequence[Expr], blocks: Sequence[Block], varying: set[Expr], common: Common
) -> Tangents | None:
    """The tangent system; None where an equation has no symbolic derivative."""
    seeds = tuple(_named("seed", x, common.seeds) for x in states)
    seed = dict(zip(states, seeds, strict=True))
    tangent = dict(seed)
    memo: dict[Expr, Expr] = {}

    def along(e: Expr) -> Expr:
        key = e, tuple(tangent.get(leaf, ZERO) for leaf in leaves(e))
        found = common.along.get(key)
        if found is None:
            found = total_derivative(e, lambda leaf: tangent.get(leaf, ZERO), memo)
            common.along[key] = found
        return found

    made: list[tuple[Block, Block]] = []
    try:
        for block in blocks:
            if varying.isdisjoint(block.unknowns):
                continue
            # A state that follows from others in a case has no direction of its own there.
            new = {x: seed.get(x) or _named("tangent", x, common.tangents) for x in block.unknowns}
            if isinstance(block, Switched):
                tangent.update(new)  # what the cases before have determined stays what it is
                cases = [
                    Case(case.condition, tuple(_tangent(b, _of(b, new), tangent, along) for b in case.blocks))
                    for case in block.cases
                ]
                made.append((Switched(tuple(cases)), block))
            elif isinstance(block, Leading):
                made.append((_along(block, new, along), block))
                tangent.update(new)
            else:
                assert not isinstance(block, Leap), "what jumps at an instant has no tangent"
                made.append((_tangent(block, new, tangent, along), block))
                tangent.update(new)
    except NotDifferentiable:
        return None
    known = {x: tangent[x] for block in made for x in block[1].unknowns if x not in seed}
    return Tangents(seeds, known, tuple(made))


def _along(block: Leading, new: Mapping[Expr, Expr], along: Callable[[Expr], Expr]) -> Leading:
    """The tangent of a system whose structure is found by numbers: it is linear, and its matrix is the same
    between events."""
    return Leading(
        block.signature,
        values=tuple(new[x] for x in block.values),
        rates=tuple(new[x] for x in block.rates),
        algebraics=tuple(new[x] for x in block.algebraics),
        rest=tuple(map(along, block.rest)),
        drifts=tuple(map(along, block.drifts)),
        bends=tuple(map(along, block.bends)),
    )


def _of(block: Solving, tangents: Mapping[Expr, Expr]) -> dict[Expr, Expr]:
    return {x: tangents[x] for x in block.unknowns}


def _named(kind: str, leaf: Expr, known: dict[Expr, Expr]) -> Expr:
    """The symbol of this kind that belongs to a leaf."""
    if leaf not in known:
        known[leaf] = ref(Symbol(f"{kind}({show(leaf)})"))
    return known[leaf]


def _tangent(
    block: Solving, new: dict[Expr, Expr], tangent: dict[Expr, Expr], along: Callable[[Expr], Expr]
) -> Solving:
    """The block of the tangents `new` of a block's unknowns."""
    unknowns = tuple(new.values())
    match block:
        case Explicit():
            return Explicit(unknown=unknowns[0], value=along(block.value), equation=block.equation)
        case Linear():
            right = list(map(along, block.right))
            for i, j, e in block.matrix:
                right[i] = sub(right[i], mul(along(e), block.unknowns[j]))
            return replace(block, unknowns=unknowns, right=tuple(right))
        case Nonlinear():
            if block.jacobian is None:
                raise NotDifferentiable(block.residuals[0])
            # The unknowns count as constant here: what they contribute is on the left side.
            memo: dict[Expr, Expr] = {}
            right = [
                neg(total_derivative(r, lambda x: ZERO if x in new else tangent.get(x, ZERO), memo))
                for r in block.residuals
            ]
            return Linear(
                unknowns=unknowns,
                equations=block.equations,
                matrix=block.jacobian,
                right=tuple(right),
                tearing=block.tearing,
            )
