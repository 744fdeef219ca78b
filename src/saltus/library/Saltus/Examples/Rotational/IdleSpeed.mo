within Saltus.Examples.Rotational;
model IdleSpeed "An engine that idles, controlled by a clock on the angle of its crank"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.AngularVelocity wanted = 84 "Speed that is wanted: 800 rev/min";
  parameter Real k(unit = "N.m.s/rad") = 1 "Gain of the controller";
  parameter Saltus.Units.Time Ti = 0.4 "Reset time of the controller";
  parameter Saltus.Units.Angle stroke = Saltus.Units.pi "From one combustion to the next: half a turn";
  Saltus.Rotational.Sources.SignalTorque combustion
    annotation(Placement(transformation(extent = {{-60, -10}, {-40, 10}})));
  Saltus.Rotational.Inertia crank(J = 0.15, phi(start = 0, fixed = true), w(start = 84, fixed = true))
    annotation(Placement(transformation(extent = {{-20, -10}, {0, 10}})));
  Saltus.Rotational.Sensors.AngleSensor angle
    annotation(Placement(transformation(extent = {{20, 30}, {40, 50}})));
  Saltus.Rotational.Sources.SignalTorque load
    annotation(Placement(transformation(extent = {{40, -10}, {20, 10}})));
  Saltus.Blocks.Sources.Step drag(offset = -10, height = -15, startTime = 2)
    "Somebody turns the steering wheel: the pump needs 15 N.m"
    annotation(Placement(transformation(extent = {{90, -10}, {70, 10}})));
  Clock strokes = Clock(angle.phi >= hold(next), 0.0374) "Ticks at each combustion";
  Saltus.Units.Angle next(start = stroke) "Angle of the next combustion";
  Saltus.Units.AngularVelocity mean "Speed over the last half turn";
  Saltus.Units.AngularVelocity error "Difference to what is wanted";
  Saltus.Units.Angle integral(start = 0) "Integral of the error";
  Saltus.Units.Torque burnt(start = 10) "Torque until the next combustion";
equation
  when strokes then
    next = previous(next) + stroke;
    mean = stroke/interval();
    error = wanted - mean;
    integral = previous(integral) + interval()*error;
    burnt = 10 + k*(error + integral/Ti);
  end when;
  combustion.tau = hold(burnt);
  connect(combustion.flange, crank.flange_a)
    annotation(Line(points = {{-40, 0}, {-20, 0}}, color = {95, 95, 95}));
  connect(crank.flange_b, load.flange)
    annotation(Line(points = {{0, 0}, {20, 0}}, color = {95, 95, 95}));
  connect(crank.flange_b, angle.flange)
    annotation(Line(points = {{0, 0}, {10, 0}, {10, 40}, {20, 40}}, color = {95, 95, 95}));
  connect(drag.y, load.tau)
    annotation(Line(points = {{69, 0}, {42, 0}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>What an engine control computes it computes once for each combustion, which is half a turn of the crank: its clock
ticks when the crank comes to the next multiple of that, so faster with a faster engine. The time from tick to tick is
what the speed is measured by, and the integral of the controller counts with it.</p>
<p><b>What to look at:</b> <code>crank.w</code> is a chain of straight lines, each from one combustion to the next. At
2 s a load of 15 N.m comes, and <code>burnt</code> rises from 10 N.m past 25, where it stays two seconds later.</p>
</html>"),
    experiment(StopTime = 5, Tolerance = 1e-9, Interval = 0.01));
end IdleSpeed;
