"""The models of `examples/bondgraphs` made of the parts of other fields: masses and shafts, coils and diodes,
pipes and valves. Nothing of a bond graph is in them, and some are formulated in another way: the walker has
one angle and a rule for impacts instead of two legs that stop the hub, the collision is a stop with a
coefficient of restitution. `SAME` says which variable of the graph is which here."""

from __future__ import annotations

FIG3 = """
model Fig3
  Saltus.Translational.Sources.ConstantForce gravity(f = 9.8);
  Saltus.Translational.Mass m_1(m = 1, s(fixed = true), v(fixed = true));
  Saltus.Translational.Spring rope(c = 50, s_rel(start = 0, fixed = true));
  Saltus.Translational.RackAndPinion wheel(r = 1);
  Saltus.Rotational.IdealClutch brake(closed = time >= 1);
  Saltus.Rotational.Fixed housing;
  Saltus.Rotational.Damper R_1(d = 2);
  Saltus.Rotational.Inertia I_1(J = 1, phi(fixed = true), w(fixed = true));
equation
  connect(gravity.flange, m_1.flange_a);
  connect(m_1.flange_b, rope.flange_a);
  connect(rope.flange_b, wheel.rack);
  connect(wheel.pinion, brake.flange_a);
  connect(brake.flange_b, housing.flange);
  connect(wheel.pinion, R_1.flange_a);
  connect(R_1.flange_b, I_1.flange_a);
end Fig3;
"""

FIG5 = """
model Fig5
  Saltus.Rotational.Sources.SignalSpeed m_1(w = 9.8*time);
  Saltus.Rotational.IdealClutch Sw_2(closed = time < 0.5 or time >= 1);
  Saltus.Rotational.Inertia I_1(J = 1, phi(fixed = true));
equation
  connect(m_1.flange, Sw_2.flange_a);
  connect(Sw_2.flange_b, I_1.flange_a);
end Fig5;
"""

FIG6 = """
model Fig6
  parameter Real gain = 1;
  Saltus.Translational.Sources.ConstantForce gravity(f = 9.8);
  Saltus.Translational.Mass m_1(m = 1, s(fixed = true), v(fixed = true));
  Saltus.Translational.RackAndPinion wheel(r = 1/gain);
  Saltus.Rotational.IdealClutch Sw_2(closed = time < 0.5 or time >= 1);
  Saltus.Rotational.Inertia I_1(J = 1, phi(fixed = true));
equation
  connect(gravity.flange, m_1.flange_a);
  connect(m_1.flange_b, wheel.rack);
  connect(wheel.pinion, Sw_2.flange_a);
  connect(Sw_2.flange_b, I_1.flange_a);
end Fig6;
"""

FIG7 = """
model Fig7
  Saltus.Translational.Sources.ConstantForce gravity(f = 9.8);
  Saltus.Translational.Mass m_1(m = 1, s(fixed = true), v(fixed = true));
  Saltus.Translational.RackAndPinion wheel;
  Saltus.Rotational.IdealClutch Sw_1(closed = time >= 0.2);
  Saltus.Rotational.Fixed housing;
  Saltus.Rotational.Freewheel Sw_2;
  Saltus.Rotational.Inertia I_1(J = 1, phi(fixed = true));
equation
  connect(gravity.flange, m_1.flange_a);
  connect(m_1.flange_b, wheel.rack);
  connect(wheel.pinion, Sw_1.flange_a);
  connect(Sw_1.flange_b, housing.flange);
  connect(wheel.pinion, Sw_2.flange_a);
  connect(Sw_2.flange_b, I_1.flange_a);
end Fig7;
"""

FIG11 = """
model Fig11
  parameter Real epsilon = 1;
  Saltus.Rotational.Inertia I_1(J = 2, phi(start = 0.5, fixed = true), w(start = -0.5/0.6, fixed = true));
  Saltus.Rotational.Stop contact(phi_min = 0, phi_max = 10, e = epsilon);
  Saltus.Rotational.Fixed wall;
equation
  connect(wall.flange, contact.flange_a);
  connect(contact.flange_b, I_1.flange_a);
end Fig11;
"""

LADDER = """
model Ladder
  Saltus.Electrical.Sources.ConstantVoltage source(V = 10);
  Saltus.Electrical.Resistor R_s(R = 30), load(R = 50);
  Saltus.Electrical.Inductor l[3](each L = 1e-3, i(each fixed = true));
  Saltus.Electrical.Capacitor c[3](each C = 1e-6, v(each fixed = true));
  Saltus.Electrical.Ground ground;
equation
  connect(source.p, R_s.p);
  connect(R_s.n, l[1].p);
  for k in 1:3 loop
    connect(l[k].n, c[k].p);
    connect(c[k].n, ground.p);
  end for;
  connect(c[1].p, l[2].p);
  connect(c[2].p, l[3].p);
  connect(c[3].p, load.p);
  connect(load.n, ground.p);
  connect(source.n, ground.p);
end Ladder;
"""

MOTOR = """
model Motor
  Saltus.Electrical.Sources.ConstantVoltage battery(V = 24);
  Saltus.Electrical.Inductor coil(L = 2e-3, i(fixed = true));
  Saltus.Electrical.Resistor windings(R = 0.5);
  Saltus.Electrical.EMF field(k = 0.05);
  Saltus.Electrical.Ground ground;
  Saltus.Rotational.Inertia rotor(J = 1e-4, phi(fixed = true), w(fixed = true));
  Saltus.Rotational.Damper bearing(d = 1e-4);
  Saltus.Rotational.Gear gear(ratio = 10);
  Saltus.Rotational.Inertia load(J = 0.02);
  Saltus.Rotational.Damper air(d = 0.01);
  Saltus.Rotational.Fixed housing;
  Saltus.Rotational.IdealClutch brake(closed = time >= 0.1 and time < 0.15);
equation
  connect(battery.p, coil.p); connect(coil.n, windings.p); connect(windings.n, field.p);
  connect(field.n, battery.n); connect(battery.n, ground.p);
  connect(field.flange, rotor.flange_a); connect(rotor.flange_b, gear.flange_a);
  connect(bearing.flange_a, rotor.flange_a); connect(bearing.flange_b, housing.flange);
  connect(gear.flange_b, load.flange_a);
  connect(air.flange_a, load.flange_b); connect(air.flange_b, housing.flange);
  connect(brake.flange_a, rotor.flange_a); connect(brake.flange_b, housing.flange);
end Motor;
"""

ACCUMULATOR = """
model Accumulator "in bar and litres, so that the numbers are those of the graph"
  Saltus.Fluid.Sources.SignalPressure pump(p = 3*sin(2*time));
  Saltus.Fluid.CheckValve valve;
  Saltus.Fluid.Pipe pipe(R = 0.5), load(R = 4);
  Saltus.Fluid.Accumulator gas(V0 = 2, p_air = 1, V(start = 0.1, fixed = true));
  Saltus.Fluid.Ambient drain;
equation
  connect(pump.port, pipe.port_a);
  connect(pipe.port_b, valve.port_a);
  connect(valve.port_b, gas.port);
  connect(gas.port, load.port_a);
  connect(load.port_b, drain.port);
end Accumulator;
"""

BOOST = """
model Boost
  parameter Real T = 1e-4, d = 0.4;
  Real phase = time - T*floor(time/T);
  Saltus.Electrical.Sources.ConstantVoltage battery(V = 12);
  Saltus.Electrical.Inductor coil(L = 1e-3, i(fixed = true));
  Saltus.Electrical.Resistor wire(R = 0.1), load(R = 20);
  Saltus.Electrical.Switch node(closed = phase < d*T);
  Saltus.Electrical.Diode diode;
  Saltus.Electrical.Capacitor smoothing(C = 1e-4, v(start = 12, fixed = true));
  Saltus.Electrical.Ground ground;
equation
  connect(battery.p, coil.p); connect(coil.n, wire.p); connect(wire.n, node.p); connect(wire.n, diode.p);
  connect(diode.n, smoothing.p); connect(smoothing.p, load.p);
  connect(battery.n, ground.p); connect(node.n, ground.p); connect(smoothing.n, ground.p);
  connect(load.n, ground.p);
end Boost;
"""

WALKER = """
model Walker "One angle, that of the leg which stands, against the normal of the slope"
  parameter Real m = 2, l = 0.8, g = 9.81, alpha = 0.3, gamma = 0.08, omega = 1.2;
  Saltus.Rotational.Inertia leg(J = m*l^2, phi(start = -alpha, fixed = true), w(start = omega, fixed = true));
  Saltus.Rotational.Sources.SignalTorque gravity(tau = m*g*l*sin(leg.phi + gamma));
  discrete Real foot(start = 0, fixed = true);
  Real s_x = foot + l*sin(leg.phi), v_x = l*leg.w*cos(leg.phi), v_y = -l*leg.w*sin(leg.phi);
equation
  connect(gravity.flange, leg.flange_a);
  when leg.phi >= alpha then
    reinit(leg.phi, -alpha);
    reinit(leg.w, cos(2*alpha)*pre(leg.w));
    foot = pre(foot) + 2*l*sin(alpha);
  end when;
end Walker;
"""


def _gearbox() -> str:
    groups = (("split", (0.8, 1)), ("gear", (0.25, 0.45, 0.7, 1)), ("range", (0.5, 1.25)))
    lines = [
        "model Gearbox",
        "  parameter Real T = 0.2;",
        "  Real step = floor(time/T), split = mod(step, 3), gear = mod(floor(step/3), 5);",
        "  Real range = mod(floor(step/15), 3);",
        "  Saltus.Rotational.Sources.ConstantTorque torque(tau = 10);",
        "  Saltus.Rotational.Inertia body[4](J = {0.2, 0.05, 0.08, 5}, each phi(fixed = true), "
        "each w(fixed = true));",
        "  Saltus.Rotational.Damper loss[4](d = {0.05, 0.02, 0.03, 0.4});",
        "  Saltus.Rotational.Fixed housing;",
    ]
    equations = ["  connect(torque.flange, body[1].flange_a);"]
    equations += [
        f"  connect(loss[{k}].flange_a, body[{k}].flange_b); connect(loss[{k}].flange_b, housing.flange);"
        for k in (1, 2, 3, 4)
    ]
    for at, (group, ratios) in enumerate(groups, 1):
        for k, ratio in enumerate(ratios, 1):
            name = f"{group}_{k}"
            lines.append(f"  Saltus.Rotational.IdealClutch {name}(closed = abs({group} - {k}) < 0.5);")
            lines.append(f"  Saltus.Rotational.Gear {group}_wheels_{k}(ratio = 1/{ratio});")
            equations.append(f"  connect(body[{at}].flange_b, {name}.flange_a);")
            equations.append(f"  connect({name}.flange_b, {group}_wheels_{k}.flange_a);")
            equations.append(f"  connect({group}_wheels_{k}.flange_b, body[{at + 1}].flange_a);")
    return "\n".join([*lines, "equation", *equations, "end Gearbox;"])


#: The models, by the names of the graphs.
OF_PARTS = {
    "Fig3": FIG3, "Fig5": FIG5, "Fig6": FIG6, "Fig7": FIG7, "Fig11": FIG11, "Ladder": LADDER, "Motor": MOTOR,
    "Accumulator": ACCUMULATOR, "Boost": BOOST, "Walker": WALKER, "Gearbox": _gearbox(),
}  # fmt: skip

#: For each, variables of the graph and those of the parts.
SAME: dict[str, dict[str, str]] = {
    "Fig3": {"m_1.f": "m_1.v", "rope.e": "-rope.f", "I_1.f": "I_1.w"},
    "Fig5": {"I_1.f": "I_1.w", "rod.f": "m_1.w"},
    "Fig6": {"m_1.f": "m_1.v", "I_1.f": "I_1.w"},
    "Fig7": {"m_1.f": "m_1.v", "I_1.f": "I_1.w"},
    "Fig11": {"I_1.f": "I_1.w", "phi": "I_1.phi"},
    "Ladder": {
        "l_1.f": "l[1].i", "l_2.f": "l[2].i", "l_3.f": "l[3].i",
        "c_1.e": "c[1].v", "c_2.e": "c[2].v", "c_3.e": "c[3].v",
    },
    "Motor": {"coil.f": "coil.i", "rotor.f": "rotor.w", "load.f": "load.w"},
    "Accumulator": {"gas.q": "gas.V", "gas.e": "gas.p", "valve.f": "valve.q"},
    "Boost": {"coil.f": "coil.i", "smoothing.e": "smoothing.v", "diode.f": "diode.i"},
    "Walker": {"s_x": "s_x", "along.f": "v_x", "up.f": "v_y"},
    "Gearbox": {"engine.f": "body[1].w", "lay.f": "body[2].w", "main.f": "body[3].w", "load.f": "body[4].w"},
}  # fmt: skip
