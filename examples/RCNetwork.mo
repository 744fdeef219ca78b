model RCNetwork "A ladder of resistors and capacitors, built from components and connectors"

  package Electrical "The few elements that are needed here"
    type Voltage = Real(unit = "V", nominal = 10);
    type Current = Real(unit = "A", nominal = 1e-3);

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

    model Resistor
      extends TwoPin;
      parameter Real R(unit = "Ohm") = 1 "Resistance";
    equation
      u = R*i;
    end Resistor;

    model Capacitor
      extends TwoPin;
      parameter Real C(unit = "F") = 1 "Capacitance";
    equation
      C*der(u) = i;
    end Capacitor;

    model StepVoltage "A voltage that steps from 0 to V"
      extends TwoPin;
      parameter Voltage V = 1 "Height of the step";
      parameter Real stepTime(unit = "s") = 0 "Time of the step";
    equation
      u = if time < stepTime then 0 else V;
    end StepVoltage;

    model Ground "Potential zero"
      Pin p;
    equation
      p.v = 0;
    end Ground;
  end Electrical;

  model Stage "One rung of the ladder: a resistor in the line, a capacitor across it"
    parameter Real R(unit = "Ohm") = 1000;
    parameter Real C(unit = "F") = 1e-6;
    Electrical.Pin a "Towards the source";
    Electrical.Pin b "Towards the end";
    Electrical.Pin common "Return line";
    Electrical.Resistor resistor(final R = R);
    // A modification reaches as deep as one likes: here to the start value of the capacitor's voltage.
    Electrical.Capacitor capacitor(final C = C, u(start = 0, fixed = true));
  equation
    connect(a, resistor.p);
    connect(resistor.n, b);
    connect(b, capacitor.p);
    connect(capacitor.n, common);
  end Stage;

  constant Integer n = 4 "Number of stages";
  parameter Real R[n](each unit = "Ohm") = {1000, 2000, 1500, 500} "Resistances, from the source on";
  Electrical.StepVoltage source(V = 10, stepTime = 1e-3);
  // One modification for all elements is marked `each`; an array is distributed over the elements.
  Stage stage[n](R = R, each C = 1e-6);
  Electrical.Resistor load(R = 10000);
  Electrical.Ground ground;
equation
  connect(source.p, stage[1].a);
  for i in 1:n - 1 loop
    connect(stage[i].b, stage[i + 1].a);
  end for;
  for i in 1:n loop
    connect(stage[i].common, ground.p);
  end for;
  connect(stage[n].b, load.p);
  connect(load.n, ground.p);
  connect(source.n, ground.p);
  annotation(experiment(StartTime = 0, StopTime = 0.05, Tolerance = 1e-8, Interval = 1e-4));
end RCNetwork;
