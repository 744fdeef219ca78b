"""Expandable connectors (section 9.1.3): what connections add to them, and what they leave out."""

from __future__ import annotations

import pytest
from lower_case import Case, Refusal, check_refusal, check_values, named

import saltus

SIGNALS = """
connector RealInput = input Real;
connector RealOutput = output Real;
connector BooleanOutput = output Boolean;
connector BooleanInput = input Boolean;
expandable connector Bus
end Bus;
block Give
  parameter Real k = 1;
  RealOutput y = k;
end Give;
block Take
  RealInput u;
  Real z = 2*u;
end Take;
"""

ENGINE = (
    SIGNALS
    + """
model Sensor
  Bus bus;
  Give g(k = 7);
equation
  connect(bus.speed, g.y);
end Sensor;
model Actuator
  Bus bus;
  Take t;
equation
  connect(t.u, bus.speed);
end Actuator;
"""
)

VALUES = [
    Case(
        "a signal through a bus",
        ENGINE
        + """
        model M
          Actuator actuator;
          Sensor sensor;
          Bus bus;
        equation
          connect(bus, actuator.bus);
          connect(bus, sensor.bus);
        end M;
        """,
        {"actuator.t.z": 14, "bus.speed": 7, "actuator.bus.speed": 7},
    ),
    Case(
        "through a bus that does not name the signal",
        ENGINE
        + """
        model Middle
          Bus bus;
          Bus other;
        equation
          connect(bus, other);
        end Middle;
        model M
          Actuator actuator;
          Middle middle;
          Sensor sensor;
        equation
          connect(actuator.bus, middle.bus);
          connect(sensor.bus, middle.other);
        end M;
        """,
        {"actuator.t.z": 14, "middle.bus.speed": 7, "middle.other.speed": 7},
    ),
    Case(
        "declared in one of the buses",
        SIGNALS
        + """
        expandable connector Declared
          Real x(unit = "m");
          Real notUsed;
          parameter Integer n = 3;
        end Declared;
        model A
          Declared bus;
          Give g(k = 3);
          Real seen = bus.x*bus.n;
        equation
          connect(g.y, bus.x);
        end A;
        model M
          A a;
          Bus bus;
          Take t;
        equation
          connect(a.bus, bus);
          connect(bus.x, t.u);
        end M;
        """,
        {"a.seen": 9, "t.z": 6},
    ),
    Case(
        "an array of signals and single elements of one",
        SIGNALS
        + """
        model M
          Bus bus;
          Give g[3](k = {1, 2, 3});
          Give h(k = 5);
          Give i(k = 6);
          Take t[3];
          Take u;
        equation
          connect(g.y, bus.all);
          connect(t.u, bus.all);
          connect(h.y, bus.some[2]);
          connect(i.y, bus.some[4]);
          connect(bus.some[4], u.u);
        end M;
        """,
        {"t[3].z": 6, "u.z": 12, "bus.some[2]": 5, "bus.some[1]": 0, "bus.some[3]": 0},
    ),
    Case(
        "slices of what is not declared",
        SIGNALS
        + """
        model M
          parameter Integer n = 2;
          Bus bus;
          Give g[2](k = {1, 2});
          Take t;
        equation
          connect(g.y, bus.x[n:n + 1]);
          connect(bus.x[3], t.u);
        end M;
        """,
        {"t.z": 4, "bus.x[2]": 1},
    ),
    Case(
        "declared with an unknown size",
        SIGNALS
        + """
        expandable connector Sized
          Real x[:];
        end Sized;
        model M
          Sized bus;
          Give g[2](k = {4, 5});
          Real seen = bus.x[2];
        equation
          connect(g.y, bus.x);
        end M;
        """,
        {"seen": 5, "bus.x[1]": 4},
    ),
    Case(
        "buses in a bus, as the cylinders of an engine",
        SIGNALS
        + """
        expandable connector CylinderBus
          Real advance;
        end CylinderBus;
        model Cylinder
          CylinderBus bus;
          Take plug;
        equation
          connect(plug.u, bus.advance);
        end Cylinder;
        model Engine
          Bus bus;
          Cylinder cylinder[4];
        equation
          for i in 1:4 loop
            connect(cylinder[i].bus, bus.cylinder[i]);
          end for;
        end Engine;
        model Control
          Bus bus;
          Give g[4](k = {1, 2, 3, 4});
          CylinderBus each_[4];
        equation
          for i in 1:4 loop
            connect(g[i].y, each_[i].advance);
            connect(each_[i], bus.cylinder[i]);
          end for;
        end Control;
        model M
          Engine engine;
          Control control;
        equation
          connect(engine.bus, control.bus);
        end M;
        """,
        {"engine.cylinder[3].plug.z": 6, "engine.cylinder[4].plug.z": 8, "engine.bus.cylinder[2].advance": 2},
    ),
    Case(
        "a declared bus in a bus, and a signal in it that is not declared",
        SIGNALS
        + """
        expandable connector Outer
          Bus sub;
        end Outer;
        model A
          Outer bus;
          Give g(k = 2);
        equation
          connect(g.y, bus.sub.x);
        end A;
        model B
          Outer bus;
          Take t;
        equation
          connect(t.u, bus.sub.x);
        end B;
        model M
          A a;
          B b;
        equation
          connect(a.bus, b.bus);
        end M;
        """,
        {"b.t.z": 4},
    ),
    Case(
        "a bus of the model itself gets its signals from outside",
        SIGNALS
        + """
        model M
          Bus bus;
          Take t;
        equation
          connect(t.u, bus.x);
        end M;
        """,
        {"t.z": 0, "bus.x": 0},
    ),
    Case(
        "Booleans, and causality by element",
        SIGNALS
        + """
        block Ask
          BooleanInput u;
          Real z = if u then 1 else 2;
        end Ask;
        block Say
          BooleanOutput y = true;
        end Say;
        model M
          Bus bus;
          Say s;
          Ask a;
        equation
          connect(s.y, bus.on);
          connect(bus.on, a.u);
        end M;
        """,
        {"a.z": 1},
    ),
    Case(
        "a short definition of an expandable connector",
        SIGNALS
        + """
        connector Short = Bus;
        model M
          Short bus;
          Give g(k = 3);
          Take t;
        equation
          connect(g.y, bus.x);
          connect(bus.x, t.u);
        end M;
        """,
        {"t.z": 6},
    ),
    Case(
        "inner and outer bus",
        SIGNALS
        + """
        model A
          outer Bus bus;
          Give g(k = 3);
        equation
          connect(g.y, bus.x);
        end A;
        model B
          outer Bus bus;
          Take t;
        equation
          connect(bus.x, t.u);
        end B;
        model M
          inner Bus bus;
          A a;
          B b;
        end M;
        """,
        {"b.t.z": 6},
    ),
    Case(
        "a conditional component takes its connection to the bus with it",
        SIGNALS
        + """
        model M
          Bus bus;
          Give g(k = 3);
          Take t;
          Take none if false;
        equation
          connect(g.y, bus.x);
          connect(bus.x, t.u);
          connect(bus.y, none.u);
        end M;
        """,
        {"t.z": 6},
    ),
]

ELECTRIC = (
    SIGNALS
    + """
connector Pin
  Real v;
  flow Real i;
end Pin;
model Cell
  Pin p;
equation
  p.v = 12;
end Cell;
model Lamp
  Pin p;
equation
  p.v = 4*p.i;
end Lamp;
model Source
  Bus bus;
  Cell cell;
equation
  connect(cell.p, bus.p12);
end Source;
model Load
  Bus bus;
  Lamp lamp;
equation
  connect(bus.p12, lamp.p);
end Load;
model Bystander
  Bus bus;
end Bystander;
model M
  Bus bus;
  Source source;
  Load one;
  Load two;
  Bystander other;
equation
  connect(source.bus, bus);
  connect(bus, one.bus);
  connect(two.bus, bus);
  connect(other.bus, bus);
end M;
"""
)

REFUSALS = [
    Refusal(
        "neither side is declared",
        SIGNALS
        + """
        model M
          Bus a;
          Bus b;
        equation
          connect(a.x, b.x);
        end M;
        """,
        "E210",
        ("a.x", "b.x", "declared"),
    ),
    Refusal(
        "two sources, far from each other",
        ENGINE
        + """
        model M
          Sensor one;
          Sensor two;
        equation
          connect(one.bus, two.bus);
        end M;
        """,
        "E210",
        ("two sources",),
    ),
    Refusal(
        "a signal from nowhere",
        ENGINE
        + """
        model M
          Actuator a;
        end M;
        """,
        "E210",
        ("a.t.u", "bus"),
    ),
    Refusal(
        "a variable that is not present",
        SIGNALS
        + """
        expandable connector Declared
          Real x;
        end Declared;
        model M
          Declared bus;
          Real y = bus.x;
        end M;
        """,
        "E210",
        ("bus.x", "present"),
    ),
    Refusal(
        "a variable that is not present, in a value that gives a size",
        SIGNALS
        + """
        expandable connector Declared
          Real x;
        end Declared;
        model M
          Declared bus;
          Real y[:] = {bus.x, 1};
        end M;
        """,
        "E210",
        ("bus.x", "present"),
    ),
    Refusal(
        "a variable that is not declared",
        SIGNALS
        + """
        model M
          Bus bus;
          Give g;
          Real y = bus.x;
        equation
          connect(g.y, bus.x);
        end M;
        """,
        "E201",
        ("x", "bus"),
    ),
    Refusal(
        "a bus with an ordinary connector",
        SIGNALS
        + """
        connector Pin
          Real v;
          flow Real i;
        end Pin;
        model M
          Bus bus;
          Pin p;
        equation
          connect(bus, p);
        end M;
        """,
        "E210",
        ("bus", "expandable"),
    ),
    Refusal(
        "a bus with an array of buses",
        SIGNALS
        + """
        model M
          Bus a;
          Bus b[2];
        equation
          connect(a, b);
        end M;
        """,
        "E210",
        ("array [2]",),
    ),
    Refusal(
        "a flow variable of its own",
        """
        expandable connector Bus
          flow Real i;
        end Bus;
        model M
          Bus bus;
        end M;
        """,
        "E210",
        ("flow",),
    ),
    Refusal(
        "a value for what may not be there",
        SIGNALS
        + """
        expandable connector Declared
          Real x;
        end Declared;
        model M
          Declared bus(x = 1);
        end M;
        """,
        "E210",
        ("x", "potentially"),
    ),
    Refusal(
        "a scalar in one bus, an array in the other",
        SIGNALS
        + """
        model M
          Bus a;
          Bus b;
          Give g;
          Give h[2];
        equation
          connect(g.y, a.x);
          connect(h.y, b.x);
          connect(a, b);
        end M;
        """,
        "E210",
        ("not alike",),
    ),
    Refusal(
        "a signal in one bus, a bus in the other",
        SIGNALS
        + """
        model M
          Bus a;
          Bus b;
          Bus c;
          Give g;
        equation
          connect(g.y, a.x);
          connect(c, b.x);
          connect(a, b);
        end M;
        """,
        "E210",
        ("not alike",),
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


@named(REFUSALS)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)


def test_pins_in_a_bus_balance_their_currents_at_every_level() -> None:
    """A cell and two lamps of 4 Ohm by way of buses; one bus only gets the pin, and no current."""
    result = saltus.load(ELECTRIC).simulate(stop_time=0.1)
    last = {
        n: float(result[n][-1]) for n in ("source.cell.p.i", "one.lamp.p.i", "other.bus.p12.i", "bus.p12.v")
    }
    assert last == pytest.approx(
        {"source.cell.p.i": -6, "one.lamp.p.i": 3, "other.bus.p12.i": 0, "bus.p12.v": 12}, abs=1e-9
    )


def test_what_nothing_is_connected_to_is_not_in_the_model() -> None:
    text = (
        SIGNALS
        + """
        expandable connector Declared
          Real x;
          Real y;
          Bus sub;
        end Declared;
        model M
          Declared bus;
          Give g(k = 3);
        equation
          connect(g.y, bus.y);
        end M;
        """
    )
    names = saltus.load(text).simulate(stop_time=0.1).names
    assert "bus.y" in names
    assert "bus.x" not in names
