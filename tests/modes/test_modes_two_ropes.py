"""Two bodies on two ropes, one hanging on the other, against an integration from event to event.

Each rope is slack or taut by itself. When one goes taut, the impulses of both are found together: each is not
negative, no rope gets longer, and a rope that gets shorter has no impulse. The same holds for tensions and
second derivatives of the lengths. The reference tries all combinations and integrates what follows in
Cartesian coordinates.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from leap_readings import between, event_times, impulse
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from saltus.core.diagnostics import RunError
from translated_models import translated

Vector = NDArray[np.float64]

G, M, L = 9.81, (1.0, 0.7), (1.0, 0.8)
STOP = 2.0

ROPES = """
model Body
  parameter Real m = 1, g = 9.81;
  Real x[2], v[2], F[2] "of ropes";
equation
  der(x) = v;
  m*der(v) = F - {0, m*g};
end Body;
model Rope
  parameter Real L = 1;
  Real d[2] "from one end to the other", r, F "tension", s;
  Boolean slack = s > 0;
equation
  r = sqrt(d[1]^2 + d[2]^2);
  L - r = if slack then s else 0;
  F = if slack then 0 else -s;
end Rope;
model TwoRopes
  parameter Real x0[4], v0[4];
  Body a(m = 1, x(start = x0[1:2], each fixed = true), v(start = v0[1:2], each fixed = true));
  Body b(m = 0.7, x(start = x0[3:4], each fixed = true), v(start = v0[3:4], each fixed = true));
  Rope p(L = 1), q(L = 0.8);
equation
  p.d = a.x;
  q.d = b.x - a.x;
  a.F = -p.F*p.d/p.r + q.F*q.d/q.r;
  b.F = -q.F*q.d/q.r;
  annotation(experiment(StopTime = 2, Tolerance = 1e-10));
end TwoRopes;
"""

MASSES = np.repeat(M, 2)


def directions(x: Vector) -> Vector:
    """How the lengths of both ropes change with the positions."""
    first, second = x[:2], x[2:] - x[:2]
    e, f = first / np.hypot(*first), second / np.hypot(*second)
    return np.array([[*e, 0.0, 0.0], [*-f, *f]])


def gaps(x: Vector) -> Vector:
    return np.array(L) - [np.hypot(*x[:2]), np.hypot(*(x[2:] - x[:2]))]


def curvature(x: Vector, v: Vector) -> Vector:
    """What velocities contribute to the second derivatives of the lengths."""
    found = []
    for d, u in ((x[:2], v[:2]), (x[2:] - x[:2], v[2:] - v[:2])):
        r = np.hypot(*d)
        found.append((u @ u - (d @ u / r) ** 2) / r)
    return np.array(found)


def complementary(x: Vector, rates: Vector, candidates: list[int]) -> Vector:
    """Pulls of the ropes, so that none that is a candidate gets longer; `rates` are those without pulls."""
    g = directions(x)
    for chosen in product((False, True), repeat=len(candidates)):
        active = [k for k, c in zip(candidates, chosen, strict=True) if c]
        pulls = np.zeros(2)
        if active:
            pulls[active] = np.linalg.solve(g[active] / MASSES @ g[active].T, rates[active])
        left = rates - g / MASSES @ g.T @ pulls
        if pulls.min() > -1e-11 and all(left[k] < 1e-9 for k in candidates):
            return pulls
    raise AssertionError("such a problem has a solution")


def accelerations(x: Vector, v: Vector, taut: list[int]) -> tuple[Vector, Vector]:
    """Of the bodies, and tensions, with these ropes taut."""
    g, free = directions(x), np.array([0.0, -G, 0.0, -G])
    tensions = np.zeros(2)
    if taut:
        wanted = (g @ free + curvature(x, v))[taut]
        tensions[taut] = np.linalg.solve(g[taut] / MASSES @ g[taut].T, wanted)
    return free - g.T @ tensions / MASSES, tensions


class Reference:
    """Times, impulses at these times, and positions and velocities at any time."""

    def __init__(self, x: Vector, v: Vector, stop: float = STOP) -> None:
        self._stop = stop
        self.times: list[float] = []
        self.impulses: list[Vector] = []
        self._parts: list[tuple[float, object]] = []
        t, y, taut = 0.0, np.concatenate([x, v]), list[int]()
        while t < stop:
            t, y, fired = self._stretch(t, y, taut)
            if fired is None:
                break
            held = sorted({*taut, fired} if fired not in taut else set(taut))
            pulls = complementary(y[:4], directions(y[:4]) @ y[4:], held)
            y = y.copy()
            y[4:] -= directions(y[:4]).T @ pulls / MASSES
            self.times.append(t)
            self.impulses.append(pulls)
            released = fired if fired in taut else None  # its tension was used up
            still = np.abs(directions(y[:4]) @ y[4:]) < 1e-7
            resting = [k for k in held if still[k] and k != released]
            rates = directions(y[:4]) @ [0.0, -G, 0.0, -G] + curvature(y[:4], y[4:])
            pulls = complementary(y[:4], rates, resting)
            taut = [k for k in resting if pulls[k] > 0]

    def _stretch(self, t: float, y: Vector, taut: list[int]) -> tuple[float, Vector, int | None]:
        def rhs(_: float, z: Vector) -> Vector:
            return np.concatenate([z[4:], accelerations(z[:4], z[4:], taut)[0]])

        def watch(k: int):  # type: ignore[no-untyped-def]
            def event(now: float, z: Vector) -> float:
                if k in taut:
                    return float(accelerations(z[:4], z[4:], taut)[1][k])
                # What has just been released is on its circle still.
                return float(gaps(z[:4])[k]) if now > t + 1e-4 or gaps(y[:4])[k] > 1e-7 else 1.0

            event.terminal, event.direction = True, -1  # type: ignore[attr-defined]
            return event

        run = solve_ivp(
            rhs, (t, self._stop), y, method="DOP853", rtol=1e-12, atol=1e-12, events=[watch(0), watch(1)],
            dense_output=True, max_step=0.02,
        )  # fmt: skip
        self._parts.append((t, run.sol))
        fired = next((k for k in (0, 1) if len(run.t_events[k])), None)
        return float(run.t[-1]), run.y[:, -1], fired

    def at(self, t: float) -> Vector:
        """Positions and velocities."""
        _, solution = next(p for p in reversed(self._parts) if p[0] <= t)
        return np.asarray(solution(t))  # type: ignore[operator]


STARTS = {
    "crossed": ((-0.45, 0.1, 0.11, 0.0), (-0.6, 0.61, 3.73, -0.34)),
    "swung": ((-0.6, 0.1, -0.3, 0.5), (3.0, 2.0, 4.0, -1.0)),
}


@pytest.mark.parametrize("how", STARTS)
def test_two_ropes(how: str) -> None:
    x, v = STARTS[how]
    exact = Reference(np.array(x), np.array(v))
    assert len(exact.times) >= 3
    result = translated(ROPES).simulate(set={"x0": x, "v0": v})
    assert event_times(result) == pytest.approx(exact.times, abs=1e-5)
    away = between(result, exact.times, margin=2e-5)
    names = [f"{body}.{what}[{k}]" for what in ("x", "v") for body in ("a", "b") for k in (1, 2)]
    found = np.array([result[name] for name in names])
    wanted = np.array([exact.at(t) for t in result.time]).T
    np.testing.assert_allclose(found[:, away], wanted[:, away], atol=2e-4)
    for t, pulls in zip(exact.times, exact.impulses, strict=True):
        for rope, pull in zip(("p", "q"), pulls, strict=True):
            assert impulse(result, t, f"{rope}.F") == pytest.approx(pull, abs=1e-4)
    for rope, length in zip(("p", "q"), L, strict=True):
        assert result[f"{rope}.F"].min() > -1e-6 and result[f"{rope}.r"].max() < length + 1e-7


def test_ropes_that_free_each_other() -> None:
    """The jerk of one rope lets the other one go, whose jerk lets the first one go, and so on, ever faster:
    the run says so. Up to there the motion is that of the reference."""
    x, v = (-0.34, 0.58, -0.39, -0.09), (-2.93, -0.78, -2.37, -1.9)
    model = translated(ROPES)
    with pytest.raises(RunError, match=r"accumulate at time 0\.7515\d* \(Zeno\)"):
        model.simulate(set={"x0": x, "v0": v})
    exact = Reference(np.array(x), np.array(v), stop=0.7512)
    result = model.simulate(set={"x0": x, "v0": v}, stop_time=0.7512)
    assert event_times(result) == pytest.approx(exact.times, abs=1e-6)
    freed = exact.times[-1]
    assert exact.impulses[-1][0] == 0 and impulse(result, freed, "p.F") == 0
    assert impulse(result, freed, "q.F") == pytest.approx(exact.impulses[-1][1], abs=1e-6)
    assert result["p.slack"][result.time < freed][-1] == 0 and result["p.slack"][-1] == 1
