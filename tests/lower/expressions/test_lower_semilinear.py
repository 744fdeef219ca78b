"""`semiLinear` (section 3.7.4.7): both directions, arrays, and slopes where nothing flows."""

from __future__ import annotations

import numpy as np
import pytest
from tools.language_cases import texts_before

import saltus

PORTS = texts_before("03_expressions/semilinear.toml")["ports"]


@pytest.mark.parametrize("between", ["", "Pipe pipe;"])
def test_nothing_flows(between: str) -> None:
    """One of the two values, and the same everywhere: that is all the specification wants."""
    ways = "connect(tank.port, pipe.a); connect(pipe.b, pump.port);"
    text = (
        PORTS
        + f"""
        model M
          Tank tank(h = 3);
          {between}
          Pump pump(h = 7);
        equation
          {ways if between else "connect(tank.port, pump.port);"}
        end M;
        """
    )
    result = saltus.load(text).simulate(stop_time=1.0)
    names = ["tank.port.h", "pump.port.h", *(["pipe.h", "pipe.a.h"] if between else [])]
    last = [float(result[name][-1]) for name in names]
    assert last[0] in (3.0, 7.0)
    assert last == [last[0]] * len(last)
    assert float(result["pump.port.H"][-1]) == 0


def test_a_flow_that_reverses() -> None:
    """What is in the pipe comes from where the flow comes from."""
    text = (
        PORTS
        + """
        model M
          Tank tank(h = 3);
          Pipe pipe;
          Pump pump(h = 7, amplitude = 1);
        equation
          connect(tank.port, pipe.a);
          connect(pipe.b, pump.port);
        end M;
        """
    )
    result = saltus.load(text).simulate(stop_time=10.0)
    t = result["time"]
    m = np.sin(t)
    clear = np.abs(m) > 1e-6
    assert result["pipe.h"][clear] == pytest.approx(np.where(m > 0, 3.0, 7.0)[clear])
    assert result["pump.port.H"] == pytest.approx(np.where(m > 0, 3.0, 7.0) * m, abs=1e-9)


#: A pump without a mass of its own, heated by `Q`: the balance has a third term, which is zero.
COLD = """
model Fan
  Port a, b;
  Real h, Q;
  parameter Real m = 0, slope = 0;
equation
  a.m = m + slope*(time - 0.5);
  a.m + b.m = 0;
  a.H + b.H + Q = 0;
  Q = 0;
  a.H = semiLinear(a.m, a.h, h);
  b.H = semiLinear(b.m, b.h, h);
end Fan;
"""


def test_a_balance_whose_source_is_zero_is_looked_through() -> None:
    """From 3 to 7, through zero in the middle of the run, where it stands still in the first model."""
    text = (
        PORTS
        + COLD
        + """
        model M
          Tank left(h = 3), right(h = 7);
          Fan fan(slope = SLOPE);
        equation
          connect(left.port, fan.a);
          connect(fan.b, right.port);
        end M;
        """
    )
    still = saltus.load(text.replace("SLOPE", "0")).simulate(stop_time=1.0)
    assert float(still["fan.h"][-1]) in (3.0, 7.0)
    assert float(still["left.port.H"][-1]) == 0
    result = saltus.load(text.replace("SLOPE", "2")).simulate(stop_time=1.0)
    m = 2 * (result["time"] - 0.5)
    clear = np.abs(m) > 1e-6
    assert result["fan.h"][clear] == pytest.approx(np.where(m > 0, 3.0, 7.0)[clear])
    assert result["right.port.H"] == pytest.approx(np.where(m > 0, 3.0, 7.0) * m, abs=1e-9)


#: Three tanks that meet: two fans blow out of theirs, the third takes what comes.
MEETING = """
model M
  Tank one(h = 3), two(h = 7), three(h = 20);
  Fan first(m = M1, slope = SLOPE), second(m = M2, slope = SLOPE);
equation
  connect(one.port, first.a);
  connect(two.port, second.a);
  connect(first.b, three.port);
  connect(second.b, three.port);
end M;
"""


@pytest.mark.parametrize(
    ("first", "second", "mixture"),
    [
        (1, 3, (1 * 3 + 3 * 7) / 4),  # both blow out: the books of mass and of what it carries
        (-1, -3, 20.0),  # both take in what the third tank gives
        (2, -1, 3.0),  # one gives to both others
        (-1, 3, 7.0),
        (2, 0, 3.0),  # one stands still
        (0, -1, 20.0),
    ],
)
def test_flows_that_meet_are_mixed(first: float, second: float, mixture: float) -> None:
    text = PORTS + COLD + MEETING.replace("M1", str(first)).replace("M2", str(second)).replace("SLOPE", "0")
    result = saltus.load(text).simulate(stop_time=1.0)
    assert result["three.port.h"] == pytest.approx(mixture)
    brought = {first: 3.0 if first > 0 else mixture, second: 7.0 if second > 0 else mixture}
    carried = first * brought[first] + second * brought[second]
    assert result["three.port.H"] == pytest.approx(carried)


def test_where_nothing_flows_a_mixture_lies_between_its_parts() -> None:
    text = PORTS + COLD + MEETING.replace("M1", "0").replace("M2", "0").replace("SLOPE", "0")
    result = saltus.load(text).simulate(stop_time=1.0)
    assert 3.0 <= float(result["three.port.h"][-1]) <= 20.0
    for name in ("one", "two", "three"):
        assert float(result[f"{name}.port.H"][-1]) == 0


def test_a_mixture_whose_flows_all_reverse_at_once() -> None:
    text = PORTS + COLD + MEETING.replace("M1", "0").replace("M2", "0").replace("SLOPE", "2")
    result = saltus.load(text).simulate(stop_time=1.0)
    m = 2 * (result["time"] - 0.5)
    clear = np.abs(m) > 1e-6
    assert result["three.port.h"][clear] == pytest.approx(np.where(m > 0, 5.0, 20.0)[clear])
    assert result["three.port.H"] == pytest.approx(np.where(m > 0, 10.0, 40.0) * m, abs=1e-9)
    assert result["one.port.H"] + result["two.port.H"] == pytest.approx(-result["three.port.H"], abs=1e-9)
