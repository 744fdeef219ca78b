within Saltus.Examples.Powertrain;
model AutomaticCar "A car with an automatic gearbox is driven through its gears"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Trapezoid wish(amplitude = 40, offset = -2, rising = 20, staying = 15, falling = 10,
    period = 100) "Velocity that is wanted"
    annotation(Placement(transformation(extent = {{-100, 30}, {-80, 50}})));
  Saltus.Powertrain.Driver driver
    annotation(Placement(transformation(extent = {{-60, 30}, {-40, 50}})));
  Saltus.Powertrain.Engine engine(phi(fixed = true), w(start = 90, fixed = true))
    annotation(Placement(transformation(extent = {{-60, -30}, {-40, -10}})));
  Saltus.Powertrain.TorqueConverter converter
    annotation(Placement(transformation(extent = {{-30, -30}, {-10, -10}})));
  Saltus.Powertrain.AutomaticGearbox gearbox(shaft(phi(fixed = true), w(fixed = true)))
    annotation(Placement(transformation(extent = {{0, -30}, {20, -10}})));
  Saltus.Rotational.Gear finalDrive(ratio = 3.5)
    annotation(Placement(transformation(extent = {{30, -30}, {50, -10}})));
  Saltus.Powertrain.Vehicle vehicle(m = 1500, x(fixed = true), v(fixed = true))
    annotation(Placement(transformation(extent = {{65, -30}, {85, -10}})));
  Saltus.Powertrain.ShiftLogic logic
    annotation(Placement(transformation(extent = {{-20, 30}, {0, 50}})));
equation
  connect(wish.y, driver.v_set)
    annotation(Line(points = {{-79, 40}, {-70, 40}, {-70, 46}, {-62, 46}}, color = {0, 0, 127}));
  connect(driver.throttle, engine.throttle)
    annotation(Line(points = {{-39, 46}, {-30, 46}, {-30, 10}, {-75, 10}, {-75, -20}, {-62, -20}}, color = {0, 0,
      127}));
  connect(driver.brake, vehicle.brake)
    annotation(Line(points = {{-39, 34}, {-34, 34}, {-34, 16}, {54, 16}, {54, -14}, {63, -14}}, color = {0, 0, 127}));
  connect(engine.flange, converter.flange_a)
    annotation(Line(points = {{-40, -20}, {-30, -20}}, color = {95, 95, 95}));
  connect(converter.flange_b, gearbox.flange_a)
    annotation(Line(points = {{-10, -20}, {0, -20}}, color = {95, 95, 95}));
  connect(gearbox.flange_b, finalDrive.flange_a)
    annotation(Line(points = {{20, -20}, {30, -20}}, color = {95, 95, 95}));
  connect(finalDrive.flange_b, vehicle.flange)
    annotation(Line(points = {{50, -20}, {65, -20}}, color = {95, 95, 95}));
  connect(vehicle.v, driver.v)
    annotation(Line(points = {{86, -20}, {95, -20}, {95, -60}, {-78, -60}, {-78, 34}, {-62, 34}}, color = {0, 0,
      127}));
  connect(vehicle.v, logic.v)
    annotation(Line(points = {{86, -20}, {95, -20}, {95, 70}, {-28, 70}, {-28, 46}, {-22, 46}}, color = {0, 0, 127}));
  connect(driver.throttle, logic.throttle)
    annotation(Line(points = {{-39, 46}, {-30, 46}, {-30, 34}, {-22, 34}}, color = {0, 0, 127}));
  connect(logic.gear, gearbox.gear)
    annotation(Line(points = {{1, 40}, {4, 40}, {4, 24}, {-6, 24}, {-6, -14}, {-2, -14}}, color = {255, 127, 0}));
  annotation(Documentation(info = "<html>
<p>Engine, torque converter, automatic gearbox with two planetary sets, final drive and vehicle; the driver wants 38
m/s within 20 s and stops again after 35 s. The logic changes gears by velocity and throttle.</p>
<p>What to look at: <code>logic.gear</code> goes through 1, 2, 3, 4 and back. At each shift clutches slip for some
tenths of a second, the speed of the engine falls by the step of the gears, and the acceleration
<code>vehicle.a</code> shows the shift; between shifts the gearbox is one stiff body. <code>saltus explain
--modes</code> lists the modes: some 30 of the 162 that five clutches and brakes could have. Paper 003 counts 10 to 30
for its gearbox with 11 clutches, in the section on real-time simulation.</p>
</html>"),
    experiment(StopTime = 50, Tolerance = 1e-6, Interval = 0.02));
end AutomaticCar;
