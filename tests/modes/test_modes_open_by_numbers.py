"""What modes leave open, where one program follows many guards: least change, warnings, and no program for
each combination of what is open."""

from __future__ import annotations

import numpy as np
import pytest

import saltus
from saltus.core.diagnostics import RunError
from saltus.ir.sorted.blocks import Leading

#: Capacitors between two switches that open together; while both are open, their potentials float.
ISLANDS = """
model Islands
  parameter Integer n = {n};
  parameter Real opens[n] = {{0.2 + 0.05*k for k in 1:n}}, closes[n] = {{0.6 + 0.03*k for k in 1:n}};
  Real p[n], q[n] "potentials of the ends";
  Real u[n](each start = 0, each fixed = true), i1[n], i2[n];
  Boolean isOpen[n] = {{time >= opens[k] and time < closes[k] for k in 1:n}};
{more}
equation
  for k in 1:n loop
    u[k] = p[k] - q[k];
    der(u[k]) = i1[k];
    i1[k] = i2[k];
    0 = if isOpen[k] then i1[k] else 10 - p[k] - i1[k];
    0 = if isOpen[k] then i2[k] else q[k] - i2[k];
  end for;
end Islands;
"""

#: A source without connection to ground behind a bridge of four diodes: it floats while all of them block.
BRIDGES = """
model Bridge
  parameter Real R = 20, phase = 0;
  Saltus.Electrical.Sources.SignalVoltage source(u = 100*sin(314.1592653589793*time + phase));
  Saltus.Electrical.Resistor line(R = 1);
  Saltus.Electrical.Diode d[4];
  Saltus.Electrical.Capacitor C(C = 1e-3, v(start = 0, fixed = true));
  Saltus.Electrical.Resistor load(R = R);
  Saltus.Electrical.Ground g;
equation
  connect(source.p, line.p);
  connect(line.n, d[1].p);
  connect(d[1].n, C.p);
  connect(source.n, d[2].p);
  connect(d[2].n, C.p);
  connect(d[3].n, line.n);
  connect(d[3].p, g.p);
  connect(d[4].n, source.n);
  connect(d[4].p, g.p);
  connect(C.n, g.p);
  connect(load.p, C.p);
  connect(load.n, g.p);
end Bridge;
model Bridges
  Bridge b[{n}](R = {{20 + 3*k for k in 1:{n}}}, phase = {{0.2*k for k in 1:{n}}});
  annotation(experiment(StopTime = 0.05, Interval = 1e-4, Tolerance = 1e-8));
end Bridges;
"""


def charged(time: np.ndarray, opens: float, closes: float) -> np.ndarray:
    """u' = (10 - u)/2 while the switches are closed."""
    passed = np.minimum(time, opens) + np.maximum(time - closes, 0.0)
    return 10 * (1 - np.exp(-passed / 2))


def test_islands_keep_their_charge_and_their_potentials() -> None:
    result = saltus.load(ISLANDS.format(n=6, more="")).simulate(stop_time=1.2, tolerance=1e-9)
    assert any(isinstance(b, Leading) for program in result.programs for b in program.blocks)
    assert result.statistics["programs"] == 2
    for k in range(1, 7):
        opens, closes = 0.2 + 0.05 * k, 0.6 + 0.03 * k
        u, p, q = (result[f"{name}[{k}]"] for name in "upq")
        assert np.abs(u - charged(result.time, opens, closes)).max() < 1e-7
        inside = (result.time > opens + 1e-9) & (result.time < closes - 1e-9)
        # Nothing asks them to move: they stay where they were when the switches opened.
        assert np.ptp(p[inside]) < 1e-9 and np.ptp(q[inside]) < 1e-9
        assert abs(p[inside][0] - (10 - (10 - charged(np.array([opens]), opens, closes)[0]) / 2)) < 1e-7
        for name in (f"p[{k}]", f"q[{k}]"):
            found = result.undetermined(name)
            assert found[inside].all() and not found[result.time < opens].any()
            assert not found[result.time > closes].any()
        assert not result.undetermined(f"u[{k}]").any()
        assert np.abs(result[f"i1[{k}]"][inside]).max() < 1e-12
    assert set(result.modes.at(0.42).open) == {f"{name}[{k}]" for name in "pq" for k in (1, 2, 3, 4)}
    assert result.modes.at(0.1).open == ()
    assert [w.code for w in result.warnings] == ["W406"]
    assert "p[1]" in result.warnings[0].message and "0.25" in result.warnings[0].message


def test_number_of_programs_does_not_depend_on_what_is_open() -> None:
    result = saltus.load(ISLANDS.format(n=40, more="")).simulate(stop_time=2.5, tolerance=1e-7)
    assert result.statistics["programs"] == 2
    assert len({stay.mode.open for stay in result.modes}) > 30
    for k in (1, 10, 19):
        wanted = charged(result.time, 0.2 + 0.05 * k, 0.6 + 0.03 * k)
        assert np.abs(result[f"u[{k}]"] - wanted).max() < 1e-5


def bridge_by_hand(load: float, phase: float, points: np.ndarray) -> np.ndarray:
    """The voltage behind the bridge, by short steps: the current is what is left of the source over the
    resistance of the line, or nothing."""
    step, u, found = 1e-6, 0.0, []
    times = np.arange(0.0, points[-1] + step / 2, step)

    def slope(t: float, u: float) -> float:
        given = abs(100 * np.sin(314.1592653589793 * t + phase))
        return (max(given - u, 0.0) / 1.0 - u / load) / 1e-3

    for t in times:
        found.append(u)
        a = slope(t, u)
        u += step * slope(t + step / 2, u + step / 2 * a)
    return np.interp(points, times, found)


@pytest.mark.parametrize("n", [2, 5])
def test_bridges_with_a_floating_source(n: int) -> None:
    result = saltus.load(BRIDGES.format(n=n)).simulate()
    assert result.statistics["programs"] <= n + 2  # the start has one for each; combinations have none
    points = np.linspace(0.0, 0.05, 41)
    for k in (1, n):
        wanted = bridge_by_hand(20 + 3 * k, 0.2 * k, points)
        found = np.interp(points, result.time, result[f"b[{k}].C.v"])
        assert np.abs(found - wanted).max() < 2e-3 * wanted.max()
    blocked = result["b[1].d[1].off"] * result["b[1].d[2].off"] > 0.5
    assert blocked.any() and result.undetermined("b[1].source.n.v")[blocked].any()
    assert not result.undetermined("b[1].C.v").any()


def test_sources_that_contradict_each_other_are_told() -> None:
    """Among islands that float: nothing that is left out goes unchecked."""
    more = """
  Real v, j, j2;
equation
  v = 5;
  0 = if time < 0.5 then j else v - 3;
  j + j2 = 0;
"""
    model = saltus.load(ISLANDS.format(n=6, more=more))
    with pytest.raises(RunError) as error:
        model.simulate(stop_time=1.0)
    assert error.value.diagnostics[0].code in ("E410", "E404")
    assert error.value.partial is not None
    assert abs(error.value.partial.time[-1] - 0.5) < 1e-9


def test_a_contradiction_that_comes_later_is_told() -> None:
    """Two equal sources side by side leave their currents open; from 0.8 on they differ."""
    more = """
  Real v, j, w;
equation
  v = 5;
  w = if time < 0.8 then 5 else 5 + 10*(time - 0.8);
  0 = if time < 0.5 then j else v - w;
"""
    model = saltus.load(ISLANDS.format(n=6, more=more))
    with pytest.raises(RunError) as error:
        model.simulate(stop_time=1.0)
    assert error.value.partial is not None
    assert 0.5 <= error.value.partial.time[-1] < 0.81


def test_what_has_a_memory_must_not_depend_on_what_is_open() -> None:
    more = """
  discrete Real kept(start = 0, fixed = true);
algorithm
  when sample(0.35, 1) then
    kept := p[1];
  end when;
"""
    model = saltus.load(ISLANDS.format(n=6, more=more))
    with pytest.raises(RunError) as error:
        model.simulate(stop_time=1.0)
    assert any("kept" in d.message and "p[1]" in d.message for d in error.value.diagnostics) or (
        error.value.diagnostics[0].code in ("E306", "E404")
    )
