"""Crossings that may be errors of the integrator: repeated steps, and residues that come to rest at zero.

A step is as good as the tolerance, and where a residue is smaller than that, it may be led across zero by the
error of a step. The model decides: where its own slope leads back, the residue has not crossed. There are two
reasons.

*A hop is lower than the tolerance*, as happens in the first long steps after an event: a shorter step is
tried.

*It fades*, as a current does in a coil with a resistor. It approaches zero and does not reach it in finite
time. Shorter steps help as long as it is outside of its zero band. Once it is inside, it is zero as far as
can be told, if nothing with a memory depends on it: it keeps its truth while it is in its band, and has a
sign again when it leaves that on its own side.
"""

from __future__ import annotations

from saltus.emit.driver.context import Fields, function
from saltus.emit.driver.crossings import LOST, probed
from saltus.emit.support.assembly import Function, Value
from saltus.ir.native.contract import LOCATED
from saltus.ir.native.drive import Code

#: A step that has missed a hop is begun anew with this part of its length.
SHORTER = 0.25

#: Where the slope of a residue is lost in its last digits, it is looked for along this part of a step.
PART_OF_STEP = 1e-2


def shortest(f: Function, c: Fields, t: Value) -> Value:
    """A step to this time that is no longer than this is not begun anew."""
    return f.greatest(LOCATED * f.absolute(t), c["shortest"])


def _growth(c: Fields, j: Value) -> Value:
    """How much the margin of relation j has grown, from what is in `z_mid` to what is in the memory."""
    return (c.memory("residues", c["watched"].at(j, "i64")) - c["z_mid"].at(j)) * c["side"].at(j)


def _crosses(c: Fields, j: Value) -> Value:
    """Whether relation j is one of those that were found to cross."""
    return c.memory("directions", c["watched"].at(j, "i64")) != 0.0


def _fades(f: Function, c: Fields, j: Value) -> Value:
    """Whether relation j, which has a sign, was in its zero band when the panel began. Where something with a
    memory depends on it, it may be about to hop, and a ball without a sign falls through its floor."""
    narrow = c["narrow_bands"].at(c["watched"].at(j, "i64"))
    in_band = (c["allowance"].at(j) == 0.0) & (f.absolute(c["z0"].at(j)) <= narrow)
    return in_band & (c["forgotten"].at(j) != 0.0)


def leads_back() -> Function:
    """Whether the model leads back all relations that were found to cross at t: 1, 0, or -1 where a routine
    failed."""
    f, c = function("leads_back", t="double")
    f.call(c["arrive"], "void", f.c, f.t)
    status = f.variable(c.run("derivatives_routine").as_i64())
    with f.when(status.value == 0):
        status.set(c.run("crossings").as_i64())
    with f.count(c["n_sloped"]) as j:
        c["z_mid"].put(j, c.memory("residues", c["watched"].at(j, "i64")))
    with f.when(status.value == 0):
        status.set(probed(f, c, c["probe_step"]))
    back, unclear = f.variable(True, "i1"), f.variable(False, "i1")
    with f.count(c["n_watched"]) as j, f.when(_crosses(c, j)):
        f.give_if(j >= c["n_sloped"], 0)
        lost_in_digits = _fades(f, c, j) & (_growth(c, j) == 0.0)
        unclear.set(unclear.value | lost_in_digits)
        back.set(back.value & ((_growth(c, j) > 0.0) | lost_in_digits))
    with f.when((status.value == 0) & back.value & unclear.value):
        status.set(probed(f, c, (c["reached"] - c["step_begun"]) * PART_OF_STEP))
        with f.count(c["n_sloped"]) as j, f.when(_crosses(c, j)):
            back.set(back.value & ~(_growth(c, j) < 0.0))
    with f.when(status.value != 0):
        c["status"] = status.value
        f.give(-1)
    f.give(back.value.as_i64())
    return f


def come_to_rest() -> Function:
    """Relations that were found to cross, but are led back, and were in their zero bands already, are zero.
    Whether there are any."""
    f, c = function("come_to_rest", "i1")
    some = f.variable(False, "i1")
    with f.count(c["n_sloped"]) as j, f.when(_crosses(c, j) & _fades(f, c, j)):
        k = c["watched"].at(j, "i64")
        some.set(True)
        c.remember("signs", k, 0.0)
        c["allowance"].put(j, c.memory("bands", k))
        c["at_zero"].put(j, 0.0)
        c["heading"].put(j, 0.0)
    f.give(some.value)
    return f


def turn_back() -> Function:
    """Looks again at what was found and may be an error of the integrator: a hop that was not seen at all
    (LOST), or a crossing from which the model leads back. 1 where the panel has to be looked at once more,
    after a shorter step or with what has come to rest; 0 where all is well, or -1 where a routine failed."""
    f, c = function("turn_back")
    lost = c["doubtful"] == LOST
    found = lost.choose(c["to"], c["found"])
    at_start = c["now"] == c["begun"]
    f.give_if((c["doubtful"] == 0) | ~at_start, 0)
    directions = c["memory"].place(c["directions"])
    rested = f.variable(False, "i1")
    with f.when(~lost):
        back = f.call("leads_back", "i64", f.c, found)
        f.give_if(back <= 0, back)
        rested.set(f.call("come_to_rest", "i1", f.c))
    least = shortest(f, c, found)
    # Where it seems to go the wrong way from the first, the step says how long is too long.
    width = (found - c["begun"] <= least).choose(c["reached"], found) - c["begun"]
    f.give_if(~rested.value & (width <= least), 0)
    with f.count(c["n_watched"]) as j:
        directions.put(c["watched"].at(j, "i64"), 0.0)
    f.give_if(rested.value, 1)
    f.call(c["arrive"], "void", f.c, c["begun"])
    status = f.variable(c.run("derivatives_routine").as_i64())
    with f.when(status.value == 0):
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


def functions() -> tuple[Function, ...]:
    """All of them."""
    return leads_back(), come_to_rest(), turn_back()
