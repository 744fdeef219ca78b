"""What the words of the language mean, each in a small model with a closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest

import saltus
from saltus.compiler import load_flat
from saltus.result.result import Result


def run(text: str, stop: float = 1.0, **settings) -> Result:
    return saltus.load(text).simulate(stop_time=stop, **{"tolerance": 1e-9, **settings})


def test_second_derivative() -> None:
    """der2(x) = -x from x = 1 at rest is the cosine."""
    result = run("model M\n  local x = 1, v\n  der2(x) = -x\n  v = der(x)\nend\n", stop=2)
    np.testing.assert_allclose(result["x"], np.cos(result.time), atol=1e-6)
    np.testing.assert_allclose(result["v"], -np.sin(result.time), atol=1e-6)


def test_new_value_of_a_derivative() -> None:
    text = (
        "model M\n local h = 1\n der2(h) = -9.81\n"
        " when h <= 0 then\n  new(der(h)) = -0.5 * der(h)\n endwhen\nend\n"
    )
    (impact,) = [e for e in run(text, stop=0.6).events if e.reinitialised]
    assert math.isclose(impact.time, math.sqrt(2 / 9.81), abs_tol=1e-8)
    speed = math.sqrt(2 * 9.81)
    assert math.isclose(impact.reinitialised[0].new, 0.5 * speed, rel_tol=1e-7)


def test_init_is_where_a_variable_starts() -> None:
    result = run("model M\n local x, y\n der(x) = -x\n y = 3 * x\n init(y) = 6\nend\n")
    np.testing.assert_allclose(result["x"], 2 * np.exp(-result.time), atol=1e-7)


def test_init_in_a_when_is_new() -> None:
    result = run("model M\n local x\n der(x) = 1\n when Time > 0.5 then\n  init(x) = 10\n endwhen\nend\n")
    assert math.isclose(result["x"][-1], 10.5, rel_tol=1e-9)


def test_pre_is_the_value_before() -> None:
    text = "model M\n local n, b\n b = sin(20 * Time) > 0\n when b then\n  n = pre(n) + 2\n endwhen\nend\n"
    assert run(text)["n"][-1] == 2 * 4  # rises at 0 are no rises; then at 2 pi k/20


def test_new_value_anywhere_in_a_linear_equation() -> None:
    text = (
        "model M\n local x = 1\n when Time > 0.5 then\n"
        "  2 * (new(x) - 3) + new(x) / 2 = 4 * x\n endwhen\nend\n"
    )
    assert math.isclose(run(text)["x"][-1], (4 + 6) / 2.5, rel_tol=1e-12)


def test_new_value_used_by_another_equation() -> None:
    text = (
        "model M\n local x = 1, y, z\n z = 2 * new(x)\n"
        " when Time > 0.5 then\n  new(x) = 5\n  y = new(x) + 1\n endwhen\nend\n"
    )
    result = run(text)
    assert (result["y"][-1], result["z"][-1], result["z"][0]) == (6, 10, 2)


def test_boolean_types_are_found() -> None:
    """Through submodels, bases and equations in any order; numbers stay numbers."""
    text = """
model class Base
  terminal flag, amount
end
model class (Base) Part
  local other
  other = flag
  amount = if other then 1 else 2
end
model M
  submodel (Part) p
  local level, here
  here = Time > 0.5
  p.flag = here
  level = p.amount
end
"""
    types = {v.name: v.symbol.type.value for v in load_flat(text).variables}
    assert types == {
        "p.flag": "Boolean", "p.other": "Boolean", "here": "Boolean", "p.amount": "Real", "level": "Real",
    }  # fmt: skip


LADDER = """
model class Section
  cut A (Va / i), B (Vb / -i)
  cut Ground (Vg / .)
  main cut C [A B]
  main path P <A - B>
  parameter R = 2
  Va - Vb = R * i
  Vg = 0
end
"""


def test_connections_in_series_and_parallel() -> None:
    """2 ohm in series with three branches of 2, 4 and 4 ohm: 3 ohm."""
    text = (
        LADDER
        + """
model M
  submodel (VSource) U
  submodel (Section) a, b, c(R = 4), d(R = 4)
  submodel Common
  connect Common - U - a - (b // c // d) - Common
  U.u0 = 6
end
"""
    )
    result = run(text)
    np.testing.assert_allclose([result["U.i"][0], result["b.i"][0], result["c.i"][0]], [2, 1, 0.5])


def test_ways_in_ways() -> None:
    """(a - b)//(c - d): 4 ohm beside 8 ohm."""
    text = (
        LADDER
        + """
model M
  submodel (VSource) U
  submodel (Section) a, b, c(R = 4), d(R = 4)
  submodel Common
  node n
  connect Common - U, ((a - b) // (c - d)) from U.B to n, Common at n
  U.u0 = 8
end
"""
    )
    result = run(text)
    np.testing.assert_allclose([result["a.i"][0], result["d.i"][0]], [2, 1])


def test_hierarchical_cuts_meet_part_by_part() -> None:
    """Plugs of two pins: a source on one cable, a load on the other; also through a node, and by a list."""
    text = """
model class Plug
  cut A (Va / ia), B (Vb / ib)
  main cut C [A B]
end
model class (Plug) Load
  parameter R = 5
  Va - Vb = R * ia
  ia + ib = 0
end
model class (Plug) Source
  Va = 10
  Vb = 0
end
model M
  submodel (Source) s
  submodel (Load) one, two(R = 10), three
  node n, p, q
  connect s at n, one at n
  connect two at s
  connect three at (p, q)
  connect s.A at p, s.B at q
end
"""
    result = run(text)
    np.testing.assert_allclose([result[f"{k}.ia"][0] for k in ("one", "two", "three")], [2, 1, 2])
    assert math.isclose(result["s.ia"][0], -5)


def test_a_model_of_submodels_has_cuts_of_its_own() -> None:
    """Two resistors behind the cuts of a model; what comes in at A goes out at B."""
    text = """
model class Pair
  cut A (Va / ia), B (Vb / ib)
  main path P <A - B>
  submodel (Resistor) one(R = 1), two(R = 3)
  connect one - two from A to B
end
model M
  submodel (VSource) U
  submodel (Pair) p
  submodel Common
  connect Common - U - p - Common
  U.u0 = 8
end
"""
    result = run(text)
    np.testing.assert_allclose([result["p.ia"][0], result["p.ib"][0], result["p.one.u"][0]], [2, -2, 2])


def test_cuts_of_several_variables_and_of_one_side() -> None:
    text = """
model class Sender
  main cut S (a b)
  a = Time
  b = 2
end
model class Receiver
  main cut R (x y)
  local sum
  sum = x + y
end
model M
  submodel (Sender) s
  submodel (Receiver) r
  connect s at r
end
"""
    result = run(text)
    np.testing.assert_allclose(result["r.sum"], np.asarray(result.time) + 2, atol=1e-12)


def test_equations_go_on_in_the_next_line() -> None:
    text = """
model M
  local x, y, z
  x = 1 +
      2
  -y
    = x
  z = (x
       + y)
      * 2 + 1
end
"""
    result = run(text)
    assert (result["x"][0], result["y"][0], result["z"][0]) == (3, -3, 1)


def test_names_that_modelica_reserves() -> None:
    result = run(
        "model M\n local flow = 2, type, model1\n der(flow) = 0\n type = flow\n model1 = type\nend\n"
    )
    assert result["'flow'"][0] == 2 and result["model1"][0] == 2


def test_start_of_a_submodel() -> None:
    """A value for a variable of a submodel is where it starts: the capacitor discharges from 3 V."""
    text = """
model M
  submodel (Capacitor) C(C = 0.5, u = 3)
  submodel (Resistor) R(R = 2)
  submodel Common
  connect Common - (C // R)
end
"""
    result = run(text)
    np.testing.assert_allclose(result["C.u"], 3 * np.exp(-np.asarray(result.time)), atol=1e-7)


def test_states_start_at_zero_without_a_warning() -> None:
    model = saltus.load("model M\n local x\n der(x) = 1\nend\n")
    assert not model.warnings
    assert model.simulate(stop_time=1)["x"][-1] == pytest.approx(1)


def test_experiment_in_a_comment() -> None:
    model = saltus.load("model M\n {experiment stop = 3, tolerance = 1e-5}\n local x\n der(x) = 1\nend\n")
    assert (model.experiment.stop_time, model.experiment.tolerance) == (3, 1e-5)


def test_new_values_that_other_equations_use() -> None:
    """`now = new(r)` is for `now`, since another equation is for `new(r)`; also outside of a when."""
    text = """
model M
  local r, now, last, double
  when sample(0.05, 0.1) then
    new(r) = r + 1
  endwhen
  when sample(0.05, 0.1) then
    now = new(r)
    last = r
  endwhen
  double = new(r)
end
"""
    result = run(text)
    assert [result[n][-1] for n in ("r", "now", "last", "double")] == [10, 10, 9, 10]


def test_a_part_in_modelica_starts_where_it_is_said() -> None:
    """A body in Modelica gets position and velocity in Dymola: they are fixed, not guesses."""
    model = saltus.load("model M\n submodel (Saltus.Translational.Mass) body(m = 2, s = 5, v = 4)\nend\n")
    assert not [w for w in model.warnings if w.code == "W301"]
    result = model.simulate(stop_time=1)
    assert (result["body.s"][0], result["body.v"][0]) == (5, 4)
    assert math.isclose(result["body.s"][-1], 9, rel_tol=1e-9)
