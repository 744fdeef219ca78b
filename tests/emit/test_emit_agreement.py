"""The two back ends agree on random expressions; both agree with plain Python arithmetic."""

from __future__ import annotations

import math

from emit_models import Model
from hypothesis import given, settings
from hypothesis import strategies as st

from saltus.emit.llvm.jit import native_machine
from saltus.emit.python.python import python_machine
from saltus.expr.evaluate import evaluate
from saltus.expr.nodes import (
    BUILTINS,
    RELATIONS,
    Op,
    Type,
    add,
    and_,
    call,
    const,
    div,
    if_,
    mul,
    neg,
    no_event,
    not_,
    or_,
    power,
    relation,
)
from saltus.expr.traversal import walk

# `peek` reads the memory of the process: its first argument is no number.
NAMES = [n for n, (_, kind) in BUILTINS.items() if kind is not Type.STRING and n != "peek"]


def expressions(leaves):
    numbers = st.one_of(
        st.sampled_from(leaves),
        st.floats(-10, 10).map(const),
        st.integers(-3, 3).map(lambda n: const(float(n))),
    )

    def extend(inner):
        conditions = st.one_of(
            st.builds(relation, st.sampled_from(sorted(RELATIONS, key=str)), inner, inner),
            st.builds(
                lambda op, a, b, c, d: op(relation(Op.LT, a, b), not_(relation(Op.GE, c, d))),
                st.sampled_from([and_, or_]),
                inner,
                inner,
                inner,
                inner,
            ),
        )
        return st.one_of(
            st.builds(add, inner, inner, inner),
            st.builds(mul, inner, inner),
            st.builds(neg, inner),
            st.builds(div, inner, inner),
            st.builds(power, inner, st.integers(-10, 10).map(lambda n: const(n / 2.0))),
            st.builds(power, inner, inner),
            st.builds(if_, conditions, inner, inner),
            st.builds(no_event, inner),
            st.sampled_from(NAMES).flatmap(
                lambda name: st.tuples(*[inner] * BUILTINS[name][0]).map(lambda args: call(name, *args))
            ),
        )

    return st.recursive(numbers, extend, max_leaves=25)


def same(a, b, tolerance=1e-12):
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return a == b or abs(a - b) <= tolerance * max(abs(a), abs(b))


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_back_ends_agree(data):
    model = Model()
    leaves = [model.parameter(n) for n in "pqr"]
    unknowns = [model.algebraic(f"y{k}") for k in range(6)]
    values = [data.draw(expressions(leaves)) for _ in unknowns]
    for unknown, value in zip(unknowns, values, strict=True):
        model.explicit(unknown, value)
    program = model.program()
    slow, fast = python_machine(program), native_machine(program)
    point = data.draw(st.lists(st.floats(-5, 5), min_size=3, max_size=3))
    for m in (slow, fast):
        m.memory[program.layout.section("parameters")] = point
        assert m.routines["invariants"]() == 0
        assert m.routines["outputs"]() == 0
    here = program.layout.section("algebraics")
    for value, a, b in zip(values, slow.memory[here], fast.memory[here], strict=True):
        # To the last digit: a comparison or `floor` further up would blow up any difference.
        assert same(a, b, 0.0), f"{value!r}: {a} and {b}"
        if any(node.op is Op.POW for node in walk(value)):
            continue  # small powers are products here, not there
        try:
            reference = evaluate(value, dict(zip(leaves, point, strict=True)).__getitem__)
        except (ValueError, ZeroDivisionError, OverflowError):
            continue
        assert same(a, float(reference), 0.0), f"{value!r}: {a} and {reference}"


def test_small_powers_are_products():
    model = Model()
    x = model.parameter("x")
    unknowns = [model.algebraic(f"y{k}") for k in range(4)]
    for unknown, n in zip(unknowns, (2.0, 3.0, -2.0, 0.5), strict=True):
        model.explicit(unknown, power(x + 1.0, const(n)))
    program = model.program()
    expected = [1.7 * 1.7, 1.7 * 1.7 * 1.7, 1 / (1.7 * 1.7), math.sqrt(1.7)]
    for m in (python_machine(program), native_machine(program)):
        m.memory[program.layout.slots[x]] = 0.7
        m.routines["invariants"]()
        m.routines["outputs"]()
        assert list(m.memory[program.layout.section("algebraics")]) == expected
    assert "power(" not in python_machine(program).source


def test_division_by_zero_is_infinite_in_both():
    model = Model()
    p = model.parameter("p")
    cases = [1.0 / p, div(p, p), call("log", p), call("sqrt", p - 1.0), call("exp", p + 1000.0)]
    for k, value in enumerate(cases):
        model.explicit(model.algebraic(f"y{k}"), value)
    program = model.program()
    expected = [math.inf, math.nan, -math.inf, math.nan, math.inf]
    for m in (python_machine(program), native_machine(program)):
        m.routines["invariants"]()
        m.routines["outputs"]()
        found = list(m.memory[program.layout.section("algebraics")])
        assert all(same(a, b) for a, b in zip(found, expected, strict=True)), found
