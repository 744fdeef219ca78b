"""The main loop: take a step, examine its panels, write output points, handle an event, and repeat until
Python has to act."""

from __future__ import annotations

from saltus.emit.driver.context import Fields, function
from saltus.emit.driver.crossings import ROUNDING_OF_BAND, leave_room
from saltus.emit.driver.doubtful import shortest
from saltus.emit.driver.event import enough
from saltus.emit.support.assembly import Function, Value
from saltus.ir.native.contract import REMEMBER_TO, SAME_TIME
from saltus.ir.native.drive import NOWHERE, RK_STIFF, Code

#: An output point that is nearer than this part of the interval says nothing about a good first step.
NOT_TOO_NEAR = 1e-2


def drive() -> Function:
    """Drives one engine until Python has to act or another engine takes over; returns the reason."""
    f, c = function("drive")
    code = f.variable(0, "i64")
    crossing, event_at = f.variable(0, "i64"), f.variable(0.0)
    with f.loop():
        with f.when(c["begun"] >= c["reached"]):
            code.set(f.call(REMEMBER_TO, "i64", f.c, c["begun"]))
            f.give_if(code.value != Code.ON, code.value)
        with f.when(c["restart"] != 0):
            f.give_if(c["restart_by_hand"] != 0, Code.RESTART)
            code.set(f.call("restart", "i64", f.c))
            f.give_if(code.value != Code.ON, code.value)
        with f.when(c["probe"] != 0):
            c["probe"] = 0
            f.call("sides", "void", f.c)
            with f.when((c["moves"] != 0) & ((c["n_sloped"] > 0) | (c["n_steering"] > 0))):
                f.call("probe", "void", f.c)
            c["longest_set"] = 0.0  # what it was depends on the way that led here
            c["fresh"] = 1
            c["sampled"] = c["begun"]
            c["probed"] = c["begun"]
            with f.count(c["n_watched"]) as j:
                c["g0"].put(j, (j < c["n_sloped"]).choose(c["d0"].at(j), float("nan")))
        f.give_if((c["n_clocks"] > 0) & (c["tick"] >= c["n_ticks"]), Code.FULL)
        due = f.call("next_event", "double", f.c)
        f.give_if((c["now"] >= c["stop"]) & ~(due <= c["now"]), Code.FINISHED)
        f.give_if(c["steps_left"] <= 0, Code.SLICE)
        scheduled = due <= c["stop"]
        c["limit"] = scheduled.choose(due, c["stop"])
        limit = c["limit"]
        # A limit that came up behind the integrator's back: it has to go back to where the run is.
        with f.when((c["moves"] != 0) & (c["reached"] > limit)):
            f.call(c["arrive"], "void", f.c, c["now"])
            status = c.run("outputs").as_i64()
            with f.when(status != 0):
                c["status"] = status
                f.give(Code.ROUTINE_FAILED)
            c["probe"] = 1
            f.give_if(c["restart_by_hand"] != 0, Code.RESTART)
            code.set(f.call("restart", "i64", f.c))
            f.give_if(code.value != Code.ON, code.value)
        crossing.set(0)
        c.add("steps_left", -1)
        with f.when(c["moves"] != 0), f.loop():
            near = limit - c["reached"] <= SAME_TIME * f.absolute(limit)
            with f.when((c["begun"] >= c["reached"]) & ~near):
                f.call("set_longest", "void", f.c)
                c["step_begun"] = c["reached"]
                # The first step after a restart is a small part of the way to the next output point.
                point = f.call("grid_point", "double", f.c, c["grid_k"])
                nearby = (point > c["reached"] + c["grid_interval"] * NOT_TOO_NEAR) & (point < limit)
                c["ahead"] = nearby.choose(point, limit)
                c["flag"] = f.call(c["step"], "i64", f.c)
                f.give_if(c["flag"] < 0, Code.FAILED)
                f.give_if(c["flag"] == RK_STIFF, Code.STIFF)
            c["to"] = c["reached"]
            with f.when(_looks(c) & (c["begun"] < c["reached"])):
                crossing.set(f.call("scan", "i64", f.c))
                f.give_if(crossing.value < 0, Code.ROUTINE_FAILED)
            f.leave_if((crossing.value == 0) & (c["doubtful"] == 0))
            again = f.call("turn_back", "i64", f.c)
            f.give_if(again < 0, Code.ROUTINE_FAILED)
            f.give_if(c["restart"] != 0, Code.RESTART)
            f.leave_if(again == 0)
            crossing.set(0)
        all_seen = (c["to"] >= c["reached"]) & (limit - c["reached"] <= SAME_TIME * f.absolute(limit))
        arrived = (c["moves"] == 0) | all_seen
        # Output points up to the crossing, the limit, or the end of the panel.
        past = f.variable(c["to"])
        turned = f.variable(False, "i1")  # back, since an error of the integrator has led across
        with f.when(crossing.value != 0):
            past.set(c["found"])
            with f.when(limit - past.value <= SAME_TIME * f.absolute(limit)):
                past.set(limit)
        with f.loop():
            f.leave_if(c["grid_k"] > c["grid_last"])
            point = f.call("grid_point", "double", f.c, c["grid_k"])
            f.leave_if(~(point < limit - c["grid_near"]))
            f.leave_if((c["moves"] != 0) & (point > past.value))
            f.leave_if((crossing.value != 0) & (point >= past.value))
            code.set(f.call("output", "i64", f.c, point, Value(f, "i1", "true")))
            with f.when(code.value == Code.DISOBEYED):
                crossing.set(f.call("retrieve", "i64", f.c, point))
                f.give_if(crossing.value < 0, Code.ROUTINE_FAILED)
                with f.when(crossing.value != 0):
                    past.set(c["found"])
                    again = f.call("turn_back", "i64", f.c)
                    f.give_if(again < 0, Code.ROUTINE_FAILED)
                    f.give_if(c["restart"] != 0, Code.RESTART)
                    turned.set(again != 0)
                with f.when(crossing.value == 0):
                    code.set(f.call("output", "i64", f.c, point, Value(f, "i1", "false")))
            f.leave_if(code.value == Code.DISOBEYED)
            f.give_if(code.value != Code.ON, code.value)
        with f.when((crossing.value != 0) & ~turned.value):
            # A relation that leaves its band towards the presumed side never gets here.
            event_at.set(past.value)
            code.set(f.call("event", "i64", f.c, event_at.value, Value(f, "i1", "true")))
            f.give_if(code.value != Code.ON, code.value)
            f.give_if(enough(f, c), Code.FULL)
        with f.when((crossing.value == 0) & arrived):
            happens = f.variable(scheduled)
            crosses = f.variable(False, "i1")
            with f.when(~scheduled & (c["moves"] != 0) & (limit >= c["end"])):
                crosses.set(f.call("crosses_at_end", "i1", f.c, limit))
                happens.set(crosses.value)
            with f.when(happens.value):
                code.set(f.call("event", "i64", f.c, limit, crosses.value))
                f.give_if(code.value != Code.ON, code.value)
                f.give_if(enough(f, c), Code.FULL)
            with f.when(~happens.value):
                code.set(f.call("output", "i64", f.c, limit, Value(f, "i1", "false")))
                f.give_if(code.value != Code.ON, code.value)
        with f.when((crossing.value == 0) & ~arrived):
            # Out of its band on the presumed side, a relation has a sign again, and a band as usual.
            side, allowance = c["side"], c["allowance"]
            # A crossing that nothing remembers may be missed in a step that cannot be any shorter.
            forgives = c["to"] - c["begun"] <= shortest(f, c, c["to"])
            with f.count(c["n_watched"]) as j:
                room = allowance.at(j)
                with f.when((room != 0.0) & (c["z1"].at(j) * side.at(j) > room)):
                    k = c["watched"].at(j, "i64")
                    forgiven = forgives & (c["forgotten"].at(j) != 0.0)
                    with f.when((j < c["n_sloped"]) & (c["heading"].at(j) != 0.0) & ~forgiven):
                        c["unresolved"] = k
                        f.give(Code.UNRESOLVED)
                    c.remember("signs", k, side.at(j))
                    allowance.put(j, 0.0)
                    leave_room(c, k)
                    other_at_zero = c.memory("relations", k) != c["truth_of_zero"].at(j)
                    c["at_zero"].put(j, other_at_zero.as_double())
                # A residue that started across zero but turns round inside its band has not crossed, if
                # nothing remembers it. A ball that hops has to be seen to land.
                with f.when((room != 0.0) & (j < c["n_sloped"]) & (c["forgotten"].at(j) != 0.0)):
                    back = c["d1"].at(j) * side.at(j) * (c["to"] - c["begun"])
                    with f.when(back > room * ROUNDING_OF_BAND):
                        c["heading"].put(j, 0.0)
            # What was the end of the panel is the beginning of the next.
            for name in ("z", "d", "g", "bend", "phase"):
                ends = c[f"{name}0"], c[f"{name}1"]
                c[f"{name}0"], c[f"{name}1"] = ends[1], ends[0]
            with f.when(_looks(c) & (c["begun"] < c["to"])):
                c["panel"] = c["next_panel"]
                c["phase_panel"] = c["next_phase_panel"]
            c["fresh"] = 0
            c["sampled"] = (c["middle_is"] != NOWHERE).choose(c["middle"], c["begun"])
            c["earlier"] = c["begun"]
            c["begun"] = c["to"]
            c["now"] = c["to"]
    return f


def _looks(c: Fields) -> Value:
    """Whether steps are looked into: for events, or for how fast what steers the integrator goes."""
    return (c["n_watched"] > 0) | (c["n_steering"] > 0)
