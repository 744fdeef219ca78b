"""The explicit integrator: the Runge-Kutta pair of Dormand and Prince, of orders 5 and 4, in native code.

A multistep method has to build up its order again after every event. A one-step method has nothing to build
up: the first step after an event is as good as any other, and may be as long. So models that are not stiff,
and have many events, are integrated in a fraction of the steps.

    J. R. Dormand, P. J. Prince: A family of embedded Runge-Kutta formulae.
    Journal of Computational and Applied Mathematics 6 (1980), 19-26.

Between the ends of a step there is a polynomial of order 4 (E. Hairer, S. P. Nørsett, G. Wanner: Solving
Ordinary Differential Equations I, section II.6), on which crossings are located and output points computed.
The errors of all states together are kept below what the tolerances allow, by the mean square that CVODE
uses. After an event the step is tried that was good when this program was last integrated, and something
moved.

Stiffness is noticed as in that book's code (volume II, section IV.2): at the last two stages, which are at
the same time, the difference of the slopes by the difference of the states is about the largest eigenvalue.
Where its product with the step stays at the bound of stability for a while, the steps are held up by that and
not by the tolerances.
"""

from __future__ import annotations

from collections.abc import Sequence

from saltus.emit.driver.context import Fields, function, runge_kutta
from saltus.emit.driver.integrators import stay_before_steps
from saltus.emit.support.assembly import Function, Value
from saltus.ir.native.contract import ARRIVE_RK, BEGIN_RK, LONGEST_RK, STEP_RK, TIME_SLOT
from saltus.ir.native.drive import RK_COEFFICIENTS, RK_ERRORS, RK_FAILURES, RK_STAGES, RK_STIFF
from saltus.ir.program import NOT_FINITE

#: When stages are, as parts of the step, and what each is made of.
_TIMES = (0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0)
_STAGES: tuple[tuple[float, ...], ...] = (
    (),
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)

#: The difference of the two solutions.
_ERROR = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)

#: The highest coefficient of the polynomial.
_DENSE = (
    -12715105075 / 11282082432,
    0.0,
    87487479700 / 32700410799,
    -10690763975 / 1880347072,
    701980252875 / 199316789632,
    -1453857185 / 822651844,
    69997945 / 29380423,
)

#: The next step is that whose error would be what is allowed, times this; and by what it changes, at most.
SAFETY, LEAST_CHANGE, MOST_CHANGE = 0.9, 0.2, 5.0

#: By what a step is shorter after the right-hand side has failed.
AFTER_FAILURE = 0.25

#: A step that comes so near to the limit, in its own length, ends there.
NEARLY = 1.0 + 1e-6

#: A step that is no longer than this part of the time leads nowhere.
STUCK = 4 * 2.0**-52

#: The bound of stability; the number of steps there that make a model stiff, and of others that reset the
#: count.
BOUND, STIFF_STEPS, OTHER_STEPS = 3.25, 15, 6

#: The first step of all: the Euler step that is tried, as the part by which it changes the states, and the
#: local error that is aimed at (Hairer, Nørsett, Wanner, section II.4).
TRIED, AIMED_AT = 0.01, 0.01

_ORDER = 5.0

#: After a step with a smaller error the next one may be longer by as much as any, whatever the last digits of
#: the root are.
SMALL_ERROR = (1.0 - 2.0**-40) * (SAFETY / MOST_CHANGE) ** _ORDER


def _sum(terms: Sequence[Value]) -> Value:
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


def _combined(coefficients: Sequence[float], slopes: Value, n: Value, k: Value) -> Value:
    """A combination of the slopes of state k."""
    return _sum([c * slopes.at(n * i + k) for i, c in enumerate(coefficients) if c])


def slope() -> Function:
    """The derivatives at a time, for the states that are in the memory, into a row of slopes. Whether they
    could be computed."""
    f, c = function("rk_slope", "i1", t="double", to="ptr")
    memory = c["memory"]
    memory.put(TIME_SLOT, f.t)
    status = f.variable(c.run("derivatives_routine").as_i64())
    rates, to, n = memory.place(c["derivatives"]), f.to, c["n_states"]
    total = f.variable(0.0)
    with f.count(n) as k:
        rate = rates.at(k)
        to.put(k, rate)
        total.set(total.value + rate * 0.0)  # nan where the number is not finite
    with f.when((status.value == 0) & ~(total.value == 0.0)):
        status.set(NOT_FINITE)
    rk = runge_kutta(f, c["solver"])
    rk.add("rhs_evaluations", 1)
    with f.when(status.value != 0):
        c.remember("status_slot", 0, status.value.as_double())
        f.give(False)
    f.give(True)
    return f


def first_step() -> Function:
    """A step to begin with: the slopes at its beginning are known."""
    f, c = function("rk_first_step", "double")
    rk = runge_kutta(f, c["solver"])
    n, states, y = c["n_states"], c["memory"].place(c["states"]), c["y_data"]
    relative, absolute, slopes = c["relative"], c["absolute"], rk["slopes"]
    size, speed, bend = f.variable(0.0), f.variable(0.0), f.variable(0.0)
    with f.count(n) as k:
        weight = 1.0 / (relative * f.absolute(y.at(k)) + absolute.at(k))
        size.set(size.value + (weight * y.at(k)) * (weight * y.at(k)))
        speed.set(speed.value + (weight * slopes.at(k)) * (weight * slopes.at(k)))
    root = [f.call("llvm.sqrt.f64", "double", x.value / n.as_double()) for x in (size, speed)]
    small = (root[0] < 1e-5) | (root[1] < 1e-5)
    whole = c["stop"] - c["reached"]
    tried = small.choose(1e-6 * whole, TRIED * (root[0] / root[1]))
    tried = f.least(tried, f.least(c["limit"] - c["reached"], rk["longest"]))
    with f.count(n) as k:
        states.put(k, y.at(k) + tried * slopes.at(k))
    fine = f.call("rk_slope", "i1", f.c, c["reached"] + tried, slopes.place(n))
    f.give_if(~fine, tried * AFTER_FAILURE)
    with f.count(n) as k:
        weight = 1.0 / (relative * f.absolute(y.at(k)) + absolute.at(k))
        change = weight * (slopes.at(n + k) - slopes.at(k))
        bend.set(bend.value + change * change)
    second = f.call("llvm.sqrt.f64", "double", bend.value / n.as_double()) / tried
    fastest = f.greatest(root[1], second)
    power = f.constant(1 / _ORDER, "double")
    found = f.call("llvm.pow.f64", "double", AIMED_AT / fastest, power)
    f.give((fastest > 1e-15).choose(f.least(100.0 * tried, found), f.greatest(tried * 1e-3, 1e-6 * whole)))
    return f


def attempt() -> Function:
    """The stages of a step of this length. The error, in units of what tolerances allow; negative where the
    right-hand side failed."""
    f, c = function("rk_attempt", "double", h="double", end="double")
    rk = runge_kutta(f, c["solver"])
    n, states, y, slopes = c["n_states"], c["memory"].place(c["states"]), c["y_data"], rk["slopes"]
    begun = c["reached"]
    for stage in range(1, 7):
        with f.count(n) as k:
            states.put(k, y.at(k) + f.h * _combined(_STAGES[stage], slopes, n, k))
        if stage == 5:
            f.copy(rk["sixth"], states, n)
        time = f.end if _TIMES[stage] == 1.0 else begun + _TIMES[stage] * f.h
        fine = f.call("rk_slope", "i1", f.c, time, slopes.place(n * stage))
        f.give_if(~fine, -1.0)
    relative, absolute, errors = c["relative"], c["absolute"], rk["errors"]
    total = f.variable(0.0)
    with f.count(n) as k:
        larger = f.greatest(f.absolute(y.at(k)), f.absolute(states.at(k)))
        error = f.h * _combined(_ERROR, slopes, n, k) / (relative * larger + absolute.at(k))
        errors.put(k, error)
        total.set(total.value + error * error)
    f.give(f.call("llvm.sqrt.f64", "double", total.value / n.as_double()))
    return f


def is_stiff() -> Function:
    """Whether the steps up to the last one, which is done, are held up by stability."""
    f, c = function("rk_is_stiff", "i1")
    rk = runge_kutta(f, c["solver"])
    n, slopes, states = c["n_states"], rk["slopes"], c["memory"].place(c["states"])
    of_slopes, of_states = f.variable(0.0), f.variable(0.0)
    with f.count(n) as k:
        bent = slopes.at(n * (RK_STAGES - 1) + k) - slopes.at(n * (RK_STAGES - 2) + k)
        moved = states.at(k) - rk["sixth"].at(k)
        of_slopes.set(of_slopes.value + bent * bent)
        of_states.set(of_states.value + moved * moved)
    at_bound = rk["width"] * rk["width"] * of_slopes.value > BOUND * BOUND * of_states.value
    with f.when(at_bound & (of_states.value > 0.0)):
        rk["not_stiff"] = 0
        rk.add("stiff", 1)
        f.give(rk["stiff"] >= STIFF_STEPS)
    rk.add("not_stiff", 1)
    with f.when(rk["not_stiff"] >= OTHER_STEPS):
        rk["stiff"] = 0
    f.give(False)
    return f


def step() -> Function:
    """One step, not beyond the limit; a flag."""
    f, c = function(STEP_RK, internal=False)
    rk = runge_kutta(f, c["solver"])
    n, slopes, y, limit = c["n_states"], rk["slopes"], c["y_data"], c["limit"]
    states = c["memory"].place(c["states"])
    c["stop_set"] = limit
    begun = c["reached"]
    with f.when(rk["fresh"] != 0):
        f.copy(states, y, n)
        f.give_if(~f.call("rk_slope", "i1", f.c, begun, slopes), RK_FAILURES)
        with f.when(~(rk["step"] > 0.0)):
            rk["step"] = f.call("rk_first_step", "double", f.c)
        rk["fresh"] = 0
    wanted = f.variable(f.least(rk["step"], rk["longest"]))
    width, end = f.variable(0.0), f.variable(0.0)
    error, rejected, last = f.variable(0.0), f.variable(False, "i1"), f.variable(False, "i1")
    with f.loop():
        left = limit - begun
        last.set(wanted.value * NEARLY >= left)
        # Two steps of the same length are better than a long one and a short one.
        halves = (wanted.value * 2.0 > left).choose(left * 0.5, wanted.value)
        width.set(last.value.choose(left, halves))
        end.set(last.value.choose(limit, begun + width.value))
        stuck = (width.value <= STUCK * f.absolute(begun)) | (width.value < rk["shortest"])
        with f.when(stuck & rejected.value):
            f.give((error.value < 0.0).choose(RK_FAILURES, RK_ERRORS, "i64"))
        error.set(f.call("rk_attempt", "double", f.c, width.value, end.value))
        f.leave_if((error.value >= 0.0) & (error.value <= 1.0))
        rk.add("rejected", 1)
        rejected.set(True)
        failed = ~(error.value >= 0.0)
        with f.when(failed):
            error.set(-1.0)
            wanted.set(width.value * AFTER_FAILURE)
        with f.when(~failed):
            wanted.set(width.value * f.greatest(_change(f, error.value), f.constant(LEAST_CHANGE, "double")))
    rk.add("steps", 1)
    most = rejected.value.choose(1.0, MOST_CHANGE)
    change = f.variable(most)
    with f.when(~(error.value < SMALL_ERROR)):
        less = f.least(_change(f, error.value), most)
        change.set(f.greatest(less, f.constant(LEAST_CHANGE, "double")))
    # A step that was short because of the limit says nothing against a longer one.
    cut = ~rejected.value & (width.value < wanted.value)
    rk["step"] = f.greatest(width.value * change.value, cut.choose(wanted.value, 0.0))
    # One in which nothing moves may be of any length, and says nothing about what comes after an event.
    # Errors of steps that are far too long may be estimated as zero, by chance.
    rk["begun"] = begun
    rk["width"] = width.value
    moved = _prepare_polynomial(f, c, rk)
    rk["moving_step"] = moved.choose(rk["step"], rk["moving_step"])
    stiff = f.variable(False, "i1")
    with f.when(rk["watches"] != 0):
        stiff.set(f.call("rk_is_stiff", "i1", f.c))
    f.copy(rk["old"], y, n)
    f.copy(y, states, n)
    f.copy(slopes, slopes.place(n * (RK_STAGES - 1)), n)
    c["reached"] = end.value
    f.give(stiff.value.choose(RK_STIFF, 0, "i64"))
    return f


def _change(f: Function, error: Value) -> Value:
    """By what a step with this error should have been longer."""
    least, power = f.constant(1e-10, "double"), f.constant(-1 / _ORDER, "double")
    return SAFETY * f.call("llvm.pow.f64", "double", f.greatest(error, least), power)


def _prepare_polynomial(f: Function, c: Fields, rk: Fields) -> Value:
    """The coefficients, from the slopes of a step whose end is in the memory. Whether anything has moved."""
    n, slopes, y, polynomial = c["n_states"], rk["slopes"], c["y_data"], rk["polynomial"]
    states, h = c["memory"].place(c["states"]), rk["width"]
    moved = f.variable(False, "i1")
    with f.count(n) as k:
        rise = states.at(k) - y.at(k)
        moved.set(moved.value | (states.at(k) != y.at(k)))
        bend = h * slopes.at(k) - rise
        place = polynomial.place(k * RK_COEFFICIENTS)
        place.put(0, rise)
        place.put(1, bend)
        place.put(2, rise - h * slopes.at(n * (RK_STAGES - 1) + k) - bend)
        place.put(3, h * _combined(_DENSE, slopes, n, k))
    return moved.value


def arrive() -> Function:
    """Time and states into the memory, by the polynomial of the last step."""
    f, c = function(ARRIVE_RK, "void", internal=False, t="double")
    memory, n = c["memory"], c["n_states"]
    memory.put(TIME_SLOT, f.t)
    stay_before_steps(f, c)
    states = memory.place(c["states"])
    with f.when(f.t == c["reached"]):
        f.copy(states, c["y_data"], n)
        f.give()
    rk = runge_kutta(f, c["solver"])
    old, polynomial = rk["old"], rk["polynomial"]
    part = (f.t - rk["begun"]) / rk["width"]
    rest = 1.0 - part
    with f.count(n) as k:
        p = polynomial.place(k * RK_COEFFICIENTS)
        inner = p.at(1) + part * (p.at(2) + rest * p.at(3))
        states.put(k, old.at(k) + part * (p.at(0) + rest * inner))
    f.give()
    return f


def begin() -> Function:
    """Starts anew where the run is."""
    f, c = function(BEGIN_RK, internal=False)
    rk = runge_kutta(f, c["solver"])
    f.copy(c["y_data"], c["memory"].place(c["states"]), c["n_states"])
    rk["step"] = rk["moving_step"]
    with f.when(c["shorter"] != 0.0):
        rk["step"] = c["shorter"]
        c["shorter"] = 0.0
    rk["fresh"] = 1
    f.give(0)
    return f


def longest() -> Function:
    """No step will be longer; 0 sets no limit."""
    f = Function(LONGEST_RK, "i32", solver="ptr", step="double")
    limit = (f.step > 0.0).choose(f.step, float("inf"))
    runge_kutta(f, f.solver)["longest"] = limit
    f.give(0)
    return f


def functions() -> tuple[Function, ...]:
    """All of them."""
    return slope(), first_step(), attempt(), is_stiff(), step(), arrive(), begin(), longest()
