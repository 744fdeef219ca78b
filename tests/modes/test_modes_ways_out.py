"""Ways out of modes that cannot be are known part by part: converters of different clocks beside each other.

Where a switch closes while its diode conducts, both contradict each other. A search finds that the diode
blocks, once for each converter, and not for each combination of what the others do at that moment.
"""

from __future__ import annotations

import numpy as np
import pytest
from event_by_event import Walk

import saltus
from saltus.run.modes.mode_search import ModeSearch
from saltus.run.modes.modes import Modes
from saltus.run.modes.native_gates import Passages

V, L, C = 24.0, 1e-3, 1e-4
PERIODS = [1e-4, 1.1e-4, 1.23e-4, 0.9e-4, 1.37e-4, 1.07e-4]
DUTIES = [0.5, 0.4, 0.6, 0.45, 0.3, 0.7]
LOADS = [2.0, 3.0, 60.0, 5.0, 2.5, 90.0]  # two of them let the current end in each period
CHARGED = [12.0, 9.6, 18.0, 10.8, 7.2, 20.0]

CONVERTERS = f"""
model Converters "Bucks side by side"
  parameter Integer n = {len(PERIODS)};
  parameter Real T[n] = {{{", ".join(map(repr, PERIODS))}}}, duty[n] = {{{", ".join(map(repr, DUTIES))}}};
  parameter Real R[n] = {{{", ".join(map(repr, LOADS))}}}, v0[n] = {{{", ".join(map(repr, CHARGED))}}};
  Real i[n](each start = 0, each fixed = true), v[n](start = v0, each fixed = true), x[n], sw[n], d[n];
  Boolean closed[n](each start = false, each fixed = true);
  discrete Real opens[n](each start = 0, each fixed = true);
equation
  for k in 1:n loop
    {V} - x[k] = sw[k]*(if closed[k] then 0 else 1);
    -x[k] = d[k]*(if d[k] < 0 then 1 else 0);
    i[k] = sw[k]*(if closed[k] then 1 else 0) + d[k]*(if d[k] < 0 then 0 else 1);
    {L}*der(i[k]) = x[k] - v[k];
    {C}*der(v[k]) = i[k] - v[k]/R[k];
    when sample(0, T[k]) then
      opens[k] = time + duty[k]*T[k];
    end when;
    closed[k] = time < opens[k];
  end for;
  annotation(experiment(StopTime = 4e-3, Interval = 4e-5, Tolerance = 1e-9));
end Converters;
"""


#: The same on one battery, whose potential all of their equations have in common.
ON_ONE_BATTERY = CONVERTERS.replace(f"{V} - x[k]", "plus - x[k]").replace(
    "equation\n",
    f"  Real plus, minus, drawn;\nequation\n  minus = 0;\n  plus - minus = {V};\n  drawn = sum(sw);\n",
)


def by_hand(k: int, stop: float) -> Walk:
    """One of them: the switch closed, the diode conducting, neither."""
    period, duty, load = PERIODS[k], DUTIES[k], LOADS[k]
    walk = Walk([0.0, CHARGED[k]], period / 10)
    for count in range(int(stop / period) + 1):
        walk.follow(
            lambda t, y: [(V - y[1]) / L, (y[0] - y[1] / load) / C], min(stop, (count + duty) * period)
        )
        end = min(stop, (count + 1) * period)
        ended = walk.follow(lambda t, y: [-y[1] / L, (y[0] - y[1] / load) / C], end, lambda t, y: -y[0])
        if ended is not None:
            walk.state[0] = 0.0
            walk.follow(lambda t, y: [0.0, -y[1] / load / C], end)
    return walk


@pytest.mark.parametrize("text", [CONVERTERS, ON_ONE_BATTERY], ids=["apart", "on one battery"])
def test_searches_do_not_grow_with_the_combinations(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[float] = []
    by_python: list[float] = []
    search, event = ModeSearch.__call__, Modes.event

    def counted(self: ModeSearch, instant, engine, problem):  # type: ignore[no-untyped-def]
        searches.append(engine.memory.time)
        return search(self, instant, engine, problem)

    def noted(self: Modes, engine, fired, due):  # type: ignore[no-untyped-def]
        by_python.append(engine.memory.time)
        return event(self, engine, fired, due)

    monkeypatch.setattr(ModeSearch, "__call__", counted)
    monkeypatch.setattr(Modes, "event", noted)
    result = saltus.load(text).simulate()
    for k in range(len(PERIODS)):
        current, voltage = by_hand(k, 4e-3).after(result.time)
        np.testing.assert_allclose(result[f"i[{k + 1}]"], current, atol=1e-6)
        np.testing.assert_allclose(result[f"v[{k + 1}]"], voltage, atol=1e-6)
    assert result.statistics["events"] > 400
    assert len(searches) <= 2 * len(PERIODS)
    assert len(by_python) <= 4 * len(PERIODS)


@pytest.mark.parametrize("method", ["bdf", "auto"])
def test_python_takes_the_same_ways(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = saltus.load(CONVERTERS)
    native = model.simulate(method=method)
    monkeypatch.setattr(Passages, "register", lambda *_: None)
    by_hand = model.simulate(method=method)
    assert np.array_equal(native.time, by_hand.time)
    for name in ("i", "v", "x", "sw", "d"):
        for k in range(1, len(PERIODS) + 1):
            assert np.array_equal(native[f"{name}[{k}]"], by_hand[f"{name}[{k}]"])
