"""The choice of a mode in native code, step by step as Python does it (`saltus.run.modes.modes`).

Both follow the same tables (`saltus.ir.native.steps`), so that they go through the same tentative modes in
the same order. What a step does is in `saltus.emit.driver.entering`. Presumptions that go round in a circle
are left to Python: here they are only counted.
"""

from __future__ import annotations

from saltus.emit.driver.context import Fields, gate_function, register
from saltus.emit.driver.following import Steps, follow
from saltus.emit.support.assembly import Function, Value
from saltus.ir.native.contract import MOST_WAYS_OUT, NATIVE_MODES, NATIVE_PASSES
from saltus.ir.native.steps import SETTLE_TRUTHS, SETTLED


def settle_truths(*, in_part: bool = False) -> Function:
    """Lets truths follow from values, pass by pass, as long as the guards belong to the engine. 1; 0 where
    they did not from the first; -1 where Python has to look; -2 where a system that finds its structure by
    numbers has no solution."""
    f, g = gate_function("settle_truths", in_part=in_part)
    memory, discretes = g["memory"], g["memory"].place(g["discretes"])
    status, followed = f.variable(0, "i32"), f.variable(0, "i64")

    def demand() -> None:
        first = (g["has_entry"] != 0) & (followed.value == 0)
        with f.when(first):
            g.remember("exact", 0, 0.0)
        with f.when(g["n_lower"] > 0):
            g.run("lower")
            limit = register(f, g["register"])["projected"]
            with g.each("lower") as k:
                residual, size = (g.memory("lower_first", k * 2 + i) for i in (0, 1))
                f.give_if(~(f.absolute(residual) <= limit * size), -1)
        with f.when(first), g.each("lefts") as k:
            left = g.memory("lefts", k)
            with f.when(left != left):
                g.remember("lefts", k, 0.0)  # what was computed nowhere begins with its jump

    def compute() -> None:
        g.copy(g["discretes_before"], discretes, "discretes")
        g.remember("continuation", 0, 1.0)
        status.set(g.run("enter"))
        g.remember("continuation", 0, 0.0)

    def stays() -> Value:
        there = f.call("belonging", "ptr", f.g)
        f.give_if(there == 0, -1)
        return there == f.g

    def judge() -> None:
        with f.when((status.value.as_i64() == g["unsolvable"]) & (status.value != 0)):
            f.give_if(g.call("is_finite", "i1"), -2)
        f.give_if(~g.call("is_sound", "i1", status.value), -1)

    def follow_values() -> None:
        memory.put(g["scratch_slot"], 0.0)
        g.run("relations_routine")
        g.run("settle_update")
        followed.set(followed.value + 1)

    def agrees() -> Value:
        agree = f.variable(memory.at(g["scratch_slot"]) == 0.0)
        # The entry comes before discrete variables have followed, and may depend on them.
        with f.when(g["has_entry"] != 0), g.each("discretes") as k:
            agree.set(agree.value & (discretes.at(k) == g["discretes_before"].at(k)))
        return agree.value

    def flips() -> None:
        f.give_if(followed.value >= NATIVE_PASSES, -1)

    steps: Steps = {
        "demand": demand, "compute": compute, "stays": stays, "judge": judge, "follow": follow_values,
        "agrees": agrees, "flips": flips,
    }  # fmt: skip
    follow(f, SETTLE_TRUTHS, steps)
    f.give((followed.value > 0).as_i64())
    return f


def settled(*, in_part: bool = False) -> Function:
    """The gate of the mode that reproduces itself, with the values after the instant whose left limits the
    given engine has; its truths are what is presumed first. Nowhere where Python has to look. An event in
    one part of the model stays in the program."""
    f, left = gate_function("settled", "ptr", in_part=in_part)
    known = register(f, left["register"])
    turned = left["turned"]
    at = f.variable(f.g)
    # How many modes did not reproduce themselves; how often this one was tried, and whether it was entered.
    modes, tries, entered = (f.variable(0, "i64") for _ in range(3))
    ways_out = f.variable(0, "i64")  # how often one was taken
    there = f.variable(f.g)

    def here() -> Fields:
        return left.gate(at.value)

    def freeze() -> None:
        left.freeze()
        with left.each("relations") as k:
            turned.put(k, 0.0)

    def belonging() -> None:
        known.add("entries", 1)
        there.set(f.call("belonging", "ptr", at.value))
        f.give_if(there.value == 0, 0)
        if in_part:
            f.give_if(there.value != f.g, 0)

    def take_left() -> None:
        f.give_if(~left.gate(there.value).call("take_left", "i1", at.value, f.g), 0)
        at.set(there.value)

    def settle_truths() -> None:
        entered.set(here().call("settle_truths", "i64"))
        f.give_if(entered.value == -1, 0)
        with f.when(entered.value < 0):
            f.give_if(ways_out.value >= MOST_WAYS_OUT, 0)
            f.give_if(~f.call("way_out", "i1", at.value), 0)
            ways_out.set(ways_out.value + 1)

    def is_entered() -> Value:
        tries.set(tries.value + 1)
        f.give_if((entered.value < 0) & (tries.value >= NATIVE_MODES), 0)
        return (entered.value > 0) | (tries.value >= NATIVE_MODES)

    def stays() -> Value:
        return f.call("belonging", "ptr", at.value) == at.value

    def release() -> Value:
        return here().call("release", "i1")

    def leans_nowhere() -> Value:
        return here().call("turn_leaning", "i64", turned, f.g) == 0

    def wanders() -> None:
        modes.set(modes.value + 1)
        f.give_if(modes.value >= NATIVE_MODES, 0)
        tries.set(0)

    def accept() -> None:
        f.give_if(~here().call("accept", "i1"), 0)

    steps: Steps = {
        "freeze": freeze, "belonging": belonging, "take_left": take_left, "settle_truths": settle_truths,
        "is_entered": is_entered, "stays": stays, "release": release, "leans_nowhere": leans_nowhere,
        "wanders": wanders, "accept": accept,
    }  # fmt: skip
    follow(f, SETTLED, steps)
    f.give(at.value)
    return f


def functions(*, in_part: bool = False) -> tuple[Function, ...]:
    """All of them, for the whole model or for one part of it."""
    return settle_truths(in_part=in_part), settled(in_part=in_part)
