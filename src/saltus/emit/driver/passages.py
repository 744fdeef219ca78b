"""An event that leads to another program, and the switch to its engine."""

from __future__ import annotations

from saltus.emit.driver.context import Fields, context, function, gate, register
from saltus.emit.driver.event import end_ticks, no_room, round_steps
from saltus.emit.driver.following import Steps, follow
from saltus.emit.support.assembly import Function, Value
from saltus.ir.native.contract import DRIVE, PASS_THROUGH, TURN
from saltus.ir.native.drive import FIELDS, SHARED, Code
from saltus.ir.native.steps import EVENT, ROUNDS


def pass_through() -> Function:
    """The event at t, across programs: the memory is at its left limits. The gate of the engine in which it
    ends; nowhere where Python has to do it by hand, and counts what it does."""
    f, c = function(PASS_THROUGH, "ptr", internal=False, t="double", crossing="i1")
    known = register(f, gate(f, c["gate"])["register"])
    entries = known["entries"]
    there = f.call("event_across", "ptr", f.c, f.t, f.crossing)
    with f.when(there == 0):
        known["entries"] = entries
    f.give(there)
    return f


def event_across(*, in_part: bool = False) -> Function:
    """The event at t, across programs: the gate of the engine in which it ends, or nowhere. What was counted
    on the way stays counted, even then."""
    f, c = function("event_across", "ptr", in_part=in_part, t="double", crossing="i1")
    own = c.gate(c["gate"])
    at = f.variable(own.pointer)

    def rounds() -> None:
        at.set(c.call("rounds_across", "ptr", at.value))
        f.give_if(at.value == 0, 0)

    def end() -> None:
        found = gate(f, at.value)
        with f.when(at.value != own.pointer):  # an engine that goes on must be able to
            f.give_if(found["context"] == 0, 0)
            there = context(f, found["context"])
            f.give_if(there["n_rows"] >= there["max_rows"], 0)
        found.remember("continuation", 0, 0.0)

    def make_room() -> None:
        c.gate(at.value).call("make_room", "void", c["backup"].place(c["relations"]))

    steps: Steps = {
        "leave_room": lambda: own.call("leave_room", "void"),
        "begin_event": lambda: c.call("begin_event", "void", f.t, f.crossing),
        "rounds": rounds,
        "clocks_tick": lambda: c["ticking"] != 0,
        "end_ticks": lambda: end_ticks(f, c, gate(f, at.value)),
        "end": end,
        "make_room": make_room,
    }
    follow(f, EVENT, steps, across=True)
    f.give(at.value)
    return f


def rounds_across(*, in_part: bool = False) -> Function:
    """Rounds, each of which ends in a mode that reproduces itself. The gate of the last one; nowhere where
    Python has to look."""
    f, c = function("rounds_across", "ptr", in_part=in_part, begin="ptr")
    at = f.variable(f.begin)

    def here() -> Fields:
        return c.gate(at.value)

    def stays_settled() -> Value:
        stays = f.variable(c["n_rounds"] != 0)
        with f.when(stays.value):
            stays.set(here().call("stays_settled", "i1"))
        return stays.value

    def settled() -> None:
        at.set(here().call("settled", "ptr"))
        f.give_if(at.value == 0, 0)

    usual = round_steps(f, c, here, lambda: here()["timed"] != 0, 0)

    def log_round() -> None:
        usual["log_round"]()
        with here().each("relations") as k:
            here().remember("directions", k, 0.0)  # they have fired in the first round only

    def carry() -> None:
        jumped = f.variable(False, "i1")
        with f.when(here()["carries"] != 0), here().each("jumped") as k:
            jumped.set(jumped.value | (here().memory("jumped", k) != 0.0))
        with f.when(jumped.value):
            f.give_if(here().run("outputs").as_i64() != 0, 0)

    f.give_if(no_room(c), 0)
    own: Steps = {"stays_settled": stays_settled, "settled": settled, "log_round": log_round, "carry": carry}
    follow(f, ROUNDS, {**usual, **own}, across=True)
    f.give(at.value)
    return f


def turn() -> Function:
    """The engine behind a gate continues from t, where all its values are computed."""
    f, c = function(TURN, internal=False, there="ptr", t="double")
    there = gate(f, f.there)
    f.call("end_event", "void", f.c)
    c.remember("continuation", 0, 0.0)
    place = c["turns"].place(c["n_turns"] * 2)
    place.put(0, there["number"], "i64")
    place.put(1, c["n_written"], "i64")
    c.add("n_turns", 1)
    new = context(f, there["context"])
    _hand_over(f, c, new)
    c["next"] = new.pointer
    there.remember("status_slot", 0, 0.0)
    with f.count(new["n_relations"]) as k:
        new.remember("directions", k, 0.0)
    new["now"] = f.t
    finite = f.call("record", "i1", new.pointer, f.t)
    f.call("pass_grid", "void", new.pointer, f.t)
    new.run("relations_routine")
    with f.count(new["n_watched"]) as j:
        new["z0"].put(j, new.memory("residues", new["watched"].at(j, "i64")))
    new["begun"] = f.t
    new["earlier"] = f.t
    new["reached"] = f.t
    new["remembered"] = f.t
    new["stop_set"] = float("nan")
    new["probe"] = 1
    new["restart"] = (new["moves"] != 0).as_i64()
    checked = f.call("check", "i64", new.pointer)
    f.give((finite & (checked == Code.ON)).choose(Code.TURNED, Code.LOOK, "i64"))
    return f


def _hand_over(f: Function, old: Fields, new: Fields) -> None:
    """What belongs to the run goes along."""
    places = [name for name, _ in FIELDS]
    first: str = SHARED[0][0]
    assert tuple(FIELDS[places.index(first) : places.index(first) + len(SHARED)]) == SHARED
    f.copy(new.address(first), old.address(first), len(SHARED))


def run() -> Function:
    """Drives one engine after the other until Python has to act; returns the reason."""
    f = Function(DRIVE, "i64", c="ptr")
    at = f.variable(f.c)
    with f.loop():
        c = context(f, at.value)
        code_of = f.variable(0, "i64")
        with f.when(c["march"] != 0):
            code_of.set(f.call(c["march"], "i64", at.value))
        with f.when(c["march"] == 0):
            code_of.set(f.call("drive", "i64", at.value))
        code = code_of.value
        following = c["next"]
        with f.when(following != 0):
            c["next"] = Value(f, "ptr", "null")
            at.set(following)
        with f.when(code != Code.TURNED):
            context(f, f.c)["last"] = at.value
            f.give(code)
    return f


def functions() -> tuple[Function, ...]:
    """All of them that are about passages."""
    return rounds_across(), event_across(), pass_through(), turn()
