"""Structure found by numbers: one program for all modes comes to what a program for each of them comes to."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import saltus
from saltus.analyse.modes import following
from saltus.emit.systems import leading_factors
from saltus.ir.sorted.blocks import Leading

LADDER = """
model Ladder "Coils along a ladder, at each node a diode with a battery and a resistor"
  parameter Integer N = 6;
  parameter Real L = 2e-4, R = 4, R0 = 0.2, E[N] = {0.3 + 0.1*mod(7*k, N) for k in 1:N};
  Real x[N](each start = 0, each fixed = true), u[N], i[N], s[N];
  Boolean off[N];
equation
  L*der(x[1]) = 10*sin(314.15926535*time) - R0*x[1] - u[1];
  for k in 2:N loop
    L*der(x[k]) = u[k - 1] - u[k];
  end for;
  for k in 1:N loop
    off[k] = s[k] < 0;
    i[k] = if off[k] then 0 else s[k];
    u[k] - E[k] - R*i[k] = if off[k] then s[k] else 0;
    i[k] = x[k] - (if k < N then x[min(k + 1, N)] else 0);
  end for;
  annotation(experiment(StopTime = 0.03, Tolerance = 1e-8));
end Ladder;
"""

CLUTCHES = """
model Clutches "Inertias that are locked together by turns"
  parameter Integer n = 6;
  parameter Real J[n] = {0.5 + 0.25*k for k in 1:n}, d = 0.1;
  Real phi[n](each start = 0, each fixed = true);
  Real w[n](start = {k*(-1)^k for k in 1:n}, each fixed = true), tau[n - 1];
  Boolean locked[n - 1] = {time > 0.1 and sin((1 + 0.37*k)*time) > 0.2*k - 0.5 for k in 1:n - 1};
equation
  for k in 1:n loop
    der(phi[k]) = w[k];
    J[k]*der(w[k]) = (if k == 1 then 2*cos(time) else tau[max(k - 1, 1)])
      - (if k == n then 0 else tau[min(k, n - 1)]) - d*w[k];
  end for;
  for k in 1:n - 1 loop
    0 = if locked[k] then der(phi[k]) - der(phi[k + 1]) else tau[k];
  end for;
  annotation(experiment(StopTime = 9, Tolerance = 1e-9));
end Clutches;
"""

BLOCKS = """
model Blocks "Masses on a belt, coupled by dampers, with dry friction"
  parameter Integer n = 3;
  Real v[n](each start = 0, each fixed = true), f[n], s[n], d[n + 1];
equation
  d[1] = 6*sin(3*time);
  d[n + 1] = 0;
  for k in 2:n loop
    d[k] = 2*(v[k - 1] - v[k]);
  end for;
  for k in 1:n loop
    der(v[k]) = d[k] - d[k + 1] - f[k];
    v[k] = if s[k] > 1 then s[k] - 1 elseif s[k] < -1 then s[k] + 1 else 0;
    f[k] = if s[k] > 1 then 1 elseif s[k] < -1 then -1 else s[k];
  end for;
  annotation(experiment(StopTime = 5, Tolerance = 1e-8));
end Blocks;
"""

#: What is driven has to follow: the constraint changes with time.
DRIVEN = """
model Driven "A shaft that is held, driven at a given speed, or free"
  parameter Integer n = 5;
  Real w[n](each start = 0, each fixed = true), tau[n], given;
  Boolean driven[n] = {time > 0.1 and sin(2*time + k) > 0.3 for k in 1:n};
equation
  given = 3*sin(time);
  for k in 1:n loop
    (1 + k)*der(w[k]) = tau[k] - 0.2*w[k] + (if k > 1 then w[max(k - 1, 1)] - w[k] else 0);
    0 = if driven[k] then w[k] - given*k else tau[k];
  end for;
  annotation(experiment(StopTime = 6, Tolerance = 1e-9));
end Driven;
"""

#: What holds positions is differentiated twice: stops, and ropes between masses in a row.
STOPS = """
model Stops "Bodies between stops, each pushed to and fro"
  parameter Integer n = 3;
  Real x[n](start = {0.2*k for k in 1:n}, each fixed = true), w[n](each start = 0.5, each fixed = true);
  Real tau[n], s[n], limit[n];
equation
  for k in 1:n loop
    limit[k] = 1 + 0.1*sin(k*time);
    der(x[k]) = w[k];
    k*der(w[k]) = 3*cos((1 + 0.3*k)*time) - tau[k];
    x[k] = if s[k] > limit[k] then limit[k] elseif s[k] < -1 then -1 else s[k];
    tau[k] = if s[k] > limit[k] then s[k] - limit[k] elseif s[k] < -1 then s[k] + 1 else 0;
  end for;
  annotation(experiment(StopTime = 12, Tolerance = 1e-9));
end Stops;
"""

ROPES = """
model Ropes "Wagons that slack ropes pull along, one after the other, and slow down when the pull ends"
  parameter Integer n = 4;
  Real x[n](start = {-0.02*k for k in 1:n}, each fixed = true), v[n](each start = 0, each fixed = true);
  Real F[n + 1], s[n - 1], length[n - 1];
equation
  F[1] = if time < 1 then 30 else -20;
  F[n + 1] = 0;
  for k in 1:n loop
    der(x[k]) = v[k];
    (1 + 0.2*k)*der(v[k]) = F[k] - F[k + 1] - 0.5*v[k];
  end for;
  for k in 1:n - 1 loop
    length[k] = x[k] - x[k + 1];
    0.05 + 0.01*k - length[k] = if s[k] > 0 then s[k] else 0;
    F[k + 1] = if s[k] > 0 then 0 else -s[k];
  end for;
  annotation(experiment(StopTime = 2, Tolerance = 1e-9));
end Ropes;
"""

MODELS = {
    "ladder": LADDER,
    "clutches": CLUTCHES,
    "blocks": BLOCKS,
    "driven": DRIVEN,
    "stops": STOPS,
    "ropes": ROPES,
}


def by_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on no cases are written out."""
    monkeypatch.setattr(following, "LEAST_GROUPS", 1000)
    monkeypatch.setattr(following, "LEAST_GUARDS", 1)


def by_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on each combination of guards has a program of its own."""
    monkeypatch.setattr(following, "LEAST_GROUPS", 1000)
    monkeypatch.setattr(following, "LEAST_GUARDS", 1000)


@pytest.mark.parametrize("method", ["bdf", "auto"])
@pytest.mark.parametrize("name", MODELS)
def test_a_program_for_each_mode_comes_to_the_same(
    name: str, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_numbers(monkeypatch)
    one = saltus.load(MODELS[name]).simulate(method=method)
    assert any(isinstance(b, Leading) for program in one.programs for b in program.blocks)
    by_programs(monkeypatch)
    whole = saltus.load(MODELS[name]).simulate(method=method)
    assert one.statistics["programs"] < whole.statistics["programs"]
    stop = whole.time[-1]
    assert len(one.events) == len(whole.events)
    for own, other in zip(one.events, whole.events, strict=True):
        assert abs(own.time - other.time) <= 1e-6 * stop
        assert [c.text for c in own.causes] == [c.text for c in other.causes]
        counts = [r and (len(r.given_up), len(r.gained)) for r in (own.restructured, other.restructured)]
        assert counts[0] == counts[1]
        weights = [{i.name: i.weight for i in event.impulses} for event in (own, other)]
        assert weights[0].keys() == weights[1].keys()
        for key, weight in weights[1].items():
            assert weights[0][key] == pytest.approx(weight, rel=1e-5, abs=1e-6)
    for stay, other_stay in zip(one.modes, whole.modes, strict=True):
        assert len(stay.mode.states) == len(other_stay.mode.states)
        assert stay.mode.index == other_stay.mode.index
    times = np.array([event.time for event in whole.events])
    points = np.linspace(0.0, stop, 211)
    away = np.abs(points[:, None] - times[None, :]).min(axis=1) > 1e-4 * stop
    for variable in whole.structure.states:
        have, wanted = (np.interp(points[away], run.time, run[variable.name]) for run in (one, whole))
        assert np.abs(have - wanted).max() <= 1e-5 * (1e-6 + np.abs(wanted).max()), variable.name


def test_constraints_hold_in_every_row(monkeypatch: pytest.MonkeyPatch) -> None:
    by_numbers(monkeypatch)
    result = saltus.load(DRIVEN).simulate()
    for k in range(1, 6):
        driven = result[f"driven[{k}]"] > 0.5
        gap = np.abs(result[f"w[{k}]"] - 3 * k * np.sin(result.time))
        assert driven.any() and gap[driven].max() < 1e-12
        assert np.abs(result[f"tau[{k}]"][~driven]).max() < 1e-12
    result = saltus.load(CLUTCHES).simulate()
    for k in range(1, 6):
        locked = result[f"locked[{k}]"] > 0.5
        assert np.abs(result[f"w[{k}]"] - result[f"w[{k + 1}]"])[locked].max() < 1e-12


def test_where_numbers_fail_programs_of_modes_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if every matrix were singular."""
    by_programs(monkeypatch)
    whole = saltus.load(CLUTCHES).simulate()
    by_numbers(monkeypatch)
    monkeypatch.setattr(leading_factors, "SMALLEST_PIVOT", 1e9)
    run = saltus.load(CLUTCHES).simulate()
    assert [e.time for e in run.events] == pytest.approx([e.time for e in whole.events], abs=1e-8)
    assert run["w[3]"][-1] == pytest.approx(whole["w[3]"][-1], abs=1e-8)


@pytest.mark.parametrize("size", [1e-12, 1e-9, 1e6])
def test_units_do_not_matter(size: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """With other resistances and inductances, all by one factor, currents differ by that factor alone."""
    by_numbers(monkeypatch)
    scaled = LADDER.replace(
        "L = 2e-4, R = 4, R0 = 0.2", f"L = {2e-4 * size}, R = {4 * size}, R0 = {0.2 * size}"
    )
    scaled = scaled.replace(
        "each fixed = true), u[N], i[N],", f"each fixed = true, each nominal = {1 / size}), u[N], i[N],"
    )
    one, other = (saltus.load(text).simulate() for text in (LADDER, scaled))
    assert any(isinstance(b, Leading) for program in other.programs for b in program.blocks)
    if size < 1:  # else currents of the diodes, which s has in some modes, are smaller than its zero band
        assert len(one.events) == len(other.events)
    points = np.linspace(0.0, 0.03, 101)
    for k in range(1, 7):
        have, wanted = (np.interp(points, r.time, r[f"x[{k}]"]) for r in (other, one))
        assert np.abs(size * have - wanted).max() <= 1e-4 * np.abs(one["x[1]"]).max()


def test_momentum_is_conserved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Locks take nothing from the sum of all momenta: it changes by the drive and the dampers alone."""
    by_numbers(monkeypatch)
    text = CLUTCHES.replace("d = 0.1", "d = 0").replace("StopTime = 9", "StopTime = 4")
    result = saltus.load(text).simulate()
    sizes = [0.5 + 0.25 * k for k in range(1, 7)]
    start = sum(J * k * (-1) ** k for k, J in enumerate(sizes, 1))
    total = sum(J * result[f"w[{k}]"] for k, J in enumerate(sizes, 1))
    assert np.abs(total - start - 2 * np.sin(result.time)).max() < 1e-6
    assert len(list(result.impulses)) > 5
    assert 0.0 < result.statistics["conservation error"] < 1e-13


@settings(max_examples=6, deadline=None)
@given(
    st.lists(st.floats(0.2, 3.0).map(lambda x: round(x, 2)), min_size=3, max_size=5),
    st.lists(st.floats(0.5, 3.0).map(lambda x: round(x, 2)), min_size=3, max_size=5),
)
def test_random_chains_of_clutches(inertias: list[float], paces: list[float]) -> None:
    """At every instant of locking, the momenta of what is locked together are shared."""
    n = min(len(inertias), len(paces))
    text = f"""
model Chain
  parameter Integer n = {n};
  parameter Real J[n] = {{{", ".join(map(str, inertias[:n]))}}}, p[n] = {{{", ".join(map(str, paces[:n]))}}};
  Real w[n](start = {{k*(-1)^k for k in 1:n}}, each fixed = true), tau[n - 1];
  Boolean locked[n - 1] = {{time > 0.1 and sin(p[k]*time + k) > 0.1 for k in 1:n - 1}};
equation
  for k in 1:n loop
    J[k]*der(w[k]) = (if k == 1 then 1 else tau[max(k - 1, 1)]) - (if k == n then 0 else tau[min(k, n - 1)]);
  end for;
  for k in 1:n - 1 loop
    0 = if locked[k] then w[k] - w[k + 1] else tau[k];
  end for;
end Chain;
"""
    with pytest.MonkeyPatch.context() as monkeypatch:
        by_numbers(monkeypatch)
        result = saltus.load(text).simulate(stop_time=6, tolerance=1e-8)
    # By hand: between instants only the first run of locked inertias is driven.
    speeds = np.array([k * (-1.0) ** k for k in range(1, n + 1)])
    sizes = np.array(inertias[:n])
    times = sorted({0.0, 6.0, *(e.time for e in result.events)})
    for begin, end in pairwise(times):
        middle = 0.5 * (begin + end)
        locked = [middle > 0.1 and np.sin(paces[k] * middle + k + 1) > 0.1 for k in range(n - 1)]
        runs = [[0]]
        for k in range(1, n):
            if locked[k - 1]:
                runs[-1].append(k)
            else:
                runs.append([k])
        for run in runs:
            speeds[run] = (sizes[run] * speeds[run]).sum() / sizes[run].sum()
        speeds[runs[0]] += (end - begin) / sizes[runs[0]].sum()
        at = int(np.searchsorted(result.time, end))
        have = [result[f"w[{k + 1}]"][at] for k in range(n)]
        np.testing.assert_allclose(have, speeds, atol=1e-6)


CONVERTERS = """
model Buck "Steps a voltage down, at light load; while the switch is closed, the diode must not conduct"
  parameter Real Vin = 24, L = 1e-4, C = 1e-4, R = 10, T = 1e-4, duty = 0.5;
  Real i(start = 0, fixed = true), v(start = 0, fixed = true), x, sw, d;
  Boolean closed(start = false, fixed = true);
  discrete Real opens(start = 0, fixed = true);
equation
  Vin - x = sw*(if closed then 0 else 1);
  -x = d*(if d < 0 then 1 else 0);
  i = sw*(if closed then 1 else 0) + d*(if d < 0 then 0 else 1);
  L*der(i) = x - v;
  C*der(v) = i - v/R;
  when sample(0, T) then
    opens = time + duty*T;
  end when;
  closed = time < opens;
end Buck;
model Converters
  parameter Integer n = 3;
  Buck c[n](R = {10 + 5*k for k in 1:n});
end Converters;
"""


@pytest.mark.parametrize("n", [3, 8])
def test_switches_that_close_together_open_all_diodes(n: int) -> None:
    """At one instant n diodes have to block, since n sources would be shorted; no choice of few of them does.
    Each converter does what it does alone."""
    stop = 0.004
    text = CONVERTERS.replace("n = 3", f"n = {n}")
    together = saltus.load(text).simulate(stop_time=stop, tolerance=1e-8)
    assert together.statistics["programs"] <= 3
    alone = saltus.load(CONVERTERS.partition("model Converters")[0])
    points = np.linspace(0.0, stop, 101)
    for k in (1, n):
        single = alone.simulate(stop_time=stop, tolerance=1e-8, set={"R": 10 + 5 * k})
        for name in ("i", "v"):
            have, wanted = (
                np.interp(points, run.time, run[f"{part}{name}"])
                for run, part in ((together, f"c[{k}]."), (single, ""))
            )
            assert np.abs(have - wanted).max() <= 1e-5 * np.abs(wanted).max()
        is_open = together[f"c[{k}].closed"] < 0.5
        assert together[f"c[{k}].i"][is_open].min() > -1e-9  # the diode lets no current back


def test_a_search_in_many_parts_is_as_long_as_the_longest_of_theirs() -> None:
    """Whether 4 converters close their switches at one instant, or 40: no more modes are entered."""
    entries = []
    for n in (4, 40):
        model = saltus.load(CONVERTERS.replace("n = 3", f"n = {n}"))
        entries.append(model.simulate(stop_time=4e-4).statistics["mode entries"])
    assert entries[1] <= entries[0] + 5


def test_a_system_of_many_parts_may_be_large() -> None:
    """130 converters have 650 equations, which one full matrix would be too large for: the ripple of each is
    that of theory, v (1 - duty) T / L where the current does not end before the period does; v itself has a
    ripple of 6 %."""
    n = 130
    text = CONVERTERS.replace("n = 3", f"n = {n}").replace("10 + 5*k", "2 + 0.01*k")
    result = saltus.load(text).simulate(stop_time=0.01, tolerance=1e-8, interval=1e-4)
    assert result.statistics["programs"] <= 3
    last = result.time > 0.01 - 1e-4 - 1e-9
    for k in (1, n):
        current, voltage = (result[f"c[{k}].{name}"][last] for name in ("i", "v"))
        ripple = voltage.mean() * 0.5 * 1e-4 / 1e-4
        assert current.max() - current.min() == pytest.approx(ripple, rel=0.06)


def test_voltages_of_diodes_in_series_are_left_open() -> None:
    """While all of them block, nothing says how they share the voltage; that mode has its own program."""
    text = """
model Series
  Saltus.Electrical.Sources.SineVoltage source(V = 10, f = 50);
  Saltus.Electrical.Diode d[6];
  Saltus.Electrical.Resistor load(R = 5);
  Saltus.Electrical.Ground ground;
equation
  connect(source.p, d[1].p);
  for k in 1:5 loop
    connect(d[k].n, d[k + 1].p);
  end for;
  connect(d[6].n, load.p);
  connect(load.n, source.n);
  connect(source.n, ground.p);
end Series;
"""
    result = saltus.load(text).simulate(stop_time=0.05, interval=1e-4, tolerance=1e-8)
    source = 10 * np.sin(100 * np.pi * result.time)
    assert np.abs(result["load.i"] - np.maximum(source, 0) / 5).max() < 1e-6
    shared = sum(result[f"d[{k}].v"] for k in range(1, 7))
    assert np.abs(shared - np.minimum(source, 0)).max() < 1e-6
    assert "W406" in {w.code for w in result.warnings}


@pytest.mark.parametrize("n", [7, 16])
def test_highest_of_many_sources(n: int) -> None:
    """Ideal sources behind ideal diodes on one node: at every instant the highest one has it. At the start
    all of them are zero, and more relations have to be turned than choices can be tried one by one."""
    text = f"""
model Highest
  constant Integer n = {n};
  parameter Real V[n] = {{10 + k/7 for k in 1:n}}, f[n] = {{1 + 0.1*k for k in 1:n}};
  Saltus.Electrical.Sources.SineVoltage source[n](V = V, f = f);
  Saltus.Electrical.Diode d[n];
  Saltus.Electrical.Resistor r(R = 1);
  Saltus.Electrical.Sources.ConstantVoltage below(V = -50);
  Saltus.Electrical.Ground ground;
equation
  for k in 1:n loop
    connect(source[k].n, ground.p);
    connect(source[k].p, d[k].p);
    connect(d[k].n, r.p);
  end for;
  connect(r.n, below.p);
  connect(below.n, ground.p);
end Highest;
"""
    result = saltus.load(text).simulate(stop_time=1, tolerance=1e-8)
    voltages = [(10 + k / 7) * np.sin(2 * np.pi * (1 + 0.1 * k) * result.time) for k in range(1, n + 1)]
    assert np.abs(result["r.p.v"] - np.max(voltages, axis=0)).max() < 1e-9
