"""Events are local: one in a part of a model is done with the entries of that part, and everything comes out
as if all of the model had been gone through."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq
from tests.modes.test_local_modes import PARTS, copies, events_of

import saltus
from saltus.emit import build
from saltus.emit.layout import parts, rolling

LENGTH = {"Rectifier": 0.05, "Friction": 2.0, "Clutch": 2.5, "Rope": 4.0}

#: Masses on springs: neighbours read each other's positions, which do not jump.
CHAIN = """
model Chain
  parameter Integer n = 12;
  Real x[n](each start = 0, each fixed = true), v[n](each start = 0, each fixed = true), f[n], s[n];
equation
  for i in 1:n loop
    der(x[i]) = v[i];
    der(v[i]) = (if i == 1 then 20*sin(3*time) else 50*(x[i - 1] - x[i]))
      - (if i == n then 0 else 50*(x[i] - x[i + 1])) - f[i];
    v[i] = if s[i] > 1 then s[i] - 1 elseif s[i] < -1 then s[i] + 1 else 0;
    f[i] = if s[i] > 1 then 1 + 0.1*(s[i] - 1) elseif s[i] < -1 then -1 + 0.1*(s[i] + 1) else s[i];
  end for;
end Chain;
"""


@pytest.fixture
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is done for large models is done for small ones."""
    monkeypatch.setattr(rolling, "LEAST_BLOCKS", 1)
    monkeypatch.setattr(rolling, "ROLLED_FROM", 3)
    monkeypatch.setattr(parts, "LEAST_RELATIONS", 3)


def twice(
    text: str, stop: float, monkeypatch: pytest.MonkeyPatch, **options: object
) -> tuple[saltus.Result, saltus.Result]:
    """A run with local events, and one in which every event goes through the whole model."""
    local = saltus.load(text).simulate(stop_time=stop, tolerance=1e-8, **options)  # type: ignore[arg-type]
    with monkeypatch.context() as patch:
        patch.setattr(build, "found_parts", lambda program: None)
        whole = saltus.load(text).simulate(stop_time=stop, tolerance=1e-8, **options)  # type: ignore[arg-type]
    assert "local_events" not in whole.statistics
    return local, whole


def assert_same(one: saltus.Result, other: saltus.Result) -> None:
    """The same to the last bit: rows, events and what happened in them."""
    assert np.array_equal(one.time, other.time)
    for name in one.names:
        assert np.array_equal(one[name], other[name], equal_nan=True), name
    assert [str(event) for event in one.events] == [str(event) for event in other.events]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("method", ["bdf", "rk45"])
def test_events_of_copies(
    part: str, method: str, few_are_many: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = copies(part, [(1.0 + 0.13 * k if part != "Rectifier" else 50 + 6.1 * k, 0.7) for k in range(5)])
    local, whole = twice(text, LENGTH[part], monkeypatch, method=method)
    assert_same(local, whole)
    assert local.statistics["local_events"] > 5


@pytest.mark.parametrize("method", ["bdf", "adams", "rk45"])
def test_events_in_a_chain(method: str, few_are_many: None, monkeypatch: pytest.MonkeyPatch) -> None:
    local, whole = twice(CHAIN, 3.0, monkeypatch, method=method)
    assert_same(local, whole)
    assert local.statistics["local_events"] > 20


def test_rectifiers_by_closed_form(few_are_many: None) -> None:
    """Each current ends where it does by hand, in an event of its own part."""
    frequencies = [50 + 6.1 * k for k in range(5)]
    result = saltus.load(copies("Rectifier", [(f, 0.02) for f in frequencies])).simulate(
        stop_time=0.02, tolerance=1e-9
    )
    assert result.statistics["local_events"] >= 5
    resistance, inductance = 5.0, 0.02
    for k, f in enumerate(frequencies):
        w = 2 * np.pi * f
        reactance = w * inductance

        def current(t: float, w: float = w, x: float = reactance) -> float:
            fading = x * np.exp(-resistance / inductance * t)
            return float(resistance * np.sin(w * t) - x * np.cos(w * t) + fading)

        end = brentq(current, 0.55 / f, 0.98 / f)
        assert np.abs(events_of(result, f"part{k}.") - end).min() < 1e-8


def test_a_large_model_needs_no_help() -> None:
    """Without any of the limits lowered."""
    parameters = [(50 + 0.1 * k, 0.02) for k in range(300)]
    result = saltus.load(copies("Rectifier", parameters)).simulate(stop_time=0.022, tolerance=1e-6)
    assert result.statistics["local_events"] > 0.9 * (result.statistics["events"] - 1)
