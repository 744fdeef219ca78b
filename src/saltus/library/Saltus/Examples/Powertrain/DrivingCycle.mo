within Saltus.Examples.Powertrain;
model DrivingCycle "A car with eleven clutches, brakes and freewheels follows a driving cycle"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.TimeTable cycle(table = [
    0, -1; 3, -1; 3, 0; 11, 9; 17, 9; 27, 19; 33, 19; 45, 30; 53, 30; 61, 21; 65, 21; 76, 0; 76, -1; 79, -1;
    79, 0; 85, 7; 89, 7; 94, 0; 94, -1; 100, -1]) "Velocity that is wanted; where it is negative the car is held"
    annotation(Placement(transformation(extent = {{-120, 40}, {-100, 60}})));
  Saltus.Powertrain.Driver driver(k_throttle = 0.8, k_brake = 0.3)
    annotation(Placement(transformation(extent = {{-80, 40}, {-60, 60}})));
  Saltus.Powertrain.ShiftLogic logic(v_up = {7, 12, 18, 26, 36}, light = 0.5)
    annotation(Placement(transformation(extent = {{-40, 40}, {-20, 60}})));
  Saltus.Logic.Greater slower "The engine is to brake while the driver does"
    annotation(Placement(transformation(extent = {{-40, 0}, {-20, 20}})));
  Saltus.Powertrain.PressureTable table(first = -1, overlap = {0, 0.05, 0.05, 0, 0, 0, 0.05, 0.05, 0, 0.05, 0.05},
    wait = {1, 0, 0, 0, 0, 0.3, 0, 0, 0, 0, 0},
    pressed = [
      0, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0;
      0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0;
      0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0;
      0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0;
      0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0;
      1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0;
      1, 1, 0, 1, 1, 0, 1, 0, 0, 0, 1;
      1, 0, 1, 1, 1, 0, 1, 0, 0, 0, 1],
    braking = [
      0, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0;
      0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0;
      0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0;
      0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0;
      0, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0;
      1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0;
      1, 1, 0, 1, 1, 0, 1, 0, 0, 0, 1;
      1, 0, 1, 1, 1, 0, 1, 0, 0, 0, 1])
    "Rows: reverse, neutral, gears 1 to 6; columns: cl, c0, b0, c1, c2, b1, b2, f1, b3, b4, c3"
    annotation(Placement(transformation(extent = {{0, 34}, {20, 54}})));
  Saltus.Powertrain.MappedEngine engine(phi(fixed = true), w(start = 90, fixed = true))
    annotation(Placement(transformation(extent = {{-80, -50}, {-60, -30}})));
  Saltus.Powertrain.SixSpeedTransmission gearbox
    annotation(Placement(transformation(extent = {{-20, -50}, {0, -30}})));
  Saltus.Rotational.Gear finalDrive(ratio = 3.2)
    annotation(Placement(transformation(extent = {{20, -50}, {40, -30}})));
  Saltus.Powertrain.Tyres tyres
    annotation(Placement(transformation(extent = {{60, -50}, {80, -30}})));
  Saltus.Powertrain.Vehicle vehicle(m = 1500, x(fixed = true), v(fixed = true))
    annotation(Placement(transformation(extent = {{110, -50}, {130, -30}})));
  Saltus.Blocks.Continuous.FirstOrder booster(T = 0.1) "Pressure of the brakes"
    annotation(Placement(transformation(extent = {{70, 0}, {90, 20}})));
equation
  connect(cycle.y, driver.v_set)
    annotation(Line(points = {{-99, 50}, {-92, 50}, {-92, 56}, {-82, 56}}, color = {0, 0, 127}));
  connect(vehicle.v, driver.v)
    annotation(Line(points = {{131, -40}, {140, -40}, {140, -70}, {-130, -70}, {-130, 30}, {-92, 30}, {-92, 44},
      {-82, 44}}, color = {0, 0, 127}));
  connect(driver.throttle, engine.throttle)
    annotation(Line(points = {{-59, 56}, {-52, 56}, {-52, -10}, {-96, -10}, {-96, -40}, {-82, -40}}, color = {0, 0,
      127}));
  connect(driver.brake, booster.u)
    annotation(Line(points = {{-59, 44}, {-56, 44}, {-56, -16}, {56, -16}, {56, 10}, {68, 10}}, color = {0, 0, 127}));
  connect(booster.y, vehicle.brake)
    annotation(Line(points = {{91, 10}, {98, 10}, {98, -34}, {108, -34}}, color = {0, 0, 127}));
  connect(vehicle.v, logic.v)
    annotation(Line(points = {{131, -40}, {140, -40}, {140, 80}, {-48, 80}, {-48, 56}, {-42, 56}}, color = {0, 0,
      127}));
  connect(driver.throttle, logic.throttle)
    annotation(Line(points = {{-59, 56}, {-52, 56}, {-52, 44}, {-42, 44}}, color = {0, 0, 127}));
  connect(logic.gear, table.gear)
    annotation(Line(points = {{-19, 50}, {-2, 50}}, color = {255, 127, 0}));
  connect(driver.brake, slower.u)
    annotation(Line(points = {{-59, 44}, {-56, 44}, {-56, 10}, {-42, 10}}, color = {0, 0, 127}));
  connect(slower.y, table.brakes)
    annotation(Line(points = {{-19, 10}, {-12, 10}, {-12, 38}, {-2, 38}}, color = {255, 0, 255}));
  connect(table.press, gearbox.press)
    annotation(Line(points = {{21, 44}, {30, 44}, {30, -10}, {-30, -10}, {-30, -34}, {-22, -34}}, color = {0, 0,
      127}));
  connect(engine.flange, gearbox.flange_a)
    annotation(Line(points = {{-60, -40}, {-20, -40}}, color = {95, 95, 95}));
  connect(gearbox.flange_b, finalDrive.flange_a)
    annotation(Line(points = {{0, -40}, {20, -40}}, color = {95, 95, 95}));
  connect(finalDrive.flange_b, tyres.flange_a)
    annotation(Line(points = {{40, -40}, {60, -40}}, color = {95, 95, 95}));
  connect(tyres.flange_b, vehicle.flange)
    annotation(Line(points = {{80, -40}, {110, -40}}, color = {95, 95, 95}));
  annotation(Documentation(info = "<html>
<p>An engine with a map, a converter with a lock-up clutch, a gearbox of four planetary sets, and eleven clutches,
brakes and freewheels that slip or hold: a car that accelerates through six gears, stops, and goes round the corner. The
driver follows a velocity that is given over time, the logic changes gears by velocity and throttle, and the table of
pressures says what slips when. All data are invented.</p>
<p>What to look at: <code>vehicle.v</code> beside <code>cycle.y</code>; <code>logic.gear</code>; <code>engine.w</code>
and <code>gearbox.shaft.w</code>, which are one from the fourth gear on, where the lock-up clutch holds, and apart for a
second at every shift. <code>gearbox.b3.w_rel</code> and <code>gearbox.f1.w_rel</code> show the freewheels that let go
when a higher gear takes over. <code>saltus explain --modes</code> lists what holds when: of the thousands of
combinations some thirty are visited.</p>
<p>The gearbox of paper 003, section on real-time simulation, has as many clutches. <code>saltus realtime
Saltus.Examples.Powertrain.DrivingCycle --step 1ms</code> runs this one in pace with the wall clock.</p>
</html>"),
    Diagram(coordinateSystem(extent = {{-140, -100}, {160, 100}})),
    experiment(StopTime = 100, Tolerance = 1e-6, Interval = 0.02));
end DrivingCycle;
