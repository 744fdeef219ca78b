"""What entering a mode takes in native code: what `saltus.run.modes.entering` and
`saltus.run.engine.at_zero` do, in the usual case.

Left limits are frozen in the engine that has them. The mode that the values of the mode guards belong to is
looked up, its engine gets the left limits and the presumed truths, everything is computed, relations follow,
and this is repeated until a mode reproduces itself (`saltus.emit.driver.choosing`). Whatever is unusual, a
mode that nobody has entered yet from there, a block without solution, an equation that does not hold, an
impulse in the mode that is found, is left to Python: these functions then report it, and Python overwrites
what they have written.
"""

from __future__ import annotations

from saltus.emit.driver.context import Fields, gate, gate_function, link, register
from saltus.emit.support.assembly import Function, Value
from saltus.ir.native.contract import CLEAR, MOST_TURNS, TIME_SLOT

#: A relation that is not zero leans nowhere: not a number.
_LEANS_NOWHERE = float("nan")


def belonging() -> Function:
    """The gate for the present guards of an engine; nowhere if it is not known. Usually it is the one found
    last, since a mode that was just entered is checked for staying."""
    f, g = gate_function("belonging", "ptr")
    known = register(f, g["register"])
    n, memory, slots = known["n_mode_guards"], g["memory"], g["mode_guards"]
    with f.count(known["n_known"] + 1) as tried:
        row = (tried == 0).choose(known["latest"], tried - 1, "i64")
        values = known["values"].place(row * n)
        same = f.variable(row < known["n_known"], "i1")
        with f.count(n) as j:
            f.leave_if(~same.value)
            same.set(memory.at(slots.at(j, "i64")) == values.at(j))
        with f.when(same.value):
            known["latest"] = row
            f.give(known["gates"].at(row, "ptr"))
    f.give(0)
    return f


def _move(f: Function, memory: Value, numbers: Value, places: Fields, what: str) -> None:
    """Copies numbers to the slots that they have in another memory."""
    source, target = places[f"{what}_from"], places[f"{what}_to"]
    with f.count(places[f"n_{what}"]) as k:
        memory.put(target.at(k, "i64"), numbers.at(source.at(k, "i64")))


def take_left(*, in_part: bool = False) -> Function:
    """Gives an engine the left limits that another one has, and what a third has for discrete values and
    truths. Whether it is known how. Of one part of the model, all three are one engine."""
    f, g = gate_function("take_left", "i1", in_part=in_part, presumed="ptr", left="ptr")
    memory = g["memory"]
    presumed, left = gate(f, f.presumed), gate(f, f.left)
    from_left = g["links"].at(left["number"], "ptr")
    f.give_if(from_left == 0, False)
    with f.when(f.presumed != f.g):
        from_presumed = g["links"].at(presumed["number"], "ptr")
        f.give_if(from_presumed == 0, False)
        memory.put(TIME_SLOT, presumed["memory"].at(TIME_SLOT))
        _move(f, memory, presumed["memory"], link(f, from_presumed), "discrete")
    places, numbers = g.moves(link(f, from_left)), left["numbers"]
    _move(f, memory, numbers, places, "left")
    with f.count(places["n_lacking"]) as k:
        memory.put(places["lacking"].at(k, "i64"), float("nan"))
    with f.when(g["holds"] != 0):
        g.run("parameters")
    _move(f, memory, numbers, places, "continuous")
    with f.count(g["n_presumed"]) as j:
        memory.put(g["presumed"].at(j, "i64"), memory.at(g["presumed_of"].at(j, "i64")))
    g.run("forget")
    time = memory.at(TIME_SLOT)
    with g.each("deciding") as k:
        g.remember("zero_since", k, time)
    g.copy(memory.place(g["bands"]), numbers.place(left["bands"]), "relations")
    with g.each("held") as k:
        above = g.memory("relations", k) == g["truth_above"].at(k)
        g.remember("relation_impulses", k, above.choose(1.0, -1.0))
    f.give(True)
    return f


def release(*, in_part: bool = False) -> Function:
    """Relations that were held are compared with the states of a mode that has reproduced itself. Whether all
    are what they were held to be; if not, they have changed."""
    f, g = gate_function("release", "i1", in_part=in_part)
    f.give_if(g["n_held"] == 0, True)
    with g.each("held") as k:
        g.remember("relation_impulses", k, 0.0)
    g["memory"].put(g["scratch_slot"], 0.0)
    g.run("settle_update")
    f.give(g["memory"].at(g["scratch_slot"]) == 0.0)
    return f


def is_finite(*, in_part: bool = False) -> Function:
    """Whether all continuous variables of an engine have finite values."""
    f, g = gate_function("is_finite", "i1", in_part=in_part)
    total = f.variable(0.0)
    with g.each("continuous") as k:
        total.set(total.value + g.memory("continuous", k) * 0.0)  # nan where the number is not finite
    f.give(total.value == 0.0)
    return f


def holds(*, in_part: bool = False) -> Function:
    """Whether the equations that a mode has in excess hold."""
    f, g = gate_function("holds", "i1", in_part=in_part)
    with f.when(g["n_excess"] > 0):
        g.run("checks")
        with g.each("excess") as k:
            f.give_if(g.memory("checks_first", k) != 0.0, False)
    f.give(True)
    return f


def _any(f: Function, g: Fields, slots: str) -> Value:
    """Whether one of some numbers of the memory is not zero."""
    found = f.variable(False, "i1")
    with g.each(slots) as slot:
        found.set(found.value | (g["memory"].at(slot) != 0.0))
    return found.value


def _ahead(f: Function, g: Fields, step: Value, origin: str = "before") -> None:
    """Time and states a small step further, along the derivatives, from where the memory was."""
    memory, before = g["memory"], g[origin]
    memory.put(TIME_SLOT, before.at(TIME_SLOT) + step)
    with g.each("states") as k:
        slope = before.at(g["derivatives"] + k)
        g.remember("states", k, before.at(g["states"] + k) + step * slope)


def is_sound(*, in_part: bool = False) -> Function:
    """Whether nothing is wrong with the values of an engine, now or a moment later."""
    f, g = gate_function("is_sound", "i1", in_part=in_part, status="i32")
    f.give_if(f.status != 0, False)
    f.give_if(~g.call("is_finite", "i1"), False)
    f.give_if(~g.call("holds", "i1"), False)
    f.give_if(_any(f, g, "nonlinear"), False)
    doubtful = f.variable(g["n_excess"] > 0)
    with g.each("watched") as k:
        doubtful.set(doubtful.value | (g.memory("signs", k) == 0.0))
    with f.when(doubtful.value):
        memory = g["memory"]
        g.keep(g["before"], memory)
        _ahead(f, g, g["drift"])
        good = f.variable(g.run("evaluate") == 0)
        with f.when(good.value):
            good.set(g.call("is_finite", "i1") & g.call("holds", "i1"))
        with f.when(good.value & (g["n_excess"] > 0)):
            g.keep(memory, g["before"])
            _ahead(f, g, g["parted"])
            good.set(g.run("evaluate") == 0)
            with f.when(good.value):
                good.set(g.call("is_finite", "i1") & g.call("holds", "i1"))
        g.keep(memory, g["before"])
        f.give(good.value)
    f.give(True)
    return f


def way_out() -> Function:
    """Gives relations the truths that are known to lead out of a mode that cannot be, for all parts of the
    system of which such a way is known; whether there are any."""
    f, g = gate_function("way_out", "i1")
    memory, slots, values = g["memory"], g["way_slots"], g["way_values"]
    at, taken = f.variable(0, "i64"), f.variable(False, "i1")
    with f.loop():
        f.leave_if(at.value >= g["n_ways"])
        guards, truths = slots.at(at.value, "i64"), slots.at(at.value + 1, "i64")
        first = at.value + 2
        same = f.variable(True, "i1")
        with f.count(guards) as k:
            same.set(same.value & (memory.at(slots.at(first + k, "i64")) == values.at(first + k)))
        with f.when(same.value):
            taken.set(True)
            with f.count(truths) as k:
                memory.put(slots.at(first + guards + k, "i64"), values.at(first + guards + k))
        at.set(first + guards + truths)
    f.give(taken.value)
    return f


def lean(*, in_part: bool = False) -> Function:
    """How relations whose residue is zero move, in `moves`: 0 where that is not clear, not a number where
    they are not zero or it cannot be determined. Returns whether there are any."""
    f, g = gate_function("lean", "i1", in_part=in_part)
    memory, moves = g["memory"], g["moves"]
    zeros = f.variable(0, "i64")
    with g.each("relations") as k:
        moves.put(k, _LEANS_NOWHERE)
    with g.each("deciding") as k, f.when(g.memory("signs", k) == 0.0):
        zeros.set(zeros.value + 1)
    f.give_if(zeros.value == 0, False)
    g.keep(g["before"], memory)
    known = _moved(f, g, "before")
    with f.when(known), g.each("deciding") as k, f.when(g["before"].at(g["signs"] + k) == 0.0):
        move = _move_of(g, k)
        unclear = f.absolute(move) <= CLEAR * g["narrow_bands"].at(k)
        moves.put(k, unclear.choose(0.0, move))
    g.keep(memory, g["before"])
    f.give(known)
    return f


def _moved(f: Function, g: Fields, origin: str) -> Value:
    """Residues a small step further and a small step back, in `ahead` and in the memory. Whether they could
    be computed."""
    memory, failed = g["memory"], f.variable(False, "i1")
    _ahead(f, g, g["drift"], origin)
    failed.set(g.run("crossings") != 0)
    g.copy(g["ahead"], memory.place(g["residues"]), "relations")
    g.keep(memory, g[origin])
    _ahead(f, g, -g["drift"], origin)
    failed.set(failed.value | (g.run("crossings") != 0))
    return ~failed.value


def _move_of(g: Fields, k: Value) -> Value:
    """How far relation k has moved between the two."""
    return (g["ahead"].at(k) - g.memory("residues", k)) / 2.0


def _is_moving(g: Fields, k: Value) -> Value:
    """Whether relation k leans somewhere."""
    return (g["moves"].at(k) > 0.0) | (g["moves"].at(k) < 0.0)


def be_certain(*, in_part: bool = False) -> Function:
    """What moves otherwise, or does not move, where the states are off by the errors of the integrator, has
    no clear move: 0 in `moves`."""
    f, g = gate_function("be_certain", "void", in_part=in_part)
    memory, moves = g["memory"], g["moves"]
    known = register(f, g["register"])
    part = known["room"] * known["tolerance"]
    moving = f.variable(False, "i1")
    with g.each("deciding") as k:
        moving.set(moving.value | _is_moving(g, k))
    with f.when(~moving.value):
        f.give()
    g.keep(g["before"], memory)
    digit = f.variable(1, "i64")
    with f.loop():
        for way in (1.0, -1.0):
            _be_off(f, g, part, digit.value, way)
            computed = f.variable(g.run("evaluate") == 0)
            with f.when(computed.value):
                g.keep(g["elsewhere"], memory)
                computed.set(_moved(f, g, "elsewhere"))
            with f.when(computed.value), g.each("deciding") as k, f.when(_is_moving(g, k)):
                there = (moves.at(k) > 0.0).choose(_move_of(g, k), -_move_of(g, k))
                with f.when(~(there > CLEAR * g["narrow_bands"].at(k))):
                    moves.put(k, 0.0)
            g.keep(memory, g["before"])
        f.leave_if(digit.value >= g["most_in_part"])
        digit.set(digit.value * 2)
    f.give()
    return f


def _be_off(f: Function, g: Fields, part: Value, digit: Value, way: float) -> None:
    """States that are off by a part of their values, from where they were `before`. In one of the tries any
    two of one part of the model are off in opposite directions: their numbers there differ in a binary digit,
    which says the sign. Parts that have nothing to do with each other are tried at the same time."""
    with g.each("states") as k:
        x = g["before"].at(g["states"] + k)
        number = g["numbers_in_parts"].at(k, "i64")
        sign = (number % (digit * 2) < digit).choose(way, -way)
        g.remember("states", k, x + sign * (part * f.absolute(x)))


def turn_leaning(*, in_part: bool = False) -> Function:
    """Relations that are zero, but clearly move to the side where they have the other truth, get it, unless
    that was done often enough; but what is inert and has fired, at the left limits that another engine has,
    is where it moved to. How many there are."""
    f, g = gate_function("turn_leaning", in_part=in_part, turned="ptr", origin="ptr")
    left = gate(f, f.origin)
    count = f.variable(0, "i64")
    some_lean = f.variable(g.call("lean", "i1"))
    with f.when(some_lean.value):
        # Of those that have their truth already, it does not matter how clear that is.
        with g.each("deciding") as k:
            above = g["truth_above"].at(k)
            there = (g["moves"].at(k) > 0.0).choose(above, 1.0 - above)
            with f.when(_is_moving(g, k) & (_came(g, k) | (g.memory("relations", k) == there))):
                g["moves"].put(k, 0.0)
        g.call("be_certain", "void")
    with f.when(some_lean.value), g.each("deciding") as k:
        move, truth = g["moves"].at(k), g.memory("relations", k)
        above, came = g["truth_above"].at(k), _came(g, k)
        right = came.choose(
            left["numbers"].at(left["relations"] + k), (move > 0.0).choose(above, 1.0 - above)
        )
        moving = _is_moving(g, k) | (came & (move == 0.0))
        with f.when(moving & (truth != right) & (f.turned.at(k) < MOST_TURNS)):
            f.turned.put(k, f.turned.at(k) + 1.0)
            g.remember("relations", k, 1.0 - truth)
            g.remember("zero_since", k, g["memory"].at(TIME_SLOT))
            count.set(count.value + 1)
    f.give(count.value)
    return f


def _came(g: Fields, k: Value) -> Value:
    """Whether relation k is inert and has fired."""
    return (g["inert"].at(k) != 0.0) & (g.memory("directions", k) != 0.0)


def accept(*, in_part: bool = False) -> Function:
    """The mode has been chosen: states exactly as the entry has them, and the books. Whether all is as
    usual: nothing has an impulse."""
    f, g = gate_function("accept", "i1", in_part=in_part)
    with f.when(g["has_entry"] != 0):
        f.give_if(_any(f, g, "impulses"), False)
        known = register(f, g["register"])
        g.remember("exact", 0, 1.0)
        for routine in ("entry", "evaluate", "relations_routine", "books"):
            f.give_if(g.run(routine) != 0, False)
        with g.each("relation_impulses") as k:
            g.remember("relation_impulses", k, 0.0)
        with g.each("impulses") as slot:
            g["memory"].put(slot, 0.0)
        with g.each("books") as k:
            residual, size = (g.memory("books_first", k * 2 + i) for i in (0, 1))
            worst = f.absolute(residual) / f.greatest(size, f.constant(2.0**-1022, "double"))
            known["worst_books"] = f.greatest(worst, known["worst_books"])
    f.give(True)
    return f


def stays_settled(*, in_part: bool = False) -> Function:
    """Whether nothing is decided anew in a further round: the mode stays, and so do all truths, if nothing
    was reinitialised. If it is so, all values are computed; if not, the memory is as it was."""
    f, g = gate_function("stays_settled", "i1", in_part=in_part)
    memory = g["memory"]
    with g.each("jumped") as k:
        f.give_if(g.memory("jumped", k) != 0.0, False)
    g.keep(g["before"], memory)
    same = f.variable(g.run("settle") == 0)
    with f.when(same.value):
        same.set((f.call("belonging", "ptr", f.g) == f.g) & g.call("is_finite", "i1"))
    with g.each("relations") as k:
        same.set(same.value & (g.memory("relations", k) == g["before"].at(g["relations"] + k)))
    with f.when(g["has_entry"] != 0), g.each("discretes") as k:
        same.set(same.value & (g.memory("discretes", k) == g["before"].at(g["discretes"] + k)))
    with f.when(same.value):
        with g.each("impulses") as slot:
            memory.put(slot, 0.0)
        f.give(True)
    g.keep(memory, g["before"])
    f.give(False)
    return f


def leave_room(*, in_part: bool = False) -> Function:
    """Relations that are away from zero have bands as usual."""
    f, g = gate_function("leave_room", "void", in_part=in_part)
    with g.each("relations") as k, f.when(g.memory("signs", k) != 0.0):
        g.remember("bands", k, g["narrow_bands"].at(k))
    f.give()
    return f


def make_room(*, in_part: bool = False) -> Function:
    """Where relations have other truths than those given: those whose residues are zero, and leave zero
    without speed as far as can be seen, count as zero as long as they are so within the errors of the
    integrator."""
    f, g = gate_function("make_room", "void", in_part=in_part, truths="ptr")
    g.call("leave_room", "void")
    changed = f.variable(False, "i1")
    with g.each("deciding") as k:
        changed.set(changed.value | (g.memory("relations", k) != f.truths.at(k)))
    with f.when(changed.value), f.when(g.call("lean", "i1")):
        known = register(f, g["register"])
        g.call("be_certain", "void")
        still = f.variable(False, "i1")
        with g.each("deciding") as k:
            still.set(still.value | (g["moves"].at(k) == 0.0))
        with f.when(still.value):
            g.call("errors_of_states", "void", known["tolerance"])
            with g.each("deciding") as k, f.when(g["moves"].at(k) == 0.0):
                usual, errors = g["narrow_bands"].at(k) * known["wide"], g["errors"].at(k)
                room = f.greatest(usual, known["room"] * errors)
                g.remember("bands", k, f.greatest(g.memory("bands", k), room))
    f.give()
    return f


def errors_of_states(*, in_part: bool = False) -> Function:
    """How much residues differ where states are off by a part of their values, in `errors`."""
    f, g = gate_function("errors_of_states", "void", in_part=in_part, share="double")
    memory, found, ahead = g["memory"], g["errors"], g["ahead"]
    g.keep(g["before"], memory)
    with g.each("relations") as k:
        found.put(k, 0.0)
    digit = f.variable(1, "i64")
    with f.loop():
        known = f.variable(True, "i1")
        for way in (1.0, -1.0):
            _be_off(f, g, f.share, digit.value, way)
            known.set(known.value & (g.run("crossings") == 0))
            if way > 0.0:
                g.copy(ahead, memory.place(g["residues"]), "relations")
                g.keep(memory, g["before"])
        with f.when(known.value), g.each("relations") as k:
            difference = f.absolute(ahead.at(k) - g.memory("residues", k)) / 2.0
            with f.when(difference > found.at(k)):
                found.put(k, difference)
        g.keep(memory, g["before"])
        f.leave_if(digit.value >= g["most_in_part"])
        digit.set(digit.value * 2)
    f.give()
    return f


def functions(*, in_part: bool = False) -> tuple[Function, ...]:
    """All of them, for the whole model or for one part of it."""
    made = (
        take_left, release, is_finite, holds, is_sound, lean, be_certain, turn_leaning, accept, stays_settled,
        leave_room, make_room, errors_of_states,
    )  # fmt: skip
    return (belonging(), way_out(), *(function(in_part=in_part) for function in made))
