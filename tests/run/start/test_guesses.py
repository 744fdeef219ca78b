"""Start values that follow from others: loops that Newton's method cannot solve from defaults."""

from __future__ import annotations

import numpy as np
import pytest

import saltus
from saltus.core.diagnostics import RunError

HUNG = """
model Hung "A mass on a spring of no length, hung up at the origin, that begins at rest in its equilibrium"
  parameter Real c = 100, m = 1, g = 9.81;
  Real r[3](start = {%s}), v[3](each start = 0, each fixed = true), a[3], f[3], e[3];
  Real length, tension;
initial equation
  a = zeros(3);
equation
  der(r) = v;
  der(v) = a;
  length = sqrt(r*r);
  e = r/max(length, 1e-10);
  tension = c*length;
  f = -tension*e;
  m*a = f + {0, -m*g, 0};
end Hung;
"""


@pytest.mark.parametrize("start", ["0.5, 0.4, 0.1", "-0.3, 0.5, 0", "1, 1, 1"])
def test_what_is_computed_from_start_values_begins_with_them(start: str) -> None:
    """c r = m g: the mass hangs 0.0981 below. Only where it is guessed to be is given; the direction of the
    spring and its tension follow from that, and are no good guess as zeros."""
    result = saltus.load(HUNG % start).simulate(stop_time=1)
    for t in (0, -1):
        found = [result[f"r[{i}]"][t] for i in (1, 2, 3)]
        np.testing.assert_allclose(found, [0, -0.0981, 0], atol=1e-8)


def test_a_given_start_value_tells_which_solution_is_meant() -> None:
    """x = 1 and x = -1 solve it; what follows from x is found for either."""
    for guess in (1.4, -1.4):
        model = saltus.load(f"""
        model Either
          Real x(start = {guess}), u, w, z;
        equation
          u = x^3;
          w = u*x;
          z = w/x^2;
          z = 1;
        end Either;
        """)
        result = model.simulate(stop_time=0.1)
        assert result["x"][0] == pytest.approx(np.sign(guess), abs=1e-9)


def test_what_has_no_solution_is_told_about_the_first_attempt() -> None:
    with pytest.raises(RunError, match="E401"):
        saltus.load("""
        model None_
          Real x(start = 0.5), y, z;
        equation
          y = exp(x);
          z = y*y + 1;
          z = 0.5 - y;
        end None_;
        """).simulate(stop_time=0.1)


def test_where_start_values_contradict_those_of_wanted_states_count() -> None:
    """The same mass. Its position is known as r and as q, and the spring has a start value for its length:
    zeros, as components of libraries give them."""
    text = HUNG.replace(
        "r[3](start = {%s})", "r[3](start = {0.5, 0.4, 0}, each stateSelect = StateSelect.prefer)"
    )
    text = text.replace("Real length,", "Real q[3](each start = 0), length(start = 0),")
    text = text.replace("sqrt(r*r)", "sqrt(q*q)").replace("e = r/max", "q = r + 0*v;\n  e = q/max")
    result = saltus.load(text).simulate(stop_time=1)
    np.testing.assert_allclose([result[f"r[{i}]"][0] for i in (1, 2, 3)], [0, -0.0981, 0], atol=1e-8)
