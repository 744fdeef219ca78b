"""The Jacobian's pattern and its entries: against matrices by hand, against differences."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import saltus
from saltus.analyse.blocks.tangent import jacobian
from saltus.emit.llvm.jit import native_machine
from saltus.emit.machine import Machine
from saltus.emit.python.python import python_machine
from saltus.ir.sorted.blocks import Linear, Nonlinear
from saltus.model import Model

START = "start = 1, fixed = true"
EACH = "start = 1, each fixed = true"


def machines(model: Model) -> list[Machine]:
    return [native_machine(model.program), python_machine(model.program)]


def prepare(model: Model, machine: Machine, states: list[float]) -> None:
    """The memory at given states, everything computed; parameters and relations as after a run."""
    memory, layout = machine.memory, machine.program.layout
    clone = model._translation.machine.clone()
    saltus.run.simulate.simulate(
        model.structure, clone.program, clone, saltus.run.schedule.settings.Settings(stop_time=0.0)
    )
    memory[:] = clone.memory
    memory[layout.section("states")] = states
    assert machine.routines["derivatives"]() == 0


def by_tangents(machine: Machine) -> NDArray[np.float64]:
    """Every direction by itself, so that an entry outside the pattern would be seen."""
    memory, layout = machine.memory, machine.program.layout
    n = layout.sections["states"][1]
    found = np.zeros((n, n))
    for j in range(n):
        memory[layout.section("seeds")] = np.eye(n)[j]
        assert machine.routines["tangents"]() == 0
        found[:, j] = memory[layout.section("slopes")]
    return found


def by_differences(machine: Machine, step: float = 1e-6) -> NDArray[np.float64]:
    """Central differences."""
    memory, layout = machine.memory, machine.program.layout
    states, derivatives = layout.section("states"), layout.section("derivatives")
    here = memory[states].copy()
    n = len(here)
    found = np.zeros((n, n))
    for j in range(n):
        for sign in (1.0, -1.0):
            memory[states] = here + sign * step * np.eye(n)[j]
            assert machine.routines["derivatives"]() == 0
            found[:, j] += sign * memory[derivatives] / (2 * step)
    memory[states] = here
    return found


def entries(text: str, states: list[float]) -> NDArray[np.float64]:
    """By both back ends, which must agree; also with differences, and with the pattern."""
    model = saltus.load(text)
    structure = model.structure.jacobian
    assert structure is not None and structure.tangents is not None
    found = []
    for machine in machines(model):
        prepare(model, machine, states)
        found.append(by_tangents(machine))
        np.testing.assert_allclose(found[-1], by_differences(machine), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(found[0], found[1], rtol=1e-14, atol=1e-14)
    for column, rows in enumerate(structure.rows):
        assert set(np.flatnonzero(found[0][:, column])) <= set(rows)
    return found[0]


def test_explicit_blocks() -> None:
    text = f"""model M Real x({START}), y({START}), p, q; equation
      p = sin(x)*y; q = p^2 + time; der(x) = q - y; der(y) = exp(-p)*x; end M;"""
    x, y = 0.7, -1.3
    p, px, py = math.sin(x) * y, math.cos(x) * y, math.sin(x)
    by_hand = [[2 * p * px, 2 * p * py - 1], [math.exp(-p) * (1 - px * x), -math.exp(-p) * py * x]]
    np.testing.assert_allclose(entries(text, [x, y]), by_hand, rtol=1e-13)


def test_a_linear_block_whose_matrix_varies() -> None:
    text = f"""model M Real x({START}), y({START}), a, b; equation
      x*a + b = y; a - (2 + y)*b = 1; der(x) = a; der(y) = b*x; end M;"""
    x, y = 1.5, 0.4
    # a = (y (2 + y) + 1)/d, b = (y - x)/d with d = x (2 + y) + 1
    d, dx, dy = x * (2 + y) + 1, 2 + y, x
    a, b = (y * (2 + y) + 1) / d, (y - x) / d
    ax, ay = -a * dx / d, (2 + 2 * y - a * dy) / d
    bx, by = (-1 - b * dx) / d, (1 - b * dy) / d
    assert any(isinstance(k, Linear) for k in saltus.load(text).structure.blocks)
    np.testing.assert_allclose(entries(text, [x, y]), [[ax, ay], [b + x * bx, x * by]], rtol=1e-12)


def test_a_nonlinear_block() -> None:
    text = f"""model M Real x({START}), y({START}), z(start = 0.5), w(start = 0.5); equation
      z^3 + w = x; w + 0.5*sin(z) = y; der(x) = -z; der(y) = w*z; end M;"""
    model = saltus.load(text)
    assert any(isinstance(k, Nonlinear) for k in model.structure.blocks)
    z, w = 0.8, 0.6
    x, y = z**3 + w, w + 0.5 * math.sin(z)
    # 3 z^2 z' + w' = x',  w' + cos(z)/2 z' = y'
    d = 3 * z * z - math.cos(z) / 2
    zx, zy = 1 / d, -1 / d
    wx, wy = -math.cos(z) / 2 * zx, 1 - math.cos(z) / 2 * zy
    by_hand = [[-zx, -zy], [wx * z + w * zx, wy * z + w * zy]]
    np.testing.assert_allclose(entries(text, [x, y]), by_hand, rtol=1e-8)


@pytest.mark.parametrize(("x", "slope"), [(2.0, 3.0), (0.5, 1.0)])
def test_branches_keep_their_condition(x: float, slope: float) -> None:
    text = f"model M Real x({START}); equation der(x) = noEvent(if x > 1 then 3*x else smooth(1, x)); end M;"
    np.testing.assert_array_equal(entries(text, [x]), [[slope]])


def test_discrete_variables_parameters_and_time_do_not_vary() -> None:
    text = f"""model M parameter Real k = 4; Real x({START}), y({START}); discrete Real d({START});
      equation
      when x > 10 then d = x + y; end when; der(x) = -k*x + d + sin(time); der(y) = d; end M;"""
    np.testing.assert_array_equal(entries(text, [2.0, 3.0]), [[-4.0, 0.0], [0.0, 0.0]])
    structure = saltus.load(text).structure.jacobian
    assert structure is not None and structure.rows == ((0,), ())


def test_an_index_reduced_model() -> None:
    text = """model P Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), v, L;
      equation der(x) = u; der(y) = v; der(u) = -L*x; der(v) = -L*y - 9.81; x^2 + y^2 = 1; end P;"""
    model = saltus.load(text)
    assert [v.name for v in model.structure.states] == ["x", "u"]
    # With y = -sqrt(1 - x^2):  L = u^2/y^2 - 9.81 y,  der(u) = -L x
    x, u = 0.6, 0.5
    y = -math.sqrt(1 - x * x)
    slope_y = -x / y
    load = u * u / y**2 - 9.81 * y
    load_x = -2 * u * u / y**3 * slope_y - 9.81 * slope_y
    by_hand = [[0, 1], [-load - x * load_x, -x * 2 * u / y**2]]
    machine = native_machine(model.program)
    prepare(model, machine, [x, u])
    np.testing.assert_allclose(by_tangents(machine), by_hand, rtol=1e-9)


def test_the_pattern_goes_through_user_functions() -> None:
    text = f"""model M
      function f input Real u; output Real y; algorithm y := u; while y > 1 loop y := y/2; end while; end f;
      Real x({START}), y({START}); equation der(x) = f(y); der(y) = -x; end M;"""
    structure = saltus.load(text).structure.jacobian
    assert structure is not None
    assert structure.rows == ((1,), (0,)) and structure.colours == (0, 0)


TERMS = ("{a}*{b}", "sin({a})", "{a}/(2 + cos({b}))", "exp(-{a}^2)", "-{a}", "{a} + 3*{b}")


@st.composite
def models(draw: st.DrawFn) -> tuple[str, list[float]]:
    """Chains of algebraics between the states and their derivatives, with a linear and a nonlinear loop."""
    n = draw(st.integers(1, 4))
    names = [f"x{k}" for k in range(n)]
    known, lines = list(names), []
    for k in range(draw(st.integers(0, 4))):
        a, b, c = (draw(st.sampled_from(known)) for _ in range(3))
        kind = draw(st.sampled_from(["explicit", "linear", "nonlinear"]))
        if kind == "explicit":
            lines.append(f"a{k} = {draw(st.sampled_from(TERMS)).format(a=a, b=b)};")
            known.append(f"a{k}")
        elif kind == "linear":
            lines.append(f"(3 + sin({a}))*p{k} + q{k} = {b}; p{k} - 2*q{k} = {c};")
            known += [f"p{k}", f"q{k}"]
        else:
            lines.append(f"r{k} + 0.2*r{k}^3 + 0.1*s{k} = {a}; s{k} - 0.3*sin(r{k}*{b}) = {c};")
            known += [f"r{k}", f"s{k}"]
    for name in names:
        a, b = draw(st.sampled_from(known)), draw(st.sampled_from(known))
        lines.append(f"der({name}) = {draw(st.sampled_from(TERMS)).format(a=a, b=b)};")
    declared = "".join(f"Real {name}({START});" for name in names)
    declared += "".join(f"Real {name};" for name in known if name not in names)
    value = st.floats(-0.9, 0.9).map(lambda v: round(v, 3))
    return f"model M {declared} equation {' '.join(lines)} end M;", [draw(value) for _ in names]


@settings(max_examples=25, deadline=None)
@given(models())
def test_random_models_against_differences(case: tuple[str, list[float]]) -> None:
    entries(*case)


def test_the_pattern_of_a_long_chain_is_found_in_linear_time() -> None:
    def model(n: int) -> Model:
        return saltus.load(
            f"""model Chain parameter Integer n = {n}; Real T[n](each {EACH}), q[n + 1]; equation
              q[1] = -T[1]; for k in 2:n loop q[k] = T[k - 1] - T[k]; end for; q[n + 1] = T[n];
              for k in 1:n loop der(T[k]) = q[k] - q[k + 1]; end for; end Chain;"""
        )

    def seconds(model: Model) -> float:
        fastest = math.inf
        for _ in range(3):
            began = time.process_time()
            found = jacobian(model.structure.states, (), model.structure.blocks)
            fastest = min(fastest, time.process_time() - began)
            assert found is not None and found.elimination is not None
            n = found.size
            assert found.entries == 3 * n - 2 and found.colour_count == 3
            assert found.elimination.work == 2 * (n - 1)
        return fastest

    # Eight times the size; 64 times as long would be quadratic. Busy machines blur the difference.
    assert seconds(model(1600)) < 24 * seconds(model(200))


def test_dense_models_are_told_from_sparse_ones() -> None:
    n = 60
    text = f"""model Full parameter Integer n = {n}; Real x[n](each {EACH}), s; equation
      s = sum(x); for k in 1:n loop der(x[k]) = -x[k] - s; end for; end Full;"""
    found = saltus.load(text).structure.jacobian
    assert found is not None
    assert found.entries == n * n and found.colour_count == n and found.elimination is None
