"""Residues computed at a time, their slopes after an event, and crossings located on the interpolation."""

from __future__ import annotations

from functools import reduce

from saltus.emit.driver.context import Fields, function
from saltus.emit.support.assembly import Function, Value, Variable
from saltus.ir.native.contract import ARRIVE_EVENT, LOCATED, TIME_SLOT
from saltus.ir.native.drive import NOWHERE

#: How far the states of a crossing are beyond zero, as part of what those at the time after it are.
PAST_ZERO = 1e-3

#: The part of a band below which a difference of residues may be rounding.
ROUNDING_OF_BAND = 1e-5

#: A residue that moves goes further in a longer step; rounding does not. How many times longer the step is,
#: and how many times further the residue has to go.
LONGER, FURTHER = 64.0, 16.0

#: What is as near to zero as this part of its band crosses with others. What has just left its band, and
#: comes back, is at the edge, and not as near.
NEAR_ZERO = 0.5

#: A parabola is one if it agrees with another sample within this part of its straight way.
AGREEING = 0.25

#: Whether a residue hops is looked for along this part of its way out of the band. It is down again when it
#: is so far below its beginning: as a part of the height of the hop, and as a multiple of what is rounding.
PART_OF_WAY, DOWN, DIGITS = 1.0 / 16.0, 2.0**-10, 8.0

#: The number of small steps after which rounding shows in differences of residues.
SAMPLED = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)

#: What is wrong with a step: the margin that is gone grows where it is gone; a hop was not seen at all.
DOUBTFUL, LOST = 1, 2

#: How often the end of a bracket is moved on, where rounding has put it before the crossing: by one of those
#: digits first, then by twice as much each time.
MOST_MOVES = 10


def look() -> Function:
    """The residues of all watched relations at a time; they are left in the memory. The status of the
    routine."""
    f, c = function("look", t="double")
    c.add("looks", 1)
    # Between the last step and an event that is hardly later nothing is known, and nothing moves.
    f.call(c["arrive"], "void", f.c, f.least(f.t, c["reached"]))
    c["memory"].put(TIME_SLOT, f.t)
    status = c.run("crossings").as_i64()
    with f.when(status != 0):
        c["status"] = status
    f.give(status)
    return f


def sides() -> Function:
    """For each watched relation its presumed side p, the allowance that its margin has (the band, while z is
    in it), how far beyond zero it may be seen without having crossed, and whether zero is across: it is where
    the relation would be another there, `x > 0` but not `x >= 0`. Those that are away from zero have no more
    room in which they would count as zero."""
    f, c = function("sides", "void", internal=False)
    watched, side, allowance, at_zero = (c[name] for name in ("watched", "side", "allowance", "at_zero"))
    truth_above, truth_of_zero, memory = c["truth_above"], c["truth_of_zero"], c["memory"]
    truths, signs, bands = (memory.place(c[name]) for name in ("relations", "signs", "bands"))
    with f.when(c["n_two_faced"] > 0), f.count(c["n_watched"]) as j:
        k = watched.at(j, "i64")
        own = c["bands_by_truth"].at(j * 2 + (truths.at(k) != 0.0).as_i64())
        with f.when(own > 0.0):
            c["narrow_bands"].put(k, own)
            bands.put(k, own)
    with f.count(c["n_watched"]) as j:
        k = watched.at(j, "i64")
        known = signs.at(k) != 0.0
        side.put(j, (truths.at(k) == truth_above.at(j)).choose(1.0, -1.0))
        allowance.put(j, known.choose(0.0, bands.at(k)))
        c["touch"].put(j, bands.at(k))
        at_zero.put(j, (known & (truths.at(k) != truth_of_zero.at(j))).as_double())
        with f.when(known):
            leave_room(c, k)
    f.give()
    return f


def leave_room(c: Fields, k: Value) -> None:
    """The band of relation k, which is away from zero, is as wide as usual. With the room that it was entered
    with, going through zero would be taken for touching it."""
    c.remember("bands", k, c["narrow_bands"].at(k))


def margin(c: Fields, j: Value, residue: Value) -> Value:
    """How far relation j, with this residue, is from crossing."""
    return residue * c["side"].at(j) + c["allowance"].at(j)


def margin_here(c: Fields, j: Value) -> Value:
    """The margin of relation j by the residue in the memory."""
    return margin(c, j, c.memory("residues", c["watched"].at(j, "i64")))


def crossed(margin: Value, at_zero: Value) -> Value:
    """Whether a relation with this margin has crossed."""
    return (margin < 0.0) | ((margin == 0.0) & (at_zero != 0.0))


def sets_out(c: Fields, j: Value) -> Value:
    """Whether relation j, which something with a memory depends on, is in its band and moves across zero."""
    moves = c["d0"].at(j) * c["side"].at(j) < 0.0
    heads = (c["heading"].at(j) != 0.0) & (c["allowance"].at(j) != 0.0)
    return heads & moves & (c["forgotten"].at(j) == 0.0)


def probe() -> Function:
    """The slopes of the residues where the run is, along the derivatives of the states, which are in the
    memory; and how fast phases go. Relations in their bands that set out across zero, away from their
    presumed sides, are noted."""
    f, c = function("probe", "void")
    step = c["probe_step"]
    c["shortest"] = step
    again = f.variable(c["n_phases"] > 0)
    status = probed(f, c, step)
    with f.count(c["n_sloped"]) as j:
        c["d0"].put(j, 0.0)
        c["heading"].put(j, 0.0)
    with f.when(status == 0), f.count(c["n_sloped"]) as j:
        k = c["watched"].at(j, "i64")
        way = c.memory("residues", k) - c["z0"].at(j)
        c["d0"].put(j, way / step)
        away = -way * c["side"].at(j)
        small = c.memory("bands", k) * ROUNDING_OF_BAND
        heads_away = (c.memory("signs", k) == 0.0) & (away > small)
        c["heading"].put(j, heads_away.as_double())
        again.set(again.value | heads_away)
    _note_phases(f, c, "phase0", known=status == 0)
    with f.when(again.value):
        turned = f.variable(False, "i1")
        status = probed(f, c, step * LONGER)
        with f.when(status == 0), f.count(c["n_sloped"]) as j, f.when(c["heading"].at(j) != 0.0):
            c["z_lo"].put(j, _way_across(c, j))
            further = c["z_lo"].at(j) > _first_way(c, j) * FURTHER
            c["heading"].put(j, further.as_double())
            c["z_hi"].put(j, (~further).as_double())
            turned.set(turned.value | ~further)
        _note_phases(f, c, "phase1", known=status == 0)
        c["phase_panel"] = f.call("advances", "double", f.c, step * (LONGER - 1.0))
        with f.when((status == 0) & turned.value):
            _seek_hops(f, c)
    with f.count(c["n_sloped"]) as j:
        rises = c["d0"].at(j) * c["side"].at(j) > 0.0
        with f.when((c["allowance"].at(j) != 0.0) & (c["forgotten"].at(j) == 0.0) & rises):
            _make_room_for_hop(f, c, j)
    f.give()
    return f


def _make_room_for_hop(f: Function, c: Fields, j: Value) -> None:
    """Relation j, which something with a memory depends on, moves inside its band to its own side. If it
    turns round there, or not far outside, it hops, and comes down where it began: its band is as narrow as
    the hop needs. On the other edge of a wide one it would be faster than when it set out, and its hops would
    never end. Hops that are not higher than the digits of the residue are none."""
    side, room, least = c["side"].at(j), c["allowance"].at(j), c["probe_step"]
    begins = c["z0"].at(j) * side

    def where(status: Value) -> Value:
        return (status == 0).choose(c.memory("residues", c["watched"].at(j, "i64")) * side, float("nan"))

    # As short as rounding allows, and no longer than it takes to leave the band.
    rough = PART_OF_WAY * (room - begins) / (c["d0"].at(j) * side)
    step = f.least(f.greatest(rough, least), LONGER * LONGER * least)
    half, whole = (where(probed(f, c, part * step)) for part in (0.5, 1.0))
    rises = (4.0 * half - whole - 3.0 * begins) / step
    falls = 2.0 * (begins + rises * step - where(_followed(f, c, step))) / (step * step)
    # One third difference may be zero by chance; where the motion is nothing but rounding, that was a hop.
    near = [begins, *(where(probed(f, c, n * least)) for n in SAMPLED)]
    thirds = [
        f.absolute(near[n + 3] - 3.0 * near[n + 2] + 3.0 * near[n + 1] - near[n])
        for n in range(len(near) - 3)
    ]
    rounding = reduce(f.greatest, thirds)
    height = rises * rises / (2.0 * falls)
    below = f.greatest(DOWN * height, DIGITS * rounding)
    with f.when((rises > 0.0) & (falls > 0.0) & (below < height)):
        inside = f.greatest(-begins, f.constant(0.0, "double"))
        c["allowance"].put(j, f.least(room, inside + below))
        c["touch"].put(j, f.least(c["touch"].at(j), below))
        c["shortest"] = f.least(c["shortest"], PART_OF_WAY * (rises / falls))


def _followed(f: Function, c: Fields, step: Value) -> Value:
    """The residues after a small step that is exact for parabolas, otherwise as `probed`."""
    memory, n = c["memory"], c["n_states"]
    time = memory.at(TIME_SLOT)
    states, rates = memory.place(c["states"]), memory.place(c["derivatives"])
    old_states, old_rates = _kept(f, c)
    memory.put(TIME_SLOT, time + step)
    with f.count(n) as k:
        states.put(k, states.at(k) + step * rates.at(k))
    status = f.variable(c.run("derivatives_routine").as_i64())
    with f.when(status.value == 0):
        with f.count(n) as k:
            states.put(k, old_states.at(k) + 0.5 * step * (old_rates.at(k) + rates.at(k)))
        status.set(c.run("crossings").as_i64())
    memory.put(TIME_SLOT, time)
    f.copy(states, old_states, n)
    f.copy(rates, old_rates, n)
    return status.value


def _way_across(c: Fields, j: Value) -> Value:
    """How far relation j has gone across zero, from where the run is to where the memory is."""
    return (c["z0"].at(j) - c.memory("residues", c["watched"].at(j, "i64"))) * c["side"].at(j)


def _first_way(c: Fields, j: Value) -> Value:
    """How far it has gone in the first small step."""
    return -c["d0"].at(j) * c["side"].at(j) * c["probe_step"]


def _seek_hops(f: Function, c: Fields) -> None:
    """What has not gone further in the longer step may have turned round in it: the small step is a part of
    the run, and a hop may be as short as some of them. But it is a parabola, and steps of any length agree
    about the slope with which it sets out. Rounding has none, and what bends in another way is no parabola.
    Whom to look at is in `z_hi`, and how far they have gone in the longer step in `z_lo`."""
    status = probed(f, c, c["probe_step"] * (LONGER * 2.0))
    with f.when(status == 0):
        with f.count(c["n_sloped"]) as j:
            c["z_mid"].put(j, _way_across(c, j))
        status = probed(f, c, c["probe_step"] * (LONGER * 4.0))
        with f.when(status == 0), f.count(c["n_sloped"]) as j, f.when(c["z_hi"].at(j) != 0.0):
            one, two, four = c["z_lo"].at(j), c["z_mid"].at(j), _way_across(c, j)
            # In units of the longer step: how far it would go without bending, and how it bends.
            straight = (4.0 * two - four) * 0.25
            bend = (four - 2.0 * two) * 0.125
            sets_out = straight > _first_way(c, j) * FURTHER
            agrees = f.absolute(one - straight - bend) < straight * AGREEING
            c["heading"].put(j, (sets_out & agrees).as_double())


def _note_phases(f: Function, c: Fields, to: str, *, known: Value) -> None:
    with f.count(c["n_phases"]) as i:
        c[to].put(i, known.choose(c.memory("phases", i), float("nan")))


def probed(f: Function, c: Fields, step: Value) -> Value:
    """The residues after a small step; states, their derivatives and time are what they were. The status."""
    memory, n = c["memory"], c["n_states"]
    time = memory.at(TIME_SLOT)
    states, rates = memory.place(c["states"]), memory.place(c["derivatives"])
    old_states, old_rates = _kept(f, c)
    memory.put(TIME_SLOT, time + step)
    with f.count(n) as k:
        states.put(k, states.at(k) + step * rates.at(k))
    status = c.run("crossings").as_i64()
    memory.put(TIME_SLOT, time)
    f.copy(states, old_states, n)
    f.copy(rates, old_rates, n)  # residues may need what is a derivative as well
    return status


def _kept(f: Function, c: Fields) -> tuple[Value, Value]:
    """Where copies of the states and their derivatives are."""
    memory, n = c["memory"], c["n_states"]
    states, rates = c["backup"], c["backup"].place(n)
    f.copy(states, memory.place(c["states"]), n)
    f.copy(rates, memory.place(c["derivatives"]), n)
    return states, rates


def scan() -> Function:
    """The first crossing after `begun` in the next panel, whose end is left in `to`: 1 with its time in
    `found` and the directions of the relations in the memory, 0 if there is none, negative if something
    failed."""
    f, c = function("scan")
    c["doubtful"] = 0
    found = f.call("examine", "i64", f.c)
    f.give_if(found < 0, -1)
    # Another one that crosses in the same panel does not make up for a hop that was not seen.
    first = c["begun"] == c["step_begun"]
    with f.count(c["n_sloped"]) as j:
        room, p = c["allowance"].at(j), c["side"].at(j)
        back = c["z1"].at(j) * p > c["z0"].at(j) * p + room * ROUNDING_OF_BAND
        beyond = c["z1"].at(j) * p > room
        hop = (room != 0.0) & (c["heading"].at(j) != 0.0) & beyond
        with f.when(hop | (first & back & sets_out(c, j))):
            c["doubtful"] = LOST
    f.give_if(found == 0, 0)
    lost = c["doubtful"] == LOST
    located = f.variable(f.call("locate", "i64", f.c))
    with f.when(lost):
        c["doubtful"] = LOST
    f.give(located.value)
    return f


def _make_sure(f: Function, c: Fields, hi: Variable, count: Value, located: Value) -> None:
    """The end of the bracket must be beyond a crossing when it is computed again: loops are solved from other
    guesses then, and come out otherwise in their last digits."""
    forward = f.variable(located / 16.0)
    with f.count(f.constant(MOST_MOVES, "i64")):
        f.call("look", "i64", f.c, hi.value)
        across = f.variable(False, "i1")
        with f.count(count) as m:
            j = c["followed"].at(m, "i64")
            there = margin_here(c, j)
            c["z_hi"].put(m, there)
            across.set(across.value | crossed(there, c["at_zero"].at(j)))
        f.leave_if(across.value | (hi.value >= c["to"]))
        hi.set(f.least(hi.value + forward.value, c["to"]))
        forward.set(forward.value * 2.0)


def locate() -> Function:
    """The first crossing between `begun`, or `middle`, and `to`, where relations have crossed: 1, or -1 if
    something failed."""
    f, c = function("locate")
    n, n_sloped = c["n_watched"], c["n_sloped"]
    watched, side, allowance, at_zero = (c[name] for name in ("watched", "side", "allowance", "at_zero"))
    z1, d0 = c["z1"], c["d0"]
    followed, z_hi, z_lo, z_mid = (c[name] for name in ("followed", "z_hi", "z_lo", "z_mid"))
    inside = c["middle_is"] != NOWHERE
    candidates = f.variable(0, "i64")
    with f.count(n) as j:
        at_end = margin(c, j, z1.at(j))
        with f.when(crossed(at_end, at_zero.at(j))):
            m = candidates.value
            followed.put(m, j, "i64")
            z_hi.put(m, at_end)
            z_lo.put(m, margin(c, j, inside.choose(c["zm"].at(j), c["z0"].at(j))))
            candidates.set(m + 1)
    hi, lo = f.variable(c["to"]), f.variable(inside.choose(c["middle"], c["begun"]))
    # Bracketing, in the manner of CVODE: the relation that seems to cross first leads.
    count = candidates.value
    weight, last_side, tries = f.variable(1.0), f.variable(0, "i64"), f.variable(0, "i64")
    before = f.variable(hi.value - lo.value)
    # A time near zero is no better known than those around it.
    located = LOCATED * f.greatest(f.absolute(hi.value), f.absolute(lo.value))
    with f.loop():
        gap = hi.value - lo.value
        f.leave_if(gap <= located)
        most = f.variable(0.0)
        with f.count(count) as m:
            j = followed.at(m, "i64")
            with f.when(crossed(z_hi.at(m), at_zero.at(j))):
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
        least = located * 0.25
        part.set(f.least(f.greatest(part.value, least), gap - least))
        middle = hi.value - part.value
        f.give_if(f.call("look", "i64", f.c, middle) != 0, -1)
        across = f.variable(False, "i1")
        with f.count(count) as m:
            j = followed.at(m, "i64")
            there = margin_here(c, j)
            z_mid.put(m, there)
            across.set(across.value | crossed(there, at_zero.at(j)))
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
    _make_sure(f, c, hi, count, located)
    c["found"] = hi.value
    c["before"] = lo.value
    share = f.variable(0.0)
    directions = c["memory"].place(c["directions"])
    with f.count(n) as j:
        directions.put(watched.at(j, "i64"), 0.0)
    with f.count(count) as m:
        j = followed.at(m, "i64")
        across_now = crossed(z_hi.at(m), at_zero.at(j))
        was = inside.choose(c["zm"].at(j), c["z0"].at(j)) * side.at(j)
        # It has come down to zero, and goes on: it crosses with the others (see `_join`).
        with_them = _may_join(c, j, z_hi.at(m)) & (was > z_hi.at(m))
        directions.put(watched.at(j, "i64"), (across_now | with_them).choose(-side.at(j), 0.0))
        # One that leaves its band across zero has left it: there it must be outside.
        in_band = allowance.at(j) != 0.0
        part_of_gap = (z_lo.at(m) - z_hi.at(m) * PAST_ZERO) / (z_lo.at(m) - z_hi.at(m))
        with f.when(across_now & (in_band | (z_lo.at(m) > 0.0))):
            share.set(f.greatest(share.value, in_band.choose(1.0, part_of_gap)))
        # One that was growing at the beginning of the panel, or was low there, must be seen to shrink where
        # it crosses: a hop may be lower than the tolerance.
        low = was < c["low"] * c.memory("bands", watched.at(j, "i64"))
        with f.when(across_now & (j < n_sloped) & (low | (d0.at(j) * side.at(j) > 0.0))):
            c["doubtful"] = DOUBTFUL
    some_wait = _who_waits(f, c)
    # Histories know the states at the later time, and follow what moves by the last digit.
    c["share"] = ((share.value > 0.0) & (c["remembers"] == 0)).choose(share.value, 1.0)
    with f.when(c["share"] < 1.0):
        f.call(ARRIVE_EVENT, "void", f.c, hi.value)
        lost = f.variable(c.run("crossings").as_i64() != 0)
        with f.count(count) as m:
            j = followed.at(m, "i64")
            still = crossed(margin_here(c, j), at_zero.at(j))
            lost.set(lost.value | (crossed(z_hi.at(m), at_zero.at(j)) & ~still))
        # What is beyond zero by its last digits only is there, or it is not: no place between is better.
        with f.when(lost.value):
            c["share"] = 1.0
    with f.when(some_wait.value):
        _join(f, c)
    f.give(1)
    return f


def crosses_at_end() -> Function:
    """Whether something crosses where the run ends, at t: what has come to zero there within half of its
    band, and is on its way across. Whether its last digits are beyond zero is chance, and another one with
    each integrator."""
    f, c = function("crosses_at_end", "i1", t="double")
    f.give_if(f.call("look", "i64", f.c, f.t) != 0, f.constant(0, "i1"))
    directions = c["memory"].place(c["directions"])
    with f.count(c["n_watched"]) as j:
        directions.put(c["watched"].at(j, "i64"), 0.0)
    crosses = f.variable(False, "i1")
    with f.when(_who_waits(f, c).value):
        c["found"] = f.t
        c["share"] = 1.0
        _join(f, c)
        with f.count(c["n_watched"]) as j:
            crosses.set(crosses.value | (directions.at(c["watched"].at(j, "i64")) != 0.0))
    f.give(crosses.value)
    return f


def _who_waits(f: Function, c: Fields) -> Variable:
    """Notes in `z_lo` which relations are at zero, by the residues in the memory, and have not crossed.
    Whether there are any."""
    directions = c["memory"].place(c["directions"])
    some = f.variable(False, "i1")
    with f.count(c["n_sloped"]) as j:
        waits = _may_join(c, j, margin_here(c, j)) & (directions.at(c["watched"].at(j, "i64")) == 0.0)
        c["z_lo"].put(j, waits.as_double())
        some.set(some.value | waits)
    return some


def _may_join(c: Fields, j: Value, margin: Value) -> Value:
    """Whether relation j, which has a sign, is at zero by now."""
    known = (j < c["n_sloped"]) & (c["allowance"].at(j) == 0.0)
    return known & (margin <= c.memory("bands", c["watched"].at(j, "i64")) * NEAR_ZERO)


def _join(f: Function, c: Fields) -> None:
    """What is at zero at a crossing, and is on its way across, crosses in the same event: which of two
    residues that are zero at the same time is beyond it first is nothing but rounding. Those that are beyond
    it at the end of the panel have been found; where it ends by chance at the crossing there are others,
    which wait in `z_lo`, and their slopes say where they go."""
    directions = c["memory"].place(c["directions"])
    waits, here, step = c["z_lo"], c["z_mid"], c["probe_step"]
    f.call(ARRIVE_EVENT, "void", f.c, c["found"])
    status = f.variable(c.run("derivatives_routine").as_i64())
    with f.when(status.value == 0):
        status.set(c.run("crossings").as_i64())
    with f.count(c["n_sloped"]) as j:
        here.put(j, margin_here(c, j))
    with f.when(status.value == 0):
        status.set(probed(f, c, step))
    with f.when(status.value == 0):
        with f.count(c["n_sloped"]) as j, f.when(waits.at(j) != 0.0):
            way = here.at(j) - margin_here(c, j)
            small = c.memory("bands", c["watched"].at(j, "i64")) * ROUNDING_OF_BAND
            waits.put(j, (way > small).choose(way, 0.0))
        status.set(probed(f, c, step * LONGER))
    with f.when(status.value == 0), f.count(c["n_sloped"]) as j:
        further = here.at(j) - margin_here(c, j) > waits.at(j) * FURTHER
        with f.when((waits.at(j) != 0.0) & further):
            directions.put(c["watched"].at(j, "i64"), -c["side"].at(j))


def retrieve() -> Function:
    """An output row at t contradicts a relation: an event has been lost since the last row, or since the
    panel began. As `scan`; 0 where looking closer shows nothing of the kind."""
    f, c = function("retrieve", t="double")
    start = f.greatest(c["begun"], c["now"])
    f.give_if(f.call("look", "i64", f.c, start) != 0, -1)
    with f.count(c["n_watched"]) as j:
        c["z0"].put(j, c.memory("residues", c["watched"].at(j, "i64")))
    c["begun"] = start
    c["to"] = f.t
    c["middle_is"] = NOWHERE
    f.give_if(f.call("look", "i64", f.c, f.t) != 0, -1)
    f.give_if(~f.call("note_end", "i1", f.c), 0)
    f.give(f.call("locate", "i64", f.c))
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
        c["memory"].put(TIME_SLOT, f.t)
        with f.count(n) as k:
            states.put(k, states.at(k) + c["share"] * (later.at(k) - states.at(k)))
    f.give()
    return f
