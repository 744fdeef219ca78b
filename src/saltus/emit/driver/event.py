"""One event, from the left limits to the right ones, and its entry in the log."""

from __future__ import annotations

from collections.abc import Callable

from saltus.emit.driver.context import Fields, function
from saltus.emit.driver.following import Steps, follow
from saltus.emit.support.assembly import Function, Value
from saltus.ir.native.contract import ARRIVE_EVENT, REMEMBER_TO, TIME_SLOT
from saltus.ir.native.drive import DISCRETE, LOG_GROUP, LOG_HEAD, LOG_ROUNDS, RESIDUE, TRUTH, Code
from saltus.ir.native.steps import BEGIN_EVENT, EVENT, ROUNDS

#: Where the entry of an event in the log has the number of those that fired, with these behind it.
FIRED = 4

#: What sets out with some speed and comes back as fast reaches this part of the way that it would have gone.
HEIGHT = 0.25


def next_event() -> Function:
    """The time of the next scheduled event after `now`: a tick of a clock or the crossing of a relation of
    time."""
    f, c = function("next_event", "double", internal=False)
    found = f.variable(float("inf"))
    with f.when(c["tick"] < c["n_ticks"]):
        found.set(c["tick_times"].at(c["tick"]))
    with f.count(c["n_timed"]) as j:
        time = c.memory("crossing_times", c["timed"].at(j, "i64"))
        with f.when((time > c["now"]) & (time < found.value)):
            found.set(time)
    f.give((found.value <= c["stop"]).choose(found.value, float("inf")))
    return f


def log_entry() -> Function:
    """Writes a group of four numbers into the log."""
    f, c = function("log_entry", "void", what="double", k="i64", old="double", new="double")
    place = c["log"].place(c["log_length"])
    place.put(0, f.what)
    place.put(1, f.k.as_double())
    place.put(2, f.old)
    place.put(3, f.new)
    c.add("log_length", LOG_GROUP)
    f.give()
    return f


def log_round(*, in_part: bool = False) -> Function:
    """Writes down what has changed since `traced`, and takes it over there: groups of four numbers
    (`saltus.ir.native.drive`), for truths of relations, their residues and discrete variables. The numbers
    are those of a memory, with the places of relations, residues, directions and discrete variables in it:
    the engine may be another than the one that the context belongs to."""
    f, c = function(
        "log_round", "void", internal=False, in_part=in_part, memory="ptr", relations="i64", residues="i64",
        directions="i64", discretes="i64",
    )  # fmt: skip
    n = c["n_relations"]
    first = c["n_rounds"] == 0
    truths, residues, directions, discretes = (
        f.memory.place(place) for place in (f.relations, f.residues, f.directions, f.discretes)
    )
    head = f.variable(c["log_length"])
    c.add("log_length", 1)
    groups = f.variable(0, "i64")

    def write(what: int, k: Value, old: Value, new: Value) -> None:
        f.call("log_entry", "void", f.c, f.constant(float(what), "double"), k, old, new)
        groups.set(groups.value + 1)

    traced = c["traced"]
    with c.each("relations") as k:
        old, new = traced.at(k), truths.at(k)
        fired = first & (directions.at(k) != 0.0)
        with f.when((old != new) | fired):
            write(TRUTH, k, old, new)
            residue = residues.at(k)
            write(RESIDUE, k, traced.at(n + k), residue)
            traced.put(k, new)
            traced.put(n + k, residue)
    with c.each("discretes") as k:
        place_of = n * 2 + k
        old, new = traced.at(place_of), discretes.at(k)
        with f.when(old != new):
            write(DISCRETE, k, old, new)
            traced.put(place_of, new)
    c["log"].put(head.value, groups.value.as_double())
    c.add("n_rounds", 1)
    f.give()
    return f


def no_room(c: Fields) -> Value:
    """Whether the log may be too short for another round."""
    return c["log_length"] + _room_of_round(c) > c["log_size"]


def _room_of_round(c: Fields) -> Value:
    """How long the entry of a round may be in the log."""
    return (c["n_relations"] * 2 + c["n_discretes"]) * LOG_GROUP + 8


def rounds() -> Function:
    """Rounds within one program. ON, or BY_HAND where Python has to look."""
    f, c = function("rounds")

    def settle() -> None:
        f.give_if(c.run("settle").as_i64() != 0, Code.BY_HAND)

    f.give_if(no_room(c), Code.BY_HAND)
    steps = round_steps(f, c, lambda: c, lambda: c["n_timed"] > 0, Code.BY_HAND)
    follow(f, ROUNDS, {**steps, "settle": settle})
    f.give(Code.ON)
    return f


def round_steps(
    f: Function, c: Fields, owner: Callable[[], Fields], timed: Callable[[], Value], by_hand: int
) -> Steps:
    """The actions of a round besides deciding. `owner` is the context or the gate of the engine, `timed` says
    whether that has relations of time, and `by_hand` is returned where Python has to act."""
    done = f.variable(0, "i64")

    def log_round() -> None:
        slots = (owner()[name] for name in ("relations", "residues", "directions", "discretes"))
        c.call("log_round", "void", owner()["memory"], *slots)

    def checks() -> None:
        own = owner()
        with f.when(own["momentary"] != 0):
            own.run("checks")
            with f.count(own["n_checks"]) as j:
                f.give_if(own.memory("checks_first", j) != 0.0, by_hand)

    def commit() -> None:
        f.give_if(owner().run("commit").as_i64() != 0, by_hand)

    def fire() -> None:
        owner().remember("scratch_slot", 0, 0.0)
        with f.when(timed()):
            owner().run("fire")

    def nothing_changed() -> Value:
        return (owner().memory("changed_slot") == 0.0) & (owner().memory("scratch_slot") == 0.0)

    def endless() -> None:
        done.set(done.value + 1)
        f.give_if((done.value >= c["max_rounds"]) | no_room(c), by_hand)

    return {
        "log_round": log_round, "checks": checks, "commit": commit, "fire": fire,
        "nothing_changed": nothing_changed, "endless": endless,
    }  # fmt: skip


def remember() -> Function:
    """Brings the histories up to date until t."""
    f, c = function(REMEMBER_TO, internal=False, t="double")
    with f.when((c["remembers"] != 0) & (c["remembered"] < f.t)):
        to = f.least(f.t, c["reached"])
        with f.when(c["remembered"] < to):
            progress = c.address("remembered")
            tools = c["arrive"], f.c, c["set_max_step"], c["solver"]
            result = f.call(c["remember"], "i64", c["book"], *tools, progress, to)
            f.give_if(result < 0, Code.ROOM)
            with f.when(result > 0):
                c["status"] = result
                f.give(Code.ROUTINE_FAILED)
        c["remembered"] = f.t
    f.give(Code.ON)
    return f


def begin_event(*, in_part: bool = False) -> Function:
    """What is presumed at the left limits, which are in the memory, and the head of the log entry: its
    length, time, kind, row; then who fired, which clocks tick, the rounds."""
    f, c = function("begin_event", "void", internal=False, in_part=in_part, t="double", crossing="i1")
    n, memory, log = c["n_relations"], c["memory"], c["log"]
    at = f.variable(c["log_length"])

    def trace() -> None:
        c.copy(c["traced"], memory.place(c["relations"]), "relations")
        c.copy(c["traced"].place(n), memory.place(c["residues"]), "relations")
        c.copy(c["traced"].place(n * 2), memory.place(c["discretes"]), "discretes")

    def depart() -> None:
        c.remember("continuation", 0, 1.0)
        c.run("depart")

    def approach() -> None:
        c.run("approach")

    def presume() -> None:
        with f.when(f.crossing):
            c.run("presume")

    def fire() -> None:
        with f.when(c["n_timed"] > 0):
            c.run("fire")

    def log_causes() -> None:
        start = at.value
        c["entry"] = start
        log.put(start + 1, f.t)
        log.put(start + 2, f.crossing.as_double())
        log.put(start + 3, c["n_written"].as_double() - 1.0)
        fired = f.variable(0, "i64")
        at.set(start + 4)
        with c.each("relations") as k:
            changed = c.memory("relations", k) != c["traced"].at(k)
            moved = (c.memory("directions", k) != 0.0) & f.crossing
            timed = (c.memory("crossing_times", k) <= f.t) & changed
            with f.when(moved | timed):
                fired.set(fired.value + 1)
                log.put(at.value + fired.value, k.as_double())
                c.remember("directions", k, 1.0)
        log.put(at.value, fired.value.as_double())
        at.set(at.value + fired.value + 1)

    def tick() -> None:
        ticks = f.variable((c["tick"] < c["n_ticks"]).as_i64())
        with f.when(ticks.value != 0):
            ticks.set((c["tick_times"].at(c["tick"]) <= f.t).as_i64())
        c["ticks"] = ticks.value
        ticking = f.variable(0, "i64")
        with f.when(ticks.value != 0):
            first, past = (c["tick_first"].at(c["tick"] + i, "i64") for i in (0, 1))
            with f.count(past - first) as k:
                clock = c["tick_clocks"].at(first + k, "i64")
                c.remember("clocks", clock, 1.0)
                ticking.set(ticking.value + 1)
                log.put(at.value + ticking.value, clock.as_double())
        log.put(at.value, ticking.value.as_double())
        c["entry_clocks"] = at.value
        c["ticking"] = ticking.value
        c["entry_rounds"] = at.value + ticking.value + 1
        c["log_length"] = at.value + ticking.value + 2
        c["n_rounds"] = 0

    steps = (trace, depart, approach, presume, fire, log_causes, tick)
    follow(f, BEGIN_EVENT, {step.__name__: step for step in steps})
    f.give()
    return f


def end_ticks(f: Function, c: Fields, owner: Fields) -> None:
    """The ticks are over: their edges are armed again."""
    with f.count(c["ticking"]) as k:
        owner.remember("clocks", c["log"].at(c["entry_clocks"] + 1 + k).as_i64(), 0.0)


def end_event() -> Function:
    """Completes the entry of the log."""
    f, c = function("end_event", "void", internal=False)
    log, entry = c["log"], c["entry"]
    log.put(c["entry_rounds"], c["n_rounds"].as_double())
    log.put(entry, (c["log_length"] - entry).as_double())
    c["event_places"].put(c["n_events"], entry, "i64")
    c.add("n_events", 1)
    c.add("tick", c["ticks"])
    f.give()
    return f


def event_within() -> Function:
    """The event at t within one program: the memory is at its left limits. ON, or BY_HAND where Python has to
    look."""
    f, c = function("event_within", t="double", crossing="i1")

    def rounds() -> None:
        f.give_if(f.call("rounds", "i64", f.c) != Code.ON, Code.BY_HAND)

    steps: Steps = {
        "begin_event": lambda: f.call("begin_event", "void", f.c, f.t, f.crossing),
        "rounds": rounds,
        "clocks_tick": lambda: c["ticking"] != 0,
        "end_ticks": lambda: end_ticks(f, c, c),
        "end": lambda: c.remember("continuation", 0, 0.0),
    }
    follow(f, EVENT, steps)
    f.give(Code.ON)
    return f


def instant() -> Function:
    """What happens at t, from the left limits in the memory to the right ones: in one part of the model, in
    one program, or across programs. ON; BY_HAND where Python has to look, with the left limits as they were;
    or what the driver gives back where another engine goes on. Says whether the differential equations or
    their states are `anew`. Events beyond one program need numbers that are `finite`."""
    f, c = function("instant", part="ptr", t="double", crossing="i1", finite="i1")
    memory, backup, log_length = c["memory"], c["backup"], c["log_length"]
    code = f.variable(Code.BY_HAND, "i64")
    with f.when(f.part != 0):
        code.set(f.call(c["event_in_part"], "i64", f.c, f.part, f.t, f.crossing))
        f.give_if(code.value == Code.ON, Code.ON)
    c.keep(backup, memory)
    with f.when(c["across"] == 0):
        code.set(f.call("event_within", "i64", f.c, f.t, f.crossing))
        with f.when(code.value != Code.ON):
            c.keep(memory, backup)
            c["log_length"] = log_length
    with f.when((code.value != Code.ON) & f.finite & (c["gate"] != 0)):
        there = f.call(c["pass_through"], "ptr", f.c, f.t, f.crossing)
        with f.when((there != 0) & (there != c["gate"])):
            f.give(f.call(c["turn"], "i64", f.c, there, f.t))
        code.set((there == 0).choose(Code.BY_HAND, Code.ON, "i64"))
        with f.when(there == 0):
            c.keep(memory, backup)
    with f.when(code.value == Code.ON):
        end_instant(f, c)
    c["log_length"] = (code.value == Code.ON).choose(c["log_length"], log_length, "i64")
    f.give(code.value)
    return f


def end_instant(f: Function, c: Fields) -> None:
    """Nothing has fired any more. Does the integrator have to start anew?"""
    memory, backup = c["memory"], c["backup"]
    with c.each("relations") as k:
        c.remember("directions", k, 0.0)
    anew = f.variable(0, "i64")
    with c.each("states") as k:
        place = c["states"] + k
        with f.when(memory.at(place) != backup.at(place)):
            anew.set(1)
    with c.each("mode") as place, f.when(memory.at(place) != backup.at(place)):
        anew.set(1)
    c["anew"] = anew.value


def enough(f: Function, c: Fields) -> Value:
    """Whether Python has to examine the events: there are as many as requested, or something has hopped no
    higher than the errors of the integrator, and may be about to rest."""
    n, now = c["n_events"], c["now"]
    with f.when(c["seeks_rest"] != 0):
        # In between the residue has left its band.
        interval, entry = now - c["event_2"], c["event_places"].at(n - 1, "i64")
        c["event_2"] = c["event_1"]
        c["event_1"] = now
        with f.when(c["log"].at(entry + FIRED) > 0.0), f.count(c["n_sloped"]) as j:
            k = c["watched"].at(j, "i64")
            height = f.absolute(c["d0"].at(j)) * interval * HEIGHT
            with f.when((c["log"].at(entry + FIRED + 1).as_i64() == k)
                        & (height < c["low"] * c["narrow_bands"].at(k))):  # fmt: skip
                c["low_hop"] = 1
    return (n >= c["max_events"]) | (c["low_hop"] != 0)


def event() -> Function:
    """The event at t, which has crossings (then their directions are in the memory) or was scheduled."""
    f, c = function("event", internal=False, t="double", crossing="i1")
    # Enough for one round, and for the usual number of rounds where more room can be made.
    rounds = (c["n_events"] > 0).choose(LOG_ROUNDS, 1, "i64")
    room = c["n_relations"] + _room_of_round(c) * rounds + c["n_clocks"] + LOG_HEAD
    full = (c["n_rows"] + 2 > c["max_rows"]) | (c["log_length"] + room > c["log_size"])
    f.give_if(full | (c["n_events"] >= c["max_events"]), Code.FULL)
    told = f.call(REMEMBER_TO, "i64", f.c, f.t)
    f.give_if(told != Code.ON, told)
    with f.when(c["moves"] != 0):
        beyond = f.t > c["reached"]
        f.call(ARRIVE_EVENT, "void", f.c, beyond.choose(c["reached"], f.t))
    memory = c["memory"]
    memory.put(TIME_SLOT, f.t)
    c["now"] = f.t
    status = c.run("outputs").as_i64()
    with f.when(status != 0):
        c["status"] = status
        f.give(Code.ROUTINE_FAILED)
    by_hand = f.crossing.choose(Code.CROSSING, Code.SCHEDULED, "i64")
    f.give_if(c["by_hand"] != 0, by_hand)
    finite = f.variable(f.call("record", "i1", f.c, f.t))
    c.run("relations_routine")
    with f.when(c["witness"] != 0):
        f.call(c["witness"], "void", f.c, f.t, f.crossing.as_i64())
    part = f.variable(f.constant(0, "ptr"))
    with f.when((c["parts"] != 0) & f.crossing & finite.value):
        part.set(f.call(c["which_part"], "ptr", f.c, f.t))
    code = f.variable(f.call("instant", "i64", f.c, part.value, f.t, f.crossing, finite.value))
    with f.when(code.value == Code.BY_HAND):
        c.add("n_rows", -1)
        c.add("n_written", -1)
        f.give(by_hand)
    f.give_if(code.value != Code.ON, code.value)
    with f.when(c["remembers"] != 0):
        status = f.call(c["remember_event"], "i64", c["book"])
        with f.when(status != 0):
            c["status"] = status
            f.give(Code.ROUTINE_FAILED)
    f.call("end_event", "void", f.c)
    finite.set(f.call("record", "i1", f.c, f.t) & finite.value)
    f.call("pass_grid", "void", f.c, f.t)
    with f.count(c["n_watched"]) as j:
        c["z0"].put(j, c.memory("residues", c["watched"].at(j, "i64")))
    c["begun"] = f.t
    c["earlier"] = f.t
    c["probe"] = 1
    after = f.variable(f.call("check", "i64", f.c))
    with f.when(~finite.value):
        after.set(Code.LOOK)
    with f.when((c["anew"] != 0) & (c["moves"] != 0)):
        c["restart"] = 1
    f.give(after.value)
    return f
