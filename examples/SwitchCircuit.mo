model SwitchCircuit "An ideal switch charges and isolates a capacitor (paper 000, Fig. 3)"

  type Voltage = Real(unit = "V");
  type Current = Real(unit = "A");
  type Resistance = Real(unit = "Ohm");
  type Capacitance = Real(unit = "F");

  connector Pin "One end of an electrical element"
    Voltage v "Potential";
    flow Current i "Current into the element";
  end Pin;

  partial model TwoPin "What all elements with two pins have in common"
    Pin p "Positive pin";
    Pin n "Negative pin";
    Voltage u "Voltage from p to n";
    Current i "Current from p to n";
  equation
    u = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end TwoPin;

  model Resistor "Ohm's law"
    extends TwoPin;
    parameter Resistance R = 1;
  equation
    u = R*i;
  end Resistor;

  model Capacitor "Stores charge"
    extends TwoPin;
    parameter Capacitance C = 1;
  equation
    C*der(u) = i;
  end Capacitor;

  model CurrentSource "Drives the current I0 out of its positive pin"
    extends TwoPin;
    input Current I0;
  equation
    i = -I0;
  end CurrentSource;

  model Switch "Ideal switch: no current when it is open, no voltage when it is closed"
    extends TwoPin;
    input Integer openSw "1: open, 0: closed";
  equation
    // One equation for both positions. Which of u and i it determines depends on the value of openSw, so
    // neither can be chosen beforehand: in a sound circuit the switch is always part of an algebraic loop.
    0 = openSw*i + (1 - openSw)*u;
  end Switch;

  model Ground "Potential zero"
    Pin p;
  equation
    p.v = 0;
  end Ground;

  parameter Current I = 0.1 "Current of the source (the paper leaves it open)";
  CurrentSource I0;
  Resistor R1(R = 100);
  Resistor R2(R = 20);
  Capacitor C(C = 0.1e-6, u(start = 0, fixed = true));
  Switch Sw;
  Ground ground;
  output Voltage y "Voltage of the capacitor";
equation
  connect(I0.p, R1.p);
  connect(I0.n, R1.n);
  connect(R1.p, Sw.p);
  connect(Sw.n, C.p);
  connect(C.p, R2.p);
  connect(C.n, R2.n);
  connect(C.n, R1.n);
  connect(R1.n, ground.p);

  // Comparisons with the time are scheduled: the switch moves exactly at these times.
  Sw.openSw = if time < 1.0e-6 then 1
    elseif time < 2.5e-6 then 0
    elseif time < 5.0e-6 then 1
    elseif time < 9.0e-6 then 0 else 1;
  I0.I0 = I;
  y = C.u;
  annotation(experiment(StartTime = 0, StopTime = 12e-6, Tolerance = 1e-8, Interval = 0.05e-6));
end SwitchCircuit;
