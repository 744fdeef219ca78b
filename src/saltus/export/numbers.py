"""Where things are in the memory, and what the driver goes by: numbers and tables with names."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from saltus.export.beginning import Beginning, OneProgram, at_zero, positive
from saltus.export.items import Item, Real, Table, Whole, enumeration, table
from saltus.export.names import Names
from saltus.export.values import number
from saltus.expr.nodes import ref
from saltus.ir.inline import FORMULAS, INSTANT, STEP, Formula
from saltus.ir.native.contract import (
    CLEAR,
    LOCATED,
    MAX_ROUNDS,
    MOST_ROUNDS,
    MOST_TURNS,
    MOST_WAYS_OUT,
    NATIVE_MODES,
    NATIVE_PASSES,
    ROOM,
    SAME_PART,
    Counter,
    Flag,
)
from saltus.ir.program import FUNCTION_FAILED, SETTLE_FAILED
from saltus.ir.sorted.modes import ROUNDED
from saltus.run.engine.transfer import Named, slot_of
from saltus.run.failures.coupling import Group
from saltus.run.memory.memory import pre_algebraics, presumed_slots
from saltus.run.modes.ways_out import Way

#: Sections of the memory that the driver looks at.
_SECTIONS = (
    "parameters", "overridden", "known_structure", "pre_states", "pre_discretes", "states", "derivatives",
    "discretes", "relations", "presumed", "signs", "residues", "bands", "crossing_times", "zero_since",
    "directions", "clocks", "jumped", "checks", "endings", "relation_impulses", "lefts",
)  # fmt: skip

#: A guess of a crossing is this part of the way back from the end beyond it (`emit.driver.fixed_step`).
_PAST_SECANT = 1e-3


def slots_text(names: Names, said: dict[int, str]) -> str:
    """Every place of the memory by its name, with what is said of it."""
    lines = ["enum {"]
    for slot, name in sorted(names.all().items()):
        comment = f" /* {said[slot]} */" if said.get(slot) else ""
        lines.append(f"    {name} = {slot},{comment}")
    return "\n".join([*lines, "};"])


def places(program: OneProgram, workspace: int) -> list[Item]:
    """Where sections begin, and how long they are."""
    layout, structure = program.engine.memory.layout, program.engine.structure
    found: list[Item] = [
        Whole("MEMORY", layout.size),
        Whole("WORKSPACE", workspace),
        Whole("NARROW_BANDS", layout.size + workspace),
    ]
    for section in _SECTIONS:
        first, length = layout.sections.get(section, (0, 0))
        found += [Whole(section.upper(), first), Whole(f"N_{section.upper()}", length)]
    counters = layout.sections["counters"][0]
    step = next((v.symbol for v in structure.model.parameters if v.name == STEP), None)
    return [
        *found,
        Whole("INITIAL", layout.sections["flags"][0] + Flag.INITIAL),
        Whole("SCRATCH", layout.sections["scratch"][0]),
        Whole("CHANGED", counters + Counter.CHANGED),
        Whole("CONTINUATION", counters + Counter.CONTINUATION),
        Whole("N_OWN_RELATIONS", len(structure.relations)),
        Whole("N_SWITCHES", layout.sections["relations"][1] + layout.sections["presumed"][1]),
        Whole("FUNCTION_FAILED", FUNCTION_FAILED),
        Whole("SETTLE_FAILED", SETTLE_FAILED),
        Whole("STEP_PARAMETER", 0 if step is None else layout.slots[ref(step)]),
    ]


def size(program: OneProgram, workspace: int) -> int:
    """How many numbers a program has: its memory, large local arrays, and bands of relations as usual."""
    return program.engine.memory.layout.size + workspace + max(1, len(program.bands))


def steps(begun: Beginning, program: OneProgram) -> list[Item]:
    """What steps and events go by."""
    engine, settings, formula = program.engine, begun.settings, formula_of(begun)
    relations, memory = engine.structure.model.relations, engine.memory
    inlined = program.inlined
    carriers = set(inlined.carriers.tolist()) if inlined is not None else set()
    held = inlined.held_slots.tolist() if inlined is not None else []
    briefly = bool(inlined is not None and inlined.briefly.any())
    watched = engine.relations.of_states
    timed = [k for k, r in enumerate(relations) if r.is_time_event]
    mode_slots = engine.continuous.mode_slots.tolist()
    checks = [c.warning for c in engine.structure.model.checks]
    states = range(max(1, memory.length("states")))
    by_truth = engine.at_zero.bands_by_truth(list(watched)).tolist()
    return [
        Whole("N_WATCHED", len(watched)),
        Whole("N_TIMED", len(timed)),
        Whole("N_MODE_SLOTS", len(mode_slots)),
        Whole("N_HELD", len(held)),
        Whole("AHEAD", inlined.ahead[0] if inlined is not None else 0),
        Whole("PRE_AHEAD", inlined.ahead[1] if inlined is not None else 0),
        Whole("TWO_STEPS", int(formula.two_steps)),
        Whole("BEGINS_ANEW", int(inlined is not None and (briefly or len(held) < len(carriers)))),
        Whole("LOCATES", int(settings.locate)),
        Whole("MOMENTARY", int(engine.iteration.watches or bool(engine.mode.excess))),
        Whole("MOST_ROUNDS", max(MOST_ROUNDS, MAX_ROUNDS * memory.length("discretes"))),
        Real("WEIGHT", formula.weight),
        Real("INSTANT", INSTANT if briefly else 1.0),
        Real("SAME_PART", SAME_PART),
        Real("LOCATED", LOCATED),
        Real("PAST_SECANT", _PAST_SECANT),
        Real("ROUNDED", ROUNDED),
        Real("CLOCK_SCALE", float(begun.scale) if begun.ticks else 1.0),
        Table.of("int", "watched", watched),
        Table.of("double", "truth_above", (engine.relations.truth_above[k] for k in watched)),
        Table.of("double", "truth_of_zero", (at_zero(relations[k].op) for k in watched)),
        Table.of("double", "above", (positive(r.op) for r in relations)),
        Table.of("double", "bands_by_truth", by_truth),
        Table.of("int", "timed", timed),
        Table.of("int", "mode_slots", mode_slots),
        Table.of("char", "carries", (k in carriers for k in states)),
        Table.of("int", "held_states", inlined.held_states.tolist() if inlined is not None else ()),
        Table.of("int", "held_slots", held),
        Table.of("double", "held_briefly", inlined.briefly.tolist() if inlined is not None else ()),
        Table.of("char", "check_warns", checks),
    ]


def restart_text(begun: Beginning) -> str:
    """What the start takes."""
    memory, relations = begun.engine.memory, begun.engine.structure.model.relations
    left = [(int(a), int(b)) for a, b in zip(*pre_algebraics(memory), strict=True)]
    # What ticks at the start has ticked already.
    first = [
        tick - interval if (tick - interval) / begun.scale >= begun.start_time else tick
        for tick, interval in zip(begun.ticks, begun.intervals, strict=True)
    ]
    presumed = presumed_slots(memory)
    return "\n".join(
        [
            enumeration([Whole("N_LEFT_LIMITS", len(left)), Whole("N_PRESUMED_PAIRS", len(presumed))]),
            f"#define START_TIME {number(begun.start_time)}",
            _pairs("left_limits", left),
            _pairs("presumed_pairs", presumed),
            table(Table.of("long long", "ticks_before_start", first)),
            table(Table.of("char", "of_step", (r.is_of_step for r in relations))),
            "",
        ]
    )


def _pairs(name: str, pairs: Sequence[tuple[int, int]]) -> str:
    rows = ", ".join(f"{{{a}, {b}}}" for a, b in pairs) or "{0, 0}"
    return f"static const int {name}[{max(1, len(pairs))}][2] = {{{rows}}};"


def objects_text(begun: Beginning) -> str:
    """External objects, tables of numbers."""
    own = [table(Table.of("double", f"object_{k}", numbers.ravel().tolist()))
           for k, numbers in enumerate(begun.objects, 1)]  # fmt: skip
    names = ["nothing", *(f"object_{k}" for k, _ in enumerate(begun.objects, 1))]
    return "\n".join([*own, "static const double nothing[1] = {0.0};", list_of_objects(names)])


def list_of_objects(names: Sequence[str]) -> str:
    """The list in which external objects have their numbers."""
    return f"const double *const objects[{len(names)}] = {{{', '.join(names)}}};"


#: What reads them.
PEEK = """\
/* A number of an external object. */
static inline double peek(double object, double place)
{
    return objects[(int)object][object != 0.0 ? (int)place : 0];
}
"""


def groups_text(begun: Beginning) -> str:
    """The groups within which modes are searched for."""
    relations = begun.engine.structure.model.relations
    switches = len(relations) + begun.engine.memory.length("presumed")
    lines = [
        table(Table.of("double", "of_zero", (at_zero(r.op) for r in relations))),
        table(Table.of("char", "of_time", (r.is_time_event for r in relations))),
        table(Table.of("char", "moving_zero", (r.has_moving_zero for r in relations))),
        table(Table.of("int", "all_switches", range(switches))),
    ]
    lines += [*_groups("", "groups", begun.groups), *_groups("start_", "start_groups", begun.start_groups)]
    lines.append(
        enumeration(
            [
                Whole("N_GROUPS", len(begun.groups)),
                Whole("N_START_GROUPS", len(begun.start_groups)),
                Whole("N_LINEAR_BLOCKS", len(begun.linear)),
            ]
        )
    )
    lines.append(table(Table.of("int", "linear_blocks", begun.linear)))
    return "\n".join(lines)


def _groups(prefix: str, name: str, groups: Sequence[Group]) -> list[str]:
    lines: list[str] = []
    rows: list[str] = []
    for k, g in enumerate(groups):
        for part in ("members", "upstream", "axes"):
            lines.append(table(Table.of("int", f"{prefix}{part}_{k}", getattr(g, part))))
        members, upstream, axes = (f"{prefix}{part}_{k}" for part in ("members", "upstream", "axes"))
        rows.append(f"{{{members}, {len(g.members)}, {upstream}, {len(g.upstream)}, {axes}}}")
    lines.append(f"static const Group {name}[{max(1, len(groups))}] = {{")
    return [*lines, *(f"    {row}," for row in rows or ["{0, 0, 0, 0, 0}"]), "};"]


def choosing(begun: Beginning, program: OneProgram, keys: Mapping[Named, int]) -> list[Item]:
    """What choosing a mode takes. What goes to other programs has numbers, its `keys`."""
    choice, engine = program.choice, program.engine
    assert choice is not None
    memory, entry = engine.memory, engine.structure.entry
    exact = memory.slot(entry.exact) if entry is not None else None
    inert, given, own = set(choice.inert), set(choice.given), len(engine.structure.relations)
    of_all = [x for pair in choice.ways_of_all for truths in pair for x in truths[:own]]
    ways = [pair for way in choice.ways for pair in _numbers(way)]
    return [
        Whole("ACROSS", int(program.across)),
        Whole("N_LEFT", len(choice.left)),
        Whole("N_CONTINUOUS_MOVES", len(choice.continuous)),
        Whole("N_PRESUMED_MOVES", len(choice.presumed)),
        Whole("N_DECIDING", len(choice.deciding)),
        Whole("N_INERT_HELD", len(choice.held)),
        Whole("CONTINUOUS", engine.continuous.first),
        Whole("N_CONTINUOUS", engine.continuous.count),
        Whole("N_EXCESS", len(choice.excess)),
        Whole("N_NONLINEAR", len(choice.nonlinear)),
        Whole("N_IMPULSES", len(choice.impulses)),
        Whole("HAS_ENTRY", int(entry is not None)),
        Whole("EXACT", exact or 0),
        Whole("LOWER", memory.first("lower") if entry is not None else 0),
        Whole("N_LOWER", len(entry.lower) if entry is not None else 0),
        Whole("HOLDS", int(choice.holds)),
        Whole("TAKES_ALONG", int(choice.carries)),
        Whole("MOST_IN_PART", max(choice.numbers_in_parts, default=0) + 1),
        Whole("UNSOLVABLE", choice.unsolvable),
        Whole("N_WAYS", len(ways)),
        Whole("N_WAYS_OF_ALL", len(choice.ways_of_all)),
        Whole("MOST_TURNS", MOST_TURNS),
        Whole("MOST_MODES", NATIVE_MODES),
        Whole("MOST_MODE_PASSES", NATIVE_PASSES),
        Whole("MOST_WAYS_OUT", MOST_WAYS_OUT),
        Real("PROJECTED", choice.projected),
        Real("CLEAR", CLEAR),
        Real("DRIFT", choice.drift),
        Real("PARTED", choice.parted),
        Real("TOLERANCE", begun.settings.tolerance),
        Real("ROOM_IN_ERRORS", ROOM),
        Real("WIDE", choice.wide),
        Table.of("int", "mode_guards", choice.guards),
        Table.of("int", "left_to", (slot for slot, _ in choice.left)),
        Table.of("int", "left_of", (keys[what] for _, what in choice.left)),
        Table.of("int", "continuous_to", (slot for slot, _ in choice.continuous)),
        Table.of("int", "continuous_of", (keys[what] for _, what in choice.continuous)),
        Table.of("int", "presumed_at", (slot for slot, _ in choice.presumed)),
        Table.of("int", "presumed_of", (slot for _, slot in choice.presumed)),
        Table.of("int", "deciding", choice.deciding),
        Table.of("int", "excess", choice.excess),
        Table.of("int", "inert_held", choice.held),
        Table.of("int", "impulses", choice.impulses),
        Table.of("int", "nonlinear", choice.nonlinear),
        Table.of("int", "numbers_in_parts", choice.numbers_in_parts),
        Table.of("int", "way_slots", (slot for slot, _ in ways)),
        Table.of("double", "way_values", (value for _, value in ways)),
        Table.of("double", "ways_of_all", of_all),
        Table.of("char", "given", (k in given for k in range(own))),
        Table.of("char", "inert", (k in inert for k in range(len(engine.structure.model.relations)))),
    ]


def _numbers(way: Way) -> list[tuple[int, float]]:
    """A way out of a mode that cannot be: how long its two parts are, and these."""
    guards, truths = way
    return [(len(guards), 0.0), (len(truths), 0.0), *guards, *truths]


def fixing(begun: Beginning) -> list[Item]:
    """Which guards are always fixed, which combinations of their values are, and what each program takes for
    granted; NAN where that is nothing."""
    guards, fixed = begun.fixing.guards(), begun.fixing
    rows = [dict(c.fixed) for c in fixed.combinations]
    granted = [dict(program.mode.fixed) for program in begun.programs]
    nothing = math.nan
    return [
        Whole("NOWHERE", -1),
        Whole("N_PROGRAMS", len(begun.programs)),
        Whole("N_MODE_GUARDS", len(guards)),
        Whole("N_COMBINATIONS", len(rows)),
        Table.of("char", "always_fixed", (guard in fixed.always for guard in guards)),
        Table.of("double", "combinations", (row.get(g, nothing) for row in rows for g in guards)),
        Table.of("double", "taken_for_granted", (row.get(g, nothing) for row in granted for g in guards)),
        Table.of("char", "is_entered", (program.is_home for program in begun.programs)),
    ]


def keys_of(begun: Beginning) -> dict[Named, int]:
    """What goes from one program to another has numbers; where there is one program only, these are slots."""
    found: dict[Named, int] = {}
    for program in begun.programs:
        assert program.choice is not None
        for _, what in (*program.choice.left, *program.choice.continuous):
            found.setdefault(what, place_of(program, what) if len(begun.programs) == 1 else len(found))
    return found


def place_of(program: OneProgram, what: Named) -> int:
    """The slot of something in a program, -1 if it has none."""
    slot = slot_of(what, program.engine.memory, program.engine.named)
    return -1 if slot is None else slot


def formula_of(begun: Beginning) -> Formula:
    """The formula of the method."""
    found = begun.settings.formula
    assert found in FORMULAS.values() and found is not None
    return found
