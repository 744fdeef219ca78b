"""The driver: integration from event to event in native code, as LLVM text. It is the same for all models.

    int saltus_drive(void* context)

The integrator takes one step at a time. After each step the driver

    1. looks at every relation that is watched: has it crossed zero, or did it cross and come back? (below)
    2. locates the first crossing on the integrator's own interpolation, to the last digits of time
    3. writes the output points up to there
    4. does the event: left limits, presumption, rounds of `settle` and `commit`, right limits, the log
    5. starts the integrator anew if the event changed a state or the differential equations.

It returns when somebody has to look: the codes are in `saltus.ir.drive`. An event that does not go as usual
(a loop without solution, an assertion inside a when-clause) is undone and left to `saltus.run.events`, so
what is here is the common case only.

*Crossings.* The presumed side of a relation is that of its truth, p = 1 or -1; with its residue z the
*margin* is z p where the sign of z is known, and z p + band while z is in its zero band. A margin that is
gone is a crossing; inside the band, leaving towards the presumed side is none. The event is the right end of
the bracket, where the margin is gone. Bracketing is by the Illinois method on the relation whose secant
crosses first, with all of them looked at in each evaluation, and a bisection whenever three evaluations have
not halved the bracket.

*Double crossings.* A margin that shrinks at the beginning of a step and grows at its end has a smallest value
in between. Where it is convex it lies above its two tangents: if they meet well above zero, there is nothing
to look for. Otherwise the step is divided at the meeting point until a value beyond the band is found, whose
step is then the bracket, or until the tangents meet inside the band: touching zero is no event. The slopes
are differences along the integrator's interpolation and, after an event, along the derivatives. A relation
that sets out across zero and comes back without having left its band is an event that cannot be resolved:
Python is told, since this is how a ball would fall through the floor after its last hop.

Every field of the context has eight bytes; `saltus.run.driver` fills them in.
"""

from __future__ import annotations

from saltus.emit.assembly import Function, Operand, Value
from saltus.ir.drive import FIELDS, Code

DRIVE = "saltus_drive"
STEP_CVODE, STEP_IDA = "saltus_step_cvode", "saltus_step_ida"
ARRIVE_CVODE, ARRIVE_IDA = "saltus_arrive_cvode", "saltus_arrive_ida"

#: Functions of this module that Python asks for.
DRIVER_FUNCTIONS = frozenset({DRIVE, STEP_CVODE, STEP_IDA, ARRIVE_CVODE, ARRIVE_IDA})

_ONE_STEP = 2

#: Times that differ by no more than this part of themselves are the same.
SAME_TIME = 8 * 2.0**-52

#: An output point that is nearer than this part of the interval says nothing about a good first step.
NOT_TOO_NEAR = 1e-2

#: A crossing is located to this part of its time.
LOCATED = 16 * 2.0**-52

#: The part of a step over which a slope is measured.
SLOPE_PART = 2.0**-10

#: Tangents that meet above this part of the step's height are taken for meeting above zero.
TANGENT_MARGIN = 0.1

#: The part of a band below which a difference of residues may be rounding.
ROUNDING_OF_BAND = 1e-5

#: A step is divided at most so often in search of a double crossing.
MOST_DIVISIONS = 40

_PLACES = {name: (place, kind) for place, (name, kind) in enumerate(FIELDS)}


class _Context:
    """The fields of a context, read and written by name."""

    def __init__(self, f: Function) -> None:
        self._f = f

    def __getitem__(self, name: str) -> Value:
        place, kind = _PLACES[name]
        return self._f.c.at(place, kind)

    def __setitem__(self, name: str, value: Operand) -> None:
        place, kind = _PLACES[name]
        self._f.c.put(place, value, kind)

    def address(self, name: str) -> Value:
        return self._f.c.place(_PLACES[name][0], "ptr")

    def add(self, name: str, amount: Operand) -> None:
        self[name] = self[name] + amount

    def memory(self, section: str, index: Operand = 0) -> Value:
        """A number of the memory, at an index in the section whose first slot is a field."""
        return self["memory"].at(self[section] + index)

    def remember(self, section: str, index: Operand, value: Operand) -> None:
        self["memory"].put(self[section] + index, value)

    def run(self, routine: str) -> Value:
        """Runs a routine of the model; its status."""
        return self._f.call(self[routine], "i32", self["memory"])


def driver_text() -> str:
    """A module with the driver."""
    declarations = """
declare double @llvm.fabs.f64(double)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare i32 @CVode(ptr, double, ptr, ptr, i32)
declare i32 @CVodeGetDky(ptr, double, i32, ptr)
declare i32 @CVodeReInit(ptr, double, ptr)
declare i32 @CVodeSetStopTime(ptr, double)
declare i32 @CVodeGetNumSteps(ptr, ptr)
declare i32 @CVodeGetNumRhsEvals(ptr, ptr)
declare i32 @CVodeGetNumLinRhsEvals(ptr, ptr)
declare i32 @CVodeGetNumJacEvals(ptr, ptr)
declare i32 @IDASolve(ptr, double, ptr, ptr, ptr, i32)
declare i32 @IDAGetDky(ptr, double, i32, ptr)
declare i32 @IDASetStopTime(ptr, double)
"""
    functions = (
        _step_cvode(), _step_ida(), _arrive_cvode(), _arrive_ida(), _look(), _margin(), _crossed_any(),
        _divide(), _probe(), _scan(), _grid_point(), _pass_grid(), _record(), _output(), _next_event(),
        _log_round(), _rounds(), _event(), _drive(),
    )  # fmt: skip
    return declarations + "\n".join(f.text() for f in functions)


def _function(
    name: str, result: str = "i64", *, internal: bool = True, **parameters: str
) -> tuple[Function, _Context]:
    f = Function(name, result, internal=internal, c="ptr", **parameters)
    return f, _Context(f)


# ---------------------------------------------------------------- the two integrators


def _step_cvode() -> Function:
    """One step of CVODE; its flag."""
    f, c = _function(STEP_CVODE, internal=False)
    with f.when(c["stop_set"] != c["limit"]):
        f.call("CVodeSetStopTime", "i32", c["solver"], c["limit"])
        c["stop_set"] = c["limit"]
    one = Value(f, "i32", str(_ONE_STEP))
    f.give(f.call("CVode", "i32", c["solver"], c["ahead"], c["y"], c.address("reached"), one).as_i64())
    return f


def _step_ida() -> Function:
    f, c = _function(STEP_IDA, internal=False)
    with f.when(c["stop_set"] != c["limit"]):
        f.call("IDASetStopTime", "i32", c["solver"], c["limit"])
        c["stop_set"] = c["limit"]
    one = Value(f, "i32", str(_ONE_STEP))
    reached = c.address("reached")
    f.give(f.call("IDASolve", "i32", c["solver"], c["ahead"], reached, c["y"], c["yp"], one).as_i64())
    return f


def _arrive_cvode() -> Function:
    """Time and states into the memory, by interpolation."""
    f, c = _function(ARRIVE_CVODE, "void", internal=False, t="double")
    c["memory"].put(0, f.t)
    zero = Value(f, "i32", "0")
    f.call("CVodeGetDky", "i32", c["solver"], f.t, zero, c["scratch"])
    f.copy(c["memory"].place(c["states"]), c["scratch_data"], c["n_states"])
    f.give()
    return f


def _arrive_ida() -> Function:
    """The same for IDA, with starting values for the unknowns of loops (`offer`) where there are any."""
    f, c = _function(ARRIVE_IDA, "void", internal=False, t="double")
    zero, one = Value(f, "i32", "0"), Value(f, "i32", "1")
    f.call("IDAGetDky", "i32", c["solver"], f.t, zero, c["scratch"])
    with f.when(c["has_loops"] != 0):
        f.call("IDAGetDky", "i32", c["solver"], f.t, one, c["scratch_yp"])
        f.call(c["offer"], "i32", f.t, c["scratch"], c["scratch_yp"], c["memory"])
        f.give()
    c["memory"].put(0, f.t)
    f.copy(c["memory"].place(c["states"]), c["scratch_data"], c["n_states"])
    f.give()
    return f


# ---------------------------------------------------------------- crossings


def _look() -> Function:
    """The residues of all watched relations at a time, into `z`. The status of the routine."""
    f, c = _function("look", t="double", z="ptr")
    # Between the last step and an event that is hardly later nothing is known, and nothing moves.
    beyond = f.t > c["reached"]
    f.call(c["arrive"], "void", f.c, beyond.choose(c["reached"], f.t))
    c["memory"].put(0, f.t)
    status = c.run("crossings").as_i64()
    with f.when(status != 0):
        c["status"] = status
        f.give(status)
    with f.count(c["n_watched"]) as j:
        f.z.put(j, c.memory("residues", c["watched"].at(j, "i64")))
    f.give(0)
    return f


def _margin() -> Function:
    """The margin of a watched relation whose residue is z: positive up to the crossing."""
    f, c = _function("margin", "double", j="i64", z="double")
    k = c["watched"].at(f.j, "i64")
    towards = f.z * f.call("side", "double", f.c, f.j)
    known = c.memory("signs", k) != 0.0
    f.give(known.choose(towards, towards + c.memory("bands", k)))
    side, s = _function("side", "double", j="i64")
    k = s["watched"].at(side.j, "i64")
    presumed = s.memory("relations", k) == s["truth_above"].at(side.j)
    side.give(presumed.choose(1.0, -1.0))
    return _Both(side, f)


class _Both(Function):
    """Two functions that belong together."""

    def __init__(self, *parts: Function) -> None:
        self._texts = [p.text() for p in parts]

    def text(self) -> str:
        return "\n".join(self._texts)


def _crossed_any() -> Function:
    """Whether any relation has crossed, with these residues."""
    one, c = _function("crossed", "i1", j="i64", z="double")
    margin = one.call("margin", "double", one.c, one.j, one.z)
    known = c.memory("signs", c["watched"].at(one.j, "i64")) != 0.0
    # Exactly zero is across, but the edge of the band is not.
    one.give((margin < 0.0) | (known & (margin == 0.0)))
    f, c = _function("crossed_any", "i1", z="ptr")
    with f.count(c["n_watched"]) as j:
        f.give_if(f.call("crossed", "i1", f.c, j, f.z.at(j)), True)
    f.give(False)
    return _Both(one, f)


def _divide() -> Function:
    """Looks between a and b for a value of relation j that has crossed beyond its band, its residue having
    the values za, zb and the slopes da, db there. Where it is: `found`, with the residues of all in z_mid.
    The status of what failed; 0 with `found` = b where there is none."""
    f, c = _function(
        "divide", j="i64", a0="double", za0="double", da0="double", b0="double", zb0="double", db0="double"
    )
    p = f.call("side", "double", f.c, f.j)
    k = c["watched"].at(f.j, "i64")
    band = c.memory("bands", k)
    a, za, da = f.variable(f.a0), f.variable(f.za0 * p), f.variable(f.da0 * p)
    b, zb, db = f.variable(f.b0), f.variable(f.zb0 * p), f.variable(f.db0 * p)
    height = (f.absolute(da.value) + f.absolute(db.value)) * (b.value - a.value)
    allowance = f.variable(height * TANGENT_MARGIN)
    c["found"] = f.b0
    with f.count(f.constant(MOST_DIVISIONS, "i64")):
        width = b.value - a.value
        f.leave_if(~((da.value < 0.0) & (db.value > 0.0)))
        # Where the tangents meet, from a, and how high.
        meets = (zb.value - za.value - db.value * width) / (da.value - db.value)
        f.leave_if((za.value + da.value * meets > allowance.value) | (width <= LOCATED * f.absolute(f.b0)))
        f.leave_if((allowance.value == 0.0) & (za.value + da.value * meets > -band))
        allowance.set(0.0)
        part = f.least(f.greatest(meets, width * 0.05), width * 0.95)
        middle = a.value + part
        status = f.call("look", "i64", f.c, middle, c["z_mid"])
        f.give_if(status != 0, status)
        z = c["z_mid"].at(f.j) * p
        with f.when(z < -band):
            c["found"] = middle
            f.give(0)
        small = f.least(part, width - part) * SLOPE_PART
        status = f.call("look", "i64", f.c, middle + small, c["z_slope"])
        f.give_if(status != 0, status)
        slope = (c["z_slope"].at(f.j) * p - z) / small
        with f.when(slope < 0.0):
            a.set(middle)
            za.set(z)
            da.set(slope)
        with f.when(slope >= 0.0):
            b.set(middle)
            zb.set(z)
            db.set(slope)
    f.give(0)
    return f


def _probe() -> Function:
    """The slopes of the residues where the run is, along the derivatives of the states, which are in the
    memory. Relations in their bands that set out across zero, away from their presumed sides, are noted."""
    f, c = _function("probe", "void")
    memory, step, n = c["memory"], c["probe_step"], c["n_states"]
    time = memory.at(0)
    states, rates = memory.place(c["states"]), memory.place(c["derivatives"])
    f.copy(c["backup"], states, n)
    memory.put(0, time + step)
    with f.count(n) as k:
        states.put(k, states.at(k) + step * rates.at(k))
    status = c.run("crossings").as_i64()
    memory.put(0, time)
    f.copy(states, c["backup"], n)
    with f.when(status == 0):
        with f.count(c["n_sloped"]) as j:
            k = c["watched"].at(j, "i64")
            way = c.memory("residues", k) - c["z0"].at(j)
            c["d0"].put(j, way / step)
            away = -way * f.call("side", "double", f.c, j)
            small = c.memory("bands", k) * ROUNDING_OF_BAND
            sets_out = (c.memory("signs", k) == 0.0) & (away > small)
            c["heading"].put(j, sets_out.as_double())
        c["slopes_known"] = 1
    f.give()
    return f


def _scan() -> Function:
    """The first crossing after `begun` and not after `reached`: 1 with its time in `found` and the directions
    of the relations in the memory, 0 if there is none, negative if something failed."""
    f, c = _function("scan")
    n = c["n_watched"]
    status = f.call("look", "i64", f.c, c["reached"], c["z1"])
    f.give_if(status != 0, -1)
    hi = f.variable(c["reached"])
    width = hi.value - c["begun"]
    with f.when((c["n_sloped"] > 0) & (width > 0.0)):
        small = width * SLOPE_PART
        with f.when(c["slopes_known"] == 0), f.count(c["n_sloped"]) as j:
            c["d0"].put(j, 0.0)
        c["slopes_known"] = 1
        status = f.call("look", "i64", f.c, hi.value - small, c["z_slope"])
        f.give_if(status != 0, -1)
        with f.count(c["n_sloped"]) as j:
            c["d1"].put(j, (c["z1"].at(j) - c["z_slope"].at(j)) / small)
        with f.count(c["n_sloped"]) as j:
            p = f.call("side", "double", f.c, j)
            d0, d1 = c["d0"].at(j), c["d1"].at(j)
            with f.when((d0 * p < 0.0) & (d1 * p > 0.0)):
                z0, z1 = c["z0"].at(j), c["z1"].at(j)
                status = f.call("divide", "i64", f.c, j, c["begun"], z0, d0, c["reached"], z1, d1)
                f.give_if(status != 0, -1)
                with f.when(c["found"] < hi.value):
                    hi.set(c["found"])
                    f.copy(c["z_hi"], c["z_mid"], n)
    with f.when(hi.value == c["reached"]):
        f.give_if(~f.call("crossed_any", "i1", f.c, c["z1"]), 0)
        f.copy(c["z_hi"], c["z1"], n)
    # Bracketing, in the manner of CVODE: all functions are followed, the one that crosses first leads.
    lo = f.variable(c["begun"])
    f.copy(c["z_lo"], c["z0"], n)
    weight, last_side, tries = f.variable(1.0), f.variable(0, "i64"), f.variable(0, "i64")
    before = f.variable(hi.value - lo.value)
    with f.loop():
        gap = hi.value - lo.value
        f.leave_if(gap <= LOCATED * f.absolute(hi.value))
        most = f.variable(0.0)
        with f.count(n) as j:
            z_hi = c["z_hi"].at(j)
            with f.when(f.call("crossed", "i1", f.c, j, z_hi)):
                g_hi = f.call("margin", "double", f.c, j, z_hi)
                g_lo = f.call("margin", "double", f.c, j, c["z_lo"].at(j)) * weight.value
                fraction = g_hi / (g_hi - g_lo)
                with f.when(fraction > most.value):
                    most.set(fraction)
        part = f.variable(most.value * gap)
        tries.set(tries.value + 1)
        with f.when((tries.value % 3) == 0):
            with f.when(gap > before.value * 0.5):
                part.set(gap * 0.5)
                weight.set(1.0)
                last_side.set(0)
            before.set(gap)
        # Not so near to an end that nothing would be learned.
        least = LOCATED * 0.25 * f.absolute(hi.value)
        part.set(f.least(f.greatest(part.value, least), gap - least))
        middle = hi.value - part.value
        status = f.call("look", "i64", f.c, middle, c["z_mid"])
        f.give_if(status != 0, -1)
        across = f.call("crossed_any", "i1", f.c, c["z_mid"])
        with f.when(across):
            hi.set(middle)
            f.copy(c["z_hi"], c["z_mid"], n)
            weight.set((last_side.value == 1).choose(weight.value * 0.5, 1.0))
            last_side.set(1)
        with f.when(~across):
            lo.set(middle)
            f.copy(c["z_lo"], c["z_mid"], n)
            weight.set((last_side.value == 2).choose(weight.value * 2.0, 1.0))
            last_side.set(2)
    c["found"] = hi.value
    with f.count(n) as j:
        p = f.call("side", "double", f.c, j)
        across = f.call("crossed", "i1", f.c, j, c["z_hi"].at(j))
        c.remember("directions", c["watched"].at(j, "i64"), across.choose(-p, 0.0))
    f.give(1)
    return f


# ---------------------------------------------------------------- output points


def _grid_point() -> Function:
    """Output point number k."""
    f, c = _function("grid_point", "double", k="i64")
    f.give((f.k < c["grid_last"]).choose(c["grid_start"] + f.k.as_double() * c["grid_interval"], c["stop"]))
    return f


def _pass_grid() -> Function:
    """Moves on to the first output point that is not (nearly) at t or earlier."""
    f, c = _function("pass_grid", "void", t="double")
    with f.loop():
        f.leave_if(c["grid_k"] > c["grid_last"])
        f.leave_if(f.call("grid_point", "double", f.c, c["grid_k"]) > f.t + c["grid_near"])
        c.add("grid_k", 1)
    f.give()
    return f


def _record() -> Function:
    """Copies the memory into the next row. Whether all of its numbers are finite."""
    f, c = _function("record", "i1", t="double")
    row = c["rows"].place(c["n_rows"] * c["row_length"])
    source = c["memory"].place(c["row_first"])
    f.copy(row, source, c["row_length"])
    c["row_times"].put(c["n_rows"], f.t)
    c.add("n_rows", 1)
    total = f.variable(0.0)
    with f.count(c["row_length"]) as j:
        total.set(total.value + row.at(j) * 0.0)  # nan where the number is not finite
    f.give(total.value == 0.0)
    return f


def _output() -> Function:
    """The memory at t with everything computed, as a row of the result, and its checks."""
    f, c = _function("output", t="double")
    f.give_if(c["n_rows"] >= c["max_rows"], Code.FULL)
    with f.when(c["moves"] != 0):
        beyond = f.t > c["reached"]
        f.call(c["arrive"], "void", f.c, beyond.choose(c["reached"], f.t))
    c["memory"].put(0, f.t)
    status = c.run("outputs").as_i64()
    with f.when(status != 0):
        c["status"] = status
        c["now"] = f.t
        f.give(Code.ROUTINE_FAILED)
    finite = f.call("record", "i1", f.c, f.t)
    c["now"] = f.t
    f.call("pass_grid", "void", f.c, f.t)
    f.give_if(~finite, Code.LOOK)
    f.give(f.call("check", "i64", f.c))
    check, c = _function("check")
    with check.when(c["n_checks"] > 0):
        c.run("checks")
        with check.count(c["n_checks"]) as j:
            check.give_if(c.memory("checks_first", j) != 0.0, Code.LOOK)
    check.give(Code.ON)
    return _Both(check, f)


# ---------------------------------------------------------------- events


def _next_event() -> Function:
    """The time of the next scheduled event after `now`: a tick of a clock or the crossing of a relation of
    time."""
    f, c = _function("next_event", "double")
    found = f.variable(float("inf"))
    with f.when(c["tick"] < c["n_ticks"]):
        found.set(c["tick_times"].at(c["tick"]))
    with f.count(c["n_timed"]) as j:
        time = c.memory("crossing_times", c["timed"].at(j, "i64"))
        with f.when((time > c["now"]) & (time < found.value)):
            found.set(time)
    f.give((found.value <= c["stop"]).choose(found.value, float("inf")))
    return f


def _log_round() -> Function:
    """Writes down what has changed since `traced`, and takes it over there: groups of four numbers, what it
    is (0 the truth of a relation, 1 its residue, 2 a discrete variable), its index, the old and the new
    value."""
    f, c = _function("log_round", "void", first="i1")
    n, d = c["n_relations"], c["n_discretes"]
    head = f.variable(c["log_length"])
    c.add("log_length", 1)
    groups = f.variable(0, "i64")

    entry, e = _function("log_entry", "void", what="double", k="i64", old="double", new="double")
    place = e["log"].place(e["log_length"])
    place.put(0, entry.what)
    place.put(1, entry.k.as_double())
    place.put(2, entry.old)
    place.put(3, entry.new)
    e.add("log_length", 4)
    entry.give()

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
    return _Both(entry, f)


def _rounds() -> Function:
    """Rounds of `settle` and `commit` until nothing changes. 0, or what Python has to do by hand."""
    f, c = _function("rounds", n_rounds="ptr")
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


def _event() -> Function:
    """The event at t, which has crossings (then their directions are in the memory) or was scheduled."""
    f, c = _function("event", t="double", crossing="i1")
    room = c["n_relations"] + (c["n_relations"] * 2 + c["n_discretes"]) * 4 + c["n_clocks"] + 16
    full = (c["n_rows"] + 2 > c["max_rows"]) | (c["log_length"] + room > c["log_size"])
    f.give_if(full | (c["n_events"] >= c["max_events"]), Code.FULL)
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
    c["slopes_known"] = 0
    c["probe"] = 1
    after = f.variable(f.call("check", "i64", f.c))
    with f.when(~finite.value):
        after.set(Code.LOOK)
    with f.when(anew.value & (c["moves"] != 0)):
        c["restart"] = 1
    f.give(after.value)
    return f


# ---------------------------------------------------------------- the loop


def _drive() -> Function:
    """Drives on until somebody has to look; says why."""
    restart, c = _function("restart")
    # What the integrator has counted is lost at a restart.
    place = c.address("counted")
    c["counted"] = 0
    for name, getter in (
        ("steps", "CVodeGetNumSteps"), ("rhs_evaluations", "CVodeGetNumRhsEvals"),
        ("rhs_evaluations_for_jacobians", "CVodeGetNumLinRhsEvals"), ("jacobians", "CVodeGetNumJacEvals"),
    ):  # fmt: skip
        restart.call(getter, "i32", c["solver"], place)
        c.add(name, c["counted"])
    restart.copy(c["y_data"], c["memory"].place(c["states"]), c["n_states"])
    c["flag"] = restart.call("CVodeReInit", "i32", c["solver"], c["now"], c["y"]).as_i64()
    c["reached"] = c["now"]
    c["begun"] = c["now"]
    c["slopes_known"] = 0
    c["stop_set"] = float("nan")
    c["restart"] = 0
    c.add("restarts", 1)
    restart.give((c["flag"] == 0).choose(Code.ON, Code.FAILED, "i64"))

    f, c = _function(DRIVE, internal=False)
    code = f.variable(0, "i64")
    crossing, event_at = f.variable(0, "i64"), f.variable(0.0)
    with f.loop():
        with f.when(c["restart"] != 0):
            f.give_if(c["restart_by_hand"] != 0, Code.RESTART)
            code.set(f.call("restart", "i64", f.c))
            f.give_if(code.value != Code.ON, code.value)
        with f.when(c["probe"] != 0):
            c["probe"] = 0
            with f.when((c["moves"] != 0) & (c["n_sloped"] > 0)):
                f.call("probe", "void", f.c)
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
            f.give_if(c["restart_by_hand"] != 0, Code.RESTART)
            code.set(f.call("restart", "i64", f.c))
            f.give_if(code.value != Code.ON, code.value)
        crossing.set(0)
        with f.when(c["moves"] != 0):
            near = limit - c["reached"] <= SAME_TIME * f.absolute(limit)
            with f.when((c["begun"] >= c["reached"]) & ~near):
                c.add("steps_left", -1)
                # The first step after a restart is a small part of the way to the next output point.
                point = f.call("grid_point", "double", f.c, c["grid_k"])
                nearby = (point > c["reached"] + c["grid_interval"] * NOT_TOO_NEAR) & (point < limit)
                c["ahead"] = nearby.choose(point, limit)
                c["flag"] = f.call(c["step"], "i64", f.c)
                f.give_if(c["flag"] < 0, Code.FAILED)
            with f.when((c["n_watched"] > 0) & (c["begun"] < c["reached"])):
                crossing.set(f.call("scan", "i64", f.c))
                f.give_if(crossing.value < 0, Code.ROUTINE_FAILED)
        arrived = (c["moves"] == 0) | (limit - c["reached"] <= SAME_TIME * f.absolute(limit))
        # Output points up to the crossing, the limit, or the end of the step.
        past = f.variable(c["reached"])
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
            code.set(f.call("output", "i64", f.c, point))
            f.give_if(code.value != Code.ON, code.value)
        with f.when(crossing.value != 0):
            # A relation that leaves its band towards the presumed side never gets here.
            event_at.set(past.value)
            code.set(f.call("event", "i64", f.c, event_at.value, Value(f, "i1", "true")))
            f.give_if(code.value != Code.ON, code.value)
            f.give_if(c["n_events"] >= c["max_events"], Code.FULL)
        with f.when((crossing.value == 0) & arrived):
            with f.when(scheduled):
                code.set(f.call("event", "i64", f.c, limit, Value(f, "i1", "false")))
                f.give_if(code.value != Code.ON, code.value)
            with f.when(~scheduled):
                code.set(f.call("output", "i64", f.c, limit))
                f.give_if(code.value != Code.ON, code.value)
        with f.when((crossing.value == 0) & ~arrived):
            with f.when(c["n_watched"] > 0):
                with f.count(c["n_sloped"]) as j:
                    k = c["watched"].at(j, "i64")
                    out = c["z1"].at(j) * f.call("side", "double", f.c, j) > c.memory("bands", k)
                    with f.when((c.memory("signs", k) == 0.0) & (c["heading"].at(j) != 0.0) & out):
                        c["unresolved"] = k
                        f.give(Code.UNRESOLVED)
                with f.count(c["n_watched"]) as j:
                    # Out of its band on the presumed side, a relation has a sign again.
                    k = c["watched"].at(j, "i64")
                    p = f.call("side", "double", f.c, j)
                    z = c["z1"].at(j)
                    left = (c.memory("signs", k) == 0.0) & (z * p > c.memory("bands", k))
                    with f.when(left):
                        c.remember("signs", k, p)
                    c["z0"].put(j, z)
                with f.count(c["n_sloped"]) as j:
                    c["d0"].put(j, c["d1"].at(j))
            c["begun"] = c["reached"]
            c["now"] = c["reached"]
    return _Both(restart, f)
