"""Where a program has the model, on its surfaces and with its states."""

from __future__ import annotations

import math
from collections.abc import Mapping

from saltus.expr.nodes import leaf_symbol
from saltus.expr.traversal import leaves
from saltus.ir.sorted.surfaces import Surface
from saltus.ir.structure import Structure
from saltus.run.engine.engine import Engine
from saltus.run.memory.memory import size_number

#: On a surface states follow from others. One that would have to change by more than this, relative to its
#: size, is not there.
SAME_PLACE = 1e-6


def is_closed(structure: Structure) -> bool:
    """Whether no surface moves at an event: nothing that changes at events only takes part in one."""
    model = structure.model
    jumping = {v.symbol for v in model.discretes} | {r.symbol for r in model.relations}
    return not any(
        leaf_symbol(leaf) in jumping
        for d in (structure.reduction.differentiated if structure.reduction else ())
        for side in (d.equation.lhs, d.equation.rhs)
        for leaf in leaves(side)
    )


def multiplier(engine: Engine, surface: Surface) -> float:
    slot = engine.memory.slot(surface.multiplier)
    assert slot is not None
    return float(engine.memory.array[slot])


def contradicted(engine: Engine) -> list[tuple[int, float]]:
    """Relations whose residues are beyond their bands on the side that their truths do not have, with the
    signs of these residues. Those that hold the surfaces are not in force."""
    engine.continuous.relations()
    cells, relations = engine.memory.cells, engine.relations
    held = {k for surface in engine.structure.surfaces for k in surface.relations}
    found = []
    for k, relation in enumerate(engine.structure.model.relations):
        residue, band = cells[relations.residues + k], cells[relations.bands + k]
        sign = 1.0 if residue > 0.0 else -1.0
        beyond = abs(residue) > band and cells[relations.truth + k] != relations.truth_on(k, sign)
        if beyond and k not in held and not relation.is_time_event:
            found.append((k, sign))
    return found


def is_inside(engine: Engine, surface: Surface) -> bool:
    """Whether the multiplier is what it must be on the surface, and what turns there has the sides that it
    must have."""
    value = multiplier(engine, surface)
    inside = math.isfinite(value) and value >= 0.0 and (surface.resting or value <= 1.0)
    if inside and surface.wanted.turning:
        engine.continuous.relations()
        residues = engine.memory.section("residues")
        inside = all(residues[k] >= 0.0 for k in surface.exits[2:])
    return inside


def keeps(engine: Engine, surface: Surface) -> bool:
    """Whether the exits of a surface still hold."""
    return all(engine.memory.cells[engine.relations.truth + k] for k in surface.exits)


def exist_in(now: Engine, before: Engine) -> bool:
    """Whether the mode of an engine still has all the variables that the surfaces of the one before hold."""
    absent = {v.symbol for v in now.structure.model.absent}
    relations = [k for surface in before.structure.surfaces for k in surface.relations]
    residues = [before.structure.model.relations[k].residue for k in relations]
    return not any(leaf_symbol(leaf) in absent for residue in residues for leaf in leaves(residue))


def same_place(before: Engine, engine: Engine, slack: float) -> bool:
    """Whether the states of one engine have the same values in the other."""
    return is_at(before.named.now(), before, engine, slack)


def is_at(old: Mapping[str, float], before: Engine, engine: Engine, slack: float = 0.0) -> bool:
    """Whether the states of the engine `before`, with their `old` values by name, have the same values in
    another."""
    new = engine.named.now()
    for v in before.structure.states:
        size = max(size_number(before.memory, v), abs(old[v.name]))
        if not abs(new[v.name] - old[v.name]) <= max(slack, SAME_PLACE * size):
            return False
    return True
