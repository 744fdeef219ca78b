"""Speeds that are preferred as states although they appear nowhere differentiated.

`StateSelect.prefer` is also for variables that do not appear differentiated (specification 4.9.7.1). With two
masses and a spring between them that matters at a `reinit`: states that are not reinitialised stay
as they are, and what follows from them does not.
"""

from __future__ import annotations

import numpy as np
import pytest
from integrators import Simulate
from scipy.integrate import solve_ivp

from translated_models import translated

MASSES = """
model Masses
  Real s1(start = 0, fixed = true), v1(start = 1, fixed = true);
  Real s2, v2(stateSelect = StateSelect.always), f;
  Real r(start = 0, fixed = true{prefer}), w(start = 0{prefer});
equation
  der(s1) = v1;
  der(s2) = v2;
  der(v1) = f;
  2*der(v2) = -f;
  r = s2 - s1;
  w = der(r);
  f = 30*r + w;
initial equation
  v2 = 0;
equation
  when time > 0.5 then
    reinit(v2, 0);
  end when;
end Masses;
"""


def by_hand(keeps: str) -> np.ndarray:
    """s1, v1, s2, v2 at time 1."""

    def slopes(_: float, y: np.ndarray) -> list[float]:
        s1, v1, s2, v2 = y
        f = 30 * (s2 - s1) + v2 - v1
        return [v1, f, v2, -f / 2]

    def run(y: object, stop: float) -> np.ndarray:
        return np.asarray(solve_ivp(slopes, (0, stop), y, rtol=1e-10, atol=1e-12).y[:, -1])

    y = run([0, 1, 0, 0], 0.5)
    if keeps == "w":  # v2 - v1 stays
        y[1] -= y[3]
    y[3] = 0
    return run(y, 0.5)


@pytest.mark.parametrize("keeps", ["w", "v1"])
def test_what_a_reinit_leaves_as_it_is(simulate: Simulate, keeps: str) -> None:
    prefer = ", stateSelect = StateSelect.prefer" if keeps == "w" else ""
    model = translated(MASSES.replace("{prefer}", prefer))
    result = simulate(model, stop_time=1, tolerance=1e-9)
    found = [result[name][-1] for name in ("s1", "v1", "s2", "v2")]
    np.testing.assert_allclose(found, by_hand(keeps), atol=1e-6)


DRIVEN = """
model Driven "A mass on a spring whose other end is driven, at another speed from t = 0.5 on"
  Real s(start = 0), v, a(start = 0, fixed = true), f;
  Real r(start = 0, fixed = true, stateSelect = StateSelect.prefer), w(stateSelect = StateSelect.prefer);
equation
  der(a) = if time < 0.5 then 0 else 1;
  der(s) = v;
  der(v) = -f;
  r = s - a;
  w = der(r);
  f = 30*r + w;
initial equation
  v = 1;
end Driven;
"""


def test_no_mass_jumps_for_a_preferred_speed(simulate: Simulate) -> None:
    """The speed of the driven end jumps, so the relative one has to jump as well."""
    result = simulate(translated(DRIVEN), stop_time=1, tolerance=1e-9)

    def slopes(t: float, y: np.ndarray) -> list[float]:
        s, v, a = y
        drive = 0.0 if t < 0.5 else 1.0
        return [v, -30 * (s - a) - (v - drive), drive]

    y = solve_ivp(slopes, (0, 0.5 - 1e-14), [0, 1, 0], rtol=1e-10, atol=1e-12).y[:, -1]
    y = solve_ivp(slopes, (0.5, 1), y, rtol=1e-10, atol=1e-12).y[:, -1]
    np.testing.assert_allclose([result[name][-1] for name in ("s", "v", "a")], y, atol=1e-6)
