model InductorRectifier "Half-wave rectifier with an inductor in series with an ideal diode (paper 001)"

  type Voltage = Real(unit = "V");
  type Current = Real(unit = "A");

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

  model SineSource
    extends TwoPin;
    constant Real pi = 3.141592653589793;
    parameter Voltage amplitude = 10;
    parameter Real frequency(unit = "Hz") = 50;
  equation
    u = amplitude*sin(2*pi*frequency*time);
  end SineSource;

  model Resistor "Ohm's law"
    extends TwoPin;
    parameter Real R(unit = "Ohm") = 1;
  equation
    u = R*i;
  end Resistor;

  model Inductor "Stores flux"
    extends TwoPin;
    parameter Real L(unit = "H") = 1;
  equation
    L*der(i) = u;
  end Inductor;

  model Diode "Ideal: no voltage while it conducts, no current while it blocks"
    extends TwoPin;
    Boolean blocks;
    Real s "Along the curve of voltage and current";
  equation
    // While it blocks, the current of the inductor is no state any more: it is zero, and so is the
    // voltage of the inductor. No resistance, no conductance, no capacitance beside it is needed.
    blocks = s < 0;
    u = if blocks then s else 0;
    i = if blocks then 0 else s;
  end Diode;

  model Ground "Potential zero"
    Pin p;
  equation
    p.v = 0;
  end Ground;

  SineSource source(amplitude = 10, frequency = 50);
  Inductor inductor(L = 0.02, i(start = 0, fixed = true));
  Diode diode;
  Resistor load(R = 5);
  Ground ground;
equation
  connect(source.p, inductor.p);
  connect(inductor.n, diode.p);
  connect(diode.n, load.p);
  connect(load.n, source.n);
  connect(source.n, ground.p);
  annotation(experiment(StartTime = 0, StopTime = 0.077, Tolerance = 1e-8, Interval = 0.00022));
end InductorRectifier;
