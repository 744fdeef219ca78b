"""Structure to program: memory layout, and the routines that solve the sorted blocks.

    structure.parameters, bands            -> parameters
    structure.initial                      -> initial
    structure.blocks                       -> derivatives, outputs, evaluate, crossings
    structure.jacobian                     -> tangents
    relations, jumps, checks, endings      -> relations, jumps, checks, and what `saltus.emit.events.events`
    lists

and in a program of its own, made on demand,

    structure.blocks                       -> residual (`saltus.emit.layout.implicit`)
"""

from __future__ import annotations

from dataclasses import replace

from saltus.emit.layout.implicit import residual_stores
from saltus.emit.layout.parts import found_parts
from saltus.emit.routines.blocks import Blocks
from saltus.emit.routines.continuous import follow_tangents, solve_blocks
from saltus.emit.routines.instants import enter_mode, handle_events, watch_relations
from saltus.emit.routines.numeric_systems import NumericSystem
from saltus.emit.routines.routines import Routines
from saltus.emit.straight.functions import faults
from saltus.ir.program import Program
from saltus.ir.sorted.blocks import solving
from saltus.ir.structure import Structure


def build(structure: Structure, *, brief: bool = False, entered: bool = False) -> Program:
    """The imperative program of a structure. If it is to be `brief`, routines share the code of their blocks
    even where each would be faster with its own. One that is `entered` from another never starts a run: it
    gets its parameters from there, and has no initial system."""
    made = Routines(structure, entered=entered)
    entering = structure.entry.blocks if structure.entry is not None else ()
    made.number(solving((*structure.blocks, *structure.initial, *entering)))
    system = NumericSystem(made)
    blocks = Blocks(made, system)

    system.find_structure()
    solve_blocks(made, blocks, brief=brief)
    follow_tangents(made, blocks)
    watch_relations(made)
    enter_mode(made, blocks)
    handle_events(made, blocks.stale)
    made.routine("invariants", [made.store(*item) for item in made.invariants.values], places=False)
    made.sequence("parameters", "bindings", "invariants")

    program = _program(made)
    # Of a program that is entered, everything that an event does is a loop where there are many parts. A
    # system that finds its structure by numbers is looked at as a whole.
    has_parts = entered and structure.signature is None
    return replace(program, parts=found_parts(program)) if has_parts else program


def _program(made: Routines) -> Program:
    """All that has been made, with its memory."""
    structure, memory, functions = made.structure, made.memory, made.functions.functions
    for function in functions:
        made.failures.update(faults(function.body))
    return Program(
        structure.model.name,
        memory.layout(),
        made.routines,
        functions,
        made.failures,
        tuple(k for k, r in enumerate(structure.model.relations) if not r.is_time_event),
        jacobian=structure.jacobian,
        components=tuple(memory.slots[x] for x in memory.form.components),
        delays=structure.model.delays,
        transports=structure.model.transports,
        steering=memory.of_phases.steering,
        opaque=memory.of_phases.opaque,
    )


def build_implicit(structure: Structure, explicit: Program) -> Program:
    """The routine `residual` alone, for the memory of the program that `build` has made."""
    made = Routines(structure)
    memory = made.memory
    stores = residual_stores(memory.form, memory.loop_values, memory.rates, memory.residuals)
    made.routine("residual", [made.store(*item) for item in stores], places=False)
    layout = replace(memory.layout(), size=explicit.layout.size)
    return replace(explicit, layout=layout, routines=made.routines, functions=made.functions.functions)
