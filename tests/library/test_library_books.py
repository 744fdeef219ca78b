"""The harness of the power balances is itself tested: right books balance, wrong ones and wrong parts do not.

The parts are stand-ins, written here, so that what is found does not depend on the library.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from power_books import Books, account, in_names_of, ledger, told

PARTS = """
package Small
  connector Pin Real v; flow Real i; end Pin;
  connector Flange Real phi; flow Real tau; end Flange;
  connector Port Real T; flow Real Q_flow; end Port;
  partial model Branch
    Pin p, n; Real v, i;
  equation
    v = p.v - n.v; i = p.i; p.i + n.i = 0;
  end Branch;
  model Ground Pin p; equation p.v = 0; end Ground;
  model Battery extends Branch; parameter Real V = 10; equation v = V; end Battery;
  model Resistor extends Branch; parameter Real R = 2; equation v = R*i; end Resistor;
  model Heater extends Branch; parameter Real R = 2; Port port;
  equation v = R*i; port.Q_flow = -v*i; end Heater;
  model Capacitor extends Branch; parameter Real C = 0.1; equation C*der(v) = i; end Capacitor;
  model Leaky "Its law is not that of a capacitor" extends Branch; parameter Real C = 0.1;
  equation C*der(v) = i - 0.01*v; end Leaky;
  model Inductor extends Branch; parameter Real L = 0.5; equation L*der(i) = v; end Inductor;
  model Switch extends Branch; input Boolean closed; equation 0 = if closed then v else i; end Switch;
  model Diode extends Branch; Real s; Boolean on = s > 0;
  equation v = if on then 0 else s; i = if on then s else 0; end Diode;
  model Body Port port; parameter Real c = 3; equation c*der(port.T) = port.Q_flow; end Body;
  model Inertia Flange a, b; parameter Real J = 2; Real w;
  equation a.phi = b.phi; w = der(a.phi); J*der(w) = a.tau + b.tau; end Inertia;
  model Spring Flange a, b; parameter Real c = 5; Real phi_rel, tau;
  equation phi_rel = b.phi - a.phi; tau = c*phi_rel; b.tau = tau; a.tau = -tau; end Spring;
  model Damper Flange a, b; parameter Real d = 0.3; Real w_rel, tau;
  equation w_rel = der(b.phi) - der(a.phi); tau = d*w_rel; b.tau = tau; a.tau = -tau; end Damper;
  model Wall Flange a; equation a.phi = 0; end Wall;
  model Bump "Speeds are turned round, and more" Flange a; equation
    a.tau = 0;
  end Bump;
  model Series "Made of others" Pin p, n; Resistor r1, r2;
  equation connect(p, r1.p); connect(r1.n, r2.p); connect(r2.n, n); end Series;
  model Thief "Looks as if it were made of others" Pin p, n; Resistor r1, r2; Ground g;
  equation connect(r1.p, r2.p); connect(r1.n, r2.n); connect(g.p, r1.n);
    p.v - n.v = 4*p.i; p.i + n.i = 0; end Thief;
end Small;
"""

BOOKS = Books(
    {
        "Small.Ground": {},
        "Small.Battery": {"lost": "V*i", "source": True},
        "Small.Resistor": {"lost": "R*i^2"},
        "Small.Heater": {},
        "Small.Capacitor": {"stored": "C*v^2/2"},
        "Small.Leaky": {"stored": "C*v^2/2"},
        "Small.Inductor": {"stored": "L*i^2/2"},
        "Small.Switch": {},
        "Small.Diode": {},
        "Small.Body": {"stored": "c*port.T"},
        "Small.Inertia": {"stored": "J*w^2/2"},
        "Small.Spring": {"stored": "c*phi_rel^2/2"},
        "Small.Damper": {"lost": "d*w_rel^2"},
        "Small.Wall": {},
        "Small.Bump": {},
    }
)

#: A charged inductor between two ideal switches: potentials are undetermined while they are open.
CIRCUIT = """
model Circuit
  Small.Battery battery; Small.Ground ground; Small.LOAD load;
  Small.Switch s1(closed = time < 0.5 or time > 0.7), s2(closed = time < 0.5 or time > 0.7);
  Small.Capacitor c(v(start = 0, fixed = true)); Small.Inductor l(i(start = 0, fixed = true)); Small.Diode d;
equation
  connect(battery.p, load.p); connect(load.n, s1.p); connect(s1.n, c.p); connect(c.n, s2.p);
  connect(s2.n, l.p); connect(l.n, battery.n); connect(battery.n, ground.p);
  connect(d.p, l.n); connect(d.n, l.p);
  annotation(experiment(StopTime = 2));
end Circuit;
"""

#: Springs in series: the angle between them is no state, and nothing in the model asks for its derivative.
SHAFT = """
model Shaft
  Small.Inertia j(w(start = 1, fixed = true), a(phi(start = 0, fixed = true)));
  Small.Spring s1, s2(c = 7); Small.Damper d; Small.Wall wall;
equation
  connect(j.b, s1.a); connect(s1.b, s2.a); connect(s2.b, wall.a); connect(d.a, j.b); connect(d.b, wall.a);
  annotation(experiment(StopTime = 3));
end Shaft;
"""


def mismatches(text: str, name: str, books: Books = BOOKS) -> str:
    opened = ledger(name, books, PARTS + text)
    assert not opened.missing, [part.cls.full_name for part in opened.missing]
    return told(account(opened, most_rows=20_000).mismatches)


@pytest.mark.parametrize("load", ["Resistor", "Series"])
def test_circuit_balances(load: str) -> None:
    assert mismatches(CIRCUIT.replace("LOAD", load), "Circuit") == ""


def test_shaft_balances() -> None:
    assert mismatches(SHAFT, "Shaft") == ""


def test_heat_is_power() -> None:
    text = """
    model Warm
      Small.Battery battery; Small.Ground ground; Small.Heater heater;
      Small.Body body(port(T(start = 0, fixed = true)));
    equation
      connect(battery.p, heater.p); connect(heater.n, battery.n); connect(battery.n, ground.p);
      connect(heater.port, body.port);
    end Warm;
    """
    assert mismatches(text, "Warm") == ""
    found = account(ledger("Warm", BOOKS, PARTS + text))
    assert found.turnover["body"] == pytest.approx(3 * 50)  # 50 J through the port, counted for the sum, too


@pytest.mark.parametrize(
    "part, wrong",
    [
        ("Resistor", {"lost": "1.001*R*i^2"}),
        ("Capacitor", {"stored": "C*v^2"}),
        ("Inductor", {}),
        ("Inductor", {"stored": "L*i^2/2", "lost": "1e-2*i^2"}),
        ("Battery", {"lost": "V*i*(1 + 1e-3)", "source": True}),
        ("Diode", {"lost": "0.01"}),
    ],
)
def test_wrong_book(part: str, wrong: dict[str, object]) -> None:
    message = mismatches(
        CIRCUIT.replace("LOAD", "Resistor"), "Circuit", Books({**BOOKS, f"Small.{part}": wrong})
    )
    assert f"(Small.{part}), time 0 to " in message and " against " in message
    assert all(f"Small.{part}" in line for line in message.splitlines()), message


@pytest.mark.parametrize("part, wrong", [("Spring", {"stored": "c*phi_rel^2"}), ("Damper", {"lost": "0"})])
def test_wrong_book_of_a_shaft(part: str, wrong: dict[str, object]) -> None:
    message = mismatches(SHAFT, "Shaft", Books({**BOOKS, f"Small.{part}": wrong}))
    assert message and all(f"(Small.{part})" in line for line in message.splitlines()), message


def test_wrong_part() -> None:
    """A capacitor that loses charge is found by the book of a capacitor."""
    text = CIRCUIT.replace("LOAD", "Resistor").replace("Small.Capacitor", "Small.Leaky")
    assert "c (Small.Leaky), time 0 to " in mismatches(text, "Circuit")


def test_power_that_gets_lost_between_parts() -> None:
    """What is made of others needs no book, but has to hand on all that it gets."""
    message = mismatches(CIRCUIT.replace("LOAD", "Thief"), "Circuit")
    assert "all parts" in message and "sum of the powers into them" in message


def test_energy_out_of_nothing() -> None:
    text = """
    model Wonder
      Small.Inertia j(w(start = 1, fixed = true), a(phi(start = 0, fixed = true))); Small.Bump bump;
      parameter Real e = 0.5;
    equation
      connect(j.b, bump.a);
      when time > 0.5 then reinit(j.w, -e*pre(j.w)); end when;
    end Wonder;
    """
    assert mismatches(text, "Wonder") == ""
    message = mismatches(text.replace("0.5;\n    equation", "1.5;\n    equation"), "Wonder")
    assert "energy that an event adds: 1.25 against 0" in message


@pytest.mark.parametrize("source", [True, False])
def test_sources_may_give_impulses(source: bool) -> None:
    """A capacitor that is switched to a battery takes half of what the battery gives."""
    text = """
    model Surge
      Small.Battery battery; Small.Ground ground; Small.Switch s(closed = time > 0.5);
      Small.Capacitor c(v(start = 0, fixed = true));
    equation
      connect(battery.p, s.p); connect(s.n, c.p); connect(c.n, battery.n); connect(battery.n, ground.p);
    end Surge;
    """
    books = Books({**BOOKS, "Small.Battery": {"lost": "V*i", "source": source}})
    message = mismatches(text, "Surge", books)
    assert message == "" if source else "energy that an event adds: 5 against 0" in message


def test_part_without_a_book_is_named() -> None:
    books = Books({name: entry for name, entry in BOOKS.items() if name != "Small.Spring"})
    opened = ledger("Shaft", books, PARTS + SHAFT)
    assert [part.path for part in opened.missing] == ["s1", "s2"]
    assert ledger("Shaft", books, PARTS + SHAFT, may_be_missing="Small.").missing == ()


def test_names_of_a_part() -> None:
    opened = ledger("Shaft", BOOKS, PARTS + SHAFT)
    part = next(p for p in opened.parts if p.path == "j")
    assert in_names_of(part, "J*w^2/2 + sin(a.phi)*time") == "j.J*j.w^2/2 + sin(j.a.phi)*time"


def test_books_are_read_strictly(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text('["A.B"]\nstored = "x"\n')
    assert Books.read(tmp_path) == {"A.B": {"stored": "x"}}
    (tmp_path / "two.toml").write_text('["A.B"]\n')
    with pytest.raises(AssertionError, match="two entries"):
        Books.read(tmp_path)
    (tmp_path / "two.toml").write_text('["A.C"]\nstord = "x"\n')
    with pytest.raises(AssertionError, match="stord"):
        Books.read(tmp_path)


def test_numbers_are_those_of_the_run() -> None:
    """The integrals against a closed form: a battery charges a capacitor through a resistor."""
    text = """
    model Charge
      Small.Battery battery; Small.Ground ground; Small.Resistor r;
      Small.Capacitor c(v(start = 0, fixed = true));
    equation
      connect(battery.p, r.p); connect(r.n, c.p); connect(c.n, battery.n); connect(battery.n, ground.p);
    end Charge;
    """
    found = account(ledger("Charge", BOOKS, PARTS + text))
    rows, (part,) = found.rows, [p for p in found.ledger.parts if p.path == "r"]
    lost = float(rows.integrals(rows[part.path + ".i"] ** 2 * 2)[0])
    assert lost == pytest.approx(
        100 / 2 * 0.1 * (1 - np.exp(-10)), rel=1e-7
    )  # V^2/R * RC/2 (1 - exp(-2t/RC))
