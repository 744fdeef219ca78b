"""Joints with dry friction that hold each other: an arm of three links. Where one joint comes to rest, the
others may go on to stick; what its sliding says of them means nothing."""

from __future__ import annotations

import numpy as np

import saltus

FRICTION = """
model Friction "stuck, or sliding either way; what has begun to slide needs less to go on"
  parameter Real hold, slide, viscous = 0.5;
  Real w, a, f, place "a force while it is stuck, an acceleration while it slides";
  Boolean forth(start = false, fixed = true), back(start = false, fixed = true), locked;
  Integer phase(start = 3, fixed = true) "-1, 0, 1; 3 at first";
equation
  forth = pre(phase) == 0 and (place > hold or pre(forth) and place > slide) or initial() and w > 0;
  back = pre(phase) == 0 and (place < -hold or pre(back) and place < -slide) or initial() and w < 0;
  locked = not (pre(phase) == 1 or forth or pre(phase) == -1 or back);
  a = if locked then 0 elseif forth then place - hold elseif back then place + hold
    elseif pre(phase) == 1 then place - hold else place + hold;
  f = if locked then place elseif forth then slide + viscous*w elseif back then -slide + viscous*w
    elseif pre(phase) == 1 then slide + viscous*w else -slide + viscous*w;
  phase = if (pre(phase) == 1 or forth) and w > 0 then 1
    elseif (pre(phase) == -1 or back) and w < 0 then -1 else 0;
end Friction;
"""

ARM = """
model Arm "Three links with masses at their ends, springs, and a drive in each joint"
  parameter Integer n = 3;
  parameter Real hold[n] = {3, 2, 1.5}, slide[n] = {2.4, 1.5, 1.5}, m[n] = {1, 0.7, 0.4};
  parameter Real amplitude[n] = {5, 2.9, 2.2}, rate[n] = {1.1, 2.3, 3.7};
  Friction friction[n](hold = hold, slide = slide);
  Real phi[n](start = {0.03, 0.04, -0.02}), w[n](each start = 0, each fixed = true), a[n];
  Real c[n], s[n], ex[n], ey[n], x[n], y[n], vx[n], vy[n], mx[n], my[n], t[n], ox[n], oy[n];
  Real fx[n + 1], fy[n + 1], torque[n + 1];
initial equation
  a = zeros(n);
equation
  der(phi) = w;
  der(w) = a;
  for i in 1:n loop
    c[i] = cos(phi[i]);
    s[i] = sin(phi[i]);
    ex[i] = if i == 1 then c[i] else ex[max(i - 1, 1)]*c[i] - ey[max(i - 1, 1)]*s[i];
    ey[i] = if i == 1 then s[i] else ey[max(i - 1, 1)]*c[i] + ex[max(i - 1, 1)]*s[i];
    x[i] = (if i == 1 then 0 else x[max(i - 1, 1)]) + ex[i];
    y[i] = (if i == 1 then 0 else y[max(i - 1, 1)]) + ey[i];
    vx[i] = der(x[i]);
    vy[i] = der(y[i]);
    mx[i] = m[i]*der(vx[i]);
    my[i] = m[i]*der(vy[i]);
    fx[i] = fx[i + 1] + mx[i];
    fy[i] = fy[i + 1] + my[i];
    ox[i] = ex[i];
    oy[i] = ey[i];
    torque[i] = torque[i + 1] + ox[i]*fy[i] - oy[i]*fx[i];
    t[i] = torque[i];
    t[i] = amplitude[i]*sin(rate[i]*time) - 5*phi[i] - friction[i].f;
    friction[i].w = w[i];
    friction[i].a = a[i];
  end for;
  fx[n + 1] = 0;
  fy[n + 1] = 0;
  torque[n + 1] = 0;
  annotation(experiment(StopTime = 4.5, Interval = 0.005, Tolerance = 1e-8));
end Arm;
"""

DIODE = """
  sin(5*time) = 0.1*der(i) + u + i;
  u = if blocks then p else 0;
  i = if blocks then 0 else p;
"""

#: The same, and a diode that has nothing to do with it.
BESIDE = (
    ARM.replace("Arm", "Beside")
    .replace(
        "initial equation",
        "  Real i(start = 0, fixed = true), u, p;\n  Boolean blocks = p < 0;\ninitial equation",
    )
    .replace("  annotation", f"{DIODE}  annotation")
)


def test_joints_stick_and_slide_as_they_are_pushed() -> None:
    """With the diode, modes are chosen as they are where equations vary, with all joints undecided: the start
    of the run, and 4.08 s, where one joint comes to rest from sliding forward, found no mode."""
    arm = saltus.load(FRICTION + ARM, "Arm").simulate()
    run = saltus.load(FRICTION + BESIDE, "Beside").simulate()
    joints = range(1, 4)
    for k in joints:
        hold, slide = (run[f"friction[{k}].{name}"] for name in ("hold", "slide"))
        w, a, f, place, locked, forth, back = (
            run[f"friction[{k}].{name}"] for name in ("w", "a", "f", "place", "locked", "forth", "back")
        )
        stuck = locked == 1
        assert stuck.any() and (~stuck).any()
        assert np.all(np.abs(f[stuck]) <= np.broadcast_to(hold, f.shape)[stuck] * (1 + 1e-6))
        assert np.all(a[stuck] == 0) and np.abs(w[stuck]).max() < 1e-6
        begins = np.broadcast_to(slide, f.shape) * (1 - 1e-6)
        assert np.all(place[forth == 1] > begins[forth == 1])
        assert np.all(place[back == 1] < -begins[back == 1])
        # The diode changes nothing.
        expected = np.interp(run.time, arm.time, arm[f"phi[{k}]"])
        assert np.abs(run[f"phi[{k}]"] - expected).max() < 1e-4
    # What drives and friction do goes into motion and springs.
    mass = [1, 0.7, 0.4]
    energy = sum(
        mass[k - 1] * (run[f"vx[{k}]"] ** 2 + run[f"vy[{k}]"] ** 2) / 2 + 2.5 * run[f"phi[{k}]"] ** 2
        for k in joints
    )
    drives = [a * np.sin(rate * run.time) for a, rate in ((5, 1.1), (2.9, 2.3), (2.2, 3.7))]
    power = sum((drives[k - 1] - run[f"friction[{k}].f"]) * run[f"w[{k}]"] for k in joints)
    work = np.concatenate([[0], np.cumsum(np.diff(run.time) * (power[1:] + power[:-1]) / 2)])
    assert np.abs(energy - energy[0] - work).max() < 1e-3 * energy.max()
