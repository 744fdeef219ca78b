"""Events that lead to another program in native code: the same to the last bit as when Python does them."""

from __future__ import annotations

import numpy as np
import pytest

import saltus
from saltus.result.result import Result
from saltus.run.modes.modes import Modes
from saltus.run.modes.native_gates import Passages
from translated_models import translated

BUCK = """
model Buck "discontinuous conduction: the coil has no current for a part of each period"
  parameter Real Vin = 24, L = 1e-4, C = 1e-4, R = 30, T = 1e-4, duty = 0.4;
  Real i(start = 0, fixed = true), v(start = 0, fixed = true), x, sw, d;
  Boolean closed(start = false, fixed = true);
  discrete Real opens(start = 0, fixed = true);
  Integer pulses(start = 0, fixed = true);
equation
  Vin - x = sw*(if closed then 0 else 1);
  -x = d*(if d < 0 then 1 else 0);
  i = sw*(if closed then 1 else 0) + d*(if d < 0 then 0 else 1);
  L*der(i) = x - v;
  C*der(v) = i - v/R;
  when sample(0, T) then
    opens = time + duty*T;
    pulses = pre(pulses) + 1;
  end when;
  closed = time < opens;
end Buck;
"""
BRIDGE = """
model Bridge "all diodes block now and then; where they begin to conduct, current and voltage are both zero"
  parameter Real V = 325, L = 5e-3, C = 1e-3, R = 50;
  Real i(start = 0, fixed = true), v(start = 0, fixed = true), u[4], id[4], s[4], a, p, n;
equation
  L*der(i) = V*sin(314.1592653589793*time) - a;
  u = {a - p, n - a, -p, n};
  for k in 1:4 loop
    u[k] = if s[k] < 0 then s[k] else 0;
    id[k] = if s[k] < 0 then 0 else s[k];
  end for;
  i = id[1] - id[2];
  id[1] + id[3] = C*der(v) + v/R;
  id[1] + id[3] = id[2] + id[4];
  p - n = v;
end Bridge;
"""
RECTIFIER = """
model Rectifier "counts its pulses, and asserts what it knows"
  Real i(start = 0, fixed = true), u, s;
  Boolean blocks = s < 0;
  Integer pulses(start = 0, fixed = true);
equation
  10*sin(314.1592653589793*time) = 0.02*der(i) + u + 5*i;
  u = if blocks then s else 0;
  i = if blocks then 0 else s;
  when not blocks then
    pulses = pre(pulses) + 1;
  end when;
  assert(i > -1e-6, "backwards");
end Rectifier;
"""
FRICTION = """
model Friction "sticks and slides; both programs have states"
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), f, s;
  Boolean forward = s > 1, backward = s < -1;
equation
  der(x) = v;
  der(v) = 2*sin(3*time) - f;
  v = if forward then s - 1 elseif backward then s + 1 else 0;
  f = if forward then 1.5 elseif backward then -1.5 else 1.5*s;
end Friction;
"""
CLUTCH = """
model Clutch "locks with an impulse, which Python notes, and lets go without one"
  Real w1(start = 0, fixed = true), w2(start = 0, fixed = true), tau;
  Boolean closed = sin(2*time) > 0.3;
equation
  2*der(w1) = cos(time) - tau;
  3*der(w2) = tau - 0.1*w2;
  0 = if closed then w1 - w2 else tau;
end Clutch;
"""
MODELS = {
    "Buck": (BUCK, 40e-4),
    "Bridge": (BRIDGE, 0.3),
    "Rectifier": (RECTIFIER, 0.2),
    "Friction": (FRICTION, 12.0),
    "Clutch": (CLUTCH, 20.0),
}


def by_hand(text: str, stop: float, method: str, monkeypatch: pytest.MonkeyPatch) -> Result:
    """The driver never learns of other programs."""
    with monkeypatch.context() as patch:
        patch.setattr(Passages, "register", lambda passages, known, guards: None)
        return translated(text).simulate(stop_time=stop, method=method)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("method", ["bdf", "rk45"])
def test_as_by_hand(name: str, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, stop = MODELS[name]
    expected = by_hand(text, stop, method, monkeypatch)
    found = translated(text).simulate(stop_time=stop, method=method)
    assert np.array_equal(found.time, expected.time)
    for column in found.recording.parts[0].columns:
        one, other = (run.recording.column(column) for run in (found, expected))
        assert one is not None and other is not None
        assert np.array_equal(one, other, equal_nan=True), column
    assert found.recording.turns == expected.recording.turns
    assert len(found.records) == len(expected.records)
    for one, other in zip(found.records, expected.records, strict=True):
        assert one[:6] == other[:6] and one.impulses == other.impulses
        assert len(one.rounds) == len(other.rounds)
        assert all(np.array_equal(a, b) for a, b in zip(one.rounds, other.rounds, strict=True))
    assert str(found.modes.table()) == str(expected.modes.table())
    for counted in ("events", "modes entered", "programs"):
        assert found.statistics[counted] == expected.statistics[counted]


@pytest.mark.parametrize(("name", "most"), [("Buck", 6), ("Bridge", 8), ("Rectifier", 4), ("Friction", 8)])
def test_python_does_the_first_of_a_kind_only(name: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the run is."""
    count = 0
    event = Modes.event

    def counted(*args: object) -> object:
        nonlocal count
        count += 1
        return event(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(Modes, "event", counted)
    text, stop = MODELS[name]
    result = translated(text).simulate(stop_time=3 * stop)
    assert result.statistics["modes entered"] > 4 * most
    assert count <= most


def test_rows_of_both_programs_are_in_order() -> None:
    result = translated(BUCK).simulate(stop_time=40e-4, interval=1e-6)
    assert np.all(np.diff(result.time) >= 0)
    assert result["pulses"][-1] == 41
    empty = result["i"] == 0
    assert 0.1 < empty.mean() < 0.9
    # Between its pulses the capacitor feeds the load alone: v' = -v/(R C).
    inside = empty[1:] & empty[:-1] & (np.diff(result.time) > 0)
    decay = np.exp(-np.diff(result.time) / (30 * 1e-4))
    np.testing.assert_allclose(
        result["v"][1:][inside], (result["v"][:-1] * decay)[inside], rtol=1e-6, atol=1e-6
    )


def test_a_violated_assertion_is_told_after_a_passage() -> None:
    text = RECTIFIER.replace('assert(i > -1e-6, "backwards")', 'assert(pulses < 5, "enough")')
    with pytest.raises(saltus.RunError) as caught:
        translated(text).simulate(stop_time=1)
    assert "enough" in str(caught.value)
    assert caught.value.partial is not None and 0.08 <= caught.value.partial.time[-1] < 0.11
