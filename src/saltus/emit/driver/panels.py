"""Panels: every step of the integrator is examined until it is known what its relations do there.

A step is as long as the errors of the states allow, and the residues of relations may have a time scale of
their own. So the step is traversed from left to right in panels, whose length is controlled like that of an
integrator's steps. Residues are known at the beginning a of a panel; they are evaluated at its end b and at a
point m inside, whose relative position varies, so that nothing periodic can hide from it.

*Settled.* The margin z (see `saltus.emit.driver`) is a parabola p through its values at a, m, b, and an error

    z(t) - p(t) = r (t - a)(t - m)(t - b),      r about the third divided difference.

With the last sample before a, or after an event the slope at a, that difference is known; the largest one of
this panel and those before, which fade, times `caution`, is taken for the bound K of |r|. Soon after an event
there are none before, or only some that are too short to tell: the first step of an integrator may be a part
in a thousand of the next. A wave may have no third difference by chance: there, what the phases say of it
counts as well.
Between a and m the error is then at most K (b - a) (t - a)(m - t), a parabola again, and likewise between m
and b. So z is above a parabola with known values at the ends and known curvature in either half. If that
stays above zero, nothing has crossed. If not, the panel is cut where it is lowest, and the rest is looked at
later. Cut in this way, panels come to a touching point like Newton's method. Touching by less than the zero
band is no crossing.

*Far away.* Where all residues are far from zero, compared with what the slope and the change in the panel
allow, no point inside is needed.

*Phases* (`saltus.emit.layout.phases`) must not advance by more than some radians in a panel: without that,
samples of an oscillation mean nothing.

*Noise.* What does not get smoother in shorter panels is rounding: third differences below the last digits are
none, earlier ones count for no more than a curve has moved, and a panel is not cut without end.
"""

from __future__ import annotations

from saltus.emit.driver.context import Fields, function
from saltus.emit.driver.crossings import crossed, margin, margin_here, sets_out
from saltus.emit.support.assembly import Function, Value
from saltus.ir.native.contract import LOCATED
from saltus.ir.native.drive import BEFORE, BEYOND, NOWHERE

#: How far phases should go in a panel, and how far they may go.
ADVANCE, MOST_ADVANCE = 1.75, 2.5

#: How far phases that steer the integrator may go in one of its steps.
STEER = 2.0

#: A limit of steps is given to the integrator where it differs by more than this part from the one in force.
NOTICEABLE = 0.1

#: The rest of a step that is longer than a panel by no more than this is one panel.
STRETCH = 1.25

#: By how much less the third difference of the panel before counts, more where something oscillates; by how
#: much more that of the first panel, where it is known by a slope only, and may be small by chance.
FADING, FADING_WAVES, FRESH = 0.5, 0.8, 4.0

#: Of a wave, the third divided difference is this part of the second one, for each radian.
WAVE = 1.0 / 3.0

#: Residues are far from zero where they are so many times what they could move in the panel.
FAR = 8.0

#: A panel is cut where the margin is lowest, but not nearer to its ends than this part of it.
NEAREST = 0.1

#: In the next panel the error should be this part of the margin; by how much it may be longer or shorter for
#: that than the last one.
CALM, MOST_GROWTH, LEAST_GROWTH = 0.1, 4.0, 0.5

#: Beyond this the root of what is calm is more than the most growth, whatever its last digits are.
MOST_CALM = (1.0 + 2.0**-40) * MOST_GROWTH**3

#: A curve that has gone through zero is known well enough if the error is less than this part of where it is.
KNOWN = 0.25

#: The greatest value of |(t - a)(t - m)(t - b)| in a panel of length 1, about.
HUMP = 0.07

#: What is cut to less than this part of a panel is noise; the next panel has that part of its length.
NOISE, AFTER_NOISE = 2.0**-24, 0.25

#: A residue that sets out across zero is looked at when it should have gone this part of its band.
SETTING_OUT = 0.25

#: Differences of residues are not known better than this part of what they are computed from.
LAST_DIGITS = 16 * 2.0**-52

#: Points inside are in the middle, up to this part of a panel; the golden section spreads them.
SPREAD, GOLDEN = 0.15, 0.6180339887498949


def advances() -> Function:
    """How far phases have gone from phase0 to phase1, and how fast go those that steer. What is not a number
    does not count. How long a panel may be for that."""
    f, c = function("advances", "double", width="double")
    farthest, steering = f.variable(0.0), f.variable(0.0)
    with f.count(c["n_phases"]) as i:
        way = f.absolute(c["phase1"].at(i) - c["phase0"].at(i))
        farthest.set(f.greatest(way, farthest.value))
        with f.when(i < c["n_steering"]):
            steering.set(f.greatest(way, steering.value))
    c["advance"] = farthest.value
    c["pace"] = steering.value / f.width
    f.give(f.width * ADVANCE / farthest.value)  # infinite where nothing moves
    return f


def set_longest() -> Function:
    """Passes the largest step to the integrator, if it has changed."""
    f, c = function("set_longest", "void")
    wanted = f.least(STEER / c["pace"], c["longest"])
    with f.when(c["n_steering"] > 0):
        in_force = c["longest_set"]
        longer, shorter = wanted > in_force * (1.0 + NOTICEABLE), wanted < in_force * (1.0 - NOTICEABLE)
        with f.when(longer | shorter):
            limit = (wanted < float("inf")).choose(wanted, 0.0)
            f.call(c["set_max_step"], "i32", c["solver"], limit)
            c["longest_set"] = wanted
    f.give()
    return f


def _touching(c: Fields, j: Value) -> Value:
    """How far relation j may be beyond zero at the end of the panel without having crossed. Inside of a step,
    where panels end anywhere, it must be beyond its band: that zero is touched would be seen by chance."""
    inside = (c["to"] < c["reached"]) & (c["allowance"].at(j) == 0.0)
    return inside.choose(c["touch"].at(j), 0.0)


def note_end() -> Function:
    """The residues and phases in the memory are those at the end of the panel. Whether one has crossed."""
    f, c = function("note_end", "i1")
    n, watched, residues = c["n_watched"], c["watched"], c["memory"].place(c["residues"])
    at_zero, z1 = c["at_zero"], c["z1"]
    found = f.variable(False, "i1")
    with f.count(n) as j:
        z = residues.at(watched.at(j, "i64"))
        z1.put(j, z)
        found.set(found.value | crossed(margin(c, j, z) + _touching(c, j), at_zero.at(j)))
    f.copy(c["phase1"], c["memory"].place(c["phases"]), c["n_phases"])
    f.give(found.value)
    return f


def is_far() -> Function:
    """Whether all residues are far from zero, by their values at the ends of the panel. Then the slopes at
    its end are known as well."""
    f, c = function("is_far", "i1")
    width = c["to"] - c["begun"]
    z0, z1, d0, d1 = (c[name] for name in ("z0", "z1", "d0", "d1"))
    far = f.variable(True, "i1")
    with f.count(c["n_watched"]) as j:
        p, room = c["side"].at(j), c["allowance"].at(j)
        change = z1.at(j) - z0.at(j)
        expected = d0.at(j) * width
        reach = f.absolute(expected) + f.absolute(change - expected)
        lower = f.least(z0.at(j) * p, z1.at(j) * p) + room
        far.set(lower > FAR * reach)
        f.leave_if(~far.value)
    with f.when(far.value), f.count(c["n_watched"]) as j:
        slope = (z1.at(j) - z0.at(j)) / width
        d1.put(j, 2.0 * slope - d0.at(j))
        c["g1"].put(j, slope)
        c["bend1"].put(j, 0.0)  # not known, and what it was may be long gone
    f.give(far.value)
    return f


def doubt() -> Function:
    """Looks at the samples at `begun`, `middle` and `to`: where the panel should be cut (`to` if all is
    settled), and whether it could have been longer."""
    f, c = function("doubt", "void")
    a, m, b = c["begun"], c["middle"], c["to"]
    width, left, right = b - a, m - a, b - m
    since = c["sampled"]
    fresh = c["fresh"] != 0
    caution = fresh.choose(FRESH * c["caution"], c["caution"])
    # Of a wave with w radians in a unit of time the third derivative is w times the second one.
    # Its history since the last event shows no more than a slope, if that is shorter than the panel.
    unknown = a - c["probed"] < width
    hidden = unknown.choose(c["advance"] * WAVE / width, 0.0)
    cut, calm, early = f.variable(b), f.variable(float("inf")), f.variable(False, "i1")
    earliest, latest = a + width * NEAREST, b - width * NEAREST
    cube = width * width * width * HUMP
    fading = (c["n_phases"] > 0).choose(FADING_WAVES, FADING)

    def look_at(start: Value, length: Value, first: Value, second: Value, curvature: Value) -> None:
        """A half, below whose parabola nothing is: its lowest value, if that is inside, is
        (first + second)/2 - drop - rise^2/(16 drop)."""
        drop = curvature * (length * length * 0.125)
        rise = second - first
        above = 8.0 * drop * (first + second - 2.0 * drop) > rise * rise
        settled = (second > 0.0) & ((f.absolute(rise) >= 4.0 * drop) | above)
        with f.when(~settled):
            place = start + length * (0.5 - rise / (8.0 * drop))
            place = f.least(f.greatest(place, earliest), latest)
            cut.set(f.least(place, cut.value))

    per_left, per_right, per_width = 1.0 / left, 1.0 / right, 1.0 / width
    per_before, per_all, per_cube = 1.0 / (m - since), 1.0 / (b - since), 1.0 / cube
    arrays = [c[name] for name in ("z0", "zm", "z1", "g0", "g1", "d1", "bend0", "bend1")]
    z_a, z_m, z_b, g0, g1, d1, bend0, bend1 = arrays
    sides, rooms, zeros = c["side"], c["allowance"], c["at_zero"]
    with f.count(c["n_watched"]) as j:
        p, room = sides.at(j), rooms.at(j)
        za, zm, zb = z_a.at(j) * p, z_m.at(j) * p, z_b.at(j) * p
        up, down = zm - za, zb - zm
        first, second = up * per_left, down * per_right
        bent = (second - first) * per_width
        g1.put(j, second * p)
        d1.put(j, (second + bent * right) * p)
        moved = f.absolute(up) + f.absolute(down)
        bend1.put(j, 0.0)
        # The usual case first: it is far away.
        lower = f.least(f.least(za, zm), zb) + room
        with f.when(~(lower > FAR * moved)):
            third = f.absolute((bent - (first - g0.at(j) * p) * per_before) * per_all)
            # The digits of time, and of the residue itself, end somewhere.
            steepest = f.greatest(f.absolute(first), f.absolute(second))
            rounding = LAST_DIGITS * (f.absolute(b) * steepest + f.absolute(za)) * per_cube
            third = f.greatest(third - rounding, f.constant(0.0, "double"))
            # What there was before may be over, or was noise: it does not make more of a curve than it moves.
            third = f.greatest(third, f.least(fading * bend0.at(j), moved * per_cube))
            # Three values and a slope of a wave may lie on a parabola, by chance.
            third = f.greatest(third, hidden * f.absolute(bent))
            bend1.put(j, third)
            error = (caution * third) * cube
            curvature = 2.0 * (bent + caution * third * width)
            ends = crossed(zb + room + _touching(c, j), zeros.at(j))
            # Touching zero within the band is no crossing.
            shift = room + ends.choose(0.0, c["touch"].at(j))
            inside = zm + shift
            # One that leaves its band and comes back has a sign in between: the panel ends there.
            with f.when((room != 0.0) & (zm > room) & ~(zb > room)):
                cut.set(f.least(m, cut.value))
            through = ends & ~(inside > 0.0)
            with f.when(through):
                # Where the curve is known well enough, it has crossed once, and before the point inside.
                early.set(True)
                with f.when(~(error < KNOWN * f.greatest(-inside, -(zb + shift)))):
                    cut.set(f.least(m, cut.value))
            # It may have hopped before: out of its band, and back through all of it.
            known_slope = (j < c["n_sloped"]).choose(c["d0"].at(j) * p, 0.0)
            start = f.greatest(first - bent * left, known_slope)
            hopped = (start > 0.0) & (start * start > -4.0 * bent * room)
            with f.when(ends & (room != 0.0) & hopped):
                cut.set(f.least(m, cut.value))
            with f.when(~through):
                look_at(a, left, za + shift, inside, curvature)
            with f.when(~ends):
                look_at(m, right, inside, zb + shift, curvature)
            mean = (za + zm + zb) * (1.0 / 3.0) + shift
            with f.when(CALM * mean < calm.value * error):
                calm.set(CALM * mean / error)
    c["cut"] = cut.value
    c["calm"] = calm.value
    c["middle_is"] = early.value.choose(BEYOND, BEFORE, "i64")
    f.give()
    return f


def _first_end(f: Function, c: Fields) -> Value:
    """Where the panel ends that is tried first."""
    rest = c["reached"] - c["begun"]
    wanted = f.least(f.least(c["panel"], c["phase_panel"]), c["resolution"] * (1.0 / STRETCH))
    # Two panels of the same length are better than a long one and a short one.
    halves = (rest < wanted * 2.0).choose(rest * 0.5, wanted)
    return (rest <= wanted * STRETCH).choose(c["reached"], c["begun"] + halves)


def _end_of_hop(f: Function, c: Fields) -> Value:
    """What sets out across zero at the beginning of a step, and is back at the end of the panel, must have
    been seen to go there, since the error of a step may be larger than a hop: when it should be there, or the
    end of the panel where there is nothing of the kind."""
    end = f.variable(c["to"])
    least = c["begun"] + (c["to"] - c["begun"]) * NOISE
    with f.when(c["begun"] == c["step_begun"]), f.count(c["n_sloped"]) as j, f.when(sets_out(c, j)):
        p = c["side"].at(j)
        with f.when(c["z1"].at(j) * p > c["z0"].at(j) * p):
            soon = c["begun"] + SETTING_OUT * c["allowance"].at(j) / f.absolute(c["d0"].at(j))
            end.set(f.least(end.value, f.greatest(soon, least)))
    return end.value


def _look_at_end(f: Function, c: Fields, end: Value) -> Value:
    """Takes that for the end of the panel. Whether something has crossed there."""
    c["to"] = end
    f.give_if(f.call("look", "i64", f.c, end) != 0, -1)
    return f.call("note_end", "i1", f.c)


def _look_inside(f: Function, c: Fields) -> None:
    """Residues at a point inside of the panel, and what they say. A panel that is examined twice, because of
    a break, is examined in the same way: its position in time decides."""
    width = c["to"] - c["begun"]
    turns = f.absolute(c["to"]) / width * GOLDEN
    fraction = turns - turns.as_i64().as_double()
    c["middle"] = c["begun"] + width * (0.5 - SPREAD + fraction * (2.0 * SPREAD))
    f.give_if(f.call("look", "i64", f.c, c["middle"]) != 0, -1)
    residues = c["memory"].place(c["residues"])
    with f.count(c["n_watched"]) as j:
        c["zm"].put(j, residues.at(c["watched"].at(j, "i64")))
    f.call("doubt", "void", f.c)


def _set_next_panel(f: Function, c: Fields, first: Value, doubted: Value, noise: Value) -> None:
    """How long the next panel shall be, from the one that was tried first and what came of it."""
    width = c["to"] - c["begun"]
    base = doubted.choose(noise.choose(first * AFTER_NOISE, width), c["panel"])
    c["next_panel"] = base
    with f.when((c["calm"] < 1.0) | (width * MOST_GROWTH > base)):
        # The error is of third order. A root takes long, and mostly the panel may grow by more than it shall.
        growth = f.variable(MOST_GROWTH)
        with f.when(~(c["calm"] > MOST_CALM)):
            third = f.constant(1.0 / 3.0, "double")
            root = f.call("llvm.pow.f64", "double", c["calm"], third)
            root = f.greatest(root, f.constant(LEAST_GROWTH, "double"))
            growth.set(f.least(root, f.constant(MOST_GROWTH, "double")))
        grown = width * growth.value
        c["next_panel"] = (c["calm"] < 1.0).choose(f.least(base, grown), f.greatest(base, grown))
    with f.when(noise):
        c["next_panel"] = base


def examine() -> Function:
    """Looks into the next panel, as long as it can be settled. 1 if something has crossed at its end `to`, 0
    if not, and -1 where a routine failed."""
    f, c = function("examine")
    begun = c["begun"]
    c["middle_is"] = NOWHERE
    c["calm"] = float("inf")
    ends = f.variable(_look_at_end(f, c, _first_end(f, c)))
    first = c["to"] - begun
    with f.when(~ends.value):
        hop = _end_of_hop(f, c)
        with f.when(hop < c["to"]):
            ends.set(_look_at_end(f, c, hop))
    doubted, shortest = f.variable(False, "i1"), f.variable(False, "i1")
    with f.loop():
        end, width = c["to"], c["to"] - begun
        located = LOCATED * f.greatest(f.absolute(begun), f.absolute(end))
        smallest = (width <= located) | (width < first * NOISE)
        shortest.set(smallest)
        c["next_phase_panel"] = f.call("advances", "double", f.c, width)
        cut = f.variable(end)
        quick = (c["advance"] > MOST_ADVANCE) & ~smallest
        with f.when(quick):
            part = f.greatest(ADVANCE / c["advance"], f.constant(NEAREST, "double"))
            cut.set(begun + width * f.least(part, f.constant(0.5, "double")))
        known = f.variable(quick | (width <= 0.0))
        with f.when(~known.value & (c["fresh"] == 0) & ~ends.value):
            far = f.call("is_far", "i1", f.c)
            known.set(far)
            with f.when(far):
                c["middle_is"] = NOWHERE
                c["calm"] = float("inf")
        with f.when(~known.value):
            _look_inside(f, c)
            with f.when(~smallest):
                cut.set(c["cut"])
            doubted.set(doubted.value | (cut.value < end))
        f.leave_if(~(cut.value < end))
        # What is known at the point inside need not be computed again.
        again = f.variable((cut.value != c["middle"]) | (c["middle_is"] == NOWHERE))
        c["to"] = cut.value
        with f.when(again.value):
            f.give_if(f.call("look", "i64", f.c, cut.value) != 0, -1)
        ends.set(f.call("note_end", "i1", f.c))
        c["middle_is"] = NOWHERE
    _set_next_panel(f, c, first, doubted.value, shortest.value & doubted.value)
    # Where the panel was too short to be cut, the point inside may be beyond a crossing.
    with f.when(shortest.value):
        c["middle_is"] = NOWHERE
    with f.when(c["middle_is"] == BEYOND):
        c["middle_is"] = NOWHERE
        c["to"] = c["middle"]
        f.copy(c["z1"], c["zm"], c["n_watched"])
    with f.when(ends.value & (c["to"] < c["reached"]) & (begun == c["step_begun"]) & (c["fresh"] == 0)):
        f.give_if(f.call("look", "i64", f.c, begun) != 0, -1)
        ends.set(f.call("crosses", "i1", f.c))
    f.give(ends.value.as_i64())
    return f


def crosses() -> Function:
    """Whether something has crossed in a panel at the beginning of a step that the integrator's interpolation
    has not beyond zero at its very beginning, which is in the memory. There the interpolation of a multistep
    method is not quite what the step before has led to, by an error that the tolerance allows."""
    f, c = function("crosses", "i1")
    found = f.variable(False, "i1")
    with f.count(c["n_watched"]) as j:
        before, after, at_zero = margin_here(c, j), margin(c, j, c["z1"].at(j)), c["at_zero"].at(j)
        found.set(found.value | (crossed(after, at_zero) & ~crossed(before, at_zero)))
    f.give(found.value)
    return f


def functions() -> tuple[Function, ...]:
    """All of them."""
    return advances(), set_longest(), note_end(), is_far(), doubt(), crosses(), examine()
