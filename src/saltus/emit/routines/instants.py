"""Routines of events: residues and truths of relations, entries of modes, jumps, checks, and `commit`, which
makes the values after an event those before the next one (`saltus.emit.events` has the pieces).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from saltus.emit.events.events import (
    check_values,
    commit_pieces,
    crossing_time,
    depart_pieces,
    fire_relation,
    jump_values,
    residue_at_event,
    settle,
    update_presumption,
    update_timed,
)
from saltus.emit.events.section_loops import (
    approach_loop,
    commit_loop,
    depart_loop,
    presume_loop,
    update_loop,
)
from saltus.emit.layout.layout import Memory
from saltus.emit.routines.blocks import Blocks
from saltus.emit.routines.routines import Routines
from saltus.emit.routines.tasks import Task, verbatim
from saltus.emit.straight.sharing import Section
from saltus.expr.nodes import ONE, ZERO, Expr, Op, Type, ref, relation
from saltus.ir.hybrid import Relation
from saltus.ir.native.contract import Counter
from saltus.ir.program import If, Invoke, Routine, Statement, Store
from saltus.ir.sorted.blocks import Nonlinear, Switched
from saltus.ir.sorted.modes import Entry


def watch_relations(made: Routines) -> None:
    """Residues, crossing times and truths: `relations`, `approach`, `presume`, `fire`, `settle`."""
    relations = made.structure.model.relations
    memory = made.memory
    timed = [(k, r) for k, r in enumerate(relations) if r.is_time_event]
    tasks = [
        made.store(leaf, residue_at_event(r)) for leaf, r in zip(memory.residues, relations, strict=True)
    ]
    tasks += [made.store(memory.crossing_times[k], crossing_time(r)) for k, r in timed]
    made.routine("relations", tasks)
    made.routines["approach"] = approach_loop(relations, memory)
    made.routines["presume"] = presume_loop(relations, memory)
    made.routine("fire", [_fire(made, k, r) for k, r in timed])
    for name, one_pass, initial in (
        ("settle", "evaluate", False),
        ("settle_initial", "initial", True),
    ):
        if initial and made.entered:
            continue
        update = f"{name}_update"
        tasks = [_update(made, k, r, initial=initial) for k, r in timed]
        for k, p in enumerate(made.structure.presumptions, len(relations)):
            tasks.append(verbatim(update_presumption(k, p, memory)))
        loop, rest = f"{update}_loop", f"{update}_rest"
        made.routines[loop] = update_loop(loop, relations, memory, initial=initial)
        made.routine(rest, tasks)
        made.sequence(update, loop, rest)
        made.routines[name] = settle(name, one_pass, update, made.structure, memory)


def enter_mode(made: Routines, blocks: Blocks) -> None:
    """What entering a mode takes: `entry`, which gives states their values after the instant, `enter`
    with all that follows from them; and what has to be looked at before (`lower`) and after that
    (`books`)."""
    entry, memory = made.structure.entry, made.memory
    if entry is None:
        return
    impulses = [made.store(memory.relation_impulses[k], e) for k, e in entry.decides.items()]
    afters = [made.store(ref(state), ref(after)) for state, after in entry.afters.items()]
    made.routine("entry", [*map(blocks.block, entry.blocks), *impulses, *afters])
    made.sequence("enter", "entry", "evaluate")
    for name, places, known in (
        ("lower", memory.lower, entry.lower),
        ("books", memory.books, entry.books),
    ):
        numbers = [e for _, residual, size in known for e in (residual, size)]
        tasks = [made.store(*item) for item in zip(places, numbers, strict=True)]
        if name == "lower" and known and made.structure.signature is not None:
            tasks = [verbatim(_displaced(memory)), *tasks]
        made.routine(name, tasks)


def _displaced(memory: Memory) -> list[Statement]:
    """Looks where constraints on what does not jump are off, in a system that finds its structure by
    numbers: nowhere if it has no solution, or if all of its parts have patterns."""
    places = [memory.slots[x] for x in (*memory.lower, *memory.displaced)]
    looked = (Invoke("system_entry_given"), Invoke("system_lower"))
    return [
        *(Store(slot, value) for slot, value in zip(places, (ZERO, ONE, ZERO, ONE), strict=True)),
        Invoke("system_anew"),
        If(((relation(Op.EQ, memory.all_known, ZERO), looked),)),
    ]


def handle_events(made: Routines, stale: Sequence[Expr]) -> None:
    """`depart` from the left limits, `jumps`, `checks` and `commit`. Loops that are `stale` are solved again
    in the next event, whatever has changed."""
    structure, memory = made.structure, made.memory
    made.routine("take_left", [made.store(*item) for item in depart_pieces(structure, memory)])
    # What loops were solved with at an earlier event says nothing. Nor do jumps: where nothing is
    # demanded, an iteration that begins with nothing finds nothing, and not what was left of another one.
    jumps = [made.store(x, ZERO) for x in _iterated(structure.entry)]
    made.routine("forget", [*(made.store(stale, ONE) for stale in stale), *jumps])
    made.routines["depart_states"] = depart_loop(memory)
    made.sequence("depart", "depart_states", "take_left", "forget")
    tasks: list[Task] = []
    for k, active, value in jump_values(structure):
        tasks.append(made.store(memory.jumped[k], active))
        tasks.append(made.store(memory.new_states[k], value))
    made.routine("jumps", tasks)
    tasks = [made.store(leaf, e) for leaf, e in zip(memory.checks, check_values(structure), strict=True)]
    tasks += [
        made.store(leaf, n.condition) for leaf, n in zip(memory.endings, structure.model.endings, strict=True)
    ]
    made.routine("checks", tasks)
    made.routine("commit_changes", [verbatim(s) for s in commit_pieces(structure, memory)])
    made.routines["commit_discretes"] = commit_loop(memory)
    changed = memory.counters[Counter.CHANGED]
    parts: list[Statement] = [
        Store(memory.slots[changed], ZERO),
        *(Invoke(name) for name in ("jumps", "commit_discretes", "commit_changes")),
    ]
    if _follow_zeros(made):
        parts.append(If(((relation(Op.NE, changed, ZERO), (Invoke("follow_zeros"),)),)))
    if structure.signature is not None:
        parts.append(Invoke("system_noted"))
    made.routines["commit"] = Routine("commit", tuple(parts))


def _follow_zeros(made: Routines) -> bool:
    """Relations whose zero moves with values before an event are compared anew when these have changed.
    Otherwise floor(x) would be tried one step too far in the next pass. Whether there are any."""
    memory, relations = made.memory, made.structure.model.relations
    moving = [(k, r) for k, r in enumerate(relations) if r.has_moving_zero]
    if not moving:
        return False
    timed = [(k, r) for k, r in moving if r.is_time_event]
    tasks = [made.store(memory.residues[k], residue_at_event(r)) for k, r in moving]
    tasks += [made.store(memory.crossing_times[k], crossing_time(r)) for k, r in timed]
    made.routine("moved_residues", tasks)
    loop = "moved_update_loop"
    made.routines[loop] = update_loop(loop, relations, memory, initial=False, only_moving=True)
    made.routine("moved_update_rest", [_update(made, k, r, initial=False) for k, r in timed])
    made.sequence("follow_zeros", "moved_residues", loop, "moved_update_rest")
    return True


def _update(made: Routines, k: int, relation_: Relation, *, initial: bool) -> Task:
    slope, offset = relation_.slope, relation_.offset
    assert slope is not None and offset is not None

    def append(section: Section) -> None:
        known = replace(relation_, slope=section.value(slope), offset=section.value(offset))
        sign, truth = section.locals.new("sign"), section.locals.new("truth", Type.BOOLEAN)
        section.statements += update_timed(k, known, made.memory, sign, truth, initial=initial)

    return Task((slope, offset), 4, append)


def _fire(made: Routines, k: int, relation_: Relation) -> Task:
    slope = relation_.slope
    assert slope is not None

    def append(section: Section) -> None:
        section.statements += fire_relation(k, relation_, section.value(slope), made.memory)

    return Task((slope,), 2, append)


def _iterated(entry: Entry | None) -> Iterator[Expr]:
    """The unknowns of the nonlinear loops with which a mode is entered."""
    for block in entry.blocks if entry is not None else ():
        for inner in block.inner if isinstance(block, Switched) else (block,):
            if isinstance(inner, Nonlinear):
                yield from inner.unknowns
