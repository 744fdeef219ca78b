"""A chain of 200 masses between two walls, against CVODE with a hand-written right-hand side in C.

The model is written as users write it: masses, springs with dampers and walls, joined by connectors. The
peer has positions and speeds only. It uses a dense matrix, as one would without sparse tools at hand, with
LAPACK; a second one knows that neighbours alone are coupled and uses a band matrix, for comparison.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

import saltus
from benchmarks.measure import report, skipped
from benchmarks.native_peer import compile_peer, compiler, in_turns, steps

MASSES, STOP, INTERVAL, TOLERANCE = 200, 10.0, 0.1, 1e-6
NAME = "chain of 200 masses, time over that of CVODE with C and dense LU"

MODEL = """
package Translational
  connector Flange
    Real s;
    flow Real f;
  end Flange;
  model Mass
    parameter Real m = 1;
    Flange flange;
    Real s(fixed = true), v(start = 0, fixed = true);
  equation
    s = flange.s;
    der(s) = v;
    m*der(v) = flange.f;
  end Mass;
  model SpringDamper
    parameter Real c = 100, d = 0.2;
    Flange a, b;
    Real stretch, rate;
  equation
    stretch = b.s - a.s;
    rate = der(stretch);
    b.f = c*stretch + d*rate;
    a.f + b.f = 0;
  end SpringDamper;
  model Wall
    Flange flange;
  equation
    flange.s = 0;
  end Wall;
  model Chain "A bump in the middle runs to both ends"
    parameter Integer n = 200;
    Mass mass[n](m = {1 + 0.3*sin(i) for i in 1:n}, s(start = {exp(-((i - n/2)/5)^2) for i in 1:n}));
    SpringDamper link[n + 1];
    Wall left, right;
  equation
    connect(left.flange, link[1].a);
    for i in 1:n loop
      connect(link[i].b, mass[i].flange);
      connect(mass[i].flange, link[i + 1].a);
    end for;
    connect(link[n + 1].b, right.flange);
  end Chain;
end Translational;
"""

#: Positions and speeds take turns in y, so that the matrix has a narrow band.
C = """
#define N %d
static double inverse_mass[N];
static int ready;
static int rhs(double t, const double *y, double *dy) {
    const double c = 100, d = 0.2;
    double before = c * y[0] + d * y[1];
    (void)t;
    if (!ready) {
        for (int i = 0; i < N; ++i) inverse_mass[i] = 1 / (1 + 0.3 * sin(i + 1));
        ready = 1;
    }
    for (int i = 0; i < N; ++i) {
        const double s = y[2 * i], v = y[2 * i + 1];
        const double after = i + 1 < N ? c * (y[2 * i + 2] - s) + d * (y[2 * i + 3] - v) : -c * s - d * v;
        dy[2 * i] = v;
        dy[2 * i + 1] = (after - before) * inverse_mass[i];
        before = after;
    }
    return 0;
}
"""
BAND = 3


def run() -> None:
    if compiler() is None:
        skipped(NAME, "there is no C compiler")
        return
    start = np.zeros(2 * MASSES)
    start[::2] = np.exp(-(((np.arange(1, MASSES + 1) - MASSES / 2) / 5) ** 2))
    model = saltus.load(MODEL, "Translational.Chain")
    with tempfile.TemporaryDirectory() as folder:
        peer = compile_peer(C % MASSES, list(start), Path(folder))
        times = np.arange(0.0, STOP + INTERVAL / 2, INTERVAL)

        def ours() -> saltus.Result:
            return model.simulate(stop_time=STOP, interval=INTERVAL, tolerance=TOLERANCE)

        result, rows = ours(), peer.integrate(times, TOLERANCE)
        for k in (1, MASSES // 2, MASSES):
            np.testing.assert_allclose(result[f"mass[{k}].s"], rows[:, 2 * k - 2], atol=1e3 * TOLERANCE)
        assert np.ptp(rows[:, 0]) > 0.1  # the bump has reached the wall
        ours_s, dense_s, band_s = in_turns(
            7, ours, lambda: peer.integrate(times, TOLERANCE), lambda: peer.integrate(times, TOLERANCE, BAND)
        )
    ratio = ours_s / dense_s
    measured = (
        f"{ratio:.2f} ({ours_s * 1e3:.0f} ms against {dense_s * 1e3:.0f} ms; "
        f"{steps(result)} and {peer.steps} steps; {ours_s / band_s:.1f} times as long "
        f"as with a band matrix chosen by hand, {band_s * 1e3:.1f} ms)"
    )
    report(NAME, measured, "at most 1.5", ratio <= 1.5)
