"""Several relations of one quantity, of which only some decide a mode: at zero they are decided together.

A body is braked by a constant force and held once its velocity is no longer positive. The force asks for
`v > 0` and `v < 0`, what holds it for `v <= 0` or `not v > 0`: in the instant of the stop each of them is at
zero.
"""

from __future__ import annotations

import numpy as np
import pytest

import saltus

HELD = """
model Held
  Real v(start = START, fixed = true), f "force that holds";
  Boolean held(start = false, fixed = true);
equation
  der(v) = (if v > 0 then -1 elseif v < 0 then 1 else 0) + f;
  0 = if pre(held) then v else f;
  when CONDITION then
    held = true;
  end when;
  annotation(experiment(StopTime = 2));
end Held;
"""


@pytest.mark.parametrize("condition", ["v <= 0", "not v > 0", "0 >= v", "{v <= 0, v < -1}"])
def test_brake_that_holds(condition: str) -> None:
    result = saltus.load(HELD.replace("CONDITION", condition).replace("START", "1")).simulate()
    t = np.asarray(result.time)
    np.testing.assert_allclose(result["v"], np.maximum(1 - t, 0), atol=1e-7)
    (event,) = [e.time for e in result.events if e.kind == "state"]
    assert event == pytest.approx(1, abs=1e-7)
    assert np.all(result["held"][t > 1.001]) and not np.any(result["held"][t < 0.999])
    assert [len(stay.mode.states) for stay in result.modes] == [1, 0]


BELT = """
model Belt "The same on a belt that moves"
  parameter Real belt = 0.5;
  Real v(start = 2, fixed = true), f;
  Boolean held(start = false, fixed = true);
equation
  der(v) = (if v > belt then -1 elseif v < belt then 1 else 0) + f;
  if pre(held) then
    v = belt;
  else
    f = 0;
  end if;
  when CONDITION then
    held = true;
  end when;
  annotation(experiment(StopTime = 2));
end Belt;
"""


@pytest.mark.parametrize("condition", ["v <= belt", "belt >= v"])
def test_sums_of_the_same_terms(condition: str) -> None:
    result = saltus.load(BELT.replace("CONDITION", condition)).simulate()
    np.testing.assert_allclose(result["v"], np.maximum(2 - result.time, 0.5), atol=1e-7)
    assert [len(stay.mode.states) for stay in result.modes] == [1, 0]


@pytest.mark.parametrize("condition", ["v >= 0", "not v < 0"])
def test_the_same_backwards(condition: str) -> None:
    result = saltus.load(HELD.replace("CONDITION", condition).replace("START", "-1")).simulate()
    np.testing.assert_allclose(result["v"], np.minimum(result.time - 1, 0), atol=1e-7)
    assert [len(stay.mode.states) for stay in result.modes] == [1, 0]
