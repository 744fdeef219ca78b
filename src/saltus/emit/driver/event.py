"""One event, from the left limits to the right ones, and its entry in the log."""

from __future__ import annotations

from saltus.emit.assembly import Function, Value
from saltus.emit.driver.context import function
from saltus.ir.drive import Code

REMEMBER_TO = "saltus_remember_to"


def next_event() -> Function:
    """The time of the next scheduled event after `now`: a tick of a clock or the crossing of a relation of
    time."""
    f, c = function("next_event", "double")
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
    """Writes four numbers into the log."""
    f, c = function("log_entry", "void", what="double", k="i64", old="double", new="double")
    place = c["log"].place(c["log_length"])
    place.put(0, f.what)
    place.put(1, f.k.as_double())
    place.put(2, f.old)
    place.put(3, f.new)
    c.add("log_length", 4)
    f.give()
    return f


def log_round() -> Function:
    """Writes down what has changed since `traced`, and takes it over there: groups of four numbers, what it
    is (0 the truth of a relation, 1 its residue, 2 a discrete variable), its index, the old and the new
    value."""
    f, c = function("log_round", "void", first="i1")
    n, d = c["n_relations"], c["n_discretes"]
    head = f.variable(c["log_length"])
    c.add("log_length", 1)
    groups = f.variable(0, "i64")

    def write(what: float, k: Value, old: Value, new: Value) -> None:
        f.call("log_entry", "void", f.c, f.constant(what, "double"), k, old, new)
        groups.set(groups.value + 1)

    traced = c["traced"]
    with f.count(n) as k:
        old, new = traced.at(k), c.memory("relations", k)
        fired = f.first & (c.memory("directions", k) != 0.0)
        with f.when((old != new) | fired):
            write(0.0, k, old, new)
            residue = c.memory("residues", k)
            write(1.0, k, traced.at(n + k), residue)
            traced.put(k, new)
            traced.put(n + k, residue)
    with f.count(d) as k:
        place_of = n * 2 + k
        old, new = traced.at(place_of), c.memory("discretes", k)
        with f.when(old != new):
            write(2.0, k, old, new)
            traced.put(place_of, new)
    c["log"].put(head.value, groups.value.as_double())
    f.give()
    return f


def rounds() -> Function:
    """Rounds of `settle` and `commit` until nothing changes. 0, or what Python has to do by hand."""
    f, c = function("rounds", n_rounds="ptr")
    done = f.variable(0, "i64")
    room = (c["n_relations"] * 2 + c["n_discretes"]) * 4 + 8
    with f.loop():
        f.give_if(done.value >= c["max_rounds"], Code.BY_HAND)
        f.give_if(c["log_length"] + room > c["log_size"], Code.BY_HAND)
        done.set(done.value + 1)
        f.give_if(c.run("settle").as_i64() != 0, Code.BY_HAND)
        count = f.n_rounds.at(0, "i64")
        f.call("log_round", "void", f.c, count == 0)
        f.n_rounds.put(0, count + 1, "i64")
        with f.when(c["momentary"] != 0):
            c.run("checks")
            with f.count(c["n_checks"]) as j:
                f.give_if(c.memory("checks_first", j) != 0.0, Code.BY_HAND)
        f.give_if(c.run("commit").as_i64() != 0, Code.BY_HAND)
        # What has been scheduled for now in this very round is another round.
        c.remember("scratch_slot", 0, 0.0)
        with f.when(c["n_timed"] > 0):
            c.run("fire")
        f.leave_if((c.memory("changed_slot") == 0.0) & (c.memory("scratch_slot") == 0.0))
    f.give(Code.ON)
    return f


def remember() -> Function:
    """Tells histories all up to t."""
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


def event() -> Function:
    """The event at t, which has crossings (then their directions are in the memory) or was scheduled."""
    f, c = function("event", t="double", crossing="i1")
    room = c["n_relations"] + (c["n_relations"] * 2 + c["n_discretes"]) * 4 + c["n_clocks"] + 16
    full = (c["n_rows"] + 2 > c["max_rows"]) | (c["log_length"] + room > c["log_size"])
    f.give_if(full | (c["n_events"] >= c["max_events"]), Code.FULL)
    told = f.call(REMEMBER_TO, "i64", f.c, f.t)
    f.give_if(told != Code.ON, told)
    with f.when(c["moves"] != 0):
        beyond = f.t > c["reached"]
        f.call(c["arrive"], "void", f.c, beyond.choose(c["reached"], f.t))
    memory = c["memory"]
    memory.put(0, f.t)
    c["now"] = f.t
    status = c.run("outputs").as_i64()
    with f.when(status != 0):
        c["status"] = status
        f.give(Code.ROUTINE_FAILED)
    by_hand = f.crossing.choose(Code.CROSSING, Code.SCHEDULED, "i64")
    f.give_if(c["by_hand"] != 0, by_hand)
    n_rows, n_log = c["n_rows"], c["log_length"]
    finite = f.variable(f.call("record", "i1", f.c, f.t))
    status = c.run("relations_routine").as_i64()
    f.copy(c["backup"], memory, c["memory_size"])
    n, d = c["n_relations"], c["n_discretes"]
    f.copy(c["traced"], memory.place(c["relations"]), n)
    f.copy(c["traced"].place(n), memory.place(c["residues"]), n)
    f.copy(c["traced"].place(n * 2), memory.place(c["discretes"]), d)
    c.remember("continuation", 0, 1.0)
    c.run("depart")
    c.run("approach")
    with f.when(f.crossing):
        c.run("presume")
    # The head of the log entry: its length, time, kind, rows; then who fired, which clocks tick, the rounds.
    log = c["log"]
    c["log_length"] = n_log + 4
    log.put(n_log + 1, f.t)
    log.put(n_log + 2, f.crossing.as_double())
    log.put(n_log + 3, n_rows.as_double())
    ticks = f.variable((c["tick"] < c["n_ticks"]).as_i64())
    with f.when(ticks.value != 0):
        ticks.set((c["tick_times"].at(c["tick"]) <= f.t).as_i64())
    with f.when(c["n_timed"] > 0):
        c.run("fire")
    fired = f.variable(0, "i64")
    at = f.variable(c["log_length"])
    with f.count(n) as k:
        changed = c.memory("relations", k) != c["traced"].at(k)
        moved = (c.memory("directions", k) != 0.0) & f.crossing
        timed = (c.memory("crossing_times", k) <= f.t) & changed
        with f.when(moved | timed):
            fired.set(fired.value + 1)
            log.put(at.value + fired.value, k.as_double())
            c.remember("directions", k, 1.0)
    log.put(at.value, fired.value.as_double())
    at.set(at.value + fired.value + 1)
    ticking = f.variable(0, "i64")
    with f.when(ticks.value != 0):
        first, past = (c["tick_first"].at(c["tick"] + i, "i64") for i in (0, 1))
        with f.count(past - first) as k:
            clock = c["tick_clocks"].at(first + k, "i64")
            c.remember("clocks", clock, 1.0)
            ticking.set(ticking.value + 1)
            log.put(at.value + ticking.value, clock.as_double())
    log.put(at.value, ticking.value.as_double())
    c["log_length"] = at.value + ticking.value + 2
    rounds_place = at.value + ticking.value + 1
    n_rounds = f.variable(0, "i64")
    code = f.variable(f.call("rounds", "i64", f.c, n_rounds.address))
    with f.when((ticking.value != 0) & (code.value == Code.ON)):
        # The ticks are over: their edges are armed again.
        with f.count(ticking.value) as k:
            c.remember("clocks", log.at(at.value + 1 + k).as_i64(), 0.0)
        code.set(f.call("rounds", "i64", f.c, n_rounds.address))
    with f.when(code.value != Code.ON):
        f.copy(memory, c["backup"], c["memory_size"])
        c["n_rows"] = n_rows
        c["log_length"] = n_log
        f.give(f.crossing.choose(Code.CROSSING, Code.SCHEDULED, "i64"))
    with f.when(c["remembers"] != 0):
        status = f.call(c["remember_event"], "i64", c["book"])
        with f.when(status != 0):
            c["status"] = status
            f.give(Code.ROUTINE_FAILED)
    with f.count(n) as k:
        c.remember("directions", k, 0.0)
    log.put(rounds_place, n_rounds.value.as_double())
    log.put(n_log, (c["log_length"] - n_log).as_double())
    c["event_places"].put(c["n_events"], n_log, "i64")
    c.add("n_events", 1)
    c.add("tick", ticks.value)
    c.remember("continuation", 0, 0.0)
    finite.set(f.call("record", "i1", f.c, f.t) & finite.value)
    f.call("pass_grid", "void", f.c, f.t)
    # Does the integrator have to start anew?
    anew = f.variable(False, "i1")
    backup = c["backup"]
    with f.count(c["n_states"]) as k:
        place = c["states"] + k
        with f.when(memory.at(place) != backup.at(place)):
            anew.set(True)
    with f.count(c["n_mode"]) as k:
        place = c["mode"].at(k, "i64")
        with f.when(memory.at(place) != backup.at(place)):
            anew.set(True)
    with f.count(c["n_watched"]) as j:
        c["z0"].put(j, c.memory("residues", c["watched"].at(j, "i64")))
    c["begun"] = f.t
    c["probe"] = 1
    after = f.variable(f.call("check", "i64", f.c))
    with f.when(~finite.value):
        after.set(Code.LOOK)
    with f.when(anew.value & (c["moves"] != 0)):
        c["restart"] = 1
    f.give(after.value)
    return f
