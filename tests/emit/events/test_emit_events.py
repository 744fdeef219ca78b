"""Relations, settle, commit, checks and the integrator's call-backs."""

from __future__ import annotations

import ctypes
import math

import numpy as np
import pytest

from saltus.emit.llvm.jit import native_machine
from saltus.expr.nodes import (
    INITIAL,
    ONE,
    TIME,
    TRUE,
    ZERO,
    Op,
    Symbol,
    Type,
    and_,
    call,
    const,
    der,
    if_,
    not_,
    or_,
    pre,
    ref,
)
from saltus.ir.hybrid import Check, Ending, Jump
from saltus.ir.program import SETTLE_FAILED
from saltus.ir.sorted.blocks import Explicit
from saltus.ir.structure import Presumption


def counters(m):
    names = ("passes", "changed", "status", "rest", "continuation")
    return dict(zip(names, m.section("counters"), strict=True))


@pytest.mark.parametrize(
    ("op", "below", "above", "zero"),
    [(Op.LT, 1, 0, 0), (Op.LE, 1, 0, 1), (Op.GT, 0, 1, 0), (Op.GE, 0, 1, 1)],
)
def test_truth_of_a_state_relation(model, machine, op, below, above, zero):
    x = model.state("x")
    truth = model.relation(op, x - 2.0, nominal=const(100.0))
    model.explicit(der(x), if_(truth, ONE, ZERO))
    m = machine(model)
    m.run("parameters")
    for value, sign, expected in ((1.0, -1, below), (3.0, 1, above)):
        m[x] = value
        assert m.run("settle") == 0
        assert m.section("signs") == [sign]
        assert m[truth] == expected
        assert m[der(x)] == expected
    # Inside the band (1e-8 for a nominal value of 100) the presumed truth stays ...
    for presumed in (0.0, 1.0):
        m[x], m[truth] = 2.0 + 0.5e-8, presumed
        assert m.run("settle") == 0
        assert m.section("signs") == [0]
        assert m[truth] == presumed
        # ... but at the start zero is zero.
        assert m.run("settle_initial") == 0
        assert m[truth] == zero


@pytest.mark.parametrize(("slope", "offset"), [(2.0, -3.0), (-2.0, 3.0)])
def test_time_events_are_exact(model, machine, slope, offset):
    s, o = model.parameter("s"), model.parameter("o")
    truth = model.relation(Op.GE, s * TIME + o, slope=s, offset=o)
    model.explicit(model.algebraic("y"), if_(truth, ONE, ZERO))
    m = machine(model)
    m[s], m[o] = slope, offset
    m.run("parameters")
    before, after = math.nextafter(1.5, 0), math.nextafter(1.5, 2)
    for time, expected in ((1.0, slope < 0), (after, slope > 0), (before, slope < 0)):
        m[TIME] = time
        assert m.run("settle") == 0
        assert m.section("crossing_times") == [1.5]
        assert m[truth] == expected
    for presumed in (0.0, 1.0):
        m[TIME], m[truth] = 1.5, presumed
        assert m.run("settle") == 0
        assert m.section("signs") == [0]
        assert m[truth] == presumed
    assert m.run("settle_initial") == 0
    assert m[truth] == 1.0


@pytest.mark.parametrize(("offset", "expected"), [(-1.0, 0), (0.0, 1), (1.0, 1)])
def test_time_relation_that_never_crosses(model, machine, offset, expected):
    s, o = model.parameter("s"), model.parameter("o")
    truth = model.relation(Op.GE, s * TIME + o, slope=s, offset=o)
    m = machine(model)
    m[s], m[o], m[truth] = 0.0, offset, 0.0
    assert m.run("settle") == 0
    assert m.section("crossing_times") == [math.inf]
    assert m[truth] == expected


def test_settle_passes_until_nothing_changes(model, machine):
    """Three relations in a chain: each needs the truth of the one before."""
    x = model.state("x")
    first = model.relation(Op.GT, x)
    a, b = model.algebraic("a"), model.algebraic("b")
    second = model.relation(Op.GT, a)
    third = model.relation(Op.GT, b)
    model.explicit(a, if_(first, ONE, const(-1.0)))
    model.explicit(b, if_(second, ONE, const(-1.0)))
    model.explicit(der(x), if_(third, ONE, const(-1.0)))
    m = machine(model)
    m.run("parameters")
    m[x] = 1.0
    assert m.run("settle") == 0
    assert m[der(x)] == 1.0
    assert counters(m)["passes"] == 4
    m[x] = -1.0
    assert m.run("settle") == 0
    assert m[der(x)] == -1.0
    assert counters(m)["passes"] == 4
    assert m.run("settle") == 0
    assert counters(m)["passes"] == 1


def test_contradiction_does_not_settle(model, machine):
    a = model.algebraic("a")
    truth = model.relation(Op.GT, a)
    model.explicit(a, if_(truth, const(-1.0), ONE))
    m = machine(model)
    m.run("parameters")
    assert m.run("settle") == SETTLE_FAILED
    assert counters(m)["passes"] <= 4  # true, false, true: a circle


def test_a_long_circle_is_noticed_soon(model, machine):
    """Fifty relations, of which three go round with period 6: the limit of passes is 120."""
    a = [model.algebraic(f"a{k}") for k in range(50)]
    truths = [model.relation(Op.GT, x) for x in a]
    for k, x in enumerate(a):
        model.explicit(x, if_(truths[(k + 1) % 3], const(-1.0), ONE) if k < 3 else ONE)
    m = machine(model)
    m.run("parameters")
    m[truths[0]] = 1.0
    assert m.run("settle") == SETTLE_FAILED
    assert counters(m)["passes"] <= 20


def test_presumed_values_settle(model, machine):
    """A latch of two NOR gates: q reads a presumed value of qn, which is computed after it."""
    s, r = model.parameter("s", Type.BOOLEAN), model.parameter("r", Type.BOOLEAN)
    q, qn = model.discrete("q", Type.BOOLEAN), model.discrete("qn", Type.BOOLEAN)
    presumed = ref(Symbol("presumed(qn)", Type.BOOLEAN))
    model.explicit(q, not_(or_(r, presumed)))
    model.explicit(qn, not_(or_(s, q)))
    model.presumptions.append(Presumption(qn, presumed, model.blocks[1].equation, (q, qn)))
    m = machine(model)
    m.run("parameters")
    for press, expected in (((1, 0), (1, 0)), ((0, 0), (1, 0)), ((0, 1), (0, 1)), ((0, 0), (0, 1))):
        m[s], m[r] = press
        assert m.run("settle") == 0
        assert (m[q], m[qn]) == expected
        assert m[presumed] == m[qn]
    assert counters(m)["passes"] == 1  # nothing was to change any more


def test_a_presumed_integer_settles(model, machine):
    """n = n/2 + 3, rounded down, from 20: 13, 9, 7, 6."""
    n = model.discrete("n", Type.INTEGER)
    presumed = ref(Symbol("presumed(n)", Type.INTEGER))
    model.explicit(n, call("div", presumed, const(2)) + const(3))
    model.presumptions.append(Presumption(n, presumed, model.blocks[0].equation, (n,)))
    m = machine(model)
    m.run("parameters")
    m[presumed] = 20.0
    assert m.run("settle") == 0
    assert m[n] == m[presumed] == 6.0
    assert counters(m)["passes"] == 5


def test_when_clause_and_commit(model, machine):
    """when x < 0 then n = pre(n) + 1; reinit(x, 1 - pre(x)) end when"""
    x = model.state("x")
    below = model.relation(Op.LT, x)
    condition = model.discrete("condition")
    n = model.discrete("n", Type.INTEGER)
    model.explicit(der(x), const(-1.0))
    model.explicit(condition, below)
    active = and_(condition, not_(pre(condition)))
    model.explicit(n, if_(active, pre(n) + const(1), pre(n)))
    model.jumps.append(Jump(x.data, active, 1.0 - pre(x), None))
    m = machine(model)
    m.run("parameters")
    m[x] = 0.5
    assert m.run("settle") == 0
    assert m.run("commit") == 0
    assert counters(m)["changed"] == 0
    assert m.section("jumped") == [0]

    m[x] = m[pre(x)] = -0.25
    assert m.run("settle") == 0
    assert (m[condition], m[n], m[pre(n)]) == (1, 1, 0)
    assert m[x] == -0.25  # nothing is committed yet
    assert m.run("commit") == 0
    assert counters(m)["changed"] == 3  # condition, n, x
    assert (m[pre(condition)], m[pre(n)], m[x], m[pre(x)]) == (1, 1, 1.25, 1.25)

    assert m.run("settle") == 0
    assert m.run("commit") == 0
    assert counters(m)["changed"] == 1  # the condition is false again
    assert (m[condition], m[n], m[x]) == (0, 1, 1.25)
    assert m.run("settle") == 0
    assert m.run("commit") == 0
    assert counters(m)["changed"] == 0


def test_first_active_jump_wins(model, machine):
    x, p = model.state("x"), model.parameter("p")
    one, two = (model.relation(Op.GT, p - float(k)) for k in (1, 2))
    model.jumps += [Jump(x.data, two, const(20.0), None), Jump(x.data, one, const(10.0), None)]
    model.explicit(der(x), ZERO)
    m = machine(model)
    m.run("parameters")
    for value, expected, jumped in ((0.0, 5.0, 0), (1.5, 10.0, 1), (2.5, 20.0, 1)):
        m[p], m[x] = value, 5.0
        assert m.run("settle") == 0
        assert m.run("commit") == 0
        assert (m[x], m.section("jumped")) == (expected, [jumped])


def test_continuous_routines_do_not_touch_discretes(model, machine):
    x, y = model.state("x"), model.algebraic("y")
    d = model.discrete("d", Type.INTEGER)
    clock = model.clock(ZERO, ONE)
    model.explicit(d, if_(clock, pre(d) + const(1), pre(d)))
    model.explicit(y, d * 2.0)
    model.explicit(der(x), y)
    m = machine(model)
    m[clock], m[d], m[pre(d)] = 1.0, 5.0, 3.0
    assert m.run("derivatives") == 0
    assert (m[d], m[der(x)]) == (5.0, 10.0)
    assert m.run("outputs") == 0
    assert m[d] == 5.0
    assert m.run("evaluate") == 0
    assert (m[d], m[der(x)]) == (4.0, 8.0)


def test_crossings_compute_what_they_need(model, machine):
    x, a, unused = model.state("x"), model.algebraic("a"), model.algebraic("unused")
    model.relation(Op.GT, a - 1.0)
    model.relation(Op.GT, TIME - 9.0, slope=ONE, offset=const(-9.0))
    model.explicit(a, x * x)
    model.explicit(unused, x + 1.0)
    model.explicit(der(x), x)
    m = machine(model)
    m[x] = 3.0
    assert m.run("crossings") == 0
    assert m.section("residues")[0] == 8.0
    assert m[unused] == 0.0


def test_left_limits_of_algebraics_have_slots(model, machine):
    y, z = model.algebraic("y"), model.algebraic("z")
    d = model.discrete("d", Type.REAL)
    model.explicit(y, TIME * 2.0)
    model.explicit(z, TIME)
    model.explicit(d, pre(y) + 1.0)
    m = machine(model)
    assert len(m.section("pre_algebraics")) == 1
    m[pre(y)] = 4.0
    assert m.run("evaluate") == 0
    assert m[d] == 5.0


def test_checks_and_endings(model, machine):
    p = model.parameter("p")
    positive, large = model.relation(Op.GT, p), model.relation(Op.GT, p - 10.0)
    model.checks += [
        Check(TRUE, positive, const("p > 0"), False, None),
        Check(positive, large, const("large if positive"), True, None),
    ]
    model.endings.append(Ending(or_(large, INITIAL), const("end"), None))
    m = machine(model)
    m.run("parameters")
    for value, checks, endings in ((-1.0, [1, 0], [0]), (5.0, [0, 1], [0]), (11.0, [0, 0], [1])):
        m[p] = value
        m.run("settle")
        assert m.run("checks") == 0
        assert (m.section("checks"), m.section("endings")) == (checks, endings)
    m[p], m[INITIAL] = -1.0, 1.0
    m.run("settle")
    m.run("checks")
    assert m.section("endings") == [1]


def test_initial_system_settles_with_its_relations(model, machine):
    """x = if x > 1 then ... at the start: initial blocks determine states and parameters."""
    x, p = model.state("x"), model.parameter("p")
    truth = model.relation(Op.GT, p - 1.0)
    model.explicit(der(x), -x)
    model.initial += [
        Explicit(p, const(3.0) + TIME, None),
        Explicit(x, if_(truth, p * 2.0, ZERO), None),
        Explicit(der(x), -x, None),
    ]
    m = machine(model)
    m.run("parameters")
    assert m.run("settle_initial") == 0
    assert (m[p], m[truth], m[x], m[der(x)]) == (3.0, 1.0, 6.0, -6.0)
    assert counters(m)["passes"] == 2


# ---------------------------------------------------------------- call-backs


@ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
def same_pointer(vector):
    """Stands for N_VGetArrayPointer: here the vector is its data."""
    return vector


def with_callbacks(model):
    address = ctypes.cast(same_pointer, ctypes.c_void_p).value
    return native_machine(model.program(), {"N_VGetArrayPointer": address})


def pointer(values):
    return values.ctypes.data


def function(machine, name):
    kinds = [ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    return ctypes.CFUNCTYPE(ctypes.c_int, *kinds)(machine.address(name))


def test_right_hand_side(model):
    x, v = model.state("x"), model.state("v")
    model.explicit(der(x), v)
    model.explicit(der(v), -4.0 * x + TIME)
    machine = with_callbacks(model)
    rhs = function(machine, "saltus_rhs")
    y, ydot = np.array([2.0, 3.0]), np.zeros(2)
    assert rhs(0.5, pointer(y), pointer(ydot), machine.pointer) == 0
    assert list(ydot) == [3.0, -7.5]
    assert machine.memory[0] == 0.5
    y[0] = math.inf
    assert rhs(0.5, pointer(y), pointer(ydot), machine.pointer) == 1


def test_right_hand_side_reports_the_block(model):
    x, a, b = model.state("x"), model.algebraic("a"), model.algebraic("b")
    entries = [(0, 0, x), (0, 1, ONE), (1, 0, ONE), (1, 1, ONE)]
    model.linear([a, b], entries, [ONE, ZERO])
    model.explicit(der(x), a)
    machine = with_callbacks(model)
    rhs = function(machine, "saltus_rhs")
    y, ydot = np.array([3.0]), np.zeros(1)
    assert rhs(0.0, pointer(y), pointer(ydot), machine.pointer) == 0
    assert ydot[0] == pytest.approx(0.5)
    y[0] = 1.0
    assert rhs(0.0, pointer(y), pointer(ydot), machine.pointer) == 1
    assert machine.memory[machine.program.layout.section("counters")][2] == 1.0


def test_clones_share_code_but_not_memory(model):
    x = model.state("x")
    model.explicit(der(x), x * 3.0)
    first = native_machine(model.program())
    second = first.clone()
    slots = first.program.layout.slots
    first.memory[slots[x]], second.memory[slots[x]] = 1.0, 2.0
    first.routines["derivatives"]()
    second.routines["derivatives"]()
    assert (first.memory[slots[der(x)]], second.memory[slots[der(x)]]) == (3.0, 6.0)
    assert first.address("derivatives") == second.address("derivatives")
    del first
    second.memory[slots[x]] = 5.0
    assert second.routines["derivatives"]() == 0
    assert second.memory[slots[der(x)]] == 15.0
