"""What leaves a contact and comes back within one step of the integrator lands where the contact is.

Right after an impact a distance is in its zero band, and counts as zero there. An explicit method flies a
parabola in one step: the band must be gone when the distance comes back, and the landing at zero.
"""

from __future__ import annotations

import numpy as np
import pytest
from tools.obedience.judge import judged

import saltus
from saltus.core.diagnostics import RunError
from saltus.result.result import Result
from saltus.run.schedule.stepping import METHODS
from translated_models import translated

GRAVITY, RESTITUTION = 9.81, 0.8


def landings(count: int) -> list[float]:
    """Of a ball that falls from 1 m."""
    fall = float(np.sqrt(2 / GRAVITY))
    hops = [2 * fall * RESTITUTION**k for k in range(1, count)]
    return np.cumsum([fall, *hops]).tolist()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("tolerance", [1e-5, 1e-8])
def test_a_ball_lands_on_the_floor(method: str, tolerance: float) -> None:
    model = translated("Saltus.Examples.Translational.BouncingBall")
    result = model.simulate(method=method, tolerance=tolerance, stop_time=5.0)
    impacts = [r.time for r in result.records if r.kind == "state"]
    # What is known of the height to so many tolerances tells less and less of the time of a slow landing.
    for k, (found, expected) in enumerate(zip(impacts, landings(20), strict=False)):
        speed = np.sqrt(2 * GRAVITY) * RESTITUTION**k
        assert found == pytest.approx(expected, abs=100 * tolerance / speed), k
    assert judged(result, tolerance).violations == []
    assert result["ball.s"].min() > -1e-9


@pytest.mark.parametrize("method", ["bdf", "rk45", "auto"])
def test_stops_that_throw_back_run_to_the_end(method: str) -> None:
    result = translated("Saltus.Examples.Rotational.CrankAtStops").simulate(method=method)
    assert judged(result, 1e-7).violations == []


LIFT = """
model Lift "A ball above a table that is accelerated upwards: seen from there, it falls with 1e4 m/s^2"
  parameter Real restitution = 0.005;
  Real h(start = 1e-6, fixed = true), v(start = 0, fixed = true), z = 5e3*time^2, zd = 1e4*time;
  Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = 0;
  when h < z then
    reinit(v, zd + restitution*(zd - pre(v)));
    n = pre(n) + 1;
  end when;
end Lift;
"""


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("stop", [0.1, 1.0, 10.0, 100.0])
def test_no_ball_falls_through_its_floor(stop: float, method: str) -> None:
    """After the impact the gap is 2.5e-11 m at most, less than its zero band, for 1.4e-7 s. That cannot be
    resolved, and the run ends, however short that is beside the run."""
    with pytest.raises(RunError) as ended:
        saltus.load(LIFT).simulate(stop_time=stop, method=method, tolerance=1e-8, interval=stop / 10)
    assert ended.value.diagnostics[0].code == "E404"
    result = ended.value.partial
    assert isinstance(result, Result)
    assert result["n"][-1] == 1
    assert (result["h"] - result["z"]).min() > -1e-9
    (impact,) = result.time[1:][np.diff(result["n"]) > 0]
    assert impact == pytest.approx(np.sqrt(2 * 1e-6 / 1e4), abs=1e-10)


RATTLE = """
model Rattle
  parameter Real turned = 0;
  extends Saltus.Examples.Rotational.Rattle(
    engine(phi(start = -turned)), wheel(phi(start = turned)));
end Rattle;
"""


@pytest.mark.parametrize("method", ["rk45", "bdf"])
def test_knocks_do_not_depend_on_how_often_the_wheels_have_turned(method: str) -> None:
    """Turned by 100 rad, the errors of angles are larger than the play that teeth have as they part."""
    model = saltus.load(RATTLE)
    options = {"method": method, "stop_time": 4.0, "tolerance": 1e-8}
    here, there = (model.simulate(set={"turned": x}, **options) for x in (0.0, 100.0))
    knocks = [[r.time for r in run.records if r.kind == "state"] for run in (here, there)]
    assert len(knocks[0]) > 10
    assert knocks[1] == pytest.approx(knocks[0], abs=2e-3)
    assert judged(there, 1e-8).violations == []
