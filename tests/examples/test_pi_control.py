"""The sampled PI controller against the exact discretisation of the plant.

Between samples the heat is constant, so the room's two temperatures follow the matrix exponential; the
controller's recursion is repeated here in plain Python.

Tolerance: local errors below 1e-8 of 20 degC in each of the 200 intervals, damped by plant and controller:
1e-5 K; the controller multiplies by a gain of 1 kW/K.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm

PERIOD, STOP = 64.0, 12800.0
TEMPERATURE = 1e-5


def reference_run(u_max: float = 5.0) -> dict[str, np.ndarray]:
    """Values just after each sample."""
    ca, cw, gaw, gwo, outside = 500.0, 4000.0, 0.3, 0.1, 0.0
    m = np.array([[-gaw / ca, gaw / ca], [gaw / cw, -(gaw + gwo) / cw]])
    step = expm(m * PERIOD)
    x, integral = np.array([15.0, 10.0]), 0.0
    rows = []
    for k in range(int(STOP / PERIOD) + 1):
        wanted_temperature = 15.0 if k * PERIOD < 1280 else 20.0
        error = wanted_temperature - x[0]
        wanted = error + integral
        u = min(max(wanted, 0.0), u_max)
        if 0 <= wanted <= u_max:
            integral += PERIOD / 1500 * error
        rows.append((x[0], x[1], u, integral))
        rest = -np.linalg.solve(m, np.array([u / ca, gwo * outside / cw]))
        x = rest + step @ (x - rest)
    return dict(zip(("room.Ta", "room.Tw", "controller.u", "controller.I"), np.array(rows).T, strict=True))


NAMES = ("room.Ta", "room.Tw", "controller.u", "controller.I", "controller.reference")


@pytest.mark.parametrize("u_max", [5.0, 2.5])
def test_every_sample(simulate, u_max: float) -> None:
    run = simulate("PIControl.mo", *NAMES, set={"controller.uMax": u_max})
    expected = reference_run(u_max)
    # The sample at the start belongs to the first row; all others are events with two rows.
    np.testing.assert_array_equal(run.event_times[run.event_times > 0], PERIOD * np.arange(1, 201))
    at_samples = run.right_rows[run.time[run.right_rows] > 0]
    assert len(at_samples) == 200
    for name in NAMES[:4]:
        np.testing.assert_allclose(run[name][at_samples], expected[name][1:], atol=TEMPERATURE)


def test_heater_is_limited_on_the_way(simulate) -> None:
    """The example shows what it claims: with 2.5 kW the limit is reached, and without wind-up left again."""
    run = simulate("PIControl.mo", *NAMES, set={"controller.uMax": 2.5})
    assert run["controller.u"].max() == 2.5
    assert abs(run["room.Ta"][-1] - 20) < 0.5


def test_step_and_sample_at_the_same_instant(simulate) -> None:
    """At 1280 s the reference changes and a sample is due: the controller sees the new reference."""
    run = simulate("PIControl.mo", *NAMES, set={"controller.uMax": 5.0})
    row = next(r for r in run.right_rows if run.time[r] == 1280)
    assert run["controller.reference"][row - 1] == 15
    assert run["controller.reference"][row] == 20
    assert run["controller.u"][row] > run["controller.u"][row - 1] + 3
