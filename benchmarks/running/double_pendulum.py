"""A double pendulum in Cartesian coordinates against its two angles, integrated with C.

The model has four coordinates and two rods: index 3, solved with dummy derivatives, loops in each evaluation.
The peer is what one derives by hand: two angles and their rates, the mass matrix inverted on paper. The
amplitude is large but neither rod gets to the horizontal. The peer needs a quarter of a millisecond for 10 s,
less than it takes to begin and end a run from Python, so the integrations are compared over 1000 s; the
shorter runs are printed for information.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

import saltus
from benchmarks.measure import report, skipped
from benchmarks.native_peer import Peer, compile_peer, compiler, in_turns, steps

STOPS, POINTS, TOLERANCE = (10.0, 100.0, 1000.0), 500, 1e-6
FIRST, SECOND = 0.4, 0.7  # angles at the start
NAME = "Cartesian double pendulum, time over that of CVODE with C in two angles"

MODEL = """
model DoublePendulum
  parameter Real g = 9.81;
  Real x1(start = {x1!r}, fixed = true), y1(start = {y1!r}), u1(start = 0, fixed = true), v1;
  Real x2(start = {x2!r}, fixed = true), y2(start = {y2!r}), u2(start = 0, fixed = true), v2;
  Real f1, f2 "forces of the rods over their lengths; the masses are 1";
equation
  der(x1) = u1;
  der(y1) = v1;
  der(x2) = u2;
  der(y2) = v2;
  der(u1) = -f1*x1 + f2*(x2 - x1);
  der(v1) = -f1*y1 + f2*(y2 - y1) - g;
  der(u2) = -f2*(x2 - x1);
  der(v2) = -f2*(y2 - y1) - g;
  x1^2 + y1^2 = 1;
  (x2 - x1)^2 + (y2 - y1)^2 = 1;
end DoublePendulum;
"""

#: [2 c; c 1] [p''; q''] = [f; h] with c = cos(p - q)
C = """
static int rhs(double t, const double *y, double *dy) {
    const double g = 9.81, p = y[0], q = y[1], dp = y[2], dq = y[3];
    const double c = cos(p - q), s = sin(p - q);
    const double f = -s * dq * dq - 2 * g * sin(p), h = s * dp * dp - g * sin(q);
    const double factor = 1 / (2 - c * c);
    (void)t;
    dy[0] = dp;
    dy[1] = dq;
    dy[2] = (f - c * h) * factor;
    dy[3] = (2 * h - c * f) * factor;
    return 0;
}
"""


def written_out() -> str:
    """The model, with the positions at the start."""
    x1, y1 = float(np.sin(FIRST)), float(-np.cos(FIRST))
    return MODEL.format(x1=x1, y1=y1, x2=float(x1 + np.sin(SECOND)), y2=float(y1 - np.cos(SECOND)))


def run() -> None:
    if compiler() is None:
        skipped(NAME, "there is no C compiler")
        return
    model = saltus.load(written_out())
    with tempfile.TemporaryDirectory() as folder:
        peer = compile_peer(C, [FIRST, SECOND, 0.0, 0.0], Path(folder))
        for stop in STOPS:
            _compare(model, peer, stop)


def _compare(model: saltus.Model, peer: Peer, stop: float) -> None:
    times = np.linspace(0.0, stop, POINTS + 1)

    def ours() -> saltus.Result:
        return model.simulate(stop_time=stop, interval=stop / POINTS, tolerance=TOLERANCE)

    result, rows = ours(), peer.integrate(times, TOLERANCE)
    exact = peer.integrate(times, 1e-12)
    angle = np.arctan2(result["x2"] - result["x1"], result["y1"] - result["y2"])
    own_error = np.abs(angle - exact[:, 1]).max()
    peer_error = np.abs(rows[:, 1] - exact[:, 1]).max()
    assert own_error < 10 * peer_error  # both solve the same problem, about as well
    ours_s, theirs_s, fixed_s = in_turns(
        15,
        ours,
        lambda: peer.integrate(times, TOLERANCE),
        lambda: model.simulate(stop_time=1e-6, interval=1e-6, tolerance=TOLERANCE),
    )
    ratio = ours_s / theirs_s
    measured = (
        f"{ratio:.2f} ({ours_s * 1e3:.2f} ms, of which {fixed_s * 1e3:.2f} ms to begin and end a run, "
        f"against {theirs_s * 1e3:.2f} ms; {steps(result)} and {peer.steps} steps; "
        f"largest errors {own_error:.0e} and {peer_error:.0e})"
    )
    if stop == STOPS[-1]:
        report(f"{NAME}, {stop:g} s", measured, "at most 1.5", ratio <= 1.5)
    else:
        print(f"{NAME}, {stop:g} s: {measured}", flush=True)
