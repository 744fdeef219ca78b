model NAME "Half-wave rectifier: change it to what you need"
  // A part is declared by its class, a name of your choice, and values for its parameters.
  // `saltus components` lists all parts, `saltus components Diode` tells all about one.
  Saltus.Electrical.Sources.SineVoltage source(V = 10, f = 50) "10 V, 50 Hz";
  Saltus.Electrical.Diode diode "Ideal: no voltage drop, no leakage";
  Saltus.Electrical.Inductor coil(L = 0.02);
  Saltus.Electrical.Resistor load(R = 5);
  Saltus.Electrical.Ground ground "Potential zero: every circuit needs one";
  // A variable of your own, with an equation below.
  Saltus.Units.Power heat "In the load";
equation
  // Connected pins have one potential, and their currents sum to zero.
  connect(source.p, coil.p);
  connect(coil.n, diode.p);
  connect(diode.n, load.p);
  connect(load.n, source.n);
  connect(source.n, ground.p);
  // Equations may use every variable of every part.
  heat = load.v*load.i;
  // For how long it is simulated, and how often values are written.
  annotation(experiment(StopTime = 0.1, Interval = 2e-4, Tolerance = 1e-8));
end NAME;
