"""Curves between their rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import saltus
from saltus.expr.nodes import Type
from saltus.result.exchange.curves import Column, Curves

#: A ramp that jumps from 1 to 5 at time 1, with a switch; the times of an event are there twice.
RAMP = Curves(
    "ramp",
    np.array([0.0, 1.0, 1.0, 2.0]),
    {"x": np.array([0.0, 1.0, 5.0, 7.0]), "n": np.array([1.0, 1.0, 2.0, 2.0])},
    {"n": Column(type=Type.INTEGER)},
    {"p": 3.0},
)


def test_values_between_rows_and_at_events() -> None:
    assert RAMP.at(0.5) == {"x": 0.5, "n": 1}
    assert RAMP.at(1.0) == {"x": 5.0, "n": 2}
    assert RAMP.at(1.0, left=True) == {"x": 1.0, "n": 1}
    assert RAMP.at(1.25) == {"x": 5.5, "n": 2}
    assert RAMP.at(0.0) == RAMP.at(0.0, left=True) == {"x": 0.0, "n": 1}
    assert RAMP.at(2.0) == RAMP.at(2.0, left=True) == {"x": 7.0, "n": 2}
    with pytest.raises(saltus.UsageError, match="the rows go from 0 to 2"):
        RAMP.at(2.5)


def test_equal_distances() -> None:
    found = RAMP.resample(0.5)
    assert found.time.tolist() == [0, 0.5, 1, 1.5, 2] and found["x"].tolist() == [0, 0.5, 5, 6, 7]
    assert found["p"].tolist() == [3] * 5
    assert RAMP.resample([0.25, 1.0], left=True)["x"].tolist() == [0.25, 1]
    with pytest.raises(saltus.UsageError, match="greater than zero"):
        RAMP.resample(0)


@given(st.lists(st.floats(0, 2), min_size=1, max_size=20), st.booleans())
def test_linear_interpolation_is_that_of_both_pieces(times: list[float], left: bool) -> None:
    before = (lambda t: t <= 1) if left else (lambda t: t < 1)
    wanted = [t if before(t) else 3 + 2 * t for t in times]
    assert np.allclose(RAMP.resample(times, left=left)["x"], wanted, atol=1e-12)


def test_pandas_with_types_and_every_time_once() -> None:
    pytest.importorskip("pandas")
    model = saltus.load(
        """model M type G = enumeration(a, b); Real x = time; Boolean on = time > 0.5;
        G g = if on then G.b else G.a; Integer n = if on then 2 else 1; end M;"""
    )
    result = model.simulate(interval=0.25)
    frame = result.to_pandas(unique=True)
    assert frame.index.is_unique and len(result.to_pandas()) == len(frame) + 1
    assert [frame[name].dtype.kind for name in ("x", "on", "n")] == ["f", "b", "i"]
    assert frame["g"].tolist() == ["a", "a", "b", "b", "b"] and frame.loc[0.5, "on"]
    assert result.at(0.5, left=True)["g"] == "a" and result.at(0.5)["n"] == 2
