"""Models that say nothing of places: what users write by hand."""

from __future__ import annotations

from pathlib import Path

_DIODE_BRIDGE = """
model Bridge "Full-wave rectifier"
  import Saltus.Electrical.*;
  Sources.SineVoltage mains(V = 325, f = 50);
  Diode D1, D2, D3, D4;
  Resistor line(R = 0.1), load(R = 50);
  Capacitor smoothing(C = 1e-3);
  Ground ground;
equation
  connect(mains.p, line.p);
  connect(line.n, D1.p);
  connect(D1.p, D3.n);
  connect(mains.n, D2.p);
  connect(D2.p, D4.n);
  connect(D1.n, D2.n);
  connect(D3.p, D4.p);
  connect(D2.n, smoothing.p);
  connect(smoothing.p, load.p);
  connect(load.n, smoothing.n);
  connect(smoothing.n, D4.p);
  connect(D4.p, ground.p);
end Bridge;
"""

_BUCK = """
model Buck "Step-down converter with a controller"
  import Saltus.Electrical.*;
  Sources.ConstantVoltage battery(V = 24);
  Transistor switch;
  Diode diode;
  Inductor coil(L = 1e-4);
  Capacitor output_filter(C = 1e-4);
  Resistor load(R = 4);
  Ground ground;
  Sensors.VoltageSensor measured;
  Saltus.Blocks.Sources.Constant wanted(k = 12);
  Saltus.Blocks.Math.Feedback error;
  Saltus.Blocks.Continuous.PI controller;
  Saltus.Logic.Greater comparator;
equation
  connect(battery.p, switch.p);
  connect(switch.n, coil.p);
  connect(diode.n, coil.p);
  connect(coil.n, output_filter.p);
  connect(output_filter.p, load.p);
  connect(load.p, measured.p);
  connect(measured.n, load.n);
  connect(load.n, output_filter.n);
  connect(output_filter.n, diode.p);
  connect(diode.p, battery.n);
  connect(battery.n, ground.p);
  connect(wanted.y, error.u1);
  connect(measured.v, error.u2);
  connect(error.y, controller.u);
  connect(controller.y, comparator.u);
  connect(comparator.y, switch.gate);
end Buck;
"""

_INVERTER = """
model Inverter "Three phases from a battery, into coils in a star"
  import Saltus.Electrical.*;
  Sources.ConstantVoltage upper(V = 300), lower(V = 300);
  Transistor T1, T2, T3, T4, T5, T6;
  Resistor Ra, Rb, Rc;
  Inductor La, Lb, Lc;
  Ground ground;
  Saltus.Logic.Sources.BooleanPulse a, b, c;
  Saltus.Logic.Not not_a, not_b, not_c;
equation
  connect(upper.n, lower.p);
  connect(lower.p, ground.p);
  connect(upper.p, T1.p);
  connect(upper.p, T3.p);
  connect(upper.p, T5.p);
  connect(lower.n, T2.n);
  connect(lower.n, T4.n);
  connect(lower.n, T6.n);
  connect(T1.n, T2.p);
  connect(T3.n, T4.p);
  connect(T5.n, T6.p);
  connect(T1.n, Ra.p);
  connect(T3.n, Rb.p);
  connect(T5.n, Rc.p);
  connect(Ra.n, La.p);
  connect(Rb.n, Lb.p);
  connect(Rc.n, Lc.p);
  connect(La.n, Lb.n);
  connect(Lb.n, Lc.n);
  connect(a.y, T1.gate);
  connect(a.y, not_a.u);
  connect(not_a.y, T2.gate);
  connect(b.y, T3.gate);
  connect(b.y, not_b.u);
  connect(not_b.y, T4.gate);
  connect(c.y, T5.gate);
  connect(c.y, not_c.u);
  connect(not_c.y, T6.gate);
end Inverter;
"""

_GEARBOX = """
model Gearbox "Two planetary sets, two clutches and a brake"
  import Saltus.Rotational.*;
  Sources.ConstantTorque engine;
  Inertia crank, ring_wheel, output_shaft;
  PlanetaryGear first, second;
  Clutch direct, low;
  Brake reverse;
  Fixed housing;
  Damper load;
  Saltus.Blocks.Sources.Step shift, hold;
equation
  connect(engine.flange, crank.flange_a);
  connect(crank.flange_b, direct.flange_a);
  connect(crank.flange_b, low.flange_a);
  connect(direct.flange_b, first.sun);
  connect(low.flange_b, second.sun);
  connect(first.ring, second.carrier);
  connect(first.ring, ring_wheel.flange_a);
  connect(first.carrier, reverse.flange_a);
  connect(second.ring, output_shaft.flange_a);
  connect(output_shaft.flange_b, load.flange_a);
  connect(load.flange_b, housing.flange);
  connect(shift.y, direct.press);
  connect(shift.y, low.press);
  connect(hold.y, reverse.press);
end Gearbox;
"""

_DRIVE_TRAIN = """
model DriveTrain "From a motor over a gear and a shaft to a load"
  import Saltus.Rotational.*;
  Saltus.Electrical.Sources.SignalVoltage supply;
  Saltus.Electrical.DCMotor motor;
  Saltus.Electrical.Ground ground;
  Saltus.Blocks.Sources.Step wanted;
  Saltus.Blocks.Math.Feedback error;
  Saltus.Blocks.Continuous.PI controller;
  Saltus.Blocks.Nonlinear.Limiter limit;
  Inertia rotor, wheel;
  Gear gear;
  SpringDamper shaft;
  Damper bearing;
  Fixed housing;
  Sensors.SpeedSensor speed;
equation
  connect(wanted.y, error.u1);
  connect(error.y, controller.u);
  connect(controller.y, limit.u);
  connect(limit.y, supply.u);
  connect(supply.p, motor.p);
  connect(supply.n, motor.n);
  connect(supply.n, ground.p);
  connect(motor.flange, rotor.flange_a);
  connect(rotor.flange_b, gear.flange_a);
  connect(gear.flange_b, shaft.flange_a);
  connect(shaft.flange_b, wheel.flange_a);
  connect(wheel.flange_b, bearing.flange_a);
  connect(bearing.flange_b, housing.flange);
  connect(wheel.flange_b, speed.flange);
  connect(speed.w, error.u2);
end DriveTrain;
"""

_HOUSE = """
model House "Two rooms, walls, a heater with a thermostat"
  import Saltus.Thermal.*;
  HeatCapacitor living, bedroom, outer_wall, inner_wall;
  ThermalConductor living_wall, bedroom_wall, between1, between2, window, outside_wall;
  Convection facade;
  Sources.FixedTemperature outside;
  Sources.PrescribedHeatFlow heater;
  Sensors.TemperatureSensor thermometer;
  Saltus.Logic.Hysteresis thermostat;
  Saltus.Logic.Not heat;
  Saltus.Logic.BooleanToReal power;
  Saltus.Blocks.Sources.Constant wind;
equation
  connect(living.port, living_wall.port_a);
  connect(living_wall.port_b, outer_wall.port);
  connect(bedroom.port, bedroom_wall.port_a);
  connect(bedroom_wall.port_b, outer_wall.port);
  connect(living.port, between1.port_a);
  connect(between1.port_b, inner_wall.port);
  connect(inner_wall.port, between2.port_a);
  connect(between2.port_b, bedroom.port);
  connect(living.port, window.port_a);
  connect(window.port_b, outside.port);
  connect(outer_wall.port, outside_wall.port_a);
  connect(outside_wall.port_b, facade.solid);
  connect(facade.fluid, outside.port);
  connect(wind.y, facade.h);
  connect(heater.port, living.port);
  connect(living.port, thermometer.port);
  connect(thermometer.T, thermostat.u);
  connect(thermostat.y, heat.u);
  connect(heat.y, power.u);
  connect(power.y, heater.Q_flow);
end House;
"""

_LOOP = """
block Loop "Cascade of two controllers, with the inputs and outputs of a block"
  import Saltus.Blocks.*;
  Interfaces.RealInput setpoint;
  Interfaces.RealInput disturbance;
  Interfaces.RealOutput position;
  Math.Feedback outer_error, inner_error;
  Continuous.PI slow, fast;
  Math.Add load;
  Continuous.FirstOrder motor;
  Continuous.Integrator mechanics;
  Math.Gain tachometer;
equation
  connect(setpoint, outer_error.u1);
  connect(outer_error.y, slow.u);
  connect(slow.y, inner_error.u1);
  connect(inner_error.y, fast.u);
  connect(fast.y, load.u1);
  connect(disturbance, load.u2);
  connect(load.y, motor.u);
  connect(motor.y, mechanics.u);
  connect(motor.y, tachometer.u);
  connect(tachometer.y, inner_error.u2);
  connect(mechanics.y, position);
  connect(mechanics.y, outer_error.u2);
end Loop;
"""

_LOGIC = """
model FullAdder "Two full adders"
  import Saltus.Logic.*;
  Sources.BooleanPulse a0, b0, a1, b1;
  Xor half0, sum0, half1, sum1;
  And both0, through0, both1, through1;
  Or carry0, carry1;
  Sources.BooleanConstant none;
equation
  connect(a0.y, half0.u1);
  connect(b0.y, half0.u2);
  connect(a0.y, both0.u1);
  connect(b0.y, both0.u2);
  connect(half0.y, sum0.u1);
  connect(none.y, sum0.u2);
  connect(half0.y, through0.u1);
  connect(none.y, through0.u2);
  connect(both0.y, carry0.u1);
  connect(through0.y, carry0.u2);
  connect(a1.y, half1.u1);
  connect(b1.y, half1.u2);
  connect(a1.y, both1.u1);
  connect(b1.y, both1.u2);
  connect(half1.y, sum1.u1);
  connect(carry0.y, sum1.u2);
  connect(half1.y, through1.u1);
  connect(carry0.y, through1.u2);
  connect(both1.y, carry1.u1);
  connect(through1.y, carry1.u2);
end FullAdder;
"""

#: Own classes without icons or places, an array, a bus, a plug with pins in it, and a fan in a for loop.
_OWN = """
connector Pin
  Real v;
  flow Real i;
end Pin;

connector Plug "Three pins"
  Pin pin[3];
end Plug;

expandable connector Bus
end Bus;

connector Signal = input Real;
connector Reading = output Real;

partial model OnePort
  Pin p, n;
end OnePort;

model Winding
  extends OnePort;
end Winding;

model Supply
  Plug plug;
end Supply;

model Meter
  Plug line, motor;
  Reading power, current;
end Meter;

model Control
  Signal current, power, wanted;
  Reading command;
end Control;

model Valve
  extends OnePort;
  Signal fire;
end Valve;

model Earth
  Pin p;
end Earth;

model Own "User classes that draw nothing"
  Supply supply;
  Meter meter;
  Winding winding[3];
  Valve valve[3];
  Earth earth;
  Control control;
  Bus bus;
  Plug terminal;
equation
  connect(supply.plug, meter.line);
  connect(meter.motor, terminal);
  for k in 1:3 loop
    connect(meter.motor.pin[k], winding[k].p);
    connect(winding[k].n, valve[k].p);
    connect(valve[k].n, earth.p);
    connect(control.command, valve[k].fire);
  end for;
  connect(meter.power, bus.power);
  connect(bus.power, control.power);
  connect(meter.current, bus.current);
  connect(bus.current, control.current);
end Own;
"""

_THIRTY = """
model Thirty "A charger: rectifier, filter, half bridge, transformer, rectifier, filter, load, control"
  import Saltus.Electrical.*;
  Sources.SineVoltage mains;
  Resistor fuse;
  Inductor choke;
  Diode D1, D2, D3, D4;
  Capacitor upper, lower;
  Transistor high, low;
  Inductor leakage;
  Transformer transformer;
  Diode D5, D6, D7, D8;
  Inductor smoothing;
  Capacitor output_capacitor;
  Resistor load, shunt;
  Ground primary, secondary;
  Sensors.VoltageSensor voltage;
  Saltus.Blocks.Sources.Constant wanted;
  Saltus.Blocks.Math.Feedback error;
  Saltus.Blocks.Continuous.PI controller;
  Saltus.Blocks.Nonlinear.Limiter limit;
  Saltus.Logic.Greater compare;
  Saltus.Logic.Not complement;
equation
  connect(mains.p, fuse.p);
  connect(fuse.n, choke.p);
  connect(choke.n, D1.p);
  connect(D1.p, D3.n);
  connect(mains.n, D2.p);
  connect(D2.p, D4.n);
  connect(D1.n, D2.n);
  connect(D3.p, D4.p);
  connect(D2.n, upper.p);
  connect(upper.n, lower.p);
  connect(lower.n, D4.p);
  connect(D4.p, primary.p);
  connect(upper.p, high.p);
  connect(high.n, low.p);
  connect(low.n, lower.n);
  connect(high.n, leakage.p);
  connect(leakage.n, transformer.p1);
  connect(transformer.n1, upper.n);
  connect(transformer.p2, D5.p);
  connect(D5.p, D7.n);
  connect(transformer.n2, D6.p);
  connect(D6.p, D8.n);
  connect(D5.n, D6.n);
  connect(D7.p, D8.p);
  connect(D6.n, smoothing.p);
  connect(smoothing.n, output_capacitor.p);
  connect(output_capacitor.p, load.p);
  connect(load.n, shunt.p);
  connect(shunt.n, output_capacitor.n);
  connect(output_capacitor.n, D8.p);
  connect(D8.p, secondary.p);
  connect(voltage.p, load.p);
  connect(voltage.n, shunt.n);
  connect(wanted.y, error.u1);
  connect(voltage.v, error.u2);
  connect(error.y, controller.u);
  connect(controller.y, limit.u);
  connect(limit.y, compare.u);
  connect(compare.y, high.gate);
  connect(compare.y, complement.u);
  connect(complement.y, low.gate);
end Thirty;
"""

_FILTER = """
model SallenKey "A low pass of fourth order"
  import Saltus.Electrical.*;
  Sources.SineVoltage signal(V = 1, f = 1000);
  Resistor r1(R = 1e3), r2(R = 1e3), r3(R = 1e3), r4(R = 1e3), r5(R = 1e4), r6(R = 1e4);
  Capacitor c1(C = 1e-7), c2(C = 1e-7), c3(C = 1e-7), c4(C = 1e-7);
  OperationalAmplifier amp1, amp2;
  Resistor load(R = 1e4);
  Ground ground;
equation
  connect(signal.p, r1.p);
  connect(r1.n, r2.p);
  connect(r2.n, amp1.plus);
  connect(r2.n, c2.p);
  connect(c2.n, ground.p);
  connect(c1.p, r1.n);
  connect(c1.n, amp1.out);
  connect(amp1.minus, amp1.out);
  connect(amp1.out, r3.p);
  connect(r3.n, r4.p);
  connect(r4.n, amp2.plus);
  connect(r4.n, c4.p);
  connect(c4.n, ground.p);
  connect(c3.p, r3.n);
  connect(c3.n, amp2.out);
  connect(amp2.minus, r5.n);
  connect(r5.p, amp2.out);
  connect(r6.p, r5.n);
  connect(r6.n, ground.p);
  connect(amp2.out, load.p);
  connect(load.n, ground.p);
  connect(signal.n, ground.p);
end SallenKey;
"""

_PLANT = """
model Plant "Two tanks in a row with level control and a drain"
  import Saltus.Fluid.*;
  Sources.SignalFlow supply;
  Tank upper(A = 1, h(start = 1, fixed = true)), lower(A = 2, h(start = 0.5, fixed = true));
  Valve between, drain;
  Pipe pipe;
  Ambient lake;
  Sensors.LevelSensor high, low;
  Saltus.Blocks.Sources.Step wanted(height = 1);
  Saltus.Blocks.Math.Feedback error, error2;
  Saltus.Blocks.Continuous.PI control, control2;
  Saltus.Blocks.Nonlinear.Limiter limit, limit2;
  Saltus.Blocks.Sources.Constant opening(k = 0.5), level(k = 2);
equation
  connect(supply.port, upper.inlet);
  connect(upper.port_b, between.port_a);
  connect(between.port_b, pipe.port_a);
  connect(pipe.port_b, lower.inlet);
  connect(lower.port_b, drain.port_a);
  connect(drain.port_b, lake.port);
  connect(high.port, upper.port_a);
  connect(low.port, lower.port_a);
  connect(wanted.y, error.u1);
  connect(low.h, error.u2);
  connect(error.y, control.u);
  connect(control.y, limit.u);
  connect(limit.y, between.opening);
  connect(level.y, error2.u1);
  connect(high.h, error2.u2);
  connect(error2.y, control2.u);
  connect(control2.y, limit2.u);
  connect(limit2.y, supply.q);
  connect(opening.y, drain.opening);
end Plant;
"""

_SERVO = """
model Servo "Position control of a DC motor by an H-bridge"
  Saltus.Electrical.Sources.ConstantVoltage battery(V = 24);
  Saltus.Electrical.Ground ground;
  Saltus.Electrical.Transistor q1;
  Saltus.Electrical.Transistor q2;
  Saltus.Electrical.Transistor q3;
  Saltus.Electrical.Transistor q4;
  Saltus.Electrical.DCMotor motor;
  Saltus.Rotational.Gear gear(ratio = 20);
  Saltus.Rotational.Inertia table(J = 0.1);
  Saltus.Rotational.Sensors.AngleSensor angle;
  Saltus.Rotational.Sensors.SpeedSensor speed;
  Saltus.Rotational.Damper bearing(d = 0.01);
  Saltus.Rotational.Fixed frame;
  Saltus.Blocks.Sources.Ramp target(height = 1, duration = 0.2);
  Saltus.Blocks.Math.Feedback position;
  Saltus.Blocks.Math.Gain kp(k = 8);
  Saltus.Blocks.Math.Feedback velocity;
  Saltus.Blocks.Continuous.PI controller;
  Saltus.Blocks.Math.Add carrier;
  Saltus.Blocks.Sources.SawTooth saw(period = 1e-4);
  Saltus.Logic.Greater forward;
  Saltus.Logic.Not backward;
equation
  connect(battery.p, q1.p);
  connect(battery.p, q3.p);
  connect(q1.n, q2.p);
  connect(q3.n, q4.p);
  connect(q2.n, battery.n);
  connect(q4.n, battery.n);
  connect(battery.n, ground.p);
  connect(q1.n, motor.p);
  connect(q3.n, motor.n);
  connect(motor.flange, gear.flange_a);
  connect(gear.flange_b, table.flange_a);
  connect(table.flange_b, angle.flange);
  connect(table.flange_a, speed.flange);
  connect(table.flange_b, bearing.flange_a);
  connect(bearing.flange_b, frame.flange);
  connect(target.y, position.u1);
  connect(angle.phi, position.u2);
  connect(position.y, kp.u);
  connect(kp.y, velocity.u1);
  connect(speed.w, velocity.u2);
  connect(velocity.y, controller.u);
  connect(controller.y, carrier.u1);
  connect(saw.y, carrier.u2);
  connect(carrier.y, forward.u);
  connect(forward.y, backward.u);
  connect(forward.y, q1.gate);
  connect(forward.y, q4.gate);
  connect(backward.y, q2.gate);
  connect(backward.y, q3.gate);
end Servo;
"""


def _readme() -> str:
    """The circuit that the first page ends with."""
    text = (Path(__file__).resolve().parents[3] / "README.md").read_text(encoding="utf-8")
    begin = text.index("model Circuit ")
    return text[begin : text.index("end Circuit;", begin) + len("end Circuit;\n")]


#: Text and class.
MODELS: dict[str, tuple[str, str]] = {
    "circuit": (_readme(), "Circuit"),
    "bridge": (_DIODE_BRIDGE, "Bridge"),
    "buck": (_BUCK, "Buck"),
    "inverter": (_INVERTER, "Inverter"),
    "gearbox": (_GEARBOX, "Gearbox"),
    "drive-train": (_DRIVE_TRAIN, "DriveTrain"),
    "house": (_HOUSE, "House"),
    "loop": (_LOOP, "Loop"),
    "logic": (_LOGIC, "FullAdder"),
    "own": (_OWN, "Own"),
    "thirty": (_THIRTY, "Thirty"),
    "filter": (_FILTER, "SallenKey"),
    "plant": (_PLANT, "Plant"),
    "servo": (_SERVO, "Servo"),
}
