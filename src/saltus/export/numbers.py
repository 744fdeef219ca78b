"""Where things are in the memory, and what the driver goes by, as enumerations and tables."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from saltus.export.beginning import Beginning, at_zero, positive
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
    NATIVE_MODES,
    NATIVE_PASSES,
    ROOM,
    SAME_PART,
    Counter,
    Flag,
)
from saltus.ir.program import FUNCTION_FAILED, SETTLE_FAILED
from saltus.ir.sorted.modes import ROUNDED
from saltus.run.failures.coupling import Group
from saltus.run.memory.memory import pre_algebraics, presumed_slots

#: Sections of the memory that the driver looks at.
_SECTIONS = (
    "parameters", "overridden", "known_structure", "pre_states", "pre_discretes", "states", "derivatives",
    "discretes", "relations", "presumed", "signs", "residues", "bands", "crossing_times", "zero_since",
    "directions", "clocks", "jumped", "checks", "endings", "relation_impulses", "lefts",
)  # fmt: skip

#: A guess of a crossing is this part of the way back from the end beyond it (`emit.driver.fixed_step`).
_PAST_SECANT = 1e-3


def table(kind: str, name: str, values: Iterable[object]) -> str:
    """A table, which has an entry in any case."""
    texts = [str(v) for v in values]
    if kind == "char *const":  # texts have spaces that must stay
        lines = "".join(f"    {text},\n" for text in texts) or '    "",\n'
        return f"static const {kind} {name}[{max(1, len(texts))}] = {{\n{lines}}};"
    text = f"static const {kind} {name}[{max(1, len(texts))}] = {{{', '.join(texts) or '0'}}};"
    return textwrap.fill(text, 112, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def enumeration(pairs: Iterable[tuple[str, object]]) -> str:
    """Named whole numbers."""
    return "\n".join(["enum {", *(f"    {name} = {value}," for name, value in pairs), "};"])


def slots_text(names: Names, said: dict[int, str]) -> str:
    """Every place of the memory by its name, with what is said of it."""
    lines = ["enum {"]
    for slot, name in sorted(names.all().items()):
        comment = f" /* {said[slot]} */" if said.get(slot) else ""
        lines.append(f"    {name} = {slot},{comment}")
    return "\n".join([*lines, "};"])


def places_text(names: Names, begun: Beginning, workspace: int) -> str:
    """Where sections begin, and how long they are."""
    layout, structure = names.layout, begun.engine.structure
    pairs: list[tuple[str, object]] = [("MEMORY", layout.size), ("WORKSPACE", workspace)]
    for section in _SECTIONS:
        first, length = layout.sections.get(section, (0, 0))
        pairs += [(section.upper(), first), (f"N_{section.upper()}", length)]
    counters = layout.sections["counters"][0]
    pairs += [
        ("INITIAL", layout.sections["flags"][0] + Flag.INITIAL),
        ("SCRATCH", layout.sections["scratch"][0]),
        ("CHANGED", counters + Counter.CHANGED),
        ("CONTINUATION", counters + Counter.CONTINUATION),
        ("N_OWN_RELATIONS", len(structure.relations)),
        ("N_SWITCHES", layout.sections["relations"][1] + layout.sections["presumed"][1]),
        ("FUNCTION_FAILED", FUNCTION_FAILED),
        ("SETTLE_FAILED", SETTLE_FAILED),
    ]
    step = next((v.symbol for v in structure.model.parameters if v.name == STEP), None)
    pairs.append(("STEP_PARAMETER", 0 if step is None else layout.slots[ref(step)]))
    return enumeration(pairs)


def steps_text(begun: Beginning, formula: Formula) -> str:
    """What steps and events go by."""
    engine, settings = begun.engine, begun.settings
    relations, memory = engine.structure.model.relations, engine.memory
    inlined = begun.inlined
    carriers = set(inlined.carriers.tolist()) if inlined is not None else set()
    held = inlined.held_slots.tolist() if inlined is not None else []
    briefly = bool(inlined is not None and inlined.briefly.any())
    watched = engine.relations.of_states
    timed = [k for k, r in enumerate(relations) if r.is_time_event]
    mode_slots = engine.continuous.mode_slots.tolist()
    checks = [c.warning for c in engine.structure.model.checks]
    pairs = [
        ("N_WATCHED", len(watched)),
        ("N_TIMED", len(timed)),
        ("N_MODE_SLOTS", len(mode_slots)),
        ("N_HELD", len(held)),
        ("AHEAD", inlined.ahead[0] if inlined is not None else 0),
        ("PRE_AHEAD", inlined.ahead[1] if inlined is not None else 0),
        ("TWO_STEPS", int(formula.two_steps)),
        ("BEGINS_ANEW", int(inlined is not None and (briefly or len(held) < len(carriers)))),
        ("LOCATES", int(settings.locate)),
        ("MOMENTARY", int(engine.iteration.watches or bool(engine.mode.excess))),
        ("MODES", int(begun.has_modes)),
        ("MOST_ROUNDS", max(MOST_ROUNDS, MAX_ROUNDS * memory.length("discretes"))),
    ]
    defines = [
        ("WEIGHT", number(formula.weight)),
        ("INSTANT", number(INSTANT if briefly else 1.0)),
        ("SAME_PART", number(SAME_PART)),
        ("LOCATED", number(LOCATED)),
        ("PAST_SECANT", number(_PAST_SECANT)),
        ("ROUNDED", number(ROUNDED)),
        ("CLOCK_SCALE", f"{begun.scale}.0" if begun.ticks else "1.0"),
    ]
    states = range(max(1, memory.length("states")))
    return "\n".join(
        [
            enumeration(pairs),
            *(f"#define {name} {value}" for name, value in defines),
            table("int", "watched", watched),
            table("double", "truth_above", (number(engine.relations.truth_above[k]) for k in watched)),
            table("double", "truth_of_zero", (number(float(at_zero(relations[k].op))) for k in watched)),
            table("double", "above", (number(float(positive(r.op))) for r in relations)),
            table("int", "timed", timed),
            table("int", "mode_slots", mode_slots),
            table("char", "carries", (int(k in carriers) for k in states)),
            table("int", "held_states", inlined.held_states.tolist() if inlined is not None else ()),
            table("int", "held_slots", held),
            table("double", "held_briefly",
                  map(number, inlined.briefly.tolist() if inlined is not None else ())),
            table("char", "check_warns", map(int, checks)),
        ]
    )  # fmt: skip


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
            enumeration([("N_LEFT_LIMITS", len(left)), ("N_PRESUMED_PAIRS", len(presumed))]),
            f"#define START_TIME {number(begun.start_time)}",
            _pairs("left_limits", left),
            _pairs("presumed_pairs", presumed),
            table("long long", "ticks_before_start", first),
            table("char", "of_step", (int(r.is_of_step) for r in relations)),
            "",
        ]
    )


def _pairs(name: str, pairs: Sequence[tuple[int, int]]) -> str:
    rows = ", ".join(f"{{{a}, {b}}}" for a, b in pairs) or "{0, 0}"
    return f"static const int {name}[{max(1, len(pairs))}][2] = {{{rows}}};"


def objects_text(begun: Beginning) -> str:
    """External objects, tables of numbers, and what reads them."""
    own = [table("double", f"object_{k}", map(number, numbers.ravel().tolist()))
           for k, numbers in enumerate(begun.objects, 1)]  # fmt: skip
    names = ["nothing", *(f"object_{k}" for k, _ in enumerate(begun.objects, 1))]
    return "\n".join(
        [
            *own,
            "static const double nothing[1] = {0.0};",
            f"static const double *const objects[{len(names)}] = {{{', '.join(names)}}};",
            "",
            "/* A number of an external object. */",
            "static inline double peek(double object, double place)",
            "{",
            "    return objects[(int)object][object != 0.0 ? (int)place : 0];",
            "}",
            "",
        ]
    )


def groups_text(begun: Beginning) -> str:
    """The groups within which modes are searched for."""
    relations = begun.engine.structure.model.relations
    switches = len(relations) + begun.engine.memory.length("presumed")
    lines = [
        table("double", "of_zero", (number(float(at_zero(r.op))) for r in relations)),
        table("char", "of_time", (int(r.is_time_event) for r in relations)),
        table("char", "moving_zero", (int(r.has_moving_zero) for r in relations)),
        table("int", "all_switches", range(switches)),
    ]
    lines += [*_groups("", "groups", begun.groups), *_groups("start_", "start_groups", begun.start_groups)]
    lines.append(
        enumeration(
            [
                ("N_GROUPS", len(begun.groups)),
                ("N_START_GROUPS", len(begun.start_groups)),
                ("N_LINEAR_BLOCKS", len(begun.linear)),
            ]
        )
    )
    lines.append(table("int", "linear_blocks", begun.linear))
    return "\n".join(lines)


def _groups(prefix: str, name: str, groups: Sequence[Group]) -> list[str]:
    lines: list[str] = []
    rows: list[str] = []
    for k, g in enumerate(groups):
        for part in ("members", "upstream", "axes"):
            lines.append(table("int", f"{prefix}{part}_{k}", getattr(g, part)))
        members, upstream, axes = (f"{prefix}{part}_{k}" for part in ("members", "upstream", "axes"))
        rows.append(f"{{{members}, {len(g.members)}, {upstream}, {len(g.upstream)}, {axes}}}")
    lines.append(f"static const Group {name}[{max(1, len(groups))}] = {{")
    return [*lines, *(f"    {row}," for row in rows or ["{0, 0, 0, 0, 0}"]), "};"]


def modes_text(begun: Beginning) -> str:
    """What choosing a mode takes."""
    modes, engine = begun.modes, begun.engine
    assert modes is not None
    memory, entry = engine.memory, engine.structure.entry
    known = [value for values in modes.known for value in values]
    pairs: Sequence[tuple[str, object]] = [
        ("N_MODE_GUARDS", len(modes.guards)), ("N_KNOWN_MODES", len(modes.known)),
        ("N_LEFT", len(modes.left[0])), ("N_LACKING", len(modes.lacking)),
        ("N_CONTINUOUS_MOVES", len(modes.continuous[0])), ("N_PRESUMED_MOVES", len(modes.presumed)),
        ("N_DECIDING", len(modes.deciding)), ("N_INERT_HELD", len(modes.held)),
        ("CONTINUOUS", engine.continuous.first), ("N_CONTINUOUS", engine.continuous.count),
        ("N_EXCESS", len(modes.excess)), ("N_NONLINEAR", len(modes.nonlinear)),
        ("N_WATCHED_GUARDS", len(engine.relations.of_states)), ("N_IMPULSES", len(modes.impulses)),
        ("HAS_ENTRY", int(entry is not None)),
        ("EXACT", memory.slot(entry.exact) if entry is not None else 0),
        ("LOWER", memory.first("lower")), ("N_LOWER", len(entry.lower) if entry is not None else 0),
        ("HOLDS", int(modes.holds)), ("CARRIES", int(modes.carries)),
        ("MOST_IN_PART", max(modes.numbers_in_parts, default=0) + 1),
        ("MOST_TURNS", MOST_TURNS), ("MOST_MODES", NATIVE_MODES), ("MOST_MODE_PASSES", NATIVE_PASSES),
    ]  # fmt: skip
    defines = [
        ("PROJECTED", modes.projected), ("CLEAR", CLEAR), ("DRIFT", modes.drift), ("PARTED", modes.parted),
        ("TOLERANCE", begun.settings.tolerance), ("ROOM_IN_ERRORS", ROOM), ("WIDE", modes.wide),
    ]  # fmt: skip
    inert = set(modes.inert)
    return "\n".join(
        [
            enumeration(pairs),
            *(f"#define {name} {number(value)}" for name, value in defines),
            table("int", "mode_guards", modes.guards),
            table("double", "known_modes", map(number, known)),
            table("int", "left_to", modes.left[0]),
            table("int", "left_from", modes.left[1]),
            table("int", "lacking", modes.lacking),
            table("int", "continuous_to", modes.continuous[0]),
            table("int", "continuous_from", modes.continuous[1]),
            table("int", "presumed_at", (slot for slot, _ in modes.presumed)),
            table("int", "presumed_of", (slot for _, slot in modes.presumed)),
            table("int", "deciding", modes.deciding),
            table("int", "excess", modes.excess),
            table("int", "inert_held", modes.held),
            table("int", "impulses", modes.impulses),
            table("int", "nonlinear", modes.nonlinear),
            table("int", "watched_guards", engine.relations.of_states),
            table("int", "numbers_in_parts", modes.numbers_in_parts),
            table("char", "inert", (int(k in inert) for k in range(len(engine.structure.model.relations)))),
        ]
    )


def formula_of(begun: Beginning) -> Formula:
    """The formula of the method."""
    found = begun.settings.formula
    assert found in FORMULAS.values() and found is not None
    return found
