"""Crossings and double crossings, found after a step and located on the interpolation."""

from __future__ import annotations

from saltus.emit.assembly import Function, Value
from saltus.emit.driver.context import Fields, function
from saltus.ir.drive import Code

ARRIVE_EVENT = "saltus_arrive_event"

#: A crossing is located to this part of its time.
LOCATED = 16 * 2.0**-52

#: How far the states of a crossing are beyond zero, as part of what those at the time after it are.
BEYOND = 1e-3

#: The part of a step over which a slope is measured.
SLOPE_PART = 2.0**-10

#: Tangents that meet above this part of the step's height are taken for meeting above zero.
TANGENT_MARGIN = 0.1

#: The part of a band below which a difference of residues may be rounding.
ROUNDING_OF_BAND = 1e-5

#: A residue that sets out goes further in a longer step; what is rounding does not. So many times longer, and
#: how many times further it has to go.
LONGER, FURTHER = 64.0, 16.0

#: What is wrong with a step: the margin that is gone grows where it is gone; a hop was not seen at all.
DOUBTFUL, LOST = 1, 2

#: A step that has missed a hop is begun anew with this part of its length.
SHORTER = 0.25

#: A step is divided at most so often in search of a double crossing.
MOST_DIVISIONS = 40


def look() -> Function:
    """The residues of all watched relations at a time; they are left in the memory. The status of the
    routine."""
    f, c = function("look", t="double")
    # Between the last step and an event that is hardly later nothing is known, and nothing moves.
    f.call(c["arrive"], "void", f.c, f.least(f.t, c["reached"]))
    c["memory"].put(0, f.t)
    status = c.run("crossings").as_i64()
    with f.when(status != 0):
        c["status"] = status
    f.give(status)
    return f


def sides() -> Function:
    """For each watched relation its presumed side p, the allowance that its margin has (the band, while z is
    in it), and whether zero is across: it is where the relation would be another there, `x > 0` but not
    `x >= 0`."""
    f, c = function("sides", "void")
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


def divide() -> Function:
    """Looks inside the step for a value of relation j that has crossed beyond its band. `found` is where it
    is, or `reached` where there is none. The status of what failed, if something did."""
    f, c = function("divide", j="i64")
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


def probe() -> Function:
    """The slopes of the residues where the run is, along the derivatives of the states, which are in the
    memory. Relations in their bands that set out across zero, away from their presumed sides, are noted."""
    f, c = function("probe", "void")
    step = c["probe_step"]
    setting_out = f.variable(0, "i64")
    status = _probed(f, c, step)
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
        with f.when(sets_out):
            setting_out.set(setting_out.value + 1)
    with f.when(setting_out.value > 0):
        status = _probed(f, c, step * LONGER)
        with f.when(status == 0), f.count(c["n_sloped"]) as j, f.when(c["heading"].at(j) != 0.0):
            way = c.memory("residues", c["watched"].at(j, "i64")) - c["z0"].at(j)
            further = -way * c["side"].at(j) > -c["d0"].at(j) * c["side"].at(j) * step * FURTHER
            c["heading"].put(j, further.as_double())
    f.give()
    return f


def _probed(f: Function, c: Fields, step: Value) -> Value:
    """The residues after a small step; states and time are what they were. The status."""
    memory, n = c["memory"], c["n_states"]
    time = memory.at(0)
    states, rates = memory.place(c["states"]), memory.place(c["derivatives"])
    f.copy(c["backup"], states, n)
    memory.put(0, time + step)
    with f.count(n) as k:
        states.put(k, states.at(k) + step * rates.at(k))
    status = c.run("crossings").as_i64()
    memory.put(0, time)
    f.copy(states, c["backup"], n)
    return status


def scan() -> Function:
    """The first crossing after `begun` and not after `reached`: 1 with its time in `found` and the directions
    of the relations in the memory, 0 if there is none, negative if something failed."""
    f, c = function("scan")
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
    c["before"] = lo.value
    share = f.variable(0.0)
    directions = c["memory"].place(c["directions"])
    with f.count(n) as j:
        directions.put(watched.at(j, "i64"), 0.0)
    with f.count(count) as m:
        j = followed.at(m, "i64")
        across_now = _crossed(z_hi.at(m), at_zero.at(j))
        directions.put(watched.at(j, "i64"), across_now.choose(-side.at(j), 0.0))
        # One that leaves its band across zero has left it: there it must be outside.
        in_band = allowance.at(j) != 0.0
        part_of_gap = (z_lo.at(m) - z_hi.at(m) * BEYOND) / (z_lo.at(m) - z_hi.at(m))
        with f.when(across_now & (in_band | (z_lo.at(m) > 0.0))):
            share.set(f.greatest(share.value, in_band.choose(1.0, part_of_gap)))
        # One that was growing at the beginning of the step must be seen to shrink where it crosses.
        with f.when(across_now & (j < n_sloped)), f.when(d0.at(j) * side.at(j) > 0.0):
            c["doubtful"] = DOUBTFUL
    # Histories know the states at the later time, and follow what moves by the last digit.
    c["share"] = ((share.value > 0.0) & (c["remembers"] == 0)).choose(share.value, 1.0)
    with f.when(c["share"] < 1.0):
        f.call(ARRIVE_EVENT, "void", f.c, hi.value)
        lost = f.variable(c.run("crossings").as_i64() != 0)
        with f.count(count) as m:
            j = followed.at(m, "i64")
            margin = residues.at(watched.at(j, "i64")) * side.at(j) + allowance.at(j)
            still = _crossed(margin, at_zero.at(j))
            lost.set(lost.value | (_crossed(z_hi.at(m), at_zero.at(j)) & ~still))
        # What is beyond zero by its last digits only is there, or it is not: no place between is better.
        with f.when(lost.value):
            c["share"] = 1.0
    f.give(1)
    return f


def arrive_event() -> Function:
    """Time and states at an event into the memory. A crossing lies between two times that can hardly be told
    apart, and its states between theirs. That matters late in a run: a current that falls by 1e5 A/s changes
    by 1e-9 A from one number for the time 64 s to the next, and must not be left beyond zero by that."""
    f, c = function(ARRIVE_EVENT, "void", internal=False, t="double")
    f.call(c["arrive"], "void", f.c, f.t)
    with f.when((c["share"] < 1.0) & (f.t == c["found"]) & (c["before"] < f.t) & (c["before"] >= c["begun"])):
        states, later, n = c["memory"].place(c["states"]), c["backup"], c["n_states"]
        f.copy(later, states, n)
        f.call(c["arrive"], "void", f.c, c["before"])
        c["memory"].put(0, f.t)
        with f.count(n) as k:
            states.put(k, states.at(k) + c["share"] * (later.at(k) - states.at(k)))
    f.give()
    return f


def shortest(f: Function, c: Fields, t: Value) -> Value:
    """A step to this time that is no longer than this is not begun anew."""
    return f.greatest(LOCATED * f.absolute(t), c["probe_step"])


def turn_back() -> Function:
    """Begins the step anew, with a shorter one, where a hop is lower than the tolerance, as happens in the
    first long steps after an event. Either it was not seen at all (LOST), or its end is nothing but an error
    of the interpolation: the margins that are gone grow there. 1, or 0 where all is well, or -1 where a
    routine failed."""
    f, c = function("turn_back")
    lost = c["doubtful"] == LOST
    found, memory, n = lost.choose(c["reached"], c["found"]), c["memory"], c["n_states"]
    width = found - c["begun"]
    at_start = c["now"] == c["begun"]
    f.give_if((c["doubtful"] == 0) | ~at_start | (width <= shortest(f, c, found)), 0)
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
