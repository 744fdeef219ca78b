"""Faults of networks are told in the words of who connects parts, before all else."""

from __future__ import annotations

import pytest

import saltus
from saltus.core.diagnostics import Diagnostic

ELECTRICAL = """
  import Saltus.Electrical;
  Electrical.Sources.ConstantVoltage s(V = 10), t(V = 12);
  Electrical.Sources.ConstantCurrent j(I = 1), k(I = 2);
  Electrical.Resistor r(R = 5);
  Electrical.Capacitor c(C = 1e-3);
  Electrical.Ground g, h;"""

#: Parts of one's own, without units.
OWN = """
  connector Pin Real v; flow Real i; end Pin;
  partial model TwoPin
    Pin p, n;
    Real v = p.v - n.v, i = p.i;
  equation
    p.i + n.i = 0;
  end TwoPin;
  model Battery extends TwoPin; parameter Real V = 12; equation v = V; end Battery;
  model Load extends TwoPin; parameter Real R = 3; equation v = R*i; end Load;
  model Earth Pin p; equation p.v = 0; end Earth;
  Battery s, t(V = 6);
  Load r;
  Earth g, h;"""

ROTATIONAL = """
  import Saltus.Rotational;
  Rotational.Sources.ConstantSpeed s(w = 1), t(w = 2);
  Rotational.Inertia r(J = 1);"""

THERMAL = """
  import Saltus.Thermal;
  Thermal.Sources.FixedTemperature s(T = 300), t(T = 280);
  Thermal.Sources.FixedHeatFlow j(Q_flow = 100);
  Thermal.ThermalConductor r(G = 2);
  Thermal.HeatCapacitor c(C = 100);"""


def told(parts: str, connections: str) -> Diagnostic:
    """What is said of the parts that are connected; others are left away."""
    pairs = [pair.split("-") for pair in connections.split()]
    used = {end.split(".")[0] for pair in pairs for end in pair if end}
    kept = []
    for line in parts.splitlines():
        head, _, names = line.strip().rstrip(";").partition(" ")
        declared = [d.strip() for d in names.replace("), ", ");").replace(", ", ";").split(";")]
        own = [d for d in declared if d and d.partition("(")[0] in used]
        is_part = head.split(".")[0] in ("Electrical", "Rotational", "Thermal", "Battery", "Load", "Earth")
        if is_part and own:
            kept.append(f"  {head} {', '.join(own)};")
        elif not is_part:
            kept.append(line)
    joined = " ".join(f"connect({one}, {other});" for one, other in pairs if other)
    with pytest.raises(saltus.ModelError) as caught:
        saltus.load("\n".join(["model Net", *kept, "equation", f"  {joined}", "end Net;"]))
    (found,) = caught.value.diagnostics
    assert found.code == "E301" and "equations for" in found.notes[0].message
    return found


@pytest.mark.parametrize("parts", [ELECTRICAL, OWN], ids=["library", "own"])
@pytest.mark.parametrize(
    ("connections", "words"),
    [
        ("s.p-r.p r.n-s.n", "a ground is missing: among `s` and `r` only differences of"),
        ("s.p-r.p r.n-s.n t.p-s.p t.n-s.n s.n-g.p", "`s` and `t` are side by side, and both prescribe"),
        (
            "s.p-r.p r.n-g.p g.p-s.n s.p-s.n",
            "`s` is shorted: `s.p` and `s.n` are connected to each other, and",
        ),
        (
            "s.p-g.p s.n-h.p",
            "`s` is shorted: `s.p` and `s.n` are connected to each other by way of `g` and `h`",
        ),
    ],
    ids=["no-ground", "parallel", "shorted", "shorted-by-grounds"],
)
def test_sources_and_grounds(parts: str, connections: str, words: str) -> None:
    assert told(parts, connections).message.startswith(words)


@pytest.mark.parametrize(
    ("parts", "connections", "words"),
    [
        (ELECTRICAL, "s.p-t.p s.n-g.p t.n-g.p", "both prescribe the voltage"),
        (ELECTRICAL, "j.p-r.p j.n-g.p r.n-", "current of `j` has no path: nothing is connected to `r.n`"),
        (ELECTRICAL, "j.p-r.p r.n-g.p j.n-k.p k.n-g.p", "are in series, and both prescribe the current"),
        (ELECTRICAL, "s.p-r.p r.n-s.n s.n-g.p c.p-", "nothing is connected to `c.p` and `c.n`: no potential"),
        (ROTATIONAL, "s.flange-r.flange_a t.flange-r.flange_b", "at one point, and both prescribe the m"),
        (THERMAL, "s.port-c.port t.port-c.port", "are at one point, and both prescribe the temperature"),
        (THERMAL, "j.port-r.port_a r.port_b-", "heat flow of `j` has no path: nothing is connected to `r"),
    ],
    ids=["parallel", "open", "series", "alone", "speeds", "temperatures", "heat"],
)  # fmt: skip
def test_faults_of_fields(parts: str, connections: str, words: str) -> None:
    assert words in told(parts, connections).message


def test_a_loop_of_three_and_parts_in_parts() -> None:
    text = """model Net
      model Cell
        Saltus.Electrical.Interfaces.Pin p, n;
        Saltus.Electrical.Sources.ConstantVoltage s(V = 3.7);
      equation
        connect(s.p, p); connect(s.n, n);
      end Cell;
      Cell a, b, c;
      Saltus.Electrical.Ground g;
    equation
      connect(a.n, g.p); connect(a.p, b.n); connect(b.p, c.p); connect(c.n, g.p);
    end Net;"""
    with pytest.raises(
        saltus.ModelError, match=r"`a\.s`, `b\.s` and `c\.s` are in a loop, and each of them prescribes"
    ):
        saltus.load(text)


def test_no_network_is_told_as_before() -> None:
    with pytest.raises(saltus.ModelError, match="but 1 equation has no variable left to determine"):
        saltus.load("model M Real x, y; equation x = time; x = 2*time; end M;")


def test_a_switch_that_shorts_a_source() -> None:
    """During the run: the parts that contradict each other come first."""
    model = saltus.load(
        """model Net
          Saltus.Electrical.Sources.ConstantVoltage s(V = 10);
          Saltus.Electrical.Resistor r(R = 5);
          Saltus.Electrical.Switch sw(closed = time > 0.5);
          Saltus.Electrical.Ground g;
        equation
          connect(s.p, r.p); connect(r.n, g.p); connect(g.p, s.n); connect(s.p, sw.p); connect(sw.n, s.n);
        end Net;"""
    )
    with pytest.raises(saltus.RunError) as caught:
        model.simulate()
    first = caught.value.diagnostics[0]
    assert first.code == "E410" and first.message.startswith(
        "the ideal parts `s` and `sw` contradict each other"
    )
    assert first.notes[0].message.startswith("these equations cannot hold together in this mode")
