"""The residuals of the implicit form: zero at a solution, right away from it, the same in both back ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

import saltus
from saltus.emit.build import build, build_implicit
from saltus.emit.layout.implicit import implicit_form
from saltus.emit.llvm.jit import NativeMachine, native_machine
from saltus.emit.python.python import PythonMachine, python_machine
from saltus.expr.show import show
from saltus.ir.program import Assign, Store, While
from saltus.ir.sorted.blocks import Explicit, Linear, Nonlinear
from saltus.ir.structure import Structure
from saltus.run.memory.memory import Memory
from saltus.run.start.initialise import set_parameters, set_starts, solve_initial

# One explicit derivative; a linear loop in which der(v) and der(w) are unknowns beside f, torn at these two;
# one for a, b and c, torn at one of them; a nonlinear loop for i and u; an explicit algebraic in between; and
# a loop for p and q that no derivative needs.
MODEL = """
model Loops
  parameter Real R = 2;
  Real x(start = 1, fixed = true), v(start = 0.5, fixed = true), w(start = 0.2, fixed = true);
  Real z(start = 0.1, fixed = true);
  Real f, i(start = 0.1), u(start = 0.1), twice, p, q, a, b, c;
equation
  der(x) = v + 3*twice;
  2*der(v) + 0.5*der(w) = -x + f;
  der(w) + 0.5*der(v) = -3*w - f;
  f = -0.1*v - 0.2*der(v) + 0.3*der(w);
  twice = 2*u;
  i = exp(u) - 1;
  x = R*i + u + z;
  der(z) = i - z + a;
  a + 2*b = z;
  b + time*c = x;
  c + 3*a = v;
  p + q = x;
  p - cos(time)*q = w;
end Loops;
"""

Machine: TypeAlias = NativeMachine | PythonMachine


@pytest.fixture(scope="module")
def structure() -> Structure:
    return saltus.load(MODEL).structure


@pytest.fixture(params=[python_machine, native_machine], ids=["python", "native"])
def machine(request: pytest.FixtureRequest, structure: Structure) -> Machine:
    make: Callable[..., Machine] = request.param
    return at_the_start(structure, make(build_implicit(structure, build(structure))))


def at_the_start(structure: Structure, machine: Machine) -> Machine:
    """Gives the implicit form the memory of an initialised model, and offers it the values there."""
    explicit = python_machine(build(structure))
    initialised = Memory(structure, explicit)
    set_parameters(initialised, {})
    set_starts(initialised, 0.0)
    solve_initial(initialised)
    assert explicit.routines["outputs"]() == 0
    layout, memory = machine.program.layout, machine.memory
    memory[:] = explicit.memory
    n_states = layout.sections["states"][1]
    memory[layout.section("loop_values")] = memory[list(machine.program.components[n_states:])]
    memory[layout.section("rates")] = memory[layout.section("derivatives")]
    return machine


def residuals(machine: Machine) -> np.ndarray:
    assert machine.routines["residual"]() == 0
    return machine.memory[machine.program.layout.section("residuals")].copy()


def value(machine: Machine, name: str) -> float:
    found = {show(leaf): slot for leaf, slot in machine.program.layout.slots.items()}
    return float(machine.memory[found[name]])


def test_components_are_states_and_loop_unknowns_that_derivatives_need(structure: Structure) -> None:
    kinds = {frozenset(show(x) for x in b.unknowns): type(b) for b in structure.blocks}
    assert kinds[frozenset({"der(v)", "der(w)", "f"})] is Linear
    assert kinds[frozenset({"i", "u"})] is Nonlinear
    assert kinds[frozenset({"p", "q"})] is Linear
    assert kinds[frozenset({"a", "b", "c"})] is Linear
    assert kinds[frozenset({"twice"})] is Explicit
    form = implicit_form(structure)
    torn = {show(x) for x in form.components} - {"i", "u", "v", "w", "x", "z"}
    assert torn in ({"a"}, {"b"}, {"c"})  # of a linear loop only the tearing variables; f is an inner unknown
    assert [show(x) for x in form.components[:4]] == [v.name for v in structure.states]


def test_residuals_vanish_at_a_solution(machine: Machine) -> None:
    found = residuals(machine)
    assert found.shape == (7,)  # four states, i, u, and one of a, b and c
    np.testing.assert_allclose(found, 0.0, atol=1e-12)


def test_residuals_are_those_of_the_equations_anywhere(machine: Machine) -> None:
    layout, memory = machine.program.layout, machine.memory
    rng = np.random.default_rng(7)
    memory[0] = 0.25  # the time
    memory[layout.section("states")] = rng.uniform(-1, 1, 4)
    memory[layout.section("rates")] = rng.uniform(-1, 1, 4)
    memory[layout.section("loop_values")] = rng.uniform(-1, 1, 3)
    found = residuals(machine)
    x, v, w, z, f, i, u, a, b, c = (value(machine, n) for n in ("x", "v", "w", "z", *"fiuabc"))
    names = [v.name for v in saltus.load(MODEL).structure.states]
    rate = dict(zip(names, memory[layout.section("rates")], strict=True))
    expected = [
        rate["x"] - (v + 6 * u),
        2 * rate["v"] + 0.5 * rate["w"] + x - f,
        rate["w"] + 0.5 * rate["v"] + 3 * w + f,
        f + 0.1 * v + 0.2 * rate["v"] - 0.3 * rate["w"],
        i - np.exp(u) + 1,
        x - 2 * i - u - z,
        rate["z"] - (i - z + a),
        a + 2 * b - z,
        b + 0.25 * c - x,
        c + 3 * a - v,
    ]
    # Rows come in the order of the blocks, and an equation may stand with either sign. Those that gave an
    # inner unknown its value hold.
    left = np.sort(np.abs(expected))
    assert left[2] < 1e-12 and left[3] > 1e-3
    np.testing.assert_allclose(np.sort(np.abs(found)), left[3:], rtol=1e-12)


def test_a_derivative_is_the_rate_that_was_offered_where_a_loop_has_it(machine: Machine) -> None:
    layout, memory = machine.program.layout, machine.memory
    memory[layout.section("rates")] += 0.25
    before = memory[layout.section("derivatives")].copy()
    residuals(machine)
    names = [v.name for v in saltus.load(MODEL).structure.states]
    moved = memory[layout.section("derivatives")] - before
    assert {n: round(float(d), 12) for n, d in zip(names, moved, strict=True)} == {
        "x": 0.0, "z": 0.0, "v": 0.25, "w": 0.25,
    }  # fmt: skip


def test_nothing_is_iterated_or_solved_in_the_residuals(structure: Structure) -> None:
    explicit = build(structure)
    implicit = build_implicit(structure, explicit)
    kinds = {type(statement) for statement in implicit.routines["residual"].body}
    assert kinds <= {Store, Assign}, "straight-line code, no Newton iteration and no linear solve"
    assert While in {type(statement) for statement in explicit.routines["derivatives"].body}


def test_both_programs_work_on_the_same_memory(structure: Structure) -> None:
    explicit = build(structure)
    implicit = build_implicit(structure, explicit)
    implicit.verify()
    for leaf, slot in explicit.layout.slots.items():
        assert implicit.layout.slots.get(leaf, slot) == slot
    for name in ("states", "derivatives", "algebraics", "loop_values", "rates", "residuals", "counters"):
        assert explicit.layout.sections[name] == implicit.layout.sections[name]
    assert explicit.layout.size == implicit.layout.size
    assert explicit.components == implicit.components
    assert list(implicit.routines) == ["residual"] and "residual" not in explicit.routines


def test_the_implicit_form_is_compiled_when_a_run_asks_for_it() -> None:
    model = saltus.load(MODEL)
    model.simulate(stop_time=0.1)
    machine = model._translation.machine
    with pytest.raises(KeyError, match="saltus_residual"):
        machine.address("saltus_residual")
    model.simulate(stop_time=0.1, method="ida")
    first = machine.address("saltus_residual")
    model.simulate(stop_time=0.1, method="ida")
    assert machine.address("saltus_residual") == first
    model.simulate(stop_time=0.1)


def test_many_loops_are_cut_into_pieces() -> None:
    n = 120
    model = saltus.load(
        f"model Many Real x[{n}](each start = 1, each fixed = true), a[{n}], b[{n}]; equation "
        f"for k in 1:{n} loop der(x[k]) = -a[k]; a[k] + b[k] = x[k]; a[k] - (k + 1)*b[k] = 0; "
        "end for; end Many;"
    )
    program = build_implicit(model.structure, model.program)
    assert len([name for name in program.routines if name.startswith("residual_")]) >= 3
    made = at_the_start(model.structure, python_machine(program))
    np.testing.assert_allclose(residuals(made), np.zeros(2 * n), atol=1e-12)
