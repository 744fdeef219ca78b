"""Start values that the initial mode contradicts: they are those before the start, and the first mode is
entered from them as at any other event. Against conservation of momentum and charge, by hand."""

from __future__ import annotations

import numpy as np
import pytest

import saltus
from saltus.bondgraph import Graph
from saltus.core.source import Source
from saltus.read.bondgraph.files import graphs
from saltus.read.bondgraph.starts import held_apart

#: The text with which the language was agreed upon, as it stands there.
SAMPLE = """
graph Clutch "two inertias and a switched junction"
  parameter R1 = 2 "Ohm"
  Se drive(e = 10*sin(time))
  I  motor(I = 1, p0 = 4.9)        # p0: momentum at the start, or f0
  C  shaft(C = 0.5, q0 = 0)        # q0: displacement at the start, or e0
  R  loss(R = R1)
  TF gear(m = 2)                   # f_out = m*f_in, e_in = m*e_out, along the arrows
  GY coil(r = 0.1)                 # e_out = r*f_in, e_in = r*f_out
  J1 a                             # J0, J1; X0, X1 are controlled junctions
  X1 sw
  bond drive -> a -> motor         # the half arrow points to the right; each arrow is one bond
  bond b1: a -> sw                 # a bond with a name: b1.e, b1.f
  signal slip = motor.f - 1        # NAME.e and NAME.f of one-ports, NAME.p of I, NAME.q of C, time
  machine sw                       # of a controlled junction
    initial off
    off -> on when slip > 0 and time >= 0.2
    on -> off when b1.e < 0
  end
  experiment stop = 1, tolerance = 1e-8
end Clutch
"""


def held(text: str) -> set[str]:
    (graph,) = graphs(Source("g.bg", text))
    return set(held_apart(graph))


def codes(result: saltus.Result) -> list[str]:
    return [w.code for w in result.warnings]


def test_the_text_of_the_language() -> None:
    """Every line of it. The brake holds the motor where it begins: its momentum is lost at once, and
    the drive pulls at the brake from then on."""
    model = saltus.load(SAMPLE)
    assert [(w.code, w.span and w.span.text) for w in model.warnings] == [
        ("W207", "shaft"), ("W207", "loss"), ("W207", "gear"), ("W207", "coil")
    ]  # fmt: skip
    result = model.simulate()
    assert result["motor.f"][0] == 4.9 and np.abs(result["motor.f"][1:]).max() == 0
    assert result["slip"][0] == pytest.approx(3.9) and result["slip"][-1] == -1
    np.testing.assert_allclose(result["b1.e"], 10 * np.sin(result.time), atol=1e-12)
    np.testing.assert_array_equal(result["drive.e"], result["b1.e"])
    assert np.abs(result["b1.f"]).max() == 0 and not result["sw.on"].any()
    assert [(i.time, i.weight) for i in result.impulses["b1.e"]] == [(0, 4.9)]
    assert result.time[-1] == 1
    # What no bond leads to takes no part.
    for name in (
        "shaft.q",
        "shaft.e",
        "shaft.f",
        "loss.e",
        "loss.f",
        "gear.f_in",
        "gear.e_out",
        "coil.e_out",
    ):
        assert np.abs(result[name]).max() == 0, name
    (warning,) = result.warnings
    assert warning.code == "W408" and warning.span is not None and warning.span.text == "p0 = 4.9"
    assert "`motor` begins with p = 4.9, which becomes 0" in warning.message
    assert "`sw off` it follows from `sw`, along sw - a - motor" in warning.message


def test_the_text_of_the_language_when_it_begins_on() -> None:
    """Then motor and drive are by themselves: p = 4.9 + 10*(1 - cos(t)), and nothing pulls at the switch."""
    result = saltus.load(SAMPLE.replace("initial off", "initial on")).simulate(tolerance=1e-11)
    expected = 4.9 + 10 * (1 - np.cos(result.time))
    np.testing.assert_allclose(result["motor.p"], expected, rtol=1e-8)
    assert codes(result) == [] and np.abs(result["b1.e"]).max() == 0
    assert len(result.impulses) == 0


def test_bodies_on_one_shaft() -> None:
    """Without any machine: momenta of 3, -4 and 3 are shared by inertias of 1, 2 and 1."""
    text = """
    graph Shaft
      I a(I = 1, p0 = 3)
      I b(I = 2, p0 = -4)
      I c(I = 1)
      J1 s
      bond s -> a
      bond s -> b
      bond s -> c
    end Shaft
    """
    assert held(text) == {"b"}
    result = saltus.load(text).simulate(stop_time=1)
    assert result["a.p"][0] == 3 and result["b.p"][0] == -4
    # c has no value of its own, so that it began with the speed of a.
    for name in "abc":
        assert result[f"{name}.f"][-1] == pytest.approx((3 - 4 + 3) / 4, abs=1e-12)
    (warning,) = result.warnings
    assert warning.code == "W408" and "follows from `a`, along a - s - b" in warning.message


@pytest.mark.parametrize("ratio", [1, 2, -0.5])
def test_bodies_and_a_gear(ratio: float) -> None:
    """p_1 + m*p_2 stays, and f_2 = m*f_1."""
    graph = Graph("Geared")
    graph.J1("x") >> graph.TF("gear", m=ratio) >> graph.J1("y")
    graph["x"] >> graph.I("one", I=2, p0=5)
    graph["y"] >> graph.I("two", I=3, f0=1)
    for model in (graph.load(), saltus.load(graph.to_modelica())):
        result = model.simulate(stop_time=1)
        first = (5 + ratio * 3) / (2 + ratio**2 * 3)
        assert result["one.f"][-1] == pytest.approx(first, abs=1e-12)
        assert result["two.f"][-1] == pytest.approx(ratio * first, abs=1e-12)


def test_capacitors_behind_a_closed_switch() -> None:
    """3 C and 0 C on 1 F and 2 F: both have 1 V, and the resistor across them has had nothing of it."""
    result = saltus.load("""
    graph Charged
      C  one(C = 1, q0 = 3)
      C  two(C = 2, q0 = 0)
      R  across(R = 10)
      J0 node
      X1 switch
      bond node -> one
      bond node -> across
      bond node -> switch -> two
      machine switch
        initial on
        on -> off when time >= 1
      end
    end Charged
    """).simulate(stop_time=2, tolerance=1e-10)
    at_start = int((result.time == 0).sum()) - 1
    assert result["one.e"][at_start] == pytest.approx(1, abs=1e-12)
    assert result["two.e"][at_start] == pytest.approx(1, abs=1e-12)
    opened = result.time > 1
    assert result["two.e"][-1] == pytest.approx(np.exp(-1 / 30), rel=1e-8)
    expected = np.exp(-1 / 30) * np.exp(-(result.time[opened] - 1) / 10)
    np.testing.assert_allclose(result["one.e"][opened], expected, rtol=1e-8)
    assert codes(result) == ["W408"]


@pytest.mark.parametrize(("ratio", "first", "second"), [(2, 3, 3), (2, 1, 2), (2, 0, 5), (3, 1, 3)])
def test_two_gears_that_are_engaged(ratio: float, first: float, second: float) -> None:
    """Of one ratio they are as good as one: p_1 + 2*p_2 stays. Of different ones they let nothing turn."""
    graph = Graph("Geared")
    x, y, clutch = graph.J1("x"), graph.J1("y"), graph.X0("clutch")
    x >> graph.I("one", I=1, p0=first)
    y >> graph.I("two", I=1, p0=second)
    x >> graph.TF("s", m=2) >> y
    x >> clutch >> graph.TF("t", m=ratio) >> y
    graph.machine(clutch, "on", ("on", "off", "time >= 0.5"))
    result = graph.simulate(stop_time=1)
    expected = (first + 2 * second) / 5 if ratio == 2 else 0
    assert (result["one.p"][0], result["two.p"][0]) == (first, second)
    assert result["one.p"][-1] == pytest.approx(expected, abs=1e-9)
    assert result["two.p"][-1] == pytest.approx(2 * expected, abs=1e-9)
    assert ("W408" in codes(result)) == ((ratio, first, second) != (2, 1, 2))


def test_a_source_decides() -> None:
    """A source of flow takes the body along at once; its impulse is what is missing."""
    text = """
    graph Driven
      parameter p_0 = 5
      Sf drive(f = 2 + time)
      I  body(I = 3, p0 = p_0)
      bond drive -> body
    end Driven
    """
    model = saltus.load(text)
    result = model.simulate(stop_time=1)
    np.testing.assert_allclose(result["body.f"][1:], 2 + result.time[1:], atol=1e-12)
    assert [i.weight for i in result.impulses["body.e"]] == [pytest.approx(1)]
    agrees = model.simulate(stop_time=1, set={"p_0": 6})
    assert codes(agrees) == [] and len(agrees.impulses) == 0


def test_a_mode_that_is_left_at_once_takes_nothing() -> None:
    """A brake that is let go at the start has never held: the initial mode is a mythical one."""
    result = saltus.load("""
    graph Released
      I  body(I = 2, p0 = 3)
      R  air(R = 1)
      X1 brake
      bond brake -> body
      bond brake -> air
      machine brake
        initial off
        off -> on when time >= 0
      end
    end Released
    """).simulate(stop_time=1, tolerance=1e-10)
    np.testing.assert_allclose(result["body.p"], 3 * np.exp(-result.time / 2), rtol=1e-8)
    assert codes(result) == [] and len(result.impulses) == 0


def test_a_momentum_before_the_start_may_decide() -> None:
    """`pre` at the start sees what was given: a ratchet that holds only what turns backwards."""
    text = """
    graph Ratchet
      parameter p_0 = 3
      I  body(I = 2, p0 = p_0)
      X1 pawl
      bond pawl -> body
      machine pawl
        initial off
        off -> on when pre(body.f) > 0
      end
    end Ratchet
    """
    model = saltus.load(text)
    assert model.simulate(stop_time=1)["body.p"][-1] == 3
    assert model.simulate(stop_time=1, set={"p_0": -3})["body.p"][-1] == 0


def test_what_agrees_is_left_alone() -> None:
    """Zeros everywhere; or one value, from which what has none follows."""
    rest = """
    graph Rest
      I  a(I = 1, p0 = 0)
      I  b(I = 1, p0 = 0)
      TF t(m = 3)
      J1 x
      J1 y
      bond x -> a
      bond x -> t -> y -> b
    end Rest
    """
    assert held(rest) == set()
    follows = rest.replace("a(I = 1, p0 = 0)", "a(I = 1)").replace("b(I = 1, p0 = 0)", "b(I = 1, p0 = 6)")
    assert held(follows) == set()
    result = saltus.load(follows).simulate(stop_time=1)
    assert result["a.f"][0] == 2 and result["a.f"][-1] == 2 and result["b.f"][-1] == 6
    assert held(rest.replace("b(I = 1, p0 = 0)", "b(I = 1, p0 = 1)")) == {"b"}


def test_others_that_take_no_part() -> None:
    """Sources and dissipations of all kinds without bonds; a storage keeps what it has."""
    result = saltus.load("""
    graph Alone
      I  body(I = 2, p0 = 3)
      C  tank(C = 2, q0 = 3)
      Se battery(e = 12)
      Sf pump(f = 3)
      R  one(R = 1)
      R  two(e = f^3)
      R  three(f = e^3)
      MTF lever(m = time)
      MGY coil(r = time)
      C  spring(e = q^3, q0 = 2)
      Se drive(e = 1)
      I  driven(I = 1, p0 = 0)
      bond drive -> driven
    end Alone
    """).simulate(stop_time=1)
    names = ["body.p", "tank.q", "battery.e", "battery.f", "pump.f", "pump.e", "spring.e", "driven.p"]
    assert [result[name][-1] for name in names] == pytest.approx([3, 3, 12, 0, 3, 0, 8, 1])
    for name in ("one", "two", "three"):
        assert result[f"{name}.e"][-1] == result[f"{name}.f"][-1] == 0
    for name in ("lever", "coil"):
        for variable in ("e_in", "f_in", "e_out", "f_out"):
            assert result[f"{name}.{variable}"][-1] == 0
