"""Circuits and drivelines whose switches decide together: programs are not made for combinations of them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import saltus
from saltus.result.result import Result

INTERLEAVED = """
model Interleaved "two bucks half a period apart, behind one capacitor"
  parameter Real leak = 0;
  Saltus.Electrical.Sources.ConstantVoltage dc(V = 24);
  Saltus.Electrical.Ground g;
  Saltus.Electrical.Switch s[2](each Ron = leak, each Goff = leak);
  Saltus.Electrical.Diode d[2](each Ron = leak, each Goff = leak);
  Saltus.Electrical.Inductor L[2](each L = 50e-6, i(each start = 0, each fixed = true));
  Saltus.Electrical.Capacitor C(C = 100e-6, v(start = 0, fixed = true));
  Saltus.Electrical.Resistor R(R = 5);
equation
  connect(dc.n, g.p);
  connect(C.n, g.p);
  connect(R.p, C.p);
  connect(R.n, C.n);
  for k in 1:2 loop
    s[k].closed = sin(2*3.141592653589793*(20e3*time + k/2)) > 0.3;
    connect(dc.p, s[k].p);
    connect(s[k].n, L[k].p);
    connect(d[k].n, s[k].n);
    connect(d[k].p, g.p);
    connect(L[k].n, C.p);
  end for;
  annotation(experiment(StopTime = 0.002, Interval = 1e-5, Tolerance = 1e-7));
end Interleaved;
"""

NPC = """
model Leg "three levels: two transistors up, two down, clamped to the middle by diodes"
  parameter Real phase = 0, leak = 0;
  Saltus.Electrical.Interfaces.Pin p, m, n, o;
  Real r = 0.8*sin(314.159*time + phase);
  Real c = 0.3183098861837907*asin(sin(2*3.141592653589793*2000*time));
  Saltus.Electrical.Transistor t1(gate = r > c + 0.51, Ron = leak, Goff = leak);
  Saltus.Electrical.Transistor t2(gate = r > c - 0.49, Ron = leak, Goff = leak);
  Saltus.Electrical.Transistor t3(gate = r < c + 0.49, Ron = leak, Goff = leak);
  Saltus.Electrical.Transistor t4(gate = r < c - 0.51, Ron = leak, Goff = leak);
  Saltus.Electrical.Diode d1(Ron = leak, Goff = leak), d2(Ron = leak, Goff = leak);
equation
  connect(p, t1.p);
  connect(t1.n, t2.p);
  connect(t2.n, t3.p);
  connect(t3.n, t4.p);
  connect(t4.n, n);
  connect(o, t2.n);
  connect(d1.p, m);
  connect(d1.n, t1.n);
  connect(d2.p, t3.n);
  connect(d2.n, m);
end Leg;
model NPC "three legs, a star of coils"
  parameter Real leak = 0;
  Saltus.Electrical.Sources.ConstantVoltage v1(V = 100), v2(V = 100);
  Saltus.Electrical.Ground g;
  Leg leg[3](phase = {-2.0943951023931953*k for k in 0:2}, each leak = leak);
  Saltus.Electrical.Resistor R[3](each R = 5);
  Saltus.Electrical.Inductor L[3](each L = 5e-3, i(each start = 0, fixed = {false, true, true}));
equation
  connect(v1.n, g.p);
  connect(v2.p, g.p);
  for k in 1:3 loop
    connect(leg[k].p, v1.p);
    connect(leg[k].m, g.p);
    connect(leg[k].n, v2.n);
    connect(leg[k].o, R[k].p);
    connect(R[k].n, L[k].p);
    connect(L[k].n, L[1].n);
  end for;
  annotation(experiment(StopTime = 0.005, Interval = 1e-4, Tolerance = 1e-7));
end NPC;
"""


def on_grid(result: Result, name: str) -> NDArray[np.float64]:
    grid = np.linspace(0, result.time[-1], 500)
    return np.interp(grid, result.time, result[name])


@pytest.mark.parametrize(
    ("text", "names", "programs"),
    [(INTERLEAVED, ["L[1].i", "L[2].i", "C.v"], 8), (NPC, ["L[1].i", "L[2].i", "L[3].i"], 2)],
    ids=["interleaved", "three levels"],
)
def test_as_its_leaky_twin(text: str, names: list[str], programs: int) -> None:
    """The error of the twin is as large as its leak. The first model has four guards, few enough for programs
    of their combinations; in the second, several legs have no mode at one instant, each for a reason of its
    own: two clamp diodes that conduct with the transistors between them leave open what goes round, and that
    is none."""
    model = saltus.load(text)
    ideal, leaky = model.simulate(), model.simulate(set={"leak": 1e-6})
    assert ideal.statistics["programs"] <= programs
    for name in names:
        expected = on_grid(leaky, name)
        np.testing.assert_allclose(on_grid(ideal, name), expected, atol=1e-3 * np.abs(expected).max())


def ladder(n: int) -> str:
    """A switched-capacitor ladder: in one phase a capacitor takes over the voltage of the stage below, in the
    other it hands it on."""
    return f"""
model Ladder
  parameter Integer n = {n};
  Saltus.Electrical.Sources.ConstantVoltage dc(V = 10);
  Saltus.Electrical.Ground g;
  Saltus.Electrical.Capacitor C[n](each C = 1e-5, v(each start = 0, each fixed = true));
  Saltus.Electrical.Capacitor F[n](each C = 5e-6, v(each start = 0, each fixed = true));
  Saltus.Electrical.Switch a1[n], a2[n], b1[n], b2[n];
  Saltus.Electrical.Resistor Rs(R = 0.1), load(R = 1e12);
  Boolean take = sin(2*3.141592653589793*1e4*time) > 0.05, give = sin(2*3.141592653589793*1e4*time) < -0.05;
equation
  connect(dc.n, g.p);
  connect(dc.p, Rs.p);
  for k in 1:n loop
    a1[k].closed = take;
    a2[k].closed = take;
    b1[k].closed = give;
    b2[k].closed = give;
    if k == 1 then
      connect(a1[k].p, Rs.n);
      connect(a2[k].p, g.p);
    else
      connect(a1[k].p, C[k - 1].p);
      connect(a2[k].p, C[k - 1].n);
    end if;
    connect(a1[k].n, F[k].p);
    connect(a2[k].n, F[k].n);
    connect(b1[k].p, F[k].p);
    connect(b2[k].p, F[k].n);
    connect(b1[k].n, C[k].p);
    connect(b2[k].n, C[k].n);
  end for;
  connect(C[1].n, g.p);
  connect(load.p, C[n].p);
  connect(load.n, g.p);
  for k in 2:n loop
    connect(C[k].n, C[k - 1].p);
  end for;
  annotation(experiment(StopTime = 0.004, Interval = 1e-5, Tolerance = 1e-7));
end Ladder;
"""


def shared_charges(n: int, periods: int) -> NDArray[np.float64]:
    """The voltages of the stages after some periods, by hand: two capacitors put side by side come to their
    mean; the first one is charged to 10 V. The resistor leaves nothing of that: 0.4 ms are 800 times its time
    constant."""
    stage, flying = np.zeros(n), np.zeros(n)
    for _ in range(periods):
        flying[0] = 10.0
        for k in range(1, n):
            stage[k - 1] = flying[k] = (1e-5 * stage[k - 1] + 5e-6 * flying[k]) / 1.5e-5
        for k in range(n):
            stage[k] = flying[k] = (1e-5 * stage[k] + 5e-6 * flying[k]) / 1.5e-5
    return stage


def test_programs_of_a_ladder_do_not_grow_with_it() -> None:
    """All stages lose rank together, and what is learnt of one is learnt of all at once."""
    programs: list[int] = []
    for n in (2, 5):
        result = saltus.load(ladder(n)).simulate()
        found = [result[f"C[{k + 1}].v"][-1] for k in range(n)]
        np.testing.assert_allclose(found, shared_charges(n, 40), rtol=1e-6)
        programs.append(result.statistics["programs"])
    assert programs[0] == programs[1]


DRIVELINE = """
model Driveline "a clutch, a differential that a clutch locks, wheels on the road, brakes, and a bearing"
  Saltus.Rotational.Inertia engine(J = 0.2, w(start = 100, fixed = true), phi(start = 0, fixed = true));
  Saltus.Rotational.Inertia shaft(J = 0.05, w(start = 0, fixed = true), phi(start = 0, fixed = true));
  Saltus.Rotational.Inertia left(J = 1, w(start = 0, fixed = true)), right(J = 1.2);
  Saltus.Rotational.Inertia car[2](each J = 20, w(each start = 0, each fixed = true));
  Saltus.Rotational.Clutch clutch(mu = 0.4, fn_max = 300), lock(fn_max = 60);
  Saltus.Rotational.Brake park(mu = 0.4, fn_max = 100), brake[2](each mu = 0.4, each fn_max = 400);
  Saltus.Rotational.Friction road[2](tau_c = {150, 120}), bearing(tau_c = 2);
  Saltus.Rotational.Fixed fixed;
  Saltus.Rotational.Differential diff(ratio = 3);
  Saltus.Rotational.Sources.SignalTorque motor(tau = if time < 2 then 60 else -10);
equation
  connect(motor.flange, engine.flange_a);
  connect(engine.flange_b, clutch.flange_a);
  connect(clutch.flange_b, shaft.flange_a);
  connect(shaft.flange_b, park.flange_a);
  connect(park.flange_b, diff.flange_in);
  connect(diff.flange_left, left.flange_a);
  connect(diff.flange_right, right.flange_a);
  connect(lock.flange_a, left.flange_a);
  connect(lock.flange_b, right.flange_a);
  connect(left.flange_b, brake[1].flange_a);
  connect(right.flange_b, brake[2].flange_a);
  connect(road[1].flange_a, left.flange_b);
  connect(road[2].flange_a, right.flange_b);
  connect(road.flange_b, car.flange_a);
  connect(bearing.flange_a, shaft.flange_b);
  connect(bearing.flange_b, fixed.flange);
  clutch.press = max(0, min(1, 4*(time - 0.1)));
  lock.press = if time > 1 then 1 else 0;
  park.press = 0.02 + (if time > 3.5 then 1 else 0);
  brake[1].press = if time > 2.2 and time < 4 then 0.5 else 0.0;
  brake[2].press = if time > 2.3 and time < 4 then 0.6 else 0.0;
  annotation(experiment(StopTime = 5, Interval = 1e-3, Tolerance = 1e-8));
end Driveline;
"""


def test_signals_from_time_do_not_keep_a_driveline_from_being_followed() -> None:
    """Pressures are `max` and `min` of time, with branches of their own; they are known beforehand all the
    same. What the motor gives goes into motion and into what slips."""
    result = saltus.load(DRIVELINE).simulate()
    assert result.statistics["programs"] == 2
    inertias = {"engine": 0.2, "shaft": 0.05, "left": 1.0, "right": 1.2, "car[1]": 20.0, "car[2]": 20.0}
    energy = sum(J * result[f"{name}.w"] ** 2 / 2 for name, J in inertias.items())
    slips = ["clutch", "lock", "park.pads", "brake[1].pads", "brake[2].pads", "road[1]", "road[2]", "bearing"]
    power = result["motor.tau"] * result["engine.w"]
    for name in slips:
        loss = result[f"{name}.tau"] * result[f"{name}.w_rel"]
        assert loss.min() > -1e-6
        power = power - loss
    t = result.time
    work = np.concatenate([[0], np.cumsum(np.diff(t) * (power[1:] + power[:-1]) / 2)])
    np.testing.assert_allclose(energy - energy[0], work, atol=1e-4 * energy.max())
    # All of them stick at some time, and slip at another.
    for name in slips:
        sticks = np.abs(result[f"{name}.w_rel"]) < 1e-9
        assert sticks.any() and not sticks.all(), name


def pump(n: int) -> str:
    """A charge pump of Dickson's: two clocks lift capacitors in turns, and diodes hand the charge on."""
    return f"""
model Pump
  parameter Integer n = {n};
  Saltus.Electrical.Sources.ConstantVoltage dc(V = 5);
  Saltus.Electrical.Ground g;
  Saltus.Electrical.Diode d[n + 1];
  Saltus.Electrical.Capacitor C[n](each C = 1e-7, v(each start = 0, each fixed = true));
  Saltus.Electrical.Capacitor out(C = 1e-7, v(start = 0, fixed = true));
  Saltus.Electrical.Sources.SignalVoltage clock[2];
  Saltus.Electrical.Resistor r[2](each R = 10), source(R = 1);
  Boolean up = sin(2*3.141592653589793*1e4*time) > 0;
  Real given(start = 0, fixed = true) "charge from the source";
equation
  der(given) = -dc.p.i;
  clock[1].v = if up then 5 else 0;
  clock[2].v = if up then 0 else 5;
  for k in 1:2 loop
    connect(clock[k].n, g.p);
    connect(clock[k].p, r[k].p);
  end for;
  connect(dc.n, g.p);
  connect(dc.p, source.p);
  connect(source.n, d[1].p);
  for k in 1:n loop
    connect(d[k].n, d[k + 1].p);
    connect(C[k].p, d[k].n);
    connect(C[k].n, r[2 - mod(k, 2)].n);
  end for;
  connect(d[n + 1].n, out.p);
  connect(out.n, g.p);
  annotation(experiment(StopTime = 0.004, Interval = 2e-5, Tolerance = 1e-8));
end Pump;
"""


def test_constraints_that_equations_have_together() -> None:
    """Two diodes that conduct at the same time make a loop of four capacitors, and say together what none of
    the equations says by itself. One program finds that, whichever diodes conduct."""
    result = saltus.load(pump(5)).simulate()
    assert result.statistics["programs"] == 3  # the general one, one by numbers, and one that finds sums
    assert result.statistics["conservation error"] < 1e-9
    # What the source gives is what there is, in capacitors with one end at the diodes.
    charge = 1e-7 * (sum(result[f"C[{k}].v"] for k in range(1, 6)) + result["out.v"])
    np.testing.assert_allclose(result["given"], charge, atol=1e-6 * charge.max())
    # No diode has a voltage and a current, and none leads backwards.
    for k in range(1, 7):
        v, i = result[f"d[{k}].v"], result[f"d[{k}].i"]
        assert v.max() < 1e-5 and i.min() > -1e-6 and np.minimum(-v, i).max() < 1e-5
    conducting = sum(result[f"d[{k}].i"] > 1e-6 for k in range(1, 7))
    assert (conducting > 1).sum() > 20


def loops_of_capacitors(conducts: list[bool]) -> int:
    """How many independent loops capacitors and conducting diodes make in a pump."""
    edges = [(f"d{k}", f"d{k + 1}") for k, on in enumerate(conducts) if on]
    stages = range(1, len(conducts))
    edges += [(f"d{k}", f"clock{k % 2}") for k in stages] + [(f"d{len(conducts)}", "ground")]
    part = {node: node for edge in edges for node in edge}
    loops = 0
    for one, other in edges:
        while part[one] != one:
            one = part[one]
        while part[other] != other:
            other = part[other]
        loops += one == other
        part[one] = other
    return loops


def test_modes_have_as_many_states_as_loops_leave() -> None:
    result = saltus.load(pump(5)).simulate()
    found: set[int] = set()
    for stay in result.modes:
        inside = np.flatnonzero((result.time > stay.start) & (result.time < stay.stop))
        if len(inside):
            conducts = [result[f"d[{k}].off"][inside[0]] < 0.5 for k in range(1, 7)]
            found.add(loops_of_capacitors(conducts))
            assert len(stay.mode.states) == 7 - loops_of_capacitors(conducts)
    assert {0, 1, 3} <= found


def test_pumps_side_by_side() -> None:
    """Each does what it does alone."""
    pair = pump(5) + "model Two Pump one, two(C(each C = 2e-7)); end Two;"
    alone, both = (
        saltus.load(text).simulate(stop_time=1e-3, interval=1e-6, tolerance=1e-8) for text in (pump(5), pair)
    )
    assert both.statistics["programs"] == 3
    settled = np.arange(1, 20) * 5e-5 - 1e-6
    for name in ("C[1].v", "C[3].v", "C[5].v", "out.v"):
        expected = np.interp(settled, alone.time, alone[name])
        found = np.interp(settled, both.time, both[f"one.{name}"])
        np.testing.assert_allclose(found, expected, atol=1e-5)


def pumped(n: int, turns: int) -> NDArray[np.float64]:
    """The voltages of its capacitors before each turn of the clocks, by hand: through each diode goes as much
    charge as makes its potentials equal, unless they are in order without any. This is a complementarity
    problem, which is solved by going through the diodes again and again."""
    v = np.zeros(n + 1)
    found: list[NDArray[np.float64]] = []
    for turn in range(turns):
        lifted = np.array([5.0 if (k + turn) % 2 == 0 else 0.0 for k in range(n)] + [0.0])
        gone = np.zeros(n + 1)  # through each diode, over the capacitance
        for _ in range(20000):
            before = gone.copy()
            for k in range(n + 1):
                here = lifted[k] + v[k] + gone[k] - (gone[k + 1] if k < n else 0.0)
                there = lifted[k - 1] + v[k - 1] + gone[k - 1] - gone[k] if k else 5.0
                gone[k] = max(gone[k] + (there - here) / (2.0 if k else 1.0), 0.0)
            if np.abs(gone - before).max() < 1e-12:
                break
        v = v + gone - np.append(gone[1:], 0.0)
        found.append(v)
    return np.array(found)


def test_pump_by_hand() -> None:
    result = saltus.load(pump(4)).simulate()
    turns = 40
    settled = np.arange(1, turns + 1) * 5e-5 - 1e-6
    expected = pumped(4, turns)
    for k, name in enumerate(("C[1].v", "C[2].v", "C[3].v", "C[4].v", "out.v")):
        np.testing.assert_allclose(np.interp(settled, result.time, result[name]), expected[:, k], atol=1e-5)
