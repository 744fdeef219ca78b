"""Two-point control with ideal elements: what is compared with a limit is a state.

An ideal chopper keeps the current of an inductor between two limits. When the transistor goes off, the diode
is not on yet: in the mode that is presumed first neither conducts, and the current would have to be zero at
once. It is not, the diode takes over; so nothing may follow from that zero. Currents are straight lines here,
and the switching is done by hand, event by event. In a clutch, on the other hand, speeds really jump, and
what asks for them has to follow.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest
from scipy.optimize import brentq

from saltus.core.diagnostics import RunError
from translated_models import translated

V, E, L = 48.0, 12.0, 0.02
RISE, FALL = (V - E) / L, E / L

CHOPPER = """
model Chopper "A transistor holds the current between two limits, if it is its turn"
  Saltus.Electrical.Sources.ConstantVoltage V(V = 48), E(V = 12);
  Saltus.Electrical.GTO T(fire = on);
  Saltus.Electrical.Diode D;
  Saltus.Electrical.Inductor L(L = 0.02, i(start = 0, fixed = true));
  Saltus.Electrical.Ground g;
  parameter Real period = 0.004, width = 1e-4, low = 0.5, high = 1;
  Boolean on(start = true, fixed = true), slot = mod(time, period) < width;
  {declared}
equation
  {control}
  connect(V.p, T.p);
  connect(T.n, L.p);
  connect(D.n, T.n);
  connect(L.n, E.p);
  connect(E.n, V.n);
  connect(D.p, V.n);
  connect(V.n, g.p);
  annotation(experiment(StopTime = 0.0395, Tolerance = 1e-9));
end Chopper;
"""

#: The same law, asked in different ways.
CONTROLS = {
    "current": ("", "on = slot and L.i < low or pre(on) and L.i < high;"),
    "reversed": ("", "on = slot and not L.i >= low or pre(on) and not high <= L.i;"),
    "deviation": ("Real e = 3*(high - L.i);", "on = slot and e > 3*(high - low) or pre(on) and e > 0;"),
    "when": (
        "",
        "when L.i >= high then on = false; elsewhen slot and L.i < low then on = true; end when;",
    ),
}


class Phase(NamedTuple):
    """From a time on the current is a straight line; `mode` says which element conducts."""

    start: float
    current: float
    mode: str


SLOPES = {"transistor": RISE, "diode": -FALL, "none": 0.0}


def by_hand(period: float, width: float, low: float, high: float, stop: float) -> list[Phase]:
    """The phases until a time. Slots begin at multiples of the period; below the lower limit the transistor
    goes on in a slot, above the upper one it goes off."""
    phases = [Phase(0.0, 0.0, "transistor")]
    while True:
        t, i, mode = phases[-1]
        if mode == "transistor":
            at = t + (high - i) / RISE
            new = Phase(at, high, "diode")
        else:
            turn = slots(t, period, width, t + (i - low) / FALL if i >= low else t)
            ends = t + i / FALL if mode == "diode" else math.inf
            at = min(turn, ends)
            left = max(i + SLOPES[mode] * (at - t), 0.0)
            new = Phase(at, left, "transistor") if turn <= ends else Phase(at, 0.0, "none")
        if at >= stop:
            return phases
        phases.append(new)


def slots(t: float, period: float, width: float, ready: float) -> float:
    """When it is the transistor's turn, from t on: `ready` is where the current is below the limit."""
    begin = math.floor(ready / period) * period
    return ready if t < ready < begin + width else begin + period


@pytest.mark.parametrize("control", CONTROLS)
@pytest.mark.parametrize(
    ("period", "width"),
    [
        (0.004, 1e-4),  # the current ends in every period
        (0.002, 1e-4),  # and here in none, but the mode in which nothing conducts is known
        (0.0045, 2.1e-3),  # it falls to the lower limit while there is time to go on again
    ],
)
def test_chopper(control: str, period: float, width: float) -> None:
    declared, law = CONTROLS[control]
    text = CHOPPER.format(declared=declared, control=law)
    run = translated(text).simulate(set={"period": period, "width": width})
    assert not run.warnings and not len(run.impulses)
    phases = by_hand(period, width, 0.5, 1.0, 0.0395)
    assert len(phases) > 18
    names = {"not T.off, D.off": "transistor", "T.off, not D.off": "diode", "T.off, D.off": "none"}
    assert [names[str(mode)] for _, _, mode in run.modes] == [p.mode for p in phases]
    assert np.allclose([start for start, _, _ in run.modes], [p.start for p in phases], rtol=0, atol=1e-9)
    starts = np.array([p.start for p in phases])
    which = np.searchsorted(starts, run.time, side="right") - 1
    currents = np.array([p.current for p in phases])[which]
    slopes = np.array([SLOPES[p.mode] for p in phases])[which]
    truth = currents + slopes * (run.time - starts[which])
    assert np.abs(run["L.i"] - truth).max() < 1e-9


def test_current_ends_in_the_first_case_only() -> None:
    """What the cases above are good for."""
    assert sum(p.mode == "none" for p in by_hand(0.004, 1e-4, 0.5, 1.0, 0.04)) == 10
    assert not any(p.mode == "none" for p in by_hand(0.002, 1e-4, 0.5, 1.0, 0.04))
    on_again = [p for p in by_hand(0.0045, 2.1e-3, 0.5, 1.0, 0.04) if p.mode == "transistor"]
    assert any(p.current == pytest.approx(0.5) for p in on_again)


def test_a_limit_that_falls_below_the_current() -> None:
    """The limit is a number that changes at an event: what asks for it follows, though the current does not
    jump. It is 1 A until 8.3 ms, when the current is 0.54 A; then it is 0.4 A."""
    declared = "discrete Real limit(start = 1, fixed = true);"
    law = (
        "on = slot and L.i < 0.2 or pre(on) and L.i < limit;\n"
        "  when time >= 0.0083 then limit = 0.4; end when;"
    )
    run = translated(CHOPPER.format(declared=declared, control=law)).simulate()
    assert not run.warnings
    starts = [start for start, _, _ in run.modes]
    first = [0.0, 1 / RISE, 1 / RISE + 1 / FALL]
    peak = RISE * 0.3e-3
    low = [0.0, 0.4 / RISE, 0.4 / RISE + 0.4 / FALL]
    told = [*first, *(0.004 + t for t in first), 0.008, 0.0083, 0.0083 + peak / FALL]
    told += [0.004 * k + t for k in range(3, 10) for t in low]
    assert np.allclose(starts[: len(told)], told, rtol=0, atol=1e-9)


PIPE = """
model Pipe "Water is let into a long pipe until it flows fast enough; then it is drawn in by a check valve"
  parameter Real inertia = 2, supply = 5, back = 1.5, most = 3;
  Real q(start = 0, fixed = true) "flow", p "where the pipe begins", qs "supply", qc "check valve", s;
  Boolean open(start = false, fixed = true), shut = s < 0;
equation
  inertia*der(q) = p - back;
  q = qs + qc;
  0 = if open then supply - p else qs;
  qc = if shut then 0 else s;
  -p = if shut then s else 0;
  when q > most then
    open = false;
  elsewhen sample(1, 8) then
    open = true;
  end when;
  annotation(experiment(StopTime = 40, Tolerance = 1e-9));
end Pipe;
"""


def test_flow_in_a_pipe_is_cut_off_at_a_limit() -> None:
    """The same with equations written plainly: 3.5/2 up, 1.5/2 down, at rest until the next opening."""
    run = translated(PIPE).simulate()
    assert not run.warnings and not len(run.impulses)
    up, down = 3 / (3.5 / 2), 3 / (1.5 / 2)
    told = [0.0, *(1 + 8 * k + t for k in range(5) for t in (0.0, up, up + down))]
    assert np.allclose([start for start, _, _ in run.modes], told, rtol=0, atol=1e-7)
    assert abs(run["q"].max() - 3) < 1e-8 and np.abs(run["q"][run.time % 8 < 0.9]).max() < 1e-9


PRESS = """
model Press "A flywheel is coupled to a load when it is fast enough, until it is too slow"
  parameter Real J1 = 1, J2 = 0.25, M = 10, k = 5;
  Real w1(start = 0, fixed = true), w2(start = 0, fixed = true), tau;
  Boolean fast = w1 > 10, closed(start = false, fixed = true);
equation
  J1*der(w1) = M - tau;
  J2*der(w2) = tau - k*w2;
  0 = if closed then w1 - w2 else tau;
  closed = pre(fast) or pre(closed) and w1 > 6;
  annotation(experiment(StopTime = 3, Tolerance = 1e-9));
end Press;
"""


def test_clutch_between_two_speeds() -> None:
    """Closing takes the flywheel from 10 to 8 or so, which is no reason to open; 6 is."""
    run = translated(PRESS).simulate(tolerance=1e-11)
    t, slow, told, weights = 1.0, 0.0, [0.0], []
    while t < 3:
        w = (10 + 0.25 * slow) / 1.25
        weights.append(10 - w)
        told.append(t)
        t += brentq(lambda x, w=w: 2 + (w - 2) * math.exp(-4 * x) - 6, 0, 10)
        if t < 3:
            told.append(t)
        slow = 6 * math.exp(-20 * 0.4)
        t += 0.4
    assert np.allclose([start for start, _, _ in run.modes], told, rtol=0, atol=1e-8)
    assert np.allclose([i.weight for i in run.impulses], weights, rtol=0, atol=1e-7)


TRIP = """
model Trip "A clutch that opens for good if closing makes the shaft too slow"
  parameter Real limit = 3;
  Real w1(start = 5, fixed = true), w2(start = 0, fixed = true), tau;
  Boolean tripped(start = false, fixed = true), closed = time >= 0.5 and not pre(tripped);
equation
  2*der(w1) = 1 - tau;
  3*der(w2) = tau;
  0 = if closed then w1 - w2 else tau;
  tripped = pre(tripped) or w1 < limit;
end Trip;
"""


@pytest.mark.parametrize(("limit", "modes"), [(3.0, 3), (2.0, 2)])
def test_a_speed_that_jumps_is_asked_after_the_jump(limit: float, modes: int) -> None:
    """From 5.25 and 0 both come to 2.1. Below the limit the clutch opens at once, and the jump remains."""
    run = translated(TRIP).simulate(set={"limit": limit})
    assert len(run.modes) == modes and [i.weight for i in run.impulses] == [pytest.approx(6.3)]
    w1, w2 = (2.35, 2.1) if modes == 3 else (2.2, 2.2)
    assert run["w1"][-1] == pytest.approx(w1) and run["w2"][-1] == pytest.approx(w2)


TRAIN = """
model Train "A clutch closes, and the speed that this makes closes another one"
  parameter Real limit = 0.5;
  Real w1(start = 5, fixed = true), w2(start = 0, fixed = true), w3(start = 0, fixed = true), t1, t2;
  Boolean one = time >= 0.5, two = w2 > limit;
equation
  2*der(w1) = -t1;
  3*der(w2) = t1 - t2;
  5*der(w3) = t2;
  0 = if one then w1 - w2 else t1;
  0 = if two then w2 - w3 else t2;
end Train;
"""


def test_a_jump_closes_another_clutch() -> None:
    """Two clutches closed: 10/(2 + 3 + 5) = 1, above the limit. With one of them it would be 2, and the other
    one has to close, too."""
    run = translated(TRAIN).simulate()
    assert [run[w][-1] for w in ("w1", "w2", "w3")] == [pytest.approx(1.0)] * 3
    assert {i.name: i.weight for i in run.impulses} == {"t1": pytest.approx(8), "t2": pytest.approx(5)}
    stays = translated(TRAIN).simulate(set={"limit": 3})
    assert [stays[w][-1] for w in ("w1", "w2", "w3")] == [pytest.approx(2.0), pytest.approx(2.0), 0.0]


def test_no_mode_where_a_jump_contradicts_itself() -> None:
    """With a limit of 1.5 the second clutch must close at 2 and must not at 1."""
    with pytest.raises(RunError) as caught:
        translated(TRAIN).simulate(set={"limit": 1.5})
    assert caught.value.diagnostics[0].code == "E404"
