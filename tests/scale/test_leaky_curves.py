"""The place on the curve of a leaky diode is a voltage while it blocks and a current while it conducts: each
has a zero band of its own, also in passes in which another truth is tried than the one before."""

from __future__ import annotations

import numpy as np
import pytest

import saltus

#: The highest of several sources feeds a load: where two are equal, one diode takes over from another.
HIGHEST = """
model Highest
  parameter Integer n = 8;
  parameter Real leak = 1e-6, knee = 0, f[n] = {k for k in 1:n}, phase[n] = {k for k in 1:n};
  Saltus.Electrical.Sources.SineVoltage V[n](each V = 10, f = f, phase = phase);
  Saltus.Electrical.Ground g;
  Saltus.Electrical.Diode d[n](each Ron = leak, each Goff = leak, each Vknee = knee);
  Saltus.Electrical.Resistor R(R = 3);
equation
  for k in 1:n loop
    connect(V[k].n, g.p);
    connect(V[k].p, d[k].p);
    connect(d[k].n, R.p);
  end for;
  connect(R.n, g.p);
  annotation(experiment(StopTime = 1, Interval = 1e-2, Tolerance = 1e-7));
end Highest;
"""


@pytest.fixture(scope="module")
def highest() -> saltus.Model:
    return saltus.load(HIGHEST)


@pytest.mark.parametrize("knee", [0.0, 0.7])
@pytest.mark.parametrize("seed", range(4))
def test_the_highest_source_feeds_the_load(highest: saltus.Model, seed: int, knee: float) -> None:
    """The load has the voltage of the highest source, less the knee, but for the leak."""
    random = np.random.default_rng(seed)
    f, phase = random.uniform(3, 15, 8), random.uniform(0, 6, 8)
    result = highest.simulate(set={"f": f, "phase": phase, "knee": knee})
    sources = [10 * np.sin(2 * np.pi * a * result.time + b) for a, b in zip(f, phase, strict=True)]
    top = np.max(sources, axis=0) - knee
    fed = top > 0.01
    np.testing.assert_allclose(result["R.v"][fed], top[fed], atol=3e-4)
