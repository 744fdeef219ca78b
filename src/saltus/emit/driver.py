"""The driver: integration from event to event in native code, as LLVM text. It is the same for all models.

    int saltus_drive(void* context)

The integrator takes one step at a time. After each step the driver

    1. looks at every relation that is watched: has it crossed zero, or did it cross and come back? (below)
    2. locates the first crossing on the integrator's own interpolation, to the last digits of time
    3. writes the output points up to there
    4. does the event: left limits, presumption, rounds of `settle` and `commit`, right limits, the log
    5. starts the integrator anew if the event changed a state or the differential equations.

Where a model has delays, their histories are told of every step, and of every event (`saltus.emit.remember`).

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
REMEMBER_TO = "saltus_remember_to"

#: Functions of this module that Python asks for.
DRIVER_FUNCTIONS = frozenset({DRIVE, STEP_CVODE, STEP_IDA, ARRIVE_CVODE, ARRIVE_IDA, REMEMBER_TO})

_ONE_STEP = 2

#: Times that differ by no more than this part of themselves are the same.
SAME_TIME = 8 * 2.0**-52

#: An output point that is nearer than this part of the interval says nothing about a good first step.
NOT_TOO_NEAR = 1e-2

#: The first step after a restart, as a part of the one whose error is what the tolerance allows. Every
#: restart is at order one, with errors of one sign: with CVODE's own guess, a half, they add up.
FIRST_STEP = 0.1

#: The Euler step along which y'' is measured changes the states by this part of their size.
PROBE_PART = 0.01

#: A crossing is located to this part of its time.
LOCATED = 16 * 2.0**-52

#: The part of a step over which a slope is measured.
SLOPE_PART = 2.0**-10

#: Tangents that meet above this part of the step's height are taken for meeting above zero.
TANGENT_MARGIN = 0.1

#: The part of a band below which a difference of residues may be rounding.
ROUNDING_OF_BAND = 1e-5

#: What is wrong with a step: the margin that is gone grows where it is gone; a hop was not seen at all.
DOUBTFUL, LOST = 1, 2

#: A step that has missed a hop is begun anew with this part of its length.
SHORTER = 0.25

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
declare double @llvm.sqrt.f64(double)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare i32 @CVode(ptr, double, ptr, ptr, i32)
declare i32 @CVodeGetDky(ptr, double, i32, ptr)
declare i32 @CVodeReInit(ptr, double, ptr)
declare i32 @CVodeSetInitStep(ptr, double)
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
        _step_cvode(), _step_ida(), _arrive_cvode(), _arrive_ida(), _look(), _sides(), _divide(), _probe(),
        _scan(), _turn_back(), _grid_point(), _pass_grid(), _record(), _check(), _output(), _next_event(),
        _log_entry(), _log_round(), _rounds(), _remember(), _event(), _first_step(), _restart(), _drive(),
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


def _stay_before_steps(f: Function, c: _Context) -> None:
    """An integrator that has just been made has nothing to interpolate before its first step."""
    with f.when(c["stop_set"] != c["stop_set"]):  # nan since the start
        f.copy(c["memory"].place(c["states"]), c["y_data"], c["n_states"])
        f.give()


def _arrive_cvode() -> Function:
    """Time and states into the memory, by interpolation."""
    f, c = _function(ARRIVE_CVODE, "void", internal=False, t="double")
    c["memory"].put(0, f.t)
    _stay_before_steps(f, c)
    zero = Value(f, "i32", "0")
    f.call("CVodeGetDky", "i32", c["solver"], f.t, zero, c["scratch"])
    f.copy(c["memory"].place(c["states"]), c["scratch_data"], c["n_states"])
    f.give()
    return f


def _arrive_ida() -> Function:
    """The same for IDA, with starting values for the unknowns of loops (`offer`) where there are any."""
    f, c = _function(ARRIVE_IDA, "void", internal=False, t="double")
    c["memory"].put(0, f.t)
    _stay_before_steps(f, c)
    zero, one = Value(f, "i32", "0"), Value(f, "i32", "1")
    f.call("IDAGetDky", "i32", c["solver"], f.t, zero, c["scratch"])
    with f.when(c["has_loops"] != 0):
        f.call("IDAGetDky", "i32", c["solver"], f.t, one, c["scratch_yp"])
        f.call(c["offer"], "i32", f.t, c["scratch"], c["scratch_yp"], c["memory"])
        f.give()
    f.copy(c["memory"].place(c["states"]), c["scratch_data"], c["n_states"])
    f.give()
    return f


# ---------------------------------------------------------------- crossings


def _look() -> Function:
    """The residues of all watched relations at a time; they are left in the memory. The status of the
    routine."""
    f, c = _function("look", t="double")
    # Between the last step and an event that is hardly later nothing is known, and nothing moves.
    f.call(c["arrive"], "void", f.c, f.least(f.t, c["reached"]))
    c["memory"].put(0, f.t)
    status = c.run("crossings").as_i64()
    with f.when(status != 0):
        c["status"] = status
    f.give(status)
    return f


def _sides() -> Function:
    """For each watched relation its presumed side p, the allowance that its margin has (the band, while z is
    in it), and whether zero is across: it is where the relation would be another there, `x > 0` but not
    `x >= 0`."""
    f, c = _function("sides", "void")
    watched, side, allowance, at_zero = (c[name] for name in ("watched", "side", "allowance", "at_zero"))
    truth_above, truth_of_zero, memory = c["truth_above"], c["truth_of_zero"], c["memory"]
    truths, signs, bands = (memory.place(c[name]) for name in ("relations", "signs", "bands"))
    with f.count(c["n_watched"]) as j:
        k = watched.at(j, "i64")
        known = signs.at(k) != 0.0
        side.put(j, (truths.at(k) == truth_above.at(j)).choose(1.0, -1.0))
        allowance.put(j, known.choose(0.0, bands.at(k)))
        at_zero.put(j, (known & (truths.at(k) != truth_of_zero.at(j))).as_double())
    f.give()
    return f


def _crossed(margin: Value, at_zero: Value) -> Value:
    """Whether a relation with this margin has crossed."""
    return (margin < 0.0) | ((margin == 0.0) & (at_zero != 0.0))


def _divide() -> Function:
    """Looks inside the step for a value of relation j that has crossed beyond its band. `found` is where it
    is, or `reached` where there is none. The status of what failed, if something did."""
    f, c = _function("divide", j="i64")
    p = c["side"].at(f.j)
    k = c["watched"].at(f.j, "i64")
    band = c.memory("bands", k)
    a, za, da = f.variable(c["begun"]), f.variable(c["z0"].at(f.j) * p), f.variable(c["d0"].at(f.j) * p)
    b, zb, db = f.variable(c["reached"]), f.variable(c["z1"].at(f.j) * p), f.variable(c["d1"].at(f.j) * p)
    c["found"] = c["reached"]
    # The first time there is an allowance for what is not quite convex.
    height = (f.absolute(da.value) + f.absolute(db.value)) * (b.value - a.value)
    limit = f.variable(height * TANGENT_MARGIN)
    with f.count(f.constant(MOST_DIVISIONS, "i64")):
        width = b.value - a.value
        f.leave_if(~((da.value < 0.0) & (db.value > 0.0)) | (width <= LOCATED * f.absolute(b.value)))
        # Where the tangents meet, from a, and how high.
        meets = (zb.value - za.value - db.value * width) / (da.value - db.value)
        f.leave_if(za.value + da.value * meets > limit.value)
        limit.set(-band)
        part = f.least(f.greatest(meets, width * 0.05), width * 0.95)
        middle = a.value + part
        status = f.call("look", "i64", f.c, middle)
        f.give_if(status != 0, status)
        z = c.memory("residues", k) * p
        with f.when(z < -band):
            c["found"] = middle
            f.give(0)
        small = f.least(part, width - part) * SLOPE_PART
        status = f.call("look", "i64", f.c, middle + small)
        f.give_if(status != 0, status)
        slope = (c.memory("residues", k) * p - z) / small
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
    with f.count(c["n_sloped"]) as j:
        c["d0"].put(j, 0.0)
        c["heading"].put(j, 0.0)
    with f.when(status == 0), f.count(c["n_sloped"]) as j:
        k = c["watched"].at(j, "i64")
        way = c.memory("residues", k) - c["z0"].at(j)
        c["d0"].put(j, way / step)
        away = -way * c["side"].at(j)
        small = c.memory("bands", k) * ROUNDING_OF_BAND
        sets_out = (c.memory("signs", k) == 0.0) & (away > small)
        c["heading"].put(j, sets_out.as_double())
    f.give()
    return f


def _scan() -> Function:
    """The first crossing after `begun` and not after `reached`: 1 with its time in `found` and the directions
    of the relations in the memory, 0 if there is none, negative if something failed."""
    f, c = _function("scan")
    n, n_sloped = c["n_watched"], c["n_sloped"]
    watched, side, allowance, at_zero = (c[name] for name in ("watched", "side", "allowance", "at_zero"))
    c["doubtful"] = 0
    z0, z1, d0, d1 = (c[name] for name in ("z0", "z1", "d0", "d1"))
    residues = c["memory"].place(c["residues"])
    f.give_if(f.call("look", "i64", f.c, c["reached"]) != 0, -1)
    hi = f.variable(c["reached"])
    candidates = f.variable(0, "i64")
    with f.count(n) as j:
        z = residues.at(watched.at(j, "i64"))
        z1.put(j, z)
        with f.when(_crossed(z * side.at(j) + allowance.at(j), at_zero.at(j))):
            candidates.set(candidates.value + 1)
    width = hi.value - c["begun"]
    with f.when((n_sloped > 0) & (width > 0.0)):
        small = width * SLOPE_PART
        f.give_if(f.call("look", "i64", f.c, hi.value - small) != 0, -1)
        doubtful = f.variable(0, "i64")
        with f.count(n_sloped) as j:
            slope = (z1.at(j) - residues.at(watched.at(j, "i64"))) / small
            d1.put(j, slope)
            p = side.at(j)
            with f.when((d0.at(j) * p < 0.0) & (slope * p > 0.0)):
                doubtful.set(doubtful.value + 1)
        with f.when(doubtful.value > 0), f.count(n_sloped) as j:
            p = side.at(j)
            with f.when((d0.at(j) * p < 0.0) & (d1.at(j) * p > 0.0)):
                f.give_if(f.call("divide", "i64", f.c, j) != 0, -1)
                hi.set(f.least(c["found"], hi.value))
    with f.when((hi.value == c["reached"]) & (candidates.value == 0)):
        with f.count(n_sloped) as j:
            room = allowance.at(j)
            with f.when((room != 0.0) & (c["heading"].at(j) != 0.0) & (z1.at(j) * side.at(j) > room)):
                c["doubtful"] = LOST
        f.give(0)
    # The relations that have crossed at the right end; others that cross before it are back by then.
    with f.when(hi.value < c["reached"]):
        f.give_if(f.call("look", "i64", f.c, hi.value) != 0, -1)
    followed, z_hi, z_lo, z_mid = (c[name] for name in ("followed", "z_hi", "z_lo", "z_mid"))
    candidates.set(0)
    at_end = hi.value == c["reached"]
    with f.count(n) as j:
        z = at_end.choose(z1.at(j), residues.at(watched.at(j, "i64")))
        margin = z * side.at(j) + allowance.at(j)
        with f.when(_crossed(margin, at_zero.at(j))):
            m = candidates.value
            followed.put(m, j, "i64")
            z_hi.put(m, margin)
            z_lo.put(m, z0.at(j) * side.at(j) + allowance.at(j))
            candidates.set(m + 1)
    # Bracketing, in the manner of CVODE: the relation that seems to cross first leads.
    count = candidates.value
    lo = f.variable(c["begun"])
    weight, last_side, tries = f.variable(1.0), f.variable(0, "i64"), f.variable(0, "i64")
    before = f.variable(hi.value - lo.value)
    with f.loop():
        gap = hi.value - lo.value
        f.leave_if(gap <= LOCATED * f.absolute(hi.value))
        most = f.variable(0.0)
        with f.count(count) as m:
            j = followed.at(m, "i64")
            with f.when(_crossed(z_hi.at(m), at_zero.at(j))):
                fraction = z_hi.at(m) / (z_hi.at(m) - z_lo.at(m) * weight.value)
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
        f.give_if(f.call("look", "i64", f.c, middle) != 0, -1)
        across = f.variable(False, "i1")
        with f.count(count) as m:
            j = followed.at(m, "i64")
            margin = residues.at(watched.at(j, "i64")) * side.at(j) + allowance.at(j)
            z_mid.put(m, margin)
            across.set(across.value | _crossed(margin, at_zero.at(j)))
        with f.when(across.value):
            hi.set(middle)
            f.copy(z_hi, z_mid, count)
            weight.set((last_side.value == 1).choose(weight.value * 0.5, 1.0))
            last_side.set(1)
        with f.when(~across.value):
            lo.set(middle)
            f.copy(z_lo, z_mid, count)
            weight.set((last_side.value == 2).choose(weight.value * 2.0, 1.0))
            last_side.set(2)
    c["found"] = hi.value
    directions = c["memory"].place(c["directions"])
    with f.count(n) as j:
        directions.put(watched.at(j, "i64"), 0.0)
    with f.count(count) as m:
        j = followed.at(m, "i64")
        across_now = _crossed(z_hi.at(m), at_zero.at(j))
        directions.put(watched.at(j, "i64"), across_now.choose(-side.at(j), 0.0))
        # One that was growing at the beginning of the step must be seen to shrink where it crosses.
        with f.when(across_now & (j < n_sloped)), f.when(d0.at(j) * side.at(j) > 0.0):
            c["doubtful"] = DOUBTFUL
    f.give(1)
    return f


def _turn_back() -> Function:
    """Begins the step anew, with a shorter one, where a hop is lower than the tolerance, as happens in the
    first long steps after an event. Either it was not seen at all (LOST), or its end is nothing but an error
    of the interpolation: the margins that are gone grow there. 1, or 0 where all is well, or -1 where a
    routine failed."""
    f, c = _function("turn_back")
    lost = c["doubtful"] == LOST
    found, memory, n = lost.choose(c["reached"], c["found"]), c["memory"], c["n_states"]
    width = found - c["begun"]
    at_start = c["now"] == c["begun"]
    least = f.greatest(LOCATED * f.absolute(found), c["probe_step"])
    f.give_if((c["doubtful"] == 0) | ~at_start | (width <= least), 0)
    f.call(c["arrive"], "void", f.c, found)
    status = f.variable(c.run("derivatives_routine").as_i64())
    with f.when(status.value == 0):
        status.set(c.run("crossings").as_i64())
    residues, directions = memory.place(c["residues"]), memory.place(c["directions"])
    with f.count(c["n_sloped"]) as j:
        c["z_mid"].put(j, residues.at(c["watched"].at(j, "i64")))
    states, rates = memory.place(c["states"]), memory.place(c["derivatives"])
    with f.count(n) as k:
        states.put(k, states.at(k) + c["probe_step"] * rates.at(k))
    memory.put(0, found + c["probe_step"])
    with f.when(status.value == 0):
        status.set(c.run("crossings").as_i64())
    with f.when(status.value != 0):
        c["status"] = status.value
        f.give(-1)
    with f.when(~lost), f.count(c["n_watched"]) as j:
        k = c["watched"].at(j, "i64")
        with f.when(directions.at(k) != 0.0):
            f.give_if(j >= c["n_sloped"], 0)
            growth = (residues.at(k) - c["z_mid"].at(j)) * c["side"].at(j)
            f.give_if(~(growth > 0.0), 0)
    with f.count(c["n_watched"]) as j:
        directions.put(c["watched"].at(j, "i64"), 0.0)
    f.call(c["arrive"], "void", f.c, c["begun"])
    status.set(c.run("outputs").as_i64())
    with f.when(status.value != 0):
        c["status"] = status.value
        f.give(-1)
    c["shorter"] = width * SHORTER
    with f.when(c["restart_by_hand"] != 0):
        c["restart"] = 1
        f.give(1)
    f.give_if(f.call("restart", "i64", f.c) != Code.ON, 0)
    c["probe"] = 0  # nothing has changed at the beginning of the step
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


def _check() -> Function:
    """Whether a check is active."""
    f, c = _function("check")
    with f.when(c["n_checks"] > 0):
        c.run("checks")
        with f.count(c["n_checks"]) as j:
            f.give_if(c.memory("checks_first", j) != 0.0, Code.LOOK)
    f.give(Code.ON)
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
    return f


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


def _log_entry() -> Function:
    """Writes four numbers into the log."""
    f, c = _function("log_entry", "void", what="double", k="i64", old="double", new="double")
    place = c["log"].place(c["log_length"])
    place.put(0, f.what)
    place.put(1, f.k.as_double())
    place.put(2, f.old)
    place.put(3, f.new)
    c.add("log_length", 4)
    f.give()
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


def _remember() -> Function:
    """Tells histories all up to t."""
    f, c = _function(REMEMBER_TO, internal=False, t="double")
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


def _event() -> Function:
    """The event at t, which has crossings (then their directions are in the memory) or was scheduled."""
    f, c = _function("event", t="double", crossing="i1")
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


# ---------------------------------------------------------------- the loop


def _first_step() -> Function:
    """The step to begin with, so that its error h^2/2 |y''| is a small part of what the tolerance allows; 0
    where CVODE shall find one. y'' is a difference of derivatives along an explicit Euler step."""
    f, c = _function("first_step", "double")
    n, memory = c["n_states"], c["memory"]
    states, rates = memory.place(c["states"]), memory.place(c["derivatives"])
    weights, old = c["backup"], c["backup"].place(n)
    total = f.variable(0.0)
    with f.count(n) as k:
        weight = 1.0 / (c["relative"] * f.absolute(states.at(k)) + c["absolute"].at(k))
        weights.put(k, weight)
        total.set(total.value + (weight * rates.at(k)) * (weight * rates.at(k)))
    speed = f.call("llvm.sqrt.f64", "double", total.value / n.as_double())
    f.give_if(~(speed > 0.0), 0.0)
    # In these weights, the size of any state is 1 / relative.
    probe = f.least(PROBE_PART / (c["relative"] * speed), (c["stop"] - c["now"]) * PROBE_PART)
    f.give_if(~(probe > SAME_TIME * f.absolute(c["now"])), 0.0)
    f.copy(old, states, n)
    f.copy(old.place(n), rates, n)
    with f.count(n) as k:
        states.put(k, states.at(k) + probe * rates.at(k))
    memory.put(0, c["now"] + probe)
    status = c.run("derivatives_routine").as_i64()
    total.set(0.0)
    with f.count(n) as k:
        change = weights.at(k) * (rates.at(k) - old.at(n + k))
        total.set(total.value + change * change)
    bend = f.call("llvm.sqrt.f64", "double", total.value / n.as_double()) / probe
    memory.put(0, c["now"])
    f.copy(states, old, n)
    f.copy(rates, old.place(n), n)
    f.give_if((status != 0) | ~(bend > 0.0), 0.0)
    f.give(FIRST_STEP * f.call("llvm.sqrt.f64", "double", 2.0 / bend))
    return f


def _restart() -> Function:
    """Starts CVODE anew where the run is."""
    f, c = _function("restart")
    # What the integrator has counted is lost at a restart.
    place = c.address("counted")
    c["counted"] = 0
    for name, getter in (
        ("steps", "CVodeGetNumSteps"), ("rhs_evaluations", "CVodeGetNumRhsEvals"),
        ("rhs_evaluations_for_jacobians", "CVodeGetNumLinRhsEvals"), ("jacobians", "CVodeGetNumJacEvals"),
    ):  # fmt: skip
        f.call(getter, "i32", c["solver"], place)
        c.add(name, c["counted"])
    f.copy(c["y_data"], c["memory"].place(c["states"]), c["n_states"])
    first = f.variable(c["shorter"])
    c["shorter"] = 0.0
    with f.when(first.value == 0.0):
        first.set(f.call("first_step", "double", f.c))
    f.call("CVodeSetInitStep", "i32", c["solver"], first.value)
    c["flag"] = f.call("CVodeReInit", "i32", c["solver"], c["now"], c["y"]).as_i64()
    c["reached"] = c["now"]
    c["begun"] = c["now"]
    c["probe"] = 1
    c["stop_set"] = float("nan")
    c["restart"] = 0
    c.add("restarts", 1)
    f.give((c["flag"] == 0).choose(Code.ON, Code.FAILED, "i64"))
    return f


def _drive() -> Function:
    """Drives on until somebody has to look; says why."""
    f, c = _function(DRIVE, internal=False)
    code = f.variable(0, "i64")
    crossing, event_at = f.variable(0, "i64"), f.variable(0.0)
    with f.loop():
        code.set(f.call(REMEMBER_TO, "i64", f.c, c["begun"]))
        f.give_if(code.value != Code.ON, code.value)
        with f.when(c["restart"] != 0):
            f.give_if(c["restart_by_hand"] != 0, Code.RESTART)
            code.set(f.call("restart", "i64", f.c))
            f.give_if(code.value != Code.ON, code.value)
        with f.when(c["probe"] != 0):
            c["probe"] = 0
            f.call("sides", "void", f.c)
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
        with f.when(c["moves"] != 0), f.loop():
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
            f.leave_if((crossing.value == 0) & (c["doubtful"] == 0))
            again = f.call("turn_back", "i64", f.c)
            f.give_if(again < 0, Code.ROUTINE_FAILED)
            f.give_if(c["restart"] != 0, Code.RESTART)
            f.leave_if(again == 0)
            crossing.set(0)
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
            # Out of its band on the presumed side, a relation has a sign again.
            side, allowance = c["side"], c["allowance"]
            with f.count(c["n_watched"]) as j:
                room = allowance.at(j)
                with f.when((room != 0.0) & (c["z1"].at(j) * side.at(j) > room)):
                    k = c["watched"].at(j, "i64")
                    with f.when((j < c["n_sloped"]) & (c["heading"].at(j) != 0.0)):
                        c["unresolved"] = k
                        f.give(Code.UNRESOLVED)
                    c.remember("signs", k, side.at(j))
                    allowance.put(j, 0.0)
                    other_at_zero = c.memory("relations", k) != c["truth_of_zero"].at(j)
                    c["at_zero"].put(j, other_at_zero.as_double())
            # What was the end of the step is the beginning of the next.
            for first, second in (("z0", "z1"), ("d0", "d1")):
                ends = c[first], c[second]
                c[first], c[second] = ends[1], ends[0]
            c["begun"] = c["reached"]
            c["now"] = c["reached"]
    return f
