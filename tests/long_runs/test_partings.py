"""Two runs compared: what counts as lost, what is as small as the tolerance, and what is a tie."""

from __future__ import annotations

import pytest
from tools.long_runs.event_sequences import parting

import saltus
from saltus.result.result import Result

#: Above `level` once, and above it again by `hop`, for a tenth of a second.
SIGNAL = """
model Signal
  parameter Real hop = 0.5;
  Real x = if time < 1 then -1 elseif time < 2 then 1 elseif time < 3 then -1
    elseif time < 3.1 then hop else -1;
  Real y(start = -1, fixed = true);
  Boolean above = y > 0;
equation
  der(y) = 1e3*(x - y);
end Signal;
"""

#: Which of two rods takes a load that both could take is up to a parameter.
CHOICE = """
model Choice
  parameter Boolean first = true;
  Real load = if time < 1 then -1 else 0;
  Real left = if first then load else -1, right = if first then -1 else load;
  Boolean onLeft = left >= 0, onRight = right >= 0;
end Choice;
"""


def run(text: str, **values: float) -> Result:
    return saltus.load(text).simulate(stop_time=5.0, tolerance=1e-6, set=values)


def test_the_same_run_does_not_part() -> None:
    assert parting(run(SIGNAL), run(SIGNAL), 1e-3, 1e-6) is None


@pytest.mark.parametrize("hop", [0.5, 1e-3])
def test_a_hop_that_is_missing_is_lost(hop: float) -> None:
    parted = parting(run(SIGNAL, hop=-0.5), run(SIGNAL, hop=hop), 1e-3, 1e-6)
    assert parted is not None
    assert str(parted).startswith("LOST at 3.0")


def test_a_hop_as_small_as_the_tolerance_does_not_count() -> None:
    assert parting(run(SIGNAL, hop=-0.5), run(SIGNAL, hop=5e-6), 1e-3, 1e-6) is None


def test_where_a_residue_jumps_to_zero_either_truth_is_right() -> None:
    parted = parting(run(CHOICE, first=True), run(CHOICE, first=False), 1e-3, 1e-6)
    assert str(parted).startswith("a tie at 1:")
