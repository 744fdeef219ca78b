"""Steps, interpolation and restarts: what the driver wants of CVODE and of IDA, and of integrators at all."""

from __future__ import annotations

from saltus.emit.driver.context import Fields, function
from saltus.emit.support.assembly import Function, Value
from saltus.ir.native.contract import (
    ARRIVE_CVODE,
    ARRIVE_IDA,
    BEGIN_CVODE,
    MOST_PROBES,
    PROBE_PART,
    SAME_TIME,
    STEP_CVODE,
    STEP_IDA,
    TIME_SLOT,
)
from saltus.ir.native.drive import CVODE_COUNTERS, Code

_ONE_STEP = 2

#: The first step after a restart, as a part of the one whose error is what the tolerance allows. Every
#: restart is at order one, with errors of one sign: with CVODE's own guess, a half, they add up.
FIRST_STEP = 0.1


def step_cvode() -> Function:
    """One step of CVODE; its flag."""
    f, c = function(STEP_CVODE, internal=False)
    with f.when(c["stop_set"] != c["limit"]):
        f.call("CVodeSetStopTime", "i32", c["solver"], c["limit"])
        c["stop_set"] = c["limit"]
    one = Value(f, "i32", str(_ONE_STEP))
    f.give(f.call("CVode", "i32", c["solver"], c["ahead"], c["y"], c.address("reached"), one).as_i64())
    return f


def step_ida() -> Function:
    f, c = function(STEP_IDA, internal=False)
    with f.when(c["stop_set"] != c["limit"]):
        f.call("IDASetStopTime", "i32", c["solver"], c["limit"])
        c["stop_set"] = c["limit"]
    one = Value(f, "i32", str(_ONE_STEP))
    reached = c.address("reached")
    f.give(f.call("IDASolve", "i32", c["solver"], c["ahead"], reached, c["y"], c["yp"], one).as_i64())
    return f


def stay_before_steps(f: Function, c: Fields) -> None:
    """An integrator that has just been made has nothing to interpolate before its first step."""
    with f.when(c["stop_set"] != c["stop_set"]):  # nan since the start
        f.copy(c["memory"].place(c["states"]), c["y_data"], c["n_states"])
        f.give()


def arrive_cvode() -> Function:
    """Time and states into the memory, by CVODE's interpolation; at the end of a step as CVODE gave them."""
    f, c = function(ARRIVE_CVODE, "void", internal=False, t="double")
    c["memory"].put(TIME_SLOT, f.t)
    stay_before_steps(f, c)
    with f.when(f.t == c["reached"]):
        f.copy(c["memory"].place(c["states"]), c["y_data"], c["n_states"])
        f.give()
    zero = Value(f, "i32", "0")
    f.call("CVodeGetDky", "i32", c["solver"], f.t, zero, c["scratch"])
    f.copy(c["memory"].place(c["states"]), c["scratch_data"], c["n_states"])
    f.give()
    return f


def arrive_ida() -> Function:
    """Time and states into the memory, by IDA's interpolation, with starting values for the unknowns of loops
    (`offer`) where there are any."""
    f, c = function(ARRIVE_IDA, "void", internal=False, t="double")
    c["memory"].put(TIME_SLOT, f.t)
    stay_before_steps(f, c)
    zero, one = Value(f, "i32", "0"), Value(f, "i32", "1")
    f.call("IDAGetDky", "i32", c["solver"], f.t, zero, c["scratch"])
    with f.when(c["has_loops"] != 0):
        f.call("IDAGetDky", "i32", c["solver"], f.t, one, c["scratch_yp"])
        f.call(c["offer"], "i32", f.t, c["scratch"], c["scratch_yp"], c["memory"])
        f.give()
    f.copy(c["memory"].place(c["states"]), c["scratch_data"], c["n_states"])
    f.give()
    return f


def first_step() -> Function:
    """The step to begin with, so that its error h^2/2 |y''| is a small part of what the tolerance allows; 0
    where CVODE shall find one. y'' is a difference of derivatives along an explicit Euler step. Where that is
    longer than what is found, it may have gone past what was to be seen, and a shorter one is taken."""
    f, c = function("first_step", "double")
    n, memory = c["n_states"], c["memory"]
    states, rates = memory.place(c["states"]), memory.place(c["derivatives"])
    weights, old = c["backup"], c["backup"].place(n)
    total = f.variable(0.0)
    with f.count(n) as k:
        weight = 1.0 / (c["relative"] * f.absolute(states.at(k)) + c["absolute"].at(k))
        weights.put(k, weight)
        total.set(total.value + (weight * rates.at(k)) * (weight * rates.at(k)))
    speed = f.call("llvm.sqrt.f64", "double", total.value / n.as_double())
    # In these weights, the size of any state is 1 / relative. Where nothing moves, all that is left may pass.
    moved, whole = PROBE_PART / (c["relative"] * speed), (c["stop"] - c["now"]) * PROBE_PART
    probe, found = f.variable(f.least(moved, whole)), f.variable(0.0)
    f.copy(old, states, n)
    f.copy(old.place(n), rates, n)
    with f.count(f.constant(MOST_PROBES, "i64")):
        f.leave_if(~(probe.value > SAME_TIME * f.absolute(c["now"])))
        with f.count(n) as k:
            states.put(k, states.at(k) + probe.value * rates.at(k))
        memory.put(TIME_SLOT, c["now"] + probe.value)
        status = c.run("derivatives_routine").as_i64()
        total.set(0.0)
        with f.count(n) as k:
            change = weights.at(k) * (rates.at(k) - old.at(n + k))
            total.set(total.value + change * change)
        bend = f.call("llvm.sqrt.f64", "double", total.value / n.as_double()) / probe.value
        memory.put(TIME_SLOT, c["now"])
        f.copy(states, old, n)
        f.copy(rates, old.place(n), n)
        f.leave_if((status != 0) | ~(bend > 0.0))
        found.set(FIRST_STEP * f.call("llvm.sqrt.f64", "double", 2.0 / bend))
        f.leave_if(found.value >= probe.value * FIRST_STEP)
        probe.set(found.value)
    f.give(found.value)
    return f


def begin_cvode() -> Function:
    """Starts CVODE anew where the run is; its flag."""
    f, c = function(BEGIN_CVODE, internal=False)
    # What the integrator has counted is lost at a restart.
    place = c.address("counted")
    c["counted"] = 0
    for name, getter in CVODE_COUNTERS:
        f.call(getter, "i32", c["solver"], place)
        c.add(name, c["counted"])
    f.copy(c["y_data"], c["memory"].place(c["states"]), c["n_states"])
    first = f.variable(c["shorter"])
    c["shorter"] = 0.0
    with f.when(first.value == 0.0):
        first.set(f.call("first_step", "double", f.c))
    f.call("CVodeSetInitStep", "i32", c["solver"], first.value)
    f.give(f.call("CVodeReInit", "i32", c["solver"], c["now"], c["y"]).as_i64())
    return f


def restart() -> Function:
    """Starts the integrator anew where the run is."""
    f, c = function("restart")
    c["flag"] = f.call(c["begin"], "i64", f.c)
    c["reached"] = c["now"]
    c["begun"] = c["now"]
    c["earlier"] = c["now"]
    c["probe"] = 1
    c["stop_set"] = float("nan")
    c["restart"] = 0
    c.add("restarts", 1)
    f.give((c["flag"] == 0).choose(Code.ON, Code.FAILED, "i64"))
    return f
