"""Many converters side by side that switch at the same instants: each does what it does alone.

The truth is an integration phase by phase, with equations by hand. How many events are left to Python is
counted: the first of a kind, and not one in every period.
"""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest
from event_by_event import Walk
from tools.obedience.judge import violations

import saltus
from saltus.run.modes.modes import Modes

VIN, L, C, T, DUTY = 24.0, 1e-3, 1e-4, 1e-4, 0.4

BUCK = f"""
model Buck "steps a voltage down; the switch and the diode contradict each other when it closes"
  parameter Real L = {L}, R = 10, leak = 0, shift = 0;
  Real i(start = 0, fixed = true), v(start = 0, fixed = true), x, sw, d;
  Boolean closed(start = false, fixed = true);
  discrete Real opens(start = 0, fixed = true);
equation
  {VIN} - x = sw*(if closed then leak else 1);
  -x = d*(if d < 0 then 1 else leak);
  i = sw*(if closed then 1 else leak) + d*(if d < 0 then leak else 1);
  L*der(i) = x - v;
  {C}*der(v) = i - v/R;
  when sample(shift, {T}) then
    opens = time + {DUTY * T};
  end when;
  closed = time < opens;
end Buck;
"""

DEAD, OHM = 2e-6, 2.0

HALF_BRIDGE = f"""
model HalfBridge "two valves, each a transistor with a diode beside it, a coil and a load"
  parameter Real R = {OHM}, duty = 0.5;
  Real i(start = 0, fixed = true), x, s1, s2;
  Boolean high(start = false, fixed = true), low(start = false, fixed = true), on1, on2;
  discrete Real t0(start = 0, fixed = true);
equation
  when sample(0, {T}) then
    t0 = time;
  end when;
  high = time > t0 + {DEAD} and time < t0 + duty*{T};
  low = time > t0 + duty*{T} + {DEAD};
  on1 = high or s1 < 0;
  on2 = low or s2 < 0;
  {VIN} - x = if on1 then 0 else s1;
  x + {VIN} = if on2 then 0 else s2;
  i = (if on1 then s1 else 0) - (if on2 then s2 else 0);
  {L}*der(i) = x - R*i;
end HalfBridge;
"""


def bucks(n: int, coil: float, more: str = "") -> saltus.Model:
    own = f"R = {{10 + k for k in 1:{n}}}, each L = {coil}{more}"
    return saltus.load(f"{BUCK}\nmodel Bucks\n  Buck c[{n}]({own});\nend Bucks;\n")


def walked(resistance: float, coil: float, periods: int, shift: float = 0.0) -> Walk:
    """The same converter by hand."""
    walk = Walk([0.0, 0.0], T / 10, shift)
    for k in range(periods):
        begin = shift + k * T
        walk.follow(lambda t, y: [(VIN - y[1]) / coil, (y[0] - y[1] / resistance) / C], begin + DUTY * T)
        off = lambda t, y: [-y[1] / coil, (y[0] - y[1] / resistance) / C]  # noqa: E731
        if walk.follow(off, begin + T, lambda t, y: -y[0]) is not None:
            walk.state[0] = 0.0
            walk.follow(lambda t, y: [0.0, -y[1] / resistance / C], begin + T)
    return walk


@pytest.fixture
def by_hand(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Times of events that are left to Python."""
    found: list[float] = []
    event = Modes.event

    def noted(modes: Modes, engine: object, *args: object) -> object:
        found.append(engine.memory.time)  # type: ignore[attr-defined]
        return event(modes, engine, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Modes, "event", noted)
    return found


@pytest.mark.parametrize("coil", [1e-4, 1e-3])
@pytest.mark.parametrize("n", [4, 12])
def test_each_converter_is_as_by_hand(n: int, coil: float) -> None:
    periods = 12
    result = bucks(n, coil).simulate(stop_time=periods * T, interval=T / 7, tolerance=1e-9)
    assert not violations(result)
    for k in (1, n // 2, n):
        walk = walked(10.0 + k, coil, periods)
        i, v = walk.after(result.time)
        assert np.abs(result[f"c[{k}].i"] - i).max() < 2e-6
        assert np.abs(result[f"c[{k}].v"] - v).max() < 2e-6


@pytest.mark.parametrize("method", ["auto", "bdf"])
@pytest.mark.parametrize("coil", [1e-4, 1e-3])
def test_copies_do_what_one_does(coil: float, method: str) -> None:
    n, stop = 8, 20 * T
    many = saltus.load(f"{BUCK}\nmodel Bucks\n  Buck c[{n}](each L = {coil});\nend Bucks;\n")
    result = many.simulate(stop_time=stop, interval=T / 3, tolerance=1e-8, method=method)
    one = saltus.load(BUCK).simulate(
        stop_time=stop, interval=T / 3, tolerance=1e-8, method=method, parameters={"L": coil}
    )
    times = np.arange(1, 60) * T / 3 + 1e-9  # where nothing switches
    expected = np.interp(times, one.time, one["v"])
    for k in range(1, n + 1):
        assert np.array_equal(result[f"c[{k}].v"], result["c[1].v"])
        assert np.abs(np.interp(times, result.time, result[f"c[{k}].v"]) - expected).max() < 1e-5


def test_converters_that_switch_one_after_the_other() -> None:
    n, periods = 5, 8
    model = bucks(n, 1e-4, f", shift = {{k*{T / n!r} for k in 1:{n}}}")
    result = model.simulate(stop_time=(periods + 1) * T, interval=T / 7, tolerance=1e-9)
    for k in range(1, n + 1):
        shift = k * (T / n)
        walk = walked(10.0 + k, 1e-4, periods, shift)
        inside = (result.time > shift) & (result.time < shift + periods * T)
        i, v = walk.after(result.time[inside])
        assert np.abs(result[f"c[{k}].i"][inside] - i).max() < 2e-6
        assert np.abs(result[f"c[{k}].v"][inside] - v).max() < 2e-6


def test_the_log_of_many_converters_is_no_reason_for_python(by_hand: list[float]) -> None:
    """The switch of all of them closes while the diode conducts, which a search finds once."""
    periods = 150
    result = bucks(60, 1e-3).simulate(stop_time=periods * T, interval=T)
    assert len(result.events) >= 2 * periods
    assert len(by_hand) <= 5


def half_bridge_current(duty: float, resistance: float, periods: int) -> Walk:
    """In the dead time the current keeps the diode conducting that it flows through, until it ends."""
    walk = Walk([0.0], T / 10)
    for k in range(periods):
        begin = k * T
        edges = (DEAD, duty * T, duty * T + DEAD, T)
        for gate, end in zip((0, 1, 0, -1), edges, strict=True):
            if gate:
                x = gate * VIN
            else:  # a current out of the bridge comes through the lower diode
                x = -VIN * float(np.sign(walk.state[0]))
            way = float(np.sign(walk.state[0]))
            rate = lambda t, y, x=x: [(x - resistance * y[0]) / L]  # noqa: E731
            ended = [lambda t, y, way=way: -way * y[0]] if not gate and way else []
            if walk.follow(rate, begin + end, *ended) is not None:
                walk.state[0] = 0.0
                walk.follow(lambda t, y: [0.0], begin + end)
    return walk


@pytest.mark.parametrize("n", [3, 8])
def test_half_bridges_with_dead_time(n: int, by_hand: list[float]) -> None:
    """Either valve may be switched on while the diode of the other conducts: the same guards contradict each
    other, and the way out is another."""
    periods = 60
    duties = [0.3 + 0.4 * (k - 1) / (n - 1) for k in range(1, n + 1)]
    own = ", ".join(map(repr, duties))
    model = saltus.load(f"{HALF_BRIDGE}\nmodel M\n  HalfBridge b[{n}](duty = {{{own}}});\nend M;\n")
    result = model.simulate(stop_time=periods * T, interval=T / 7, tolerance=1e-9)
    for k, duty in zip(count(1), duties):
        walk = half_bridge_current(duty, OHM, periods)
        assert np.abs(result[f"b[{k}].i"] - walk.after(result.time)[0]).max() < 2e-6
    if n > 4:
        assert len(by_hand) < periods / 2
