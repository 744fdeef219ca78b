"""A ball that rests on a floor falls when the floor is gone, however that is written."""

from __future__ import annotations

import numpy as np
import pytest

import saltus

G = 9.81

#: What makes the ball bounce, and what opens the floor at 3.
FLOORS = {
    "closed first": ("Boolean closed = time < 3;", "closed and h <= 0"),
    "closed last": ("Boolean closed = time < 3;", "h <= 0 and closed"),
    "in place": ("", "h <= 0 and time < 3"),
    "not open": ("Boolean open = time >= 3;", "h <= 0 and not open"),
    "a level": ("Boolean closed = time < 3;", "h <= (if closed then 0 else -100)"),
    "sampled": (
        "Boolean closed(start = true, fixed = true);",
        "closed and h <= 0",
    ),
}


@pytest.mark.parametrize("zeno", ["rest", "continue"])
@pytest.mark.parametrize("name", FLOORS)
def test_a_trapdoor(name: str, zeno: str) -> None:
    declared, condition = FLOORS[name]
    opens = "when sample(3, 10) then closed = false; end when;" if name == "sampled" else ""
    model = saltus.load(f"""model M
      Real h(start = 1, fixed = true), v(start = 0, fixed = true);
      {declared}
    equation
      der(h) = v;
      der(v) = -{G};
      {opens}
      when {condition} then
        reinit(v, -0.5*pre(v));
      end when;
    end M;""")
    result = model.simulate(stop_time=4, tolerance=1e-9, zeno=zeno)
    late = result.time > 3
    assert np.abs(result["h"][late] + G / 2 * (result.time[late] - 3) ** 2).max() < 1e-6
    assert result["h"][~late].min() > -1e-9


def test_a_when_clause_that_is_silent_at_rest_still_holds() -> None:
    """`h <= 0 and v < 0` is false as soon as the ball rests; another event changes nothing about that."""
    result = saltus.load(f"""model M
      Real h(start = 1, fixed = true), v(start = 0, fixed = true);
      Integer n(start = 0, fixed = true);
    equation
      der(h) = v;
      der(v) = -{G};
      when h <= 0 and v < 0 then
        reinit(v, -0.5*pre(v));
      end when;
      when time >= 3 then
        n = 1;
      end when;
    end M;""").simulate(stop_time=4, tolerance=1e-9, zeno="rest")
    assert np.abs(result["h"][result.time > 1.4]).max() < 1e-9 and result["n"][-1] == 1
