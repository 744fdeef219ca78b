"""An event that concerns one part of the model only (`saltus.ir.parts`). Its steps are those of any event
(`saltus.ir.native.steps`); what they look at, keep, compute and change is that of the part.

Relations of another part that have come into their zero bands, or rest there, are compared anew at every
event. Where there are any, where several parts have fired together, or where something is scheduled for the
same instant, the event is one of the whole model. So is what does not go as usual.
"""

from __future__ import annotations

from saltus.emit.driver import choosing, entering, event, passages
from saltus.emit.driver.context import Fields, PartFields, function, gate, gate_function, register
from saltus.emit.support.assembly import Function, Value
from saltus.ir.native.contract import EVENT_IN_PART, NATIVE_PASSES, WHICH_PART
from saltus.ir.native.drive import FIELDS, Code
from saltus.ir.parts import ALL


def take_turns() -> Function:
    """Carries out turns of loops, and routines that are no loops; the status of the first that fails."""
    f = Function("take_turns", "i32", internal=True, m="ptr", turns="ptr", n="i64")
    with f.count(f.n) as k:
        routine = f.turns.at(k * 3, "ptr")
        first, past = (f.turns.at(k * 3 + i, "i64") for i in (1, 2))
        with f.when(first == ALL):
            status = f.call(routine, "i32", f.m)
            f.give_if(status != 0, status)
        with f.when(first != ALL):
            status = f.call(routine, "i32", f.m, first, past)
            f.give_if(status != 0, status)
    f.give(0)
    return f


def settle() -> Function:
    """Passes until no truth changes: 0; or another status where there are many."""
    f, g = gate_function("settle", "i32", in_part=True)
    with f.count(f.constant(NATIVE_PASSES, "i64")):
        g.remember("scratch_slot", 0, 0.0)
        for routine in ("evaluate", "relations_routine", "settle_update"):
            status = g.run(routine)
            f.give_if(status != 0, status)
        f.give_if(g.memory("scratch_slot") == 0.0, 0)
    f.give(1)
    return f


def which_part() -> Function:
    """The part in which all relations are that cross at t; nowhere if others have to be looked at, too. The
    memory is at the left limits, with all residues computed."""
    f, c = function(WHICH_PART, "ptr", internal=False, t="double")
    own = gate(f, c["gate"])
    f.give_if(c["gate"] == 0, 0)
    with f.when(c["tick"] < c["n_ticks"]):
        f.give_if(c["tick_times"].at(c["tick"]) <= f.t, 0)
    with f.count(c["n_timed"]) as j:
        f.give_if(c.memory("crossing_times", c["timed"].at(j, "i64")) == f.t, 0)
    found = f.variable(f.constant(0, "ptr"))
    with f.count(c["n_watched"]) as j:
        k = c["watched"].at(j, "i64")
        with f.when(c.memory("directions", k) != 0.0):
            part = c["parts"].at(k, "ptr")
            f.give_if((found.value != 0) & (found.value != part), 0)
            found.set(part)
    f.give_if(found.value == 0, 0)
    rest = f.t - own.memory("rest")
    with f.count(c["n_watched"]) as j:
        k = c["watched"].at(j, "i64")
        with f.when(_is_at_zero(f, c, k)), f.when(c["parts"].at(k, "ptr") != found.value):
            drifted = c.memory("signs", k) != 0.0
            rests = own.memory("zero_since", k) < rest
            turns = c.memory("relations", k) != c["truth_of_zero"].at(j)
            f.give_if(drifted | (rests & turns), 0)
    f.give(found.value)
    return f


def _is_at_zero(f: Function, c: Fields, k: Value) -> Value:
    return f.absolute(c.memory("residues", k)) <= c.memory("bands", k)


def event_in_part() -> Function:
    """The event at t in one part: ON; or BY_HAND where the whole model has to be looked at, with the left
    limits as they were."""
    f = Function(EVENT_IN_PART, "i64", c="ptr", part="ptr", t="double", crossing="i1")
    c = PartFields(f, f.c, FIELDS, f.part)
    memory, backup, log_length = c["memory"], c["backup"], c["log_length"]
    known = register(f, gate(f, c["gate"])["register"])
    entries = known["entries"]
    c.keep(backup, memory)
    there = c.call("event_across", "ptr", f.t, f.crossing)
    with f.when(there == 0):
        c.keep(memory, backup)
        c["log_length"] = log_length
        known["entries"] = entries
        f.give(Code.BY_HAND)
    event.end_instant(f, c)
    c.add("n_in_parts", 1)
    f.give(Code.ON)
    return f


def functions() -> tuple[Function, ...]:
    """All that events in one part take."""
    return (
        take_turns(), settle(), which_part(), event.log_entry(), event.log_round(in_part=True),
        event.begin_event(in_part=True), *entering.functions(in_part=True),
        *choosing.functions(in_part=True), passages.rounds_across(in_part=True),
        passages.event_across(in_part=True), event_in_part(),
    )  # fmt: skip
