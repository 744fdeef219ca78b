"""User functions on both back ends: loops, arrays, recursion, lazy and shared calls."""

from __future__ import annotations

import math

import pytest

from saltus.expr.nodes import (
    ONE,
    TIME,
    ZERO,
    Op,
    Symbol,
    Type,
    add,
    and_,
    apply,
    array,
    call,
    const,
    if_,
    index,
    item,
    or_,
    power,
    ref,
    relation,
)
from saltus.ir.program import (
    FUNCTION_FAILED,
    Assign,
    Break,
    CallFunction,
    Fail,
    Fill,
    For,
    Function,
    If,
    Return,
    While,
)


def integer(name):
    return Symbol(name, Type.INTEGER)


def polynomial(n):
    """Horner's rule over an array of coefficients; second output: the sum of the coefficients."""
    c, x, y, s, i = Symbol("c", shape=(n,)), Symbol("x"), Symbol("y"), Symbol("s"), integer("i")
    body = (
        For(
            i,
            const(n),
            const(-1),
            const(1),
            (
                Assign(y, ref(y) * ref(x) + index(ref(c), ref(i))),
                Assign(s, ref(s) + index(ref(c), ref(i))),
            ),
        ),
    )
    return Function("polynomial", (c, x), (y, s), (), body)


def factorial():
    """Recursive, with an early return."""
    n, y, t = Symbol("n"), Symbol("y"), Symbol("t")
    function = Function("factorial", (n,), (y,), (t,), ())
    body = (
        If(((relation(Op.LE, ref(n), ONE), (Assign(y, ONE), Return())),)),
        CallFunction((t,), function, (ref(n) - 1.0,)),
        Assign(y, ref(n) * ref(t)),
    )
    object.__setattr__(function, "body", body)
    return function


def failing(status=77):
    x, y = Symbol("x"), Symbol("y")
    return Function("failing", (x,), (y,), (), (Fail(status),))


def outputs(model, machine, *values, **parameters):
    """Values of expressions of parameters."""
    unknowns = [model.algebraic(f"v{k}") for k in range(len(values))]
    for unknown, value in zip(unknowns, values, strict=True):
        model.explicit(unknown, value)
    m = machine(model)
    for leaf in list(m.slots):
        if leaf.op is Op.REF and leaf.data.name in parameters:
            m[leaf] = parameters[leaf.data.name]
    return m.run("outputs"), [m[u] for u in unknowns]


def test_loops_and_arrays(model, machine):
    x = model.parameter("x")
    coefficients = array((4,), [const(1.0), x, const(0.0), const(2.0)])
    applied = apply(polynomial(4), [coefficients, x])
    status, values = outputs(model, machine, item(applied, 0), item(applied, 1), x=3.0)
    assert status == 0
    assert values == [1 + 3 * 3 + 2 * 27, 6.0]


def test_recursion(model, machine):
    n = model.parameter("n")
    status, values = outputs(model, machine, item(apply(factorial(), [n]), 0), n=7.0)
    assert (status, values) == (0, [5040.0])


def test_endless_recursion_is_a_status(model, machine):
    n, y = Symbol("n"), Symbol("y")
    f = Function("f", (n,), (y,), (), ())
    # Not a tail call, which the optimiser would turn into a loop.
    object.__setattr__(f, "body", (CallFunction((y,), f, (ref(n) + 1.0,)), Assign(y, ref(y) * ref(n))))
    status, _ = outputs(model, machine, item(apply(f, [model.parameter("p")]), 0))
    assert status == FUNCTION_FAILED


def test_recursion_inside_expressions_stays_lazy(model, machine):
    """y := if n <= 1 then 1 else n * f(n - 1), the call nested in the expression."""
    n, y = Symbol("n"), Symbol("y")
    f = Function("f", (n,), (y,), (), ())
    value = if_(relation(Op.LE, ref(n), ONE), ONE, ref(n) * item(apply(f, [ref(n) - 1.0]), 0))
    object.__setattr__(f, "body", (Assign(y, value),))
    p = model.parameter("n")
    status, values = outputs(model, machine, item(apply(f, [p]), 0), n=6.0)
    assert (status, values) == (0, [720.0])


def test_while_break_and_array_results(model, machine):
    """Divides by 2 until odd, counting; the outputs are the odd part and its first multiples."""
    n, k, odd = integer("n"), integer("k"), integer("odd")
    multiples, i = Symbol("multiples", Type.INTEGER, (2, 2)), integer("i")
    body = (
        Assign(odd, ref(n)),
        While(
            relation(Op.GT, ref(odd), ZERO),
            (
                If(((relation(Op.NE, call("mod", ref(odd), const(2)), ZERO), (Break(),)),)),
                Assign(odd, call("div", ref(odd), const(2))),
                Assign(k, ref(k) + const(1)),
            ),
        ),
        Fill(multiples, ref(odd)),
        For(
            i,
            const(1),
            const(1),
            const(2),
            (Assign(multiples, ref(odd) * ref(i), (const(2), ref(i))),),
        ),
    )
    f = Function("odd part", (n,), (k, multiples), (odd,), body)
    p = model.parameter("p")
    applied = apply(f, [p])
    status, values = outputs(model, machine, *(item(applied, j, Type.INTEGER) for j in range(5)), p=48.0)
    assert status == 0
    assert values == [4, 3, 3, 3, 6]


def test_same_array_in_and_out(model, machine):
    """a := reversed(a) must not see its own writes."""
    a, b, i = Symbol("a", shape=(3,)), Symbol("b", shape=(3,)), integer("i")
    each = Assign(b, index(ref(a), const(4) + -ref(i)), (ref(i),))
    reverse = Function("reverse", (a,), (b,), (), (For(i, const(1), const(1), const(3), (each,)),))
    x, y = Symbol("x", shape=(3,)), Symbol("y", shape=(3,))
    body = (
        Assign(y, ref(x)),
        CallFunction((y,), reverse, (ref(y),)),
    )
    outer = Function("outer", (x,), (y,), (), body)
    applied = apply(outer, [array((3,), [const(1.0), const(2.0), const(3.0)])])
    status, values = outputs(model, machine, *(item(applied, j) for j in range(3)))
    assert (status, values) == (0, [3.0, 2.0, 1.0])


def test_booleans_through_functions(model, machine):
    a, b, y = (Symbol(n, Type.BOOLEAN) for n in "aby")
    exclusive = Function("exclusive", (a, b), (y,), (), (Assign(y, relation(Op.NE, ref(a), ref(b))),))
    p = model.parameter("p")
    positive, large = relation(Op.GT, p, ZERO), relation(Op.GT, p, const(10.0))
    applied = item(apply(exclusive, [positive, large]), 0, Type.BOOLEAN)
    status, values = outputs(model, machine, if_(applied, const(5.0), const(6.0)), p=3.0)
    assert (status, values) == (0, [5.0])


@pytest.mark.parametrize(
    ("at", "status"), [(1.0, 0), (3.0, 0), (0.0, FUNCTION_FAILED), (4.0, FUNCTION_FAILED)]
)
def test_index_out_of_bounds_is_a_status(model, machine, at, status):
    a, i, y = Symbol("a", shape=(3,)), integer("i"), Symbol("y")
    f = Function("pick", (a, i), (y,), (), (Assign(y, index(ref(a), ref(i))),))
    p = model.parameter("p")
    applied = apply(f, [array((3,), [const(10.0), const(20.0), const(30.0)]), p])
    found, values = outputs(model, machine, item(applied, 0), p=at)
    assert found == status
    assert status or values == [10.0 * at]


def test_conditions_guard_array_access(model, machine):
    """Linear search: `while i <= n and a[i] < x` ends without touching a[n + 1]."""
    a, x, i = Symbol("a", shape=(3,)), Symbol("x"), integer("i")
    condition = and_(relation(Op.LE, ref(i), const(3)), relation(Op.LT, index(ref(a), ref(i)), ref(x)))
    body = (Assign(i, const(1)), While(condition, (Assign(i, ref(i) + const(1)),)))
    f = Function("search", (a, x), (i,), (), body)
    p = model.parameter("p")
    table = array((3,), [const(1.0), const(2.0), const(3.0)])
    results = [item(apply(f, [table, p + d]), 0, Type.INTEGER) for d in (0.0, 1.0, 100.0)]
    status, values = outputs(model, machine, *results, p=1.5)
    assert (status, values) == (0, [2, 3, 4])


def test_failure_in_a_function_is_the_status_of_the_routine(model, machine):
    p = model.parameter("p")
    status, _ = outputs(model, machine, item(apply(failing(), [p]), 0))
    assert status == 77


@pytest.mark.parametrize("p_value", [1.0, -1.0])
def test_calls_in_branches_are_lazy(model, machine, p_value):
    p = model.parameter("p")
    bad = item(apply(failing(), [p]), 0)
    lazy = if_(relation(Op.GT, p, ZERO), 2.0 * p, bad + 1.0)
    sheltered = or_(relation(Op.GT, p, ZERO), relation(Op.GT, bad, ZERO))
    status, values = outputs(model, machine, lazy + 1.0, if_(sheltered, ONE, ZERO), p=p_value)
    assert status == (0 if p_value > 0 else 77)
    assert p_value < 0 or values == [3.0, 1.0]


def calls(body):
    found = []
    for s in body:
        match s:
            case CallFunction() if not s.function.internal:
                found.append(s)
            case If(branches, otherwise):
                found += [c for _, inner in branches for c in calls(inner)] + calls(otherwise)
            case While(_, inner):
                found += calls(inner)
    return found


def test_one_call_for_all_its_uses(model):
    x, y = model.parameter("x"), model.algebraic("y")
    z, w = model.algebraic("z"), model.algebraic("w")
    applied = apply(polynomial(2), [array((2,), [x, ONE]), x])
    model.explicit(y, item(applied, 0) + item(applied, 1))
    model.explicit(z, if_(relation(Op.GT, x, ZERO), item(applied, 0), x))
    model.explicit(w, call("sin", item(applied, 0)))
    program = model.program()
    assert len(calls(program.routines["outputs"].body)) == 1


def test_one_call_for_all_cases_with_one_condition(model):
    """Each result of a call that is made in a case only is wanted in a conditional of its own."""
    x = model.parameter("x")
    applied = apply(polynomial(2), [array((2,), [x, ONE]), x])
    case, inner = relation(Op.GT, x, ZERO), relation(Op.GT, x, const(5.0))
    for k in range(10):
        result = if_(inner, item(applied, k % 2), const(float(k)))
        model.explicit(model.algebraic(f"y{k}"), if_(case, result, x))
    assert len(calls(model.program().routines["outputs"].body)) == 1


@pytest.mark.parametrize("x_value", [-2.0, 2.0])
@pytest.mark.parametrize("z_value", [-1.0, 1.0])
def test_cases_that_alternate_keep_their_calls_apart(model, machine, x_value, z_value):
    """The first and the third go the same way, the second may go another one: each result is that of a call
    that was made."""
    x, z = model.parameter("x"), model.parameter("z")
    applied = apply(polynomial(2), [array((2,), [x, ONE]), z])  # x + z, x + 1
    first, second = relation(Op.GT, x, ZERO), relation(Op.GT, z, ZERO)
    values = [
        if_(first, item(applied, 0), const(7.0)),
        if_(second, item(applied, 0) * 2.0, const(8.0)),
        if_(first, item(applied, 1), item(applied, 0) * 3.0),
        if_(second, if_(first, item(applied, 1), const(9.0)), item(applied, 1) * 4.0),
    ]
    status, found = outputs(model, machine, *values, x=x_value, z=z_value)
    assert status == 0
    horner, total = x_value + z_value, x_value + 1.0
    assert found == [
        horner if x_value > 0 else 7.0,
        2.0 * horner if z_value > 0 else 8.0,
        total if x_value > 0 else 3.0 * horner,
        (total if x_value > 0 else 9.0) if z_value > 0 else 4.0 * total,
    ]


def test_shared_arithmetic_is_computed_once(model):
    x = model.algebraic("x")
    model.explicit(x, TIME)
    shared = call("sin", x * 2.0)
    for k in range(3):
        model.explicit(model.algebraic(f"y{k}"), shared * float(k + 2) + 1.0)
    program = model.program()
    text = program.routines["outputs"].body
    assert sum(isinstance(s, Assign) for s in text) == 1
    from saltus.emit.python.python import python_text

    assert python_text(program).split("def outputs")[1].split("def ")[0].count("sin(") == 1


def test_newton_computes_what_is_known_before_the_loop(model, machine):
    """A call of parameters only happens once, outside the iteration."""
    p, x = model.parameter("p"), model.algebraic("x")
    known = item(apply(polynomial(2), [array((2,), [p, ONE]), p]), 0)  # p + p = 2 p
    model.nonlinear([x], [x * x * x - known * 4.0], [(0, 0, 3.0 * x * x)])
    m = machine(model)
    body = m.machine.program.routines["outputs"].body
    assert len(calls(body)) == 1
    assert sum(isinstance(s, CallFunction) for s in body) == 1
    m[p], m[x] = 1.0, 1.0
    assert m.run("outputs") == 0
    assert m[x] == pytest.approx(2.0, rel=1e-13)


def test_newton_through_a_function_by_differences(model, machine):
    """f(x) = x^2 as a user function has no symbolic derivative: x^2 = 2."""
    a, b = Symbol("a"), Symbol("b")
    square = Function("square", (a,), (b,), (), (Assign(b, ref(a) * ref(a)),))
    x = model.algebraic("x")
    model.nonlinear([x], [item(apply(square, [x]), 0) - 2.0], None)
    m = machine(model)
    m[x] = 1.0
    assert m.run("outputs") == 0
    assert m[x] == pytest.approx(math.sqrt(2.0), rel=1e-12)


def test_deep_and_wide_expressions(model, machine):
    x = model.parameter("x")
    deep = x
    for _ in range(400):
        deep = call("sqrt", deep + 2.0)  # its fixed point is 2
    wide = add(*(power(x, const(float(k % 7))) for k in range(500)))
    status, values = outputs(model, machine, deep, wide, x=1.5)
    assert status == 0
    assert values[0] == pytest.approx(2.0, rel=1e-14)
    assert values[1] == pytest.approx(sum(1.5 ** (k % 7) for k in range(500)), rel=1e-13)
