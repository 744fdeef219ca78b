"""Gates and flip-flops against Python, with random inputs.

Inputs are tables of times at which they change. What a flip-flop should do is a state machine in Python that
walks through these times: it knows the inputs before and after each instant.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from signal_limits import jumps

import saltus
from saltus.core.diagnostics import RunError

COVERS = (
    "Saltus.Logic.And",
    "Saltus.Logic.Or",
    "Saltus.Logic.Not",
    "Saltus.Logic.Xor",
    "Saltus.Logic.Nand",
    "Saltus.Logic.Nor",
    "Saltus.Logic.AndN",
    "Saltus.Logic.OrN",
    "Saltus.Logic.RSFlipFlop",
    "Saltus.Logic.DFlipFlop",
    "Saltus.Logic.JKFlipFlop",
    "Saltus.Logic.TFlipFlop",
    "Saltus.Logic.Latch",
    "Saltus.Logic.Edge",
    "Saltus.Logic.Falling",
    "Saltus.Logic.Change",
    "Saltus.Logic.Counter",
    "Saltus.Logic.Pre",
    "Saltus.Logic.Sources.BooleanConstant",
    "Saltus.Logic.Sources.BooleanStep",
    "Saltus.Logic.Sources.BooleanPulse",
    "Saltus.Logic.Sources.BooleanTable",
    "Saltus.Logic.Sources.SampleTrigger",
)

COUNT = 6  # changes of each input

MODEL = f"""
model Gates "Three random signals through everything"
  import Saltus.Logic.*;
  parameter Real ta[{COUNT}] = 1:{COUNT}, tb[{COUNT}] = 1:{COUNT}, tc[{COUNT}] = 1:{COUNT};
  parameter Boolean a0 = false, b0 = false, c0 = false, q0 = false;
  Sources.BooleanTable ta_(table = ta, before = a0), tb_(table = tb, before = b0);
  Sources.BooleanTable tc_(table = tc, before = c0);
  Boolean a = ta_.y, b = tb_.y, c = tc_.y;
  And and1(u1 = a, u2 = b);
  Or or1(u1 = a, u2 = b);
  Not not1(u = a);
  Xor xor1(u1 = a, u2 = b);
  Nand nand1(u1 = a, u2 = b);
  Nor nor1(u1 = a, u2 = b);
  AndN and3(u = {{a, b, c}}), and2(n = 2, u = {{a, b}});
  OrN or3(u = {{a, b, c}});
  RSFlipFlop rs(q0 = q0, s = a, r = b);
  DFlipFlop d(q0 = q0, d = a, clock = c), d2(q0 = q0, d = d.q, clock = c);
  JKFlipFlop jk(q0 = q0, j = a, k = b, clock = c);
  TFlipFlop t(q0 = q0, u = c);
  Latch latch(y0 = q0, u = a, enable = b);
  Edge edge1(u = a);
  Falling falling(u = a);
  Change change1(u = a);
  Counter edges(u = edge1.y), falls(u = falling.y), changes(u = change1.y, y0 = 5);
  Counter laps(u = c, useReset = true, reset = b);
  annotation(experiment(StopTime = 13, Interval = 1));
end Gates;
"""

Bits = tuple[bool, bool, bool]


@pytest.fixture(scope="module")
def model() -> saltus.Model:
    return saltus.load(MODEL)


times = st.lists(st.integers(1, 12), min_size=COUNT, max_size=COUNT, unique=True).map(sorted)
signals = st.tuples(times, times, times)
bits = st.tuples(st.booleans(), st.booleans(), st.booleans())


def walk(tables: tuple[list[int], ...], first: Bits) -> list[Bits]:
    """The inputs at 0 and after each of the seconds 1 to 13."""
    return [
        tuple(b != (sum(t <= now for t in table) % 2 == 1) for table, b in zip(tables, first, strict=True))  # type: ignore[misc]
        for now in range(14)
    ]


def memory(
    inputs: list[Bits], first: float, rule: Callable[[Bits, Bits, float], float], start: float | None = None
) -> list[float]:
    """The value after each second: `rule` has the inputs before and after, and the last value."""
    values = [first if start is None else start]
    for before, now in itertools.pairwise(inputs):
        values.append(rule(before, now, values[-1]))
    return values


def after(result: saltus.Result, name: str) -> list[float]:
    """The value of a variable from each second on."""
    changes = jumps(result, name)
    return [[value for time, value in changes if time <= now][-1] for now in range(14)]


@settings(max_examples=60)
@given(tables=signals, first=bits, q0=st.booleans())
def test_random_inputs(model: saltus.Model, tables: tuple[list[int], ...], first: Bits, q0: bool) -> None:
    result = model.simulate(
        set={
            **dict(zip(("ta", "tb", "tc"), tables, strict=True)),
            **dict(zip(("a0", "b0", "c0"), first, strict=True)),
            "q0": q0,
        }
    )
    inputs = walk(tables, first)
    gates: dict[str, Callable[[bool, bool, bool], bool]] = {
        "a": lambda a, b, c: a,
        "b": lambda a, b, c: b,
        "c": lambda a, b, c: c,
        "and1.y": lambda a, b, c: a and b,
        "or1.y": lambda a, b, c: a or b,
        "not1.y": lambda a, b, c: not a,
        "xor1.y": lambda a, b, c: a != b,
        "nand1.y": lambda a, b, c: not a or not b,  # de Morgan
        "nor1.y": lambda a, b, c: not a and not b,
        "and3.y": lambda a, b, c: a and b and c,
        "and2.y": lambda a, b, c: a and b,
        "or3.y": lambda a, b, c: a or b or c,
    }
    for name, law in gates.items():
        assert after(result, name) == [law(*x) for x in inputs], name

    def rises(before: Bits, now: Bits, k: int) -> bool:
        return now[k] and not before[k]

    a0, b0, _ = first
    d = memory(inputs, q0, lambda x, y, q: x[0] if rises(x, y, 2) else q)
    shifted = [float(q0)]
    for k in range(13):
        shifted.append(d[k] if rises(inputs[k], inputs[k + 1], 2) else shifted[-1])
    expected = {
        "rs.q": memory(inputs, 0, lambda x, y, q: not y[1] and (y[0] or q), not b0 and (a0 or q0)),
        "d.q": d,
        "d2.q": shifted,
        "jk.q": memory(
            inputs,
            q0,
            lambda x, y, q: (
                {(0, 0): q, (0, 1): 0, (1, 0): 1, (1, 1): 1 - q}[x[0], x[1]] if rises(x, y, 2) else q
            ),
        ),
        "t.q": memory(inputs, q0, lambda x, y, q: 1 - q if rises(x, y, 2) else q),
        "latch.y": memory(inputs, 0, lambda x, y, q: y[0] if y[1] else q, a0 if b0 else q0),
        "edges.y": memory(inputs, 0, lambda x, y, n: n + rises(x, y, 0)),
        "falls.y": memory(inputs, 0, lambda x, y, n: n + rises(y, x, 0)),
        "changes.y": memory(inputs, 5, lambda x, y, n: n + (x[0] != y[0])),
        "laps.y": memory(
            inputs,
            0,
            lambda x, y, n: 0 if y[1] and (rises(x, y, 1) or rises(x, y, 2)) else n + rises(x, y, 2),
        ),
    }
    for name, values in expected.items():
        assert after(result, name) == values, name
    for name in ("rs", "d", "jk", "t"):
        assert [1 - q for q in after(result, f"{name}.q")] == after(result, f"{name}.qn")


def test_sources() -> None:
    text = """model M
      import Saltus.Logic.*;
      Sources.BooleanConstant yes, no(k = false);
      Sources.BooleanStep step(startTime = 0.3), down(startTime = 0.3, before = true), early(startTime = -1);
      Sources.BooleanPulse pulse(period = 0.4, width = 0.25, startTime = 0.1);
      Sources.BooleanPulse running(period = 0.4, startTime = -0.5);
      Sources.BooleanPulse never(width = 0, period = 0.1), ever(width = 1, period = 0.1);
      Sources.BooleanTable table(table = {0.1, 0.2, 0.7}), on(table = {0.5}, before = true);
      Sources.SampleTrigger trigger(startTime = 0.15, period = 0.2);
      Counter ticks(u = trigger.y);
    end M;"""
    result = saltus.load(text).simulate(stop_time=0.94)
    assert jumps(result, "yes.y") == [(0, 1)] and jumps(result, "no.y") == [(0, 0)]
    assert jumps(result, "step.y") == [(0, 0), (0.3, 1)]
    assert jumps(result, "down.y") == [(0, 1), (0.3, 0)]
    assert jumps(result, "early.y") == [(0, 1)]
    assert jumps(result, "pulse.y") == [(0, 0), (0.1, 1), (0.2, 0), (0.5, 1), (0.6, 0), (0.9, 1)]
    assert [value for _, value in jumps(result, "running.y")] == [1, 0, 1, 0, 1, 0]
    assert [t for t, _ in jumps(result, "running.y")] == pytest.approx([0, 0.1, 0.3, 0.5, 0.7, 0.9])
    assert jumps(result, "never.y") == [(0, 0)] and jumps(result, "ever.y") == [(0, 1)]
    assert jumps(result, "table.y") == [(0, 0), (0.1, 1), (0.2, 0), (0.7, 1)]
    assert jumps(result, "on.y") == [(0, 1), (0.5, 0)]
    assert [n for _, n in jumps(result, "ticks.y")] == [0, 1, 2, 3, 4]
    assert [t for t, _ in jumps(result, "ticks.y")] == pytest.approx([0, 0.15, 0.35, 0.55, 0.75])


@settings(max_examples=20)
@given(x=st.integers(0, 15), y=st.integers(0, 15))
def test_gates_add(adder: saltus.Model, x: int, y: int) -> None:
    """Full adders of two Xor, two And and an Or each: four of them add numbers of four digits."""
    bits = {f"{name}[{k + 1}]": bool(n >> k & 1) for name, n in (("x", x), ("y", y)) for k in range(4)}
    result = adder.simulate(set=bits, stop_time=0.1)
    digits = [int(result[f"digit[{k + 1}].s.y"][-1]) for k in range(4)] + [int(result["digit[4].over.y"][-1])]
    assert sum(bit << k for k, bit in enumerate(digits)) == x + y


@pytest.fixture(scope="module")
def adder() -> saltus.Model:
    return saltus.load(
        """
model FullAdder
  import Saltus.Logic.*;
  input Boolean x, y, c;
  Xor half(u1 = x, u2 = y), s(u1 = half.y, u2 = c);
  And both(u1 = x, u2 = y), carry(u1 = half.y, u2 = c);
  Or over(u1 = both.y, u2 = carry.y);
end FullAdder;
model Adder
  parameter Boolean x[4] = {false, false, false, false}, y[4] = {false, false, false, false};
  FullAdder digit[4](x = x, y = y);
equation
  digit[1].c = false;
  for k in 2:4 loop
    digit[k].c = digit[k - 1].over.y;
  end for;
end Adder;""",
        "Adder",
    )


def test_pre_is_a_round_late() -> None:
    """A ring of an odd number of gates has no solution. With the value before, a change runs around it in the
    same instant, until the input that holds it is gone."""
    text = """model M
      import Saltus.Logic.*;
      Integer n(start = 0, fixed = true);
      Boolean go = time >= 1, u = go and not before.y and pre(n) < 3;
      Pre before(u = u);
    equation
      when u then
        n = pre(n) + 1;
      end when;
    end M;"""
    result = saltus.load(text).simulate(stop_time=2)
    assert jumps(result, "n")[-1] == (1, 3)
    assert not result["before.y"].any()  # at rest it is what the input is: false
    ring = text.replace("before.y", "u2").replace("Pre before(u = u);", "Boolean u2 = u;")
    with pytest.raises(RunError, match="settle"):
        saltus.load(ring).simulate(stop_time=2)
