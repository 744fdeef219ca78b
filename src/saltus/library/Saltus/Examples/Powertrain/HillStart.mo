within Saltus.Examples.Powertrain;
model HillStart "A car starts uphill with a torque converter"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Ramp throttle(height = 0.8, startTime = 2.5, duration = 1)
    annotation(Placement(transformation(extent = {{-100, -10}, {-80, 10}})));
  Saltus.Powertrain.Engine engine(phi(fixed = true), w(start = 90, fixed = true))
    annotation(Placement(transformation(extent = {{-60, -10}, {-40, 10}})));
  Saltus.Powertrain.TorqueConverter converter
    annotation(Placement(transformation(extent = {{-30, -10}, {-10, 10}})));
  Saltus.Rotational.Inertia turbine(J = 0.02)
    annotation(Placement(transformation(extent = {{0, -10}, {20, 10}})));
  Saltus.Rotational.Gear gear(ratio = 11)
    annotation(Placement(transformation(extent = {{30, -10}, {50, 10}})));
  Saltus.Powertrain.Vehicle vehicle(slope = 0.15, x(fixed = true), v(fixed = true))
    annotation(Placement(transformation(extent = {{65, -10}, {85, 10}})));
  Saltus.Blocks.Sources.Step brake(offset = 0.5, height = -0.5, startTime = 1)
    annotation(Placement(transformation(extent = {{0, 40}, {20, 60}})));
equation
  connect(throttle.y, engine.throttle)
    annotation(Line(points = {{-79, 0}, {-62, 0}}, color = {0, 0, 127}));
  connect(engine.flange, converter.flange_a)
    annotation(Line(points = {{-40, 0}, {-30, 0}}, color = {95, 95, 95}));
  connect(converter.flange_b, turbine.flange_a)
    annotation(Line(points = {{-10, 0}, {0, 0}}, color = {95, 95, 95}));
  connect(turbine.flange_b, gear.flange_a)
    annotation(Line(points = {{20, 0}, {30, 0}}, color = {95, 95, 95}));
  connect(gear.flange_b, vehicle.flange)
    annotation(Line(points = {{50, 0}, {65, 0}}, color = {95, 95, 95}));
  connect(brake.y, vehicle.brake)
    annotation(Line(points = {{21, 50}, {56, 50}, {56, 6}, {63, 6}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>A car stands on a slope of 0.15 rad, held by its brakes; the engine idles. The brakes are let go at 1 s, the
throttle is opened from 2.5 s on. A gear of 11 to 1 stands for the first gear and the final drive.</p>
<p>What to look at: idling, the converter pushes with a little torque, not enough for the slope: the car rolls
backwards, and the turbine turns backwards, until the throttle is opened. Then the turbine has up to twice the torque
of the engine, as long as it is slow; from <code>converter.coupled</code> on both torques are the same.</p>
</html>"),
    experiment(StopTime = 10, Tolerance = 1e-7, Interval = 0.02));
end HillStart;
