"""Coils that share all of their flux: a constraint between currents, in some modes of a circuit, no error.

The truth is the same circuit with one flux for all windings: their voltages are in the ratio of the turns,
and the sum of their ampere-turns makes the flux. Turns are such that the determinant of the inductances is
zero up to rounding only, on either side of zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

import saltus
from saltus.result.result import Result

#: One turn has this inductance. Some make exact products, others do not.
TURNS = [(1.0, 2.0, 3.0), (1.0, 1.3, 2.2), (1.0, 1.7, 0.3), (1.0, 0.61, 1.9), (0.37, 1.0, 1.1)]

FLYBACK = """
model Flyback "A switch stores energy in the core, a diode takes it out"
  {windings}
  Real vc(start = 24, fixed = true), s;
  Boolean on = mod(time, 1e-4) < 4e-5, blocks = s < 0;
equation
  if on then v[1] = 12; else i[1] = 0; end if;
  -v[2] - vc = if blocks then s else 0;
  i[2] = if blocks then 0 else s;
  2e-4*der(vc) = i[2] - vc/50;
  {core}
  annotation(experiment(StopTime = 0.01, Interval = 1e-5));
end Flyback;
"""

FORWARD = """
model Forward "Energy goes over while the switch is closed; a third winding takes the flux out of the core"
  {windings}
  Real iL(start = 0, fixed = true), vo(start = 0, fixed = true), x, s[3];
  Boolean on = mod(time, 1e-4) < 3e-5, blocks[3] = {{s[k] < 0 for k in 1:3}};
equation
  if on then v[1] = 24; else i[1] = 0; end if;
  -v[2] - 24 = if blocks[1] then s[1] else 0;
  i[2] = if blocks[1] then 0 else s[1];
  v[3] - x = if blocks[2] then s[2] else 0;
  -i[3] = if blocks[2] then 0 else s[2];
  -x = if blocks[3] then s[3] else 0;
  iL + i[3] = if blocks[3] then 0 else s[3];
  0.5e-3*der(iL) = x - vo;
  1e-4*der(vo) = iL - vo/3;
  {core}
  annotation(experiment(StopTime = 0.003, Interval = 1e-5));
end Forward;
"""

RECTIFIER = """
model Rectifier "A sine through a transformer, a diode and a smoothing capacitor"
  {windings}
  Real vc(start = 0, fixed = true), s;
  Boolean blocks = s < 0;
equation
  10*sin(314*time) = i[1] + v[1];
  v[2] - vc = if blocks then s else 0;
  -i[2] = if blocks then 0 else s;
  1e-3*der(vc) = -i[2] - vc/100;
  {core}
  annotation(experiment(StopTime = 0.1, Interval = 1e-4));
end Rectifier;
"""


def _coils(text: str, turns: Sequence[float], of_one: float) -> Result:
    count = len(turns)
    matrix = f"{{{{{of_one!r}*n[j]*n[k] for k in 1:{count}}} for j in 1:{count}}}"
    windings = (
        f"parameter Real n[{count}] = {{{', '.join(map(repr, turns))}}}, M[{count}, {count}] = {matrix};"
        f" Real i[{count}], v[{count}];"
    )
    core = "v = M*der(i);\ninitial equation\n  n*i = 0;"
    return _run(text.format(windings=windings, core=core))


def _one_flux(text: str, turns: Sequence[float], of_one: float) -> Result:
    count = len(turns)
    windings = (
        f"parameter Real n[{count}] = {{{', '.join(map(repr, turns))}}};"
        f" Real i[{count}], v[{count}], u, F(start = 0, fixed = true);"
    )
    return _run(text.format(windings=windings, core=f"v = n*u; F = n*i; u = {of_one!r}*der(F);"))


def _run(text: str) -> Result:
    return saltus.load(text).simulate(tolerance=1e-9)


@pytest.mark.parametrize("turns", TURNS, ids=str)
@pytest.mark.parametrize(
    ("text", "count", "of_one"),
    [(FLYBACK, 2, 1.1e-3), (FORWARD, 3, 1.7e-3), (RECTIFIER, 2, 0.1)],
    ids=["flyback", "forward", "rectifier"],
)
def test_as_with_one_flux(text: str, count: int, of_one: float, turns: tuple[float, ...]) -> None:
    found, truth = (make(text, turns[:count], of_one) for make in (_coils, _one_flux))
    times = np.linspace(0, truth.time[-1], 1997)[1:-1] + 1e-9
    for name in ("vc", "iL", "vo", "i[1]", "i[2]", "v[1]"):
        if name in truth.names:
            expected = np.interp(times, truth.time, truth[name])
            size = np.abs(expected).max()
            assert np.abs(np.interp(times, found.time, found[name]) - expected).max() < 1e-5 * size, name


def test_the_part_of_the_library() -> None:
    """Through R from a battery, with an open second side: i2 = 0 and v2/v1 = sqrt(L2/L1); then it is shorted,
    and takes the current over at once, so that the flux stays what it was."""
    result = saltus.load("""
    model Shorted
      import Saltus.Electrical.*;
      parameter Real L1 = 1.1e-3, L2 = 3.7e-3;
      Sources.ConstantVoltage V(V = 5); Resistor R(R = 1); Switch S(closed = time > 1e-3); Ground g;
      CoupledInductors T(L1 = L1, L2 = L2, M = sqrt(L1*L2));
    initial equation
      T.i1 = 0;
    equation
      connect(V.p, R.p); connect(R.n, T.p1); connect(T.n1, g.p); connect(V.n, g.p);
      connect(T.p2, S.p); connect(S.n, T.n2); connect(T.n2, g.p);
    end Shorted;
    """).simulate(stop_time=2e-3, tolerance=1e-10)
    ratio = (3.7 / 1.1) ** 0.5
    before = (result.time > 0) & (result.time < 1e-3)
    decay: Callable[[float], float] = lambda t: 5 * (1 - np.exp(-t / 1.1e-3))  # noqa: E731
    np.testing.assert_allclose(result["T.i1"][before], [decay(t) for t in result.time[before]], atol=1e-8)
    np.testing.assert_allclose(result["T.v2"][before], ratio * result["T.v1"][before], rtol=1e-9)
    # Both voltages are zero from now on: the battery sees R alone, and the second side has the rest.
    after = result.time > 1e-3
    np.testing.assert_allclose(result["T.i1"][after], 5, rtol=1e-9)
    np.testing.assert_allclose(result["T.i2"][after], (decay(1e-3) - 5) / ratio, rtol=1e-7)
