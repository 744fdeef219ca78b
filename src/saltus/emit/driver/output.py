"""Output points: where they are, and rows of the result."""

from __future__ import annotations

from saltus.emit.driver.context import function
from saltus.emit.support.assembly import Function
from saltus.ir.native.contract import TIME_SLOT
from saltus.ir.native.drive import Code


def grid_point() -> Function:
    """Output point number k."""
    f, c = function("grid_point", "double", internal=False, k="i64")
    f.give((f.k < c["grid_last"]).choose(c["grid_start"] + f.k.as_double() * c["grid_interval"], c["stop"]))
    return f


def pass_grid() -> Function:
    """Moves on to the first output point that is not (nearly) at t or earlier."""
    f, c = function("pass_grid", "void", internal=False, t="double")
    with f.loop():
        f.leave_if(c["grid_k"] > c["grid_last"])
        f.leave_if(f.call("grid_point", "double", f.c, c["grid_k"]) > f.t + c["grid_near"])
        c.add("grid_k", 1)
    f.give()
    return f


def record() -> Function:
    """Copies the memory into the next row. Whether all of its numbers are finite."""
    f, c = function("record", "i1", internal=False, t="double")
    row = c["rows"].place(c["n_rows"] * c["row_length"])
    source = c["memory"].place(c["row_first"])
    f.copy(row, source, c["row_length"])
    c["row_times"].put(c["n_rows"], f.t)
    c.add("n_rows", 1)
    c.add("n_written", 1)
    total = f.variable(0.0)
    with f.count(c["row_length"]) as j:
        total.set(total.value + row.at(j) * 0.0)  # nan where the number is not finite
    f.give(total.value == 0.0)
    return f


def check() -> Function:
    """Whether a check is active."""
    f, c = function("check", internal=False)
    with f.when(c["n_checks"] > 0):
        c.run("checks")
        with f.count(c["n_checks"]) as j:
            f.give_if(c.memory("checks_first", j) != 0.0, Code.LOOK)
    f.give(Code.ON)
    return f


def obeys() -> Function:
    """Whether every watched relation agrees with its residue, outside of its band, where everything is
    computed."""
    f, c = function("obeys", "i1")
    c.run("relations_routine")
    watched, side = c["watched"], c["side"]
    residues, bands = c["memory"].place(c["residues"]), c["memory"].place(c["bands"])
    agree = f.variable(True, "i1")
    with f.count(c["n_watched"]) as j:
        k = watched.at(j, "i64")
        agree.set(agree.value & ~(residues.at(k) * side.at(j) < -bands.at(k)))
    f.give(agree.value)
    return f


def output() -> Function:
    """The memory at t with everything computed, as a row of the result, and its checks. With `looks`, a row
    that contradicts a relation is not written: an event has been lost (`crossings.retrieve`)."""
    f, c = function("output", t="double", looks="i1")
    f.give_if(c["n_rows"] >= c["max_rows"], Code.FULL)
    with f.when(c["moves"] != 0):
        beyond = f.t > c["reached"]
        f.call(c["arrive"], "void", f.c, beyond.choose(c["reached"], f.t))
    c["memory"].put(TIME_SLOT, f.t)
    status = c.run("outputs").as_i64()
    with f.when(status != 0):
        c["status"] = status
        c["now"] = f.t
        f.give(Code.ROUTINE_FAILED)
    with f.when(f.looks & (c["moves"] != 0) & (c["n_watched"] > 0)):
        f.give_if(~f.call("obeys", "i1", f.c), Code.DISOBEYED)
    finite = f.call("record", "i1", f.c, f.t)
    c["now"] = f.t
    f.call("pass_grid", "void", f.c, f.t)
    f.give_if(~finite, Code.LOOK)
    f.give(f.call("check", "i64", f.c))
    return f
