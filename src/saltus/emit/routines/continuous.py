"""Routines of what varies continuously: `bindings` of parameters, `initial`, `derivatives`, `outputs`,
`crossings`, `evaluate`, `tangents`, and `remembered` where there are delays.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from saltus.emit.events.events import band_values, bands_by_truth
from saltus.emit.layout.layout import remembered
from saltus.emit.layout.schedule import (
    SEPARATE,
    SEPARATE_LOOPS,
    around_outputs,
    continuous_blocks,
    cost,
    needed,
    overlaps,
    used_leaves,
)
from saltus.emit.routines.blocks import Blocks
from saltus.emit.routines.routines import Routines
from saltus.emit.straight.sharing import Locals, Section
from saltus.expr.nodes import Expr, Op, const, der, if_, not_, or_, ref, relation
from saltus.expr.traversal import leaves
from saltus.ir.program import If, Invoke, Routine, Store
from saltus.ir.sorted.blocks import Block, Explicit, Nonlinear, solving
from saltus.ir.structure import Structure

#: How far a pivot must be above its floor for a value of a moment ago to do: more than it falls in a step.
FAR_ABOVE_FLOOR = 0.1


def solve_blocks(made: Routines, blocks: Blocks, *, brief: bool) -> None:
    """The routines that solve blocks. If a program is to be `brief`, they share code even where each would be
    faster with its own."""
    structure = made.structure
    bands = [
        made.store(leaf, value) for leaf, value in zip(made.memory.bands, band_values(structure), strict=True)
    ]
    bands += [
        made.store(made.memory.bands_by_truth[face][k], value)
        for k, faces in bands_by_truth(structure).items()
        for face, value in enumerate(faces)
    ]
    never = [
        made.store(leaf, const(math.inf))
        for leaf, r in zip(made.memory.crossing_times, structure.model.relations, strict=True)
        if not r.is_time_event
    ]
    bindings = [
        blocks.block(replace(b, value=if_(flag, b.unknown, b.value)))
        for b, flag in zip(structure.parameters, made.memory.overridden, strict=True)
        if not made.entered
    ]
    made.routine("bindings", [*bindings, *bands, *never], places=False)
    if not made.entered:
        made.routine("initial", [blocks.block(b, puts_back=False) for b in structure.initial])

    continuous = continuous_blocks(structure)
    residues = [
        (made.memory.residues[k], r.residue)
        for k, r in enumerate(structure.model.relations)
        if not r.is_time_event
    ]
    rates = [der(ref(v.symbol)) for v in structure.states]
    residues += zip(made.memory.phases, made.memory.of_phases.expressions, strict=True)
    watched = [x for _, e in residues for x in leaves(e)]
    for_derivatives, for_crossings = needed(continuous, rates), needed(continuous, watched)
    store_residues = [made.store(leaf, e) for leaf, e in residues]
    loops = any(not isinstance(b, Explicit) for b in continuous)
    # Newton's method has fewer ways to go where values do not jump, so such loops keep their own code.
    iterated = any(isinstance(b, Nonlinear) for b in solving(continuous))
    separate = sum(map(cost, continuous)) <= (SEPARATE_LOOPS if loops else SEPARATE)
    separate = separate and not (brief and not iterated)
    if separate:
        used = used_leaves([*for_derivatives, *(t for t, _ in _tangents(made.structure))], rates)
        made.routine("derivatives", [blocks.moving(b, used) for b in for_derivatives], in_steps=True)
        made.routine("outputs", map(blocks.block, continuous))
        used = used_leaves(for_crossings, watched)
        tasks = [*(blocks.moving(b, used) for b in for_crossings), *store_residues]
        made.routine("crossings", tasks, in_steps=True)
    else:
        parts = ("shared", "only_derivatives", "only_crossings", "only_outputs")
        for name, part in zip(parts, overlaps(continuous, for_derivatives, for_crossings), strict=True):
            made.routine(name, map(blocks.block, part), in_steps=name != parts[-1])
        made.routine("residues", store_residues, in_steps=True)
        made.sequence("derivatives", parts[0], parts[1])
        made.sequence("crossings", parts[0], parts[2], "residues")
        made.sequence("outputs", *parts)
    if structure.model.delays or structure.model.transports:
        _remember(made, blocks, continuous)
    if residues and len(residues) == len(structure.pivot_guards):
        _watch_pivot_guards(made, [(leaf, e) for leaf, e in residues])
    around = around_outputs(structure)
    if around is None or (separate and any(around)):
        made.routine("evaluate", map(blocks.if_changed, structure.blocks))
    else:
        names = ("discretes_before", "discretes_after")
        for name, part in zip(names, around, strict=True):
            made.routine(name, map(blocks.block, part))
        made.sequence("evaluate", names[0], "outputs", names[1])


def _remember(made: Routines, blocks: Blocks, continuous: Sequence[Block]) -> None:
    """The routine that computes what is written into histories."""
    inputs = remembered(made.structure.model)
    wanted = [x for e in inputs for x in leaves(e)]
    own = needed(continuous, wanted)
    used = used_leaves(own, wanted)
    stores = [made.store(leaf, e) for leaf, e in zip(made.memory.remembered, inputs, strict=True)]
    made.routine("remembered", [*(blocks.moving(b, used) for b in own), *stores])


def _watch_pivot_guards(made: Routines, residues: Sequence[tuple[Expr, Expr]]) -> None:
    """For models that monitor only the choice of states: while all pivots are well above their floors, the
    slightly older values in memory suffice, and no loop is solved for them."""
    local = Locals()
    section = Section([e for _, e in residues], local, made.functions.lowered, invariants=made.invariants)
    near: list[Expr] = []
    for leaf, e in residues:
        section.statements.append(Store(made.memory.slots[leaf], section.local(e)))
        near.append(not_(relation(Op.GT, leaf, const(FAR_ABOVE_FLOOR))))
    code = (*section.statements, If(((or_(*near), (Invoke("crossings"),)),)))
    made.routines["watch"] = Routine("watch", code, tuple(local.symbols))


def follow_tangents(made: Routines, blocks: Blocks) -> None:
    """`tangents`: how derivatives change with what a seed changes."""
    jacobian = made.structure.jacobian
    if jacobian is None or jacobian.tangents is None:
        return
    followed = _tangents(made.structure)
    pairs = zip(solving(t for t, _ in followed), solving(b for _, b in followed), strict=True)
    for tangent, block in pairs:
        if not isinstance(tangent, Explicit):
            made.statuses[tangent] = made.statuses[block]  # where one has no solution, nor has the other
    made.routine("tangents", [blocks.block(tangent) for tangent, _ in followed], in_steps=True)


def _tangents(structure: Structure) -> tuple[tuple[Block, Block], ...]:
    """The tangents of blocks, with the blocks."""
    jacobian = structure.jacobian
    return () if jacobian is None or jacobian.tangents is None else jacobian.tangents.blocks
