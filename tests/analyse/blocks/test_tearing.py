"""Torn systems: inner unknowns follow in order, by good pivots only, and the solution is that of NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.running.ideal import BRIDGE
from hypothesis import given, settings
from hypothesis import strategies as st

import saltus
from saltus.analyse.blocks.elimination import elimination_order
from saltus.analyse.blocks.tearing import LONGEST_CHAIN, MOST_TEARS, known_non_zero, tear
from saltus.emit.build import build
from saltus.emit.llvm.jit import native_machine
from saltus.emit.python.python import python_machine
from saltus.expr.nodes import Op, Symbol, Type, call, const, if_, ref
from saltus.ir.sorted.blocks import Linear, Nonlinear

p = ref(Symbol("p"))
switch = ref(Symbol("s", Type.BOOLEAN))


def test_what_is_known_not_to_be_zero():
    assert known_non_zero(const(-2.0)) and known_non_zero(-call("exp", p) * 3.0)
    assert known_non_zero(if_(switch, const(1.0), const(-1.0)))
    for e in (const(0.0), p, p * 2.0, if_(switch, const(1.0), const(0.0)), call("sin", p), p + 1.0):
        assert not known_non_zero(e)


def test_no_unknown_follows_by_division_through_what_may_become_small():
    """u = s*(if on then 1e-8 else 1) is solved for u. For s it would give nothing but rounding while on."""
    leaky = if_(switch, const(1e-8), const(1.0))
    matrix = [(0, 0, const(1.0)), (0, 1, -leaky), (1, 0, const(1.0)), (1, 1, leaky)]
    tearing = tear(2, matrix, {(i, j): 1.0 for i, j, _ in matrix})
    assert [j for _, j in tearing.inner] == [0]


def test_hardly_leaky_diodes_come_close_to_ideal_ones():
    """The bridge of the benchmarks: the numbers of one equation differ by eight orders of magnitude."""
    ideal, *leaky = (
        saltus.load(BRIDGE.format(leak=leak)).simulate(stop_time=0.2, interval=1e-3, tolerance=1e-8)
        for leak in ("0", "1e-4", "1e-8")
    )
    times = np.arange(1, 200) * 1e-3
    reference = np.interp(times, ideal.time, ideal["v"])
    far, near = (np.abs(np.interp(times, r.time, r["v"]) - reference).max() for r in leaky)
    assert near < 1e-4 < far < 1.0


@st.composite
def systems(draw):
    """Square, with a full diagonal, some entries plus or minus one and some parameters."""
    size = draw(st.integers(2, 12))
    entries = {(i, i): draw(st.sampled_from([1.0, -1.0, None])) for i in range(size)}
    for _ in range(draw(st.integers(0, 3 * size))):
        place = draw(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)))
        entries.setdefault(place, draw(st.sampled_from([1.0, -1.0, None])))
    return size, entries


@given(systems())
def test_a_tearing_is_a_lower_triangular_part(system):
    size, entries = system
    matrix = [(i, j, p if v is None else const(v)) for (i, j), v in sorted(entries.items())]
    tearing = tear(size, matrix, {(i, j): 1.0 for i, j, _ in matrix})
    rows = [i for i, _ in tearing.inner] + list(tearing.rows)
    columns = [j for _, j in tearing.inner] + list(tearing.columns)
    assert sorted(rows) == list(range(size)) and sorted(columns) == list(range(size))
    known = set(tearing.columns)
    for i, j in tearing.inner:
        assert entries[i, j] is not None
        assert {k for r, k in entries if r == i} <= known | {j}
        known.add(j)


@given(systems(), st.randoms(use_true_random=False))
def test_the_order_eliminates(system, random):
    """Gaussian elimination by hand, in the order given, with the same pivots."""
    size, entries = system
    values = {place: random.uniform(-1.0, 1.0) + (5.0 if place[0] == place[1] else 0.0) for place in entries}
    untorn = tear(size, [(i, j, p) for i, j in sorted(entries)], values)
    assert not untorn.inner
    dense = np.zeros((size, size))
    for place, value in values.items():
        dense[place] = value
    rows = [[j for r, j in sorted(entries) if r == i] for i in range(size)]
    order = elimination_order(untorn, rows, values)
    assert order is not None
    matrix = dense[np.ix_(untorn.rows, untorn.columns)]
    rest = set(range(size))
    for i, k in order:
        assert abs(matrix[i, k]) >= 0.0999 * max(abs(matrix[r, k]) for r in rest)
        rest.discard(i)
        for r in rest:
            matrix[r] -= matrix[r, k] / matrix[i, k] * matrix[i]
    assert not rest


def test_chains_and_dependencies_are_bounded():
    """A recurrence x[k+1] = x[k] + x[k-1] is not followed from one end to the other."""
    size = 100
    matrix = []
    for i in range(size - 2):
        matrix += [(i, i, const(1.0)), (i, i + 1, const(1.0)), (i, i + 2, const(-1.0))]
    matrix += [(size - 2, 0, p), (size - 2, size - 1, p), (size - 1, 1, p), (size - 1, size - 2, p)]
    tearing = tear(size, matrix, {(i, j): 1.0 for i, j, _ in matrix})
    assert size / LONGEST_CHAIN / MOST_TEARS < len(tearing.columns) < size / 4


LADDER = """
model Ladder
  parameter Integer n = 20;
  parameter Real R[n] = {0.5 + 0.1*k for k in 1:n}, S[n] = {2.0 + mod(k, 3) for k in 1:n};
  Real i[n], j[n], u[n], w[n], v[n];
equation
  for k in 1:n loop
    u[k] = R[k]*i[k];
    w[k] = S[k]*j[k];
    w[k] = v[k];
    u[k] = (if k == 1 then cos(time) else v[k - 1]) - v[k];
    i[k] = j[k] + (if k == n then 0 else i[k + 1]);
  end for;
end Ladder;
"""


def ladder_voltages(n, source, r, s):
    """Nodal analysis."""
    matrix = np.zeros((n, n))
    right = np.zeros(n)
    for k in range(n):
        matrix[k, k] += 1 / s[k] + 1 / r[k]
        if k:
            matrix[k, k - 1] -= 1 / r[k]
            matrix[k - 1, k] -= 1 / r[k]
            matrix[k - 1, k - 1] += 1 / r[k]
        else:
            right[0] = source / r[0]
    return np.linalg.solve(matrix, right)


@pytest.mark.parametrize("n", [2, 5, 20, 60])
def test_ladder_against_nodal_analysis(n):
    model = saltus.load(LADDER.replace("n = 20", f"n = {n}"))
    (loop,) = (b for b in model.structure.blocks if isinstance(b, Linear))
    assert len(loop.unknowns) == 4 * n - 1 and len(loop.tearing.columns) <= 1.3 * n
    result = model.simulate(stop_time=1.0)
    k = np.arange(1, n + 1)
    for row in (0, -1):
        truth = ladder_voltages(n, np.cos(result.time[row]), 0.5 + 0.1 * k, 2.0 + k % 3)
        found = [result[f"v[{j}]"][row] for j in k]
        np.testing.assert_allclose(found, truth, rtol=1e-11)


def test_parameters_are_eliminated_once():
    """Inside a step nothing of the matrix is left: no division, no call of LAPACK."""
    model = saltus.load(LADDER)
    from saltus.show.listings.dump import program_text

    # Long routines are cut into parts, of which the routine itself only says the names.
    routines = program_text(model.program).split("\nroutine ")
    outputs = [text for text in routines if text.startswith("outputs")]
    assert sum(map(len, outputs)) > 1000
    assert not any("/" in text or "solve" in text for text in outputs)
    assert any("/" in text for text in routines if text.startswith("invariants"))


@pytest.mark.parametrize("n", [2, 3, 5, 8])
def test_another_order_is_found_where_the_pivots_vanish(n):
    """The order is chosen for a matrix with a large diagonal. With zeros there, LAPACK seeks others."""
    rng = np.random.default_rng(n)
    matrix, right = rng.uniform(0.5, 2.0, (n, n)), rng.uniform(-1.0, 1.0, n)
    np.fill_diagonal(matrix, 10.0)
    rows = [f"{' + '.join(f'a{i}{j}*x[{j + 1}]' for j in range(n))} = {float(right[i])!r};" for i in range(n)]
    declared = [f"parameter Real a{i}{j} = {float(matrix[i, j])!r};" for i in range(n) for j in range(n)]
    model = saltus.load("\n".join(["model M", *declared, f"Real x[{n}];", "equation", *rows, "end M;"]))
    (loop,) = (b for b in model.structure.blocks if isinstance(b, Linear))
    assert loop.tearing.order is not None and not loop.tearing.inner
    for diagonal in (10.0, 0.0, 1e-9):
        np.fill_diagonal(matrix, diagonal)
        result = model.simulate(stop_time=0.1, set={f"a{k}{k}": diagonal for k in range(n)})
        found = [result[f"x[{k + 1}]"][0] for k in range(n)]
        np.testing.assert_allclose(found, np.linalg.solve(matrix, right), rtol=1e-11)


def test_resistances_may_become_zero():
    """At R[k] = 0 the shunts are in parallel."""
    n = 6
    model = saltus.load(LADDER.replace("n = 20", f"n = {n}"))
    r, s = 0.5 + 0.1 * np.arange(1, n + 1), 2.0 + np.arange(1, n + 1) % 3
    for small in (1e-9, 0.0):
        result = model.simulate(stop_time=0.1, set={f"R[{k}]": small for k in range(2, n + 1)})
        r[1:] = small or 1e-15
        if small:
            truth = ladder_voltages(n, 1.0, r, s)
        else:  # all in parallel
            truth = np.full(n, 1.0 / (1.0 + r[0] * np.sum(1 / s)))
        np.testing.assert_allclose([result[f"v[{k}]"][0] for k in range(1, n + 1)], truth, rtol=1e-6)


@settings(max_examples=30)
@given(systems(), st.randoms(use_true_random=False))
def test_random_systems_against_numpy(system, random):
    """Both back ends, on the values for which the order was chosen, and on others."""
    size, entries = system
    names = {place: f"p{place[0]}_{place[1]}" for place, v in entries.items() if v is None}
    start = {name: random.choice([-1, 1]) * random.uniform(0.3, 3.0) for name in names.values()}
    rows = []
    for i in range(size):
        terms = [f"({names.get((i, j), v)})*x[{j + 1}]" for (r, j), v in sorted(entries.items()) if r == i]
        rows.append(f"{' + '.join(terms)} = {i + 1} + time;")
    declared = "".join(f"parameter Real {n} = {v};\n" for n, v in start.items())
    text = f"model M\n{declared}Real x[{size}];\nequation\n" + "\n".join(rows) + "\nend M;"

    def truth(values):
        a = np.zeros((size, size))
        for place, v in entries.items():
            a[place] = values[names[place]] if v is None else v
        return a, np.arange(1.0, size + 1.0)

    a, b = truth(start)
    if np.linalg.matrix_rank(a) < size or np.linalg.cond(a) > 1e4:
        return
    try:
        model = saltus.load(text)
    except saltus.ModelError:
        return  # singular whatever the parameters
    for values in (start, {n: -2.7 * v + random.uniform(-1, 1) for n, v in start.items()}):
        a, b = truth(values)
        if np.linalg.cond(a) > 1e4:
            continue
        result = model.simulate(stop_time=1.0, set=values)
        found = [result[f"x[{k + 1}]"][0] for k in range(size)]
        np.testing.assert_allclose(found, np.linalg.solve(a, b), rtol=1e-8, atol=1e-9)


DIODES = """
model Diodes "A source with a resistor feeds a row of diodes, each with a resistor to ground"
  parameter Integer n = 5;
  parameter Real Is = 1e-9, Vt = 0.026, R = 10, G[n] = {0.001*k for k in 1:n};
  Real i[n], u[n], v[n + 1], g[n];
equation
  v[1] = 5*sin(time) - R*i[1];
  for k in 1:n loop
    i[k] = Is*(exp(u[k]/Vt) - 1);
    u[k] = v[k] - v[k + 1];
    g[k] = G[k]*v[k + 1];
    i[k] = g[k] + (if k == n then 0 else i[k + 1]);
  end for;
end Diodes;
"""


def test_a_torn_nonlinear_loop():
    """Fewer iterated unknowns; the solution fulfils the equations and the balance of power."""
    model = saltus.load(DIODES)
    (loop,) = (b for b in model.structure.blocks if isinstance(b, Nonlinear))
    assert loop.tearing is not None and len(loop.tearing.columns) <= 8 < len(loop.unknowns)
    result = model.simulate(stop_time=7.0)
    u, i, v = (np.array([result[f"{x}[{k}]"] for k in range(1, 6)]) for x in "uiv")
    np.testing.assert_allclose(i, 1e-9 * np.expm1(u / 0.026), rtol=1e-7, atol=1e-12)
    power_in = 5 * np.sin(result.time) * i[0]
    ends = np.vstack([v[1:], result["v[6]"]])
    conductors = np.sum(0.001 * np.arange(1, 6)[:, None] * ends**2, axis=0)
    power_out = 10 * i[0] ** 2 + np.sum(u * i, axis=0) + conductors
    np.testing.assert_allclose(power_in, power_out, rtol=1e-8, atol=1e-12)


def test_back_ends_agree_on_a_torn_loop():
    structure = saltus.load(DIODES).structure
    program = build(structure)
    memories = []
    for machine in (python_machine(program), native_machine(program)):
        for name in ("parameters", "initial"):
            slots = program.layout.slots
            for v in structure.model.parameters:
                if v.binding is not None and v.binding.op is Op.CONST:
                    machine.memory[slots[ref(v.symbol)]] = v.binding.data
            assert machine.routines[name]() == 0
        memories.append(machine.memory.copy())
    np.testing.assert_allclose(memories[0], memories[1], rtol=1e-12, atol=1e-300)


def test_inner_unknowns_that_only_the_jacobian_needs_are_computed():
    """Along directions of the states the matrix of a pendulum's loop varies, so all of its unknowns count."""
    model = saltus.load(
        """
        model Pendulum
          Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), v, L;
        equation
          der(x) = u; der(y) = v; der(u) = -L*x; der(v) = -L*y - 9.81; x^2 + y^2 = 1;
        end Pendulum;
        """
    )
    machine = native_machine(model.program)
    memory, section = machine.memory, model.program.layout.section
    machine.routines["parameters"]()
    memory[section("algebraics")] = -0.8

    def rate(state):
        memory[section("states")] = state
        assert machine.routines["derivatives"]() == 0
        return memory[section("derivatives")].copy()

    point, step = np.array([0.6, 0.3]), 1e-6
    columns = []
    for k in range(2):
        shift = step * np.eye(2)[k]
        columns.append((rate(point + shift) - rate(point - shift)) / (2 * step))
    rate(point)
    for k in range(2):
        memory[section("seeds")] = np.eye(2)[k]
        assert machine.routines["tangents"]() == 0
        np.testing.assert_allclose(memory[section("slopes")], columns[k], rtol=1e-6, atol=1e-6)
