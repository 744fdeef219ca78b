"""No event is stepped over, however long the run, whatever the method and the tolerance.

The models and their truths are in `tools/long_runs/stepped_over.py`. Here are a few corners of what
`python -m tools.long_runs trust` tries in full: runs of the length at which events were lost, shorter ones,
ones whose steps are no round numbers, and long ones, which begin with the longest steps."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from tools.long_runs.stepped_over import CASES, METHODS, changes_of, faults
from tools.obedience.judge import violations

import saltus
from saltus.core.diagnostics import RunError
from saltus.model import Model
from saltus.result.result import Result

#: Parts of the given length, with the tolerances they are run at.
CORNERS = [(1.0, 1e-6), (0.7, 1e-10), (1.37, 1e-8), (10.0, 1e-4), (33.3, 1e-6)]

CORNER_NAMES = [f"{factor:g} at {tolerance:g}" for factor, tolerance in CORNERS]


@cache
def model(name: str) -> Model:
    return saltus.load(CASES[name].text)


@pytest.mark.parametrize(("factor", "tolerance"), CORNERS, ids=CORNER_NAMES)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", CASES)
def test_no_event_is_lost(name: str, method: str, factor: float, tolerance: float) -> None:
    case = CASES[name]
    stop = factor * case.length
    try:
        result = model(name).simulate(
            stop_time=stop, tolerance=tolerance, method=method, interval=case.interval(stop)
        )
    except RunError as ended:
        if not case.may_end or not isinstance(ended.partial, Result):
            raise
        result = ended.partial
        stop = float(result.time[-1])
    assert faults(case, result, stop, tolerance) == []


@pytest.mark.parametrize(
    ("method", "tolerance"),
    [
        *[("bdf", 1e-4), ("rk45", 1e-4), ("rk45", 1e-6), ("bdf", 1e-8), ("adams", 1e-8), ("ida", 1e-8)],
        # Here the run is beyond the end of its last hops when it is found that they have one.
        *[("bdf", 7.342829665331723e-05), ("adams", 1.129827257893477e-05), ("ida", 2.017526635947488e-06)],
    ],
)
def test_a_ball_that_is_caught_stays_outside_of_the_table(method: str, tolerance: float) -> None:
    """The longer the run, the shorter hops are beside it. The last one is lower than the zero band of the
    gap: there is no truth after it, and the run must end, with all rows outside."""
    case = CASES["vibrating_table"]
    with pytest.raises(RunError, match="E404") as ended:
        model(case.name).simulate(
            stop_time=100 * case.length, tolerance=tolerance, method=method, interval=case.rows
        )
    result = ended.value.partial
    assert isinstance(result, Result)
    assert faults(case, result, float(result.time[-1]), tolerance) == []


@pytest.mark.parametrize("method", METHODS)
def test_room_ends_away_from_zero(method: str) -> None:
    """Where a diode begins to block, its voltage leaves zero without speed, and counts as zero within ten
    tolerances of v: 0.1 V. Once it has been further away, it has to be seen where it is zero again: 0.02 V
    beyond that is all that the sine ever reaches."""
    case, stop, tolerance = CASES["peak_detector"], 0.11, 1e-3
    result = model("peak_detector").simulate(
        stop_time=stop, tolerance=tolerance, method=method, interval=case.interval(stop)
    )
    expected = case.changes(stop)["off"]
    assert len(expected) == 11
    # The sine rises by 188 V/s there: 4 mV, which is less than a tolerance of v.
    np.testing.assert_allclose(changes_of(result, "off"), expected, atol=2e-5)
    assert violations(result, tolerance) == []


@pytest.mark.parametrize("name", CASES)
def test_truth_is_what_short_steps_give(name: str) -> None:
    """And if the truth had one change more, that would be noticed."""
    case = CASES[name]
    result = model(name).simulate(
        stop_time=case.length, tolerance=1e-8, max_step=case.rows / 3, interval=case.interval(case.length)
    )
    assert faults(case, result, case.length, 1e-8) == []

    def one_more(stop: float) -> dict[str, NDArray[np.float64]]:
        early = 1.7 * case.rows
        return {name: np.sort([*times, early]) for name, times in case.changes(stop).items()}

    wrong = faults(replace(case, changes=one_more), result, case.length, 1e-8)
    assert len(wrong) == len(case.changes(case.length))
