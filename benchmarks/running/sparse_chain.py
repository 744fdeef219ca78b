"""A long chain of masses, with sparse and with dense linear algebra, in the same process.

4,000 masses between two walls, neighbours joined by springs and dampers, the first pushed: 8,000 states, each
of which depends on six at most. The stop time is short, so that the dense run factorises its matrix of
8,000 x 8,000 numbers a few times only.
"""

from __future__ import annotations

import numpy as np

import saltus
from benchmarks.measure import report, timed

MASSES = 4000
STOP = 1e-4
REQUIRED = 20


def chain(masses: int) -> str:
    """The model as Modelica text."""
    return f"""
model Chain
  parameter Integer n = {masses};
  parameter Real c = 1e4, d = 10;
  Real x[n](each start = 0, each fixed = true), v[n](each start = 0, each fixed = true);
  Real f[n + 1] "forces of springs and dampers";
equation
  f[1] = c*x[1] + d*v[1];
  for k in 2:n loop
    f[k] = c*(x[k] - x[k - 1]) + d*(v[k] - v[k - 1]);
  end for;
  f[n + 1] = -c*x[n] - d*v[n];
  for k in 1:n loop
    der(x[k]) = v[k];
    der(v[k]) = f[k + 1] - f[k] + (if k == 1 then 1000 else 0);
  end for;
end Chain;
"""


def run() -> None:
    model = saltus.load(chain(MASSES))
    jacobian = model.structure.jacobian
    assert jacobian is not None

    def simulate(solver: str):  # type: ignore[no-untyped-def]
        return timed(lambda: model.simulate(stop_time=STOP, interval=STOP / 10, linear_solver=solver))

    simulate("sparse")
    sparse_seconds, sparse = simulate("sparse")
    dense_seconds, dense = simulate("dense")
    ends = [np.array([result[f"v[{k}]"][-1] for k in range(1, 11)]) for result in (sparse, dense)]
    apart = float(np.abs(ends[0] - ends[1]).max())
    gain = dense_seconds / sparse_seconds
    report(
        f"{jacobian.size:,} states ({jacobian.entries:,} entries, {jacobian.colour_count} colours), "
        "sparse against dense, times faster",
        f"{gain:.0f} ({sparse_seconds:.3f} s and {dense_seconds:.1f} s, velocities {apart:.0e} apart)",
        f"at least {REQUIRED}",
        gain >= REQUIRED and apart < 1e-4,
    )
