"""A production line with breakdowns and a batch plant, against recurrences and closed forms."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from chi_examples import EXAMPLES, changes, uniform

import saltus


def services(seed: int, stream: int, te: float, mttf: float, mttr: float) -> Iterator[float]:
    """How long a machine takes for one item after the other, with the repairs in between."""
    numbers = uniform(seed, stream)

    def exponential(mean: float) -> float:
        return -mean * math.log(next(numbers))

    left = exponential(mttf)
    while True:
        busy, total = te, 0.0
        while left < busy:
            total += left
            busy -= left
            total += exponential(mttr)
            left = exponential(mttf)
        left -= busy
        yield total + busy


def finished(seed: int, size: int, stop: float) -> list[float]:
    """When items leave the line. The first machine always has raw material; what it has made waits until the
    buffer has room for it, and the second machine takes what has been waiting longest."""
    first, second = services(seed, 2, 1.0, 30.0, 6.0), services(seed, 4, 1.125, 40.0, 5.0)
    sent: list[float] = []
    taken: list[float] = []
    out: list[float] = []
    while not out or out[-1] <= stop:
        k = len(sent)
        made = (sent[-1] if sent else 0.0) + next(first)
        sent.append(max(made, taken[k - size]) if k >= size else made)
        taken.append(max(sent[k], out[-1]) if out else sent[k])
        out.append(taken[k] + next(second))
    return [t for t in out if t <= stop]


@pytest.mark.parametrize(("seed", "size"), [(1, 4), (2, 4), (3, 1), (11, 10)])
def test_a_line_whose_machines_break_down(seed: int, size: int) -> None:
    stop = 480.0
    model = saltus.load(EXAMPLES / "chi" / "ProductionLine.chi", model="Line")
    result = model.simulate(stop_time=stop, set={"seed": seed, "size": size})
    found = changes(result, "Store.count")
    expected = finished(seed, size, stop)
    assert [n for _, n in found] == list(range(1, len(expected) + 1))
    np.testing.assert_allclose([t for t, _ in found], expected, atol=1e-8)
    assert result["Store.last"][-1] == len(expected) - 1  # the items come in order
    assert min(result["Buffer.items"]) >= 0 and max(result["Buffer.items"]) == size


def test_a_larger_buffer_lets_more_pass() -> None:
    """As the recurrence says; and no line makes more than its second machine could."""
    counts = [len(finished(1, size, 480.0)) for size in (1, 4, 16)]
    model = saltus.load(EXAMPLES / "chi" / "ProductionLine.chi", model="Line")
    for size, count in zip((1, 4, 16), counts, strict=True):
        assert model.simulate(set={"size": size})["Store.count"][-1] == count
    assert counts[0] < counts[1] <= counts[2] <= 480 / 1.125


#: The reactor: inflow, its temperature, power over heat capacity, losses, air, outlet.
Q, COLD, POWER, LOSS, AIR, OUTLET = 0.01, 290.0, 2e6 / 4.2e6, 2e-4, 293.0, 0.004
FULL, REST, HOT, HOLD = 1.0, 0.1, 350.0, 300.0


def batches() -> list[tuple[float, str, float]]:
    """When the reactor is told to do what, and how warm it is then."""
    t, temperature, found = 0.0, 300.0, []
    for _ in range(3):
        found.append((t, "FILL", temperature))
        t += (FULL - REST) / Q
        temperature = (REST * temperature + (FULL - REST) * COLD) / FULL  # V T grows with Q COLD
        found.append((t, "HEAT", temperature))
        final = AIR + POWER / FULL / LOSS
        t += math.log((final - temperature) / (final - HOT)) / LOSS
        found.append((t, "HOLD", HOT))
        t += HOLD
        temperature = AIR + (HOT - AIR) * math.exp(-LOSS * HOLD)
        found.append((t, "DRAIN", temperature))
        t += 2 / OUTLET * (math.sqrt(FULL) - math.sqrt(REST))
    return [*found, (t, "REST", temperature)]


def test_a_batch_plant() -> None:
    result = saltus.load(EXAMPLES / "chi" / "BatchPlant.chi").simulate()
    names = ("FILL", "HEAT", "HOLD", "DRAIN", "REST")
    expected = batches()
    assert expected[-1][0] < 4000
    found = changes(result, "Reactor.s")
    assert [names[int(value) - 1] for _, value in found] == [name for _, name, _ in expected]
    np.testing.assert_allclose([t for t, _ in found], [t for t, _, _ in expected], atol=1e-4)
    warmth = [float(np.interp(t, result.time, result["Reactor.T"])) for t, _, _ in expected]
    np.testing.assert_allclose(warmth, [temperature for _, _, temperature in expected], atol=1e-4)
    assert result["Recipe.n"][-1] == 3
