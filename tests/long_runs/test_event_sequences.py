"""Comparing the events of two runs: what is lost, what is more, and what cannot be compared."""

from __future__ import annotations

import pytest
from tools.long_runs.event_sequences import largest_difference, parting, switchings

import saltus
from saltus.result.result import Result

TEXT = """
model Beats
  parameter Real w = 10;
  Real x(start = 0, fixed = true);
  Boolean up = sin(w*time) > 0.5;
equation
  der(x) = if up then 1 else 0;
  when sample(0.3, 0.5) then
    reinit(x, 0);
  end when;
end Beats;
"""


def run(**values: float) -> Result:
    return saltus.load(TEXT).simulate(stop_time=6, tolerance=1e-8, max_step=0.01, set=values)


def without(result: Result, lost: int) -> Result:
    """A result that has one event less."""
    kept = [record for k, record in enumerate(result.records) if k != lost]
    return Result(recording=result.recording, values={}, records=kept, warnings=[], statistics={})


def test_switchings_are_those_of_the_closed_form() -> None:
    found = switchings(run())
    assert [len(times) for times in found.values()] == [20, 12]  # ten periods, and ticks
    assert next(iter(found.values()))[:2] == pytest.approx([0.05235987756, 0.26179938780])


def test_equal_runs_do_not_part() -> None:
    assert parting(run(), run(), 1e-6, 1e-8) is None
    assert largest_difference(run(), run()) == 0.0


def test_lost_event_is_told_apart() -> None:
    result = run()
    lost = next(k for k, r in enumerate(result.records) if r.fired and r.time > 2)
    time = result.records[lost].time
    parted = parting(without(result, lost), result, 1e-6, 1e-8)
    assert parted is not None and not parted.is_chaos
    assert parted.time == time and str(parted).startswith("LOST")
    more = parting(result, without(result, lost), 1e-6, 1e-8)
    assert more is not None and str(more).startswith("EXTRA")
    assert largest_difference(result, without(result, lost)) is None


def test_drift_is_told_apart() -> None:
    """One of the two is faster by a percent: the sixth period begins a twentieth of one earlier."""
    parted = parting(run(w=10.1), run(), 1e-2, 1e-8)
    assert parted is not None and parted.is_chaos
    assert str(parted).startswith("drifts apart")


def test_noise_is_told_apart() -> None:
    """What decays is zero in the end; whether it is below that by less than the tolerance says nothing."""
    text = "model Decay Real x(start = {}, fixed = true); Boolean b = x < 0; equation der(x) = {}; end Decay;"
    positive = saltus.load(text.format(1e-9, "-x")).simulate(tolerance=1e-8, scale="one")
    crossing = saltus.load(text.format(1e-9, "-4e-9")).simulate(tolerance=1e-8, scale="one")
    parted = parting(crossing, positive, 1e-6, 1e-8)
    assert parted is not None and parted.is_noise
    far = parting(crossing, positive, 1e-6, 1e-12)
    assert far is not None and str(far).startswith("EXTRA")
