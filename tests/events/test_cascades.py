"""Events with many rounds: a cascade of delays by `pre` ends, however long it is; a circle does not."""

from __future__ import annotations

import pytest

import saltus
from saltus.core.diagnostics import RunError
from saltus.ir.native.contract import MAX_ROUNDS, MOST_ROUNDS

CASCADE = """
model Cascade
  parameter Integer n = {n} annotation(Evaluate = true);
  Boolean b[n](each start = false, each fixed = true);
  Integer count(start = 0, fixed = true);
  Real last(start = -1, fixed = true);
  {declarations}
equation
  b[1] = time >= 0.5;
  for k in 2:n loop
    b[k] = pre(b[k - 1]);
  end for;
  when b[n] then
    last = time;
    count = pre(count) + 1;
  end when;
  {equations}
end Cascade;
"""


@pytest.mark.parametrize("n", [10, 99, 100, 101, 400, 1500])
def test_every_stage_of_a_cascade_is_reached(n: int) -> None:
    """Each round makes one more stage true; all of it is one instant."""
    result = saltus.load(CASCADE.format(n=n, declarations="", equations="")).simulate(stop_time=1)
    assert result["count"][-1] == 1
    assert result["last"][-1] == 0.5
    assert all(result[f"b[{k}]"][-1] == 1 for k in range(1, n + 1))
    assert [e.time for e in result.events if e.time > 0] == [0.5]


def test_a_cascade_that_closes_an_ideal_switch_at_its_end() -> None:
    """The mode changes in the last of 150 rounds: two capacitors come together and share their charge."""
    declarations = "Real u1(start = 1, fixed = true), u2(start = 0, fixed = true), i, s;"
    equations = """
  der(u1) = -i;
  2*der(u2) = i;
  u1 - u2 = if b[n] then 0 else s;
  i = if b[n] then s else 0;
"""
    text = CASCADE.format(n=150, declarations=declarations, equations=equations)
    result = saltus.load(text).simulate(stop_time=1)
    assert result["u1"][-1] == pytest.approx(1 / 3, abs=1e-12)
    assert result["u2"][-1] == pytest.approx(1 / 3, abs=1e-12)
    assert result["last"][-1] == 0.5


def test_a_number_that_counts_down_at_one_instant() -> None:
    text = """
model Countdown
  Integer left(start = 3000, fixed = true);
  Real x(start = 0, fixed = true);
equation
  left = if time >= 0.5 and pre(left) > 0 then pre(left) - 1 else pre(left);
  der(x) = if left == 0 then 1 else 0;
end Countdown;
"""
    result = saltus.load(text).simulate(stop_time=1)
    assert result["left"][-1] == 0
    assert result["x"][-1] == pytest.approx(0.5, abs=1e-9)


def failure(text: str) -> str:
    with pytest.raises(RunError) as caught:
        saltus.load(text).simulate(stop_time=1)
    (found,) = caught.value.diagnostics
    assert found.code == "E404"
    return found.message


@pytest.mark.parametrize("period", [2, 3, 7, 150])
def test_a_circle_is_given_up_soon(period: int) -> None:
    """A ring that turns by one place in every round comes back after `period` of them."""
    text = f"""
model Ring
  Integer place(start = 0, fixed = true);
equation
  place = if time >= 0.5 then mod(pre(place) + 1, {period}) else 0;
end Ring;
"""
    message = failure(text)
    assert "`place` keeps changing" in message and "0.5" in message
    rounds = int(message.partition("after ")[2].split()[0])
    assert rounds <= 2 * (MAX_ROUNDS + period)


def test_what_grows_without_end_is_given_up() -> None:
    text = """
model Growing
  Integer n(start = 0, fixed = true);
equation
  n = if time >= 0.5 then pre(n) + 1 else pre(n);
end Growing;
"""
    assert f"stopped after {MOST_ROUNDS} rounds" in failure(text)
