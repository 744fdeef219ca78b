"""Steps of a fixed length, and the loop that takes them.

A method of inline integration is a part of the equations (`saltus.analyse.inline`): the formula of a variable
x that is inlined is `x = c + weight*der(c)` with a state c of its own. What is left to be done here is to
bring all states to the next step. For c, and for states that are not inlined, that is the explicit Euler
method:

    c := c + step * der(c)

which makes implicit Euler steps of x where the weight is the step, and those of the trapezoidal rule where it
is half of that. Only BDF2 (weight 2/3 step) needs the value x before the last step, too; where it has none,
the same line is the theta-method with theta = 2/3.

Steps end at multiples of their length, at scheduled events, and at the end of the run. Relations are
evaluated once, at the end of a step. Where one has the other truth there, an event happens at that time; the
right limits of inlined variables are those of the same step, taken with what the event has switched. The step
after it is of the length `weight`: that is an implicit Euler step whatever the method is, which asks nothing
of what was before. Then the next one ends at a multiple again.

If that is wanted, events are located inside of the step: on the way of the states from its beginning to its
end, as straight as that of a shorter step would be. Then the step ends there.

Output points inside of a step get what is on the straight line between its two ends.
"""

from __future__ import annotations

from collections.abc import Callable

from saltus.emit.driver.context import Fields, fixed_step, function, watch
from saltus.emit.driver.crossings import crossed, leave_room, margin_here
from saltus.emit.driver.event import enough
from saltus.emit.support.assembly import Function, Value
from saltus.ir.native.contract import ARRIVE_FIXED, LOCATED, MARCH, SAME_PART, TIME_SLOT
from saltus.ir.native.drive import Code

#: A guess of a crossing is this part of the way back from the end beyond it.
PAST_SECANT = 1e-3

#: Of POSIX: the clock that nobody sets, and waiting until a time. Nanoseconds of a second; and so many before
#: its time native code waits for the next step awake, since nobody is woken to the microsecond.
MONOTONIC, ABSOLUTE = 1, 1
SECOND, SPIN = 1_000_000_000, 100_000


def arrive() -> Function:
    """Time and states into the memory, at the end of the step or on the way there."""
    f, c = function(ARRIVE_FIXED, "void", internal=False, t="double")
    memory, n, y = c["memory"], c["n_states"], c["y_data"]
    memory.put(TIME_SLOT, f.t)
    states = memory.place(c["states"])
    with f.when(f.t >= c["reached"]):
        f.copy(states, y, n)
        f.give()
    fixed = fixed_step(f, c["solver"])
    old, begun = fixed["old"], fixed["begun"]
    part = (f.greatest(f.t, begun) - begun) / (c["reached"] - begun)
    with f.count(n) as k:
        states.put(k, old.at(k) + part * (y.at(k) - old.at(k)))
    f.give()
    return f


def compute() -> Function:
    """All values, and the residues of relations, with the states in the memory at a time. The status."""
    f, c = function("fixed_compute", t="double")
    c["memory"].put(TIME_SLOT, f.t)
    fixed_step(f, c["solver"]).add("rhs_evaluations", 1)
    status = c.run("outputs").as_i64()
    with f.when(status != 0):
        c["status"] = status
        f.give(status)
    c.run("relations_routine")
    f.give(0)
    return f


def advance() -> Function:
    """Time and states to the end of the next step, which is no later than the limit; all is computed there.
    The status."""
    f, c = function("fixed_advance")
    fixed, n, memory, begun = fixed_step(f, c["solver"]), c["n_states"], c["memory"], c["now"]
    states, rates, y = memory.place(c["states"]), memory.place(c["derivatives"]), c["y_data"]
    old, last, step, weight = fixed["old"], fixed["last"], fixed["step"], fixed["weight"]
    near = step * SAME_PART
    number = ((begun - fixed["origin"]) / step + (1.0 + SAME_PART)).as_i64()
    end = f.variable(fixed["origin"] + number.as_double() * step)
    fresh = f.variable(fixed["fresh"] != 0)
    with f.when(fresh.value):
        end.set(begun + weight)
    with f.when(end.value > c["limit"] - near):
        end.set(c["limit"])
    width = end.value - begun
    whole = f.absolute(width - step) <= near
    # An output point inside of the step needs what the row was at its beginning.
    with f.when(f.call("grid_point", "double", f.c, c["grid_k"]) < end.value - c["grid_near"]):
        f.copy(fixed["row"], memory.place(c["row_first"]), c["row_length"])
    f.copy(old, states, n)
    one = (fixed["two_steps"] == 0) & ~fresh.value
    with f.when(one), f.count(n) as k:
        states.put(k, states.at(k) + width * rates.at(k))
    with f.when(~one):
        from_two = (fixed["regular"] != 0) & whole
        with f.count(n) as k:
            euler = states.at(k) + width * rates.at(k)
            inlined = states.at(k) + weight * rates.at(k)
            by_both = (4.0 * inlined - last.at(k)) / 3.0
            both = from_two & (fixed["carries"].at(k) != 0.0)
            last.put(k, inlined)
            # At an event the derivative of what has jumped says how it came there, not how it goes on.
            alone = fresh.value & (fixed["carries"].at(k) != 0.0)
            states.put(k, alone.choose(inlined, both.choose(by_both, euler)))
    fixed["regular"] = whole.as_i64()
    fixed["fresh"] = 0
    fixed["begun"] = begun
    fixed.add("steps", 1)
    f.copy(y, states, n)
    c["reached"] = end.value
    c["stop_set"] = end.value
    f.give(f.call("fixed_compute", "i64", f.c, end.value))
    return f


def hold() -> Function:
    """Inlined variables that are held stay where they are, as states do: at an instant, steps are none."""
    f, c = function("fixed_hold", "void")
    fixed, zero = fixed_step(f, c["solver"]), f.constant(0.0, "double")
    with f.when(fixed["ahead"] != 0):
        _weigh(f, c, zero, lambda k: fixed["weight"] * fixed["briefly"].at(k))
    f.copy(c["y_data"], c["memory"].place(c["states"]), c["n_states"])
    f.give()
    return f


def release() -> Function:
    """What was held follows the formula of a step again, with the values that it has."""
    f, c = function("fixed_release", "void")
    fixed = fixed_step(f, c["solver"])
    weight = fixed["weight"]
    with f.when(fixed["ahead"] != 0), f.when(c["memory"].at(fixed["ahead"]) != weight):
        _weigh(f, c, weight, lambda k: weight)
    f.give()
    return f


def _weigh(f: Function, c: Fields, weight: Value, own: Callable[[Value], Value]) -> None:
    """Another weight of derivatives in the formulas x = c + weight*der(c) of what is held, each with its
    `own` where it is to be held: x stays."""
    fixed, memory = fixed_step(f, c["solver"]), c["memory"]
    states, rates = memory.place(c["states"]), memory.place(c["derivatives"])
    with f.count(fixed["n_held"]) as k:
        j, slot = (fixed[name].at(k, "i64") for name in ("held_states", "held_slots"))
        states.put(j, memory.at(slot) - own(k) * rates.at(j))
    for name in ("ahead", "pre_ahead"):
        memory.put(fixed[name], weight)


def _narrow_rooms(f: Function, c: Fields, part: Value) -> None:
    """What counts as zero since an event was measured with a step that is shorter by this part, and is larger
    by as much: a current that charges a capacitor at once is so many times the one that follows."""
    allowance, watched = c["allowance"], c["watched"]
    with f.when(part < 1.0), f.count(c["n_watched"]) as j, f.when(allowance.at(j) != 0.0):
        k = watched.at(j, "i64")
        room = f.greatest(allowance.at(j) * part, c["narrow_bands"].at(k))
        allowance.put(j, room)
        c.remember("bands", k, room)


def crosses() -> Function:
    """Whether a relation has crossed at the end of the step; directions are left in the memory. One that has
    left its band on the presumed side has a sign again."""
    f, c = function("fixed_crosses", "i1")
    side, allowance = c["side"], c["allowance"]
    residues, directions = c["memory"].place(c["residues"]), c["memory"].place(c["directions"])
    found = f.variable(False, "i1")
    with f.count(c["n_watched"]) as j:
        k = c["watched"].at(j, "i64")
        across = crossed(margin_here(c, j), c["at_zero"].at(j))
        directions.put(k, across.choose(-side.at(j), 0.0))
        found.set(found.value | across)
        room = allowance.at(j)
        with f.when((room != 0.0) & (residues.at(k) * side.at(j) > room)):
            c.remember("signs", k, side.at(j))
            allowance.put(j, 0.0)
            leave_room(c, k)
            other_at_zero = c.memory("relations", k) != c["truth_of_zero"].at(j)
            c["at_zero"].put(j, other_at_zero.as_double())
    f.give(found.value)
    return f


def locate() -> Function:
    """Something has crossed at the end of the step: the step ends right behind the first crossing instead.
    The status. The relation counts whose secant crosses first; twice in three times the bracket is divided
    there."""
    f, c = function("fixed_locate")
    lo, hi = f.variable(fixed_step(f, c["solver"])["begun"]), f.variable(c["reached"])
    n, z_lo, z_hi, z_mid = c["n_watched"], c["z_lo"], c["z_hi"], c["z_mid"]
    status, tries = f.variable(0, "i64"), f.variable(0, "i64")

    def margins_at(t: Value, to: Value) -> Value:
        """The margins of all relations at a time, into a list; whether anything has crossed there."""
        f.call(c["arrive"], "void", f.c, t)
        status.set(f.call("fixed_compute", "i64", f.c, t))
        across = f.variable(False, "i1")
        with f.count(n) as j:
            margin = margin_here(c, j)
            to.put(j, margin)
            across.set(across.value | crossed(margin, c["at_zero"].at(j)))
        return across.value

    margins_at(hi.value, z_hi)
    f.give_if(status.value != 0, status.value)
    margins_at(lo.value, z_lo)
    f.give_if(status.value != 0, status.value)
    located = LOCATED * f.greatest(f.absolute(hi.value), f.absolute(lo.value))
    with f.loop():
        gap = hi.value - lo.value
        f.leave_if(gap <= located)
        most = f.variable(0.0)
        with f.count(n) as j, f.when(crossed(z_hi.at(j), c["at_zero"].at(j)) & (z_lo.at(j) > z_hi.at(j))):
            most.set(f.greatest(most.value, z_hi.at(j) / (z_hi.at(j) - z_lo.at(j))))
        tries.set(tries.value + 1)
        halves = (tries.value % 3) == 0
        # Beyond the secant by a little: the crossing is between then, and the bracket is short.
        part = halves.choose(gap * 0.5, gap * most.value * (1.0 - PAST_SECANT))
        middle = hi.value - f.least(f.greatest(part, located * 0.5), gap - located * 0.5)
        across = margins_at(middle, z_mid)
        f.give_if(status.value != 0, status.value)
        with f.when(across):
            hi.set(middle)
            f.copy(z_hi, z_mid, n)
        with f.when(~across):
            lo.set(middle)
            f.copy(z_lo, z_mid, n)
    f.call(c["arrive"], "void", f.c, hi.value)
    f.copy(c["y_data"], c["memory"].place(c["states"]), c["n_states"])
    c["reached"] = hi.value
    fixed_step(f, c["solver"])["regular"] = 0
    f.give(f.call("fixed_compute", "i64", f.c, hi.value))
    return f


def rows_inside() -> Function:
    """Rows of output points inside of the step, on the straight line between its two ends. ON, or FULL where
    there is no room for all."""
    f, c = function("fixed_rows")
    fixed = fixed_step(f, c["solver"])
    begun, end = fixed["begun"], c["reached"]
    before, after = fixed["row"], c["memory"].place(c["row_first"])
    with f.loop():
        f.leave_if(c["grid_k"] > c["grid_last"])
        point = f.call("grid_point", "double", f.c, c["grid_k"])
        f.leave_if(~(point < end - c["grid_near"]))
        f.give_if(c["n_rows"] >= c["max_rows"], Code.FULL)
        part = (point - begun) / (end - begun)
        row = c["rows"].place(c["n_rows"] * c["row_length"])
        with f.count(c["row_length"]) as j:
            a, b = before.at(j), after.at(j)
            row.put(j, (a == b).choose(a, a + part * (b - a)))
        c["row_times"].put(c["n_rows"], point)
        c.add("n_rows", 1)
        c.add("n_written", 1)
        c.add("grid_k", 1)
    f.give(Code.ON)
    return f


def clock() -> Function:
    """Nanoseconds of the monotonic clock."""
    f = Function("fixed_clock", "i64", internal=True, w="ptr")
    time = f.array(2, "i64")
    f.call(watch(f, f.w)["clock"], "i32", f.constant(MONOTONIC, "i32"), time)
    f.give(time.at(0, "i64") * SECOND + time.at(1, "i64"))
    return f


def end_step() -> Function:
    """A step is done, with all that happens at its end."""
    f = Function("fixed_end_step", "void", internal=True, w="ptr")
    w = watch(f, f.w)
    with f.when(w["began"] != 0):
        with f.when(w["n_times"] < w["most_times"]):
            w["times"].put(w["n_times"], f.call("fixed_clock", "i64", f.w) - w["began"], "i64")
            w.add("n_times", 1)
        w["began"] = 0
    f.give()
    return f


def begin_step() -> Function:
    """A step begins: at the time that the wall clock has for it, if the run keeps pace with that. The last
    one has been too late if it ended after that; it may have ended in Python."""
    f, c = function("fixed_begin_step", "void", w="ptr")
    w = watch(f, f.w)
    with f.when(w["ahead"] != 0):
        w["ahead"] = 0
        f.give()
    f.call("fixed_end_step", "void", f.w)
    now = f.variable(f.call("fixed_clock", "i64", f.w))
    with f.when(w["pace"] > 0.0):
        with f.when(w["wall"] == 0):
            w["wall"] = now.value
            w["paced_from"] = c["now"]
        due = w["wall"] + ((c["now"] - w["paced_from"]) * w["pace"]).as_i64()
        late = now.value - due
        with f.when(late > 0):
            w.add("overruns", 1)
            w["latest"] = (late > w["latest"]).choose(late, w["latest"], "i64")
        with f.when(late < -SPIN):
            until, time = due - SPIN, f.array(2, "i64")
            rest = until % SECOND
            time.put(0, ((until - rest).as_double() / float(SECOND)).as_i64(), "i64")
            time.put(1, rest, "i64")
            kind, absolute = f.constant(MONOTONIC, "i32"), f.constant(ABSOLUTE, "i32")
            f.call(w["sleep"], "i32", kind, absolute, time, f.constant(0, "ptr"))
        with f.loop():
            f.leave_if(now.value >= due)
            now.set(f.call("fixed_clock", "i64", f.w))
    w["began"] = now.value
    f.give()
    return f


def march() -> Function:
    """Drives one engine by fixed steps until Python has to act or another engine takes over; returns the
    reason."""
    f, c = function(MARCH, internal=False)
    fixed = fixed_step(f, c["solver"])
    code = f.variable(0, "i64")
    with f.when(fixed["pending"] != 0):  # the memory may have been evaluated elsewhere since
        f.call(c["arrive"], "void", f.c, c["reached"])
        f.give_if(f.call("fixed_compute", "i64", f.c, c["reached"]) != 0, Code.ROUTINE_FAILED)
    with f.loop():
        with f.when(fixed["woken"] != 0):
            code.set(_woken(f, c, fixed))
            f.give_if(code.value != Code.ON, code.value)
            f.give_if(enough(f, c), Code.FULL)
        with f.when(fixed["pending"] == 0):
            with f.when(c["restart"] != 0):
                c["restart"] = 0
                f.copy(c["y_data"], c["memory"].place(c["states"]), c["n_states"])
                fixed["fresh"] = fixed["begins_anew"]
                fixed["regular"] = 0
            f.call("fixed_release", "void", f.c)
            with f.when(c["probe"] != 0):
                c["probe"] = 0
                f.call("sides", "void", f.c)
                _narrow_rooms(f, c, fixed["instant"])
            f.give_if((c["n_clocks"] > 0) & (c["tick"] >= c["n_ticks"]), Code.FULL)
            due = f.call("next_event", "double", f.c)
            f.give_if((c["now"] >= c["stop"]) & ~(due <= c["now"]), Code.FINISHED)
            f.give_if(c["steps_left"] <= 0, Code.SLICE)
            c.add("steps_left", -1)
            c["limit"] = (due <= c["stop"]).choose(due, c["stop"])
            with f.when(fixed["watch"] != 0):
                f.call("fixed_begin_step", "void", f.c, fixed["watch"])
            f.give_if(f.call("fixed_advance", "i64", f.c) != 0, Code.ROUTINE_FAILED)
            fixed["pending"] = 1
        crossing = f.call("fixed_crosses", "i1", f.c)
        with f.when(crossing & (fixed["locates"] != 0)):
            f.give_if(f.call("fixed_locate", "i64", f.c) != 0, Code.ROUTINE_FAILED)
            f.call("fixed_crosses", "i1", f.c)
        end = c["reached"]
        code.set(f.call("fixed_rows", "i64", f.c))
        f.give_if(code.value != Code.ON, code.value)
        scheduled = f.call("next_event", "double", f.c) <= end
        happens = crossing | scheduled
        with f.when(happens):
            c["share"] = 1.0
            fixed["pending"] = 0
            f.call("fixed_hold", "void", f.c)
            code.set(f.call("event", "i64", f.c, end, crossing))
            with f.when((code.value == Code.FULL) & (c["now"] < end)):
                fixed["pending"] = 1
            f.give_if(code.value != Code.ON, code.value)
            _end_watch(f, fixed)
            f.give_if(enough(f, c), Code.FULL)
        with f.when(~happens):
            point = f.call("grid_point", "double", f.c, c["grid_k"])
            with f.when((c["grid_k"] <= c["grid_last"]) & (point <= end + c["grid_near"])):
                f.give_if(c["n_rows"] >= c["max_rows"], Code.FULL)
                code.set(_written(f, c, end))
            fixed["pending"] = 0
            c["now"] = end
            c["earlier"] = fixed["begun"]
            c["begun"] = end
            _end_watch(f, fixed)
            f.give_if(code.value != Code.ON, code.value)
    return f


def _woken(f: Function, c: Fields, fixed: Fields) -> Value:
    """An event between two steps, since inputs have got other values. Its code; where there was no room for
    it, it is still to come."""
    fixed["woken"] = 0
    now, known = c["now"], c["n_events"]
    with f.when(c["restart"] == 0):  # otherwise the states are there, and what has jumped is there alone
        f.call(c["arrive"], "void", f.c, now)
    f.give_if(f.call("fixed_compute", "i64", f.c, now) != 0, Code.ROUTINE_FAILED)
    c["share"] = 1.0
    c["reached"] = now
    f.call("fixed_hold", "void", f.c)
    code = f.call("event", "i64", f.c, now, Value(f, "i1", "false"))
    with f.when((code == Code.FULL) & (c["n_events"] == known)):
        fixed["woken"] = 1
    return code


def _end_watch(f: Function, fixed: Fields) -> None:
    """Reports to the step timer that a step is done."""
    with f.when(fixed["watch"] != 0):
        f.call("fixed_end_step", "void", fixed["watch"])


def _written(f: Function, c: Fields, end: Value) -> Value:
    """The row of an output point where a step ends, and its checks. ON, or LOOK."""
    finite = f.call("record", "i1", f.c, end)
    f.call("pass_grid", "void", f.c, end)
    checked = f.call("check", "i64", f.c)
    return finite.choose(checked, Code.LOOK, "i64")


def functions() -> tuple[Function, ...]:
    """All of them."""
    return (
        arrive(), compute(), advance(), hold(), release(), crosses(), locate(), rows_inside(),
        clock(), end_step(), begin_step(), march(),
    )  # fmt: skip
