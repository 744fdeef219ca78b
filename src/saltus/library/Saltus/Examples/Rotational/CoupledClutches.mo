within Saltus.Examples.Rotational;
model CoupledClutches "Three shafts that two clutches lock one after the other"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Sine swing(amplitude = 10, f = 0.25)
    annotation(Placement(transformation(extent = {{-100, -10}, {-80, 10}})));
  Saltus.Rotational.Sources.SignalTorque drive
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}})));
  Saltus.Rotational.Inertia J1(J = 1, phi(fixed = true), w(start = 10, fixed = true))
    annotation(Placement(transformation(extent = {{-40, -10}, {-20, 10}})));
  Saltus.Rotational.Clutch clutch1(mu = 0.3, cgeo = 0.2, fn_max = 200)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  Saltus.Rotational.Inertia J2(J = 1, phi(fixed = true), w(fixed = true))
    annotation(Placement(transformation(extent = {{20, -10}, {40, 10}})));
  Saltus.Rotational.Clutch clutch2(mu = 0.3, cgeo = 0.2, fn_max = 100)
    annotation(Placement(transformation(extent = {{50, -10}, {70, 10}})));
  Saltus.Rotational.Inertia J3(J = 1, phi(fixed = true), w(fixed = true))
    annotation(Placement(transformation(extent = {{80, -10}, {100, 10}})));
  Saltus.Blocks.Sources.Trapezoid press1(rising = 0.5, staying = 4.5, falling = 0.5, period = 20, startTime = 1)
    annotation(Placement(transformation(extent = {{-40, -60}, {-20, -40}})));
  Saltus.Blocks.Sources.Ramp press2(duration = 1, startTime = 2.5)
    annotation(Placement(transformation(extent = {{20, -60}, {40, -40}})));
equation
  connect(swing.y, drive.tau)
    annotation(Line(points = {{-79, 0}, {-72, 0}}, color = {0, 0, 127}));
  connect(drive.flange, J1.flange_a)
    annotation(Line(points = {{-50, 0}, {-40, 0}}, color = {95, 95, 95}));
  connect(J1.flange_b, clutch1.flange_a)
    annotation(Line(points = {{-20, 0}, {-10, 0}}, color = {95, 95, 95}));
  connect(clutch1.flange_b, J2.flange_a)
    annotation(Line(points = {{10, 0}, {20, 0}}, color = {95, 95, 95}));
  connect(J2.flange_b, clutch2.flange_a)
    annotation(Line(points = {{40, 0}, {50, 0}}, color = {95, 95, 95}));
  connect(clutch2.flange_b, J3.flange_a)
    annotation(Line(points = {{70, 0}, {80, 0}}, color = {95, 95, 95}));
  connect(press1.y, clutch1.press)
    annotation(Line(points = {{-19, -50}, {0, -50}, {0, -12}}, color = {0, 0, 127}));
  connect(press2.y, clutch2.press)
    annotation(Line(points = {{41, -50}, {60, -50}, {60, -12}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>A torque that swings drives the first of three shafts. The clutch to the second one is pressed from 1 s on and let
go again at 6 s, the clutch to the third one from 2.5 s on.</p>
<p>What to look at: while a clutch slips, its torque is what it is pressed for; where the speeds meet it locks, and
its torque is what is needed. Locked shafts have one speed: the number of states goes down. The first clutch slips
when the drive asks for more than it can hold. Nothing jumps but torques.</p>
</html>"),
    experiment(StopTime = 8, Tolerance = 1e-7, Interval = 0.01));
end CoupledClutches;
