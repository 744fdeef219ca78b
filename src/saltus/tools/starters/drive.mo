model NAME "A load that a clutch brings up to speed: change it to what you need"
  // A part is declared by its class, a name of your choice, and values for its parameters.
  // `saltus components` lists all parts, `saltus components Clutch` tells all about one.
  Saltus.Rotational.Sources.ConstantTorque motor(tau = 10);
  Saltus.Rotational.Inertia engine(J = 1, w(start = 100, fixed = true), phi(start = 0, fixed = true));
  Saltus.Rotational.Clutch clutch(fn_max = 300) "Slips, then locks: two inertias become one";
  Saltus.Rotational.Inertia load(J = 2, w(start = 0, fixed = true), phi(start = 0, fixed = true));
  // A signal says how hard the clutch is pressed, from 0 to 1.
  Saltus.Blocks.Sources.Ramp pedal(height = 1, duration = 1, startTime = 0.5);
equation
  // Connected flanges turn together, and their torques sum to zero.
  connect(motor.flange, engine.flange_a);
  connect(engine.flange_b, clutch.flange_a);
  connect(clutch.flange_b, load.flange_a);
  connect(pedal.y, clutch.press);
  // For how long it is simulated, and how often values are written.
  annotation(experiment(StopTime = 4, Interval = 0.01, Tolerance = 1e-8));
end NAME;
