within Saltus.Examples.Rotational;
model BrakeSqueal "Pads on a turning disc stick, slip and squeal"
  extends Saltus.Icons.Example;
  Saltus.Rotational.Sources.ConstantSpeed disc(w = 0.5, phi(fixed = true))
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}})));
  Saltus.Rotational.StribeckFriction stribeck(tau_c = 1, tau_s = 2, w_s = 0.3, d = 0.05)
    annotation(Placement(transformation(extent = {{-30, 30}, {-10, 50}})));
  Saltus.Rotational.Inertia pad1(J = 0.02, phi(fixed = true), w(fixed = true))
    annotation(Placement(transformation(extent = {{0, 30}, {20, 50}})));
  Saltus.Rotational.Spring spring1(c = 10)
    annotation(Placement(transformation(extent = {{30, 30}, {50, 50}})));
  Saltus.Rotational.Fixed caliper1
    annotation(Placement(transformation(extent = {{60, 30}, {80, 50}})));
  Saltus.Rotational.PeakFriction peak(tau_c = 1, tau_s = 2, d = 0.05)
    annotation(Placement(transformation(extent = {{-30, -50}, {-10, -30}})));
  Saltus.Rotational.Inertia pad2(J = 0.02, phi(fixed = true), w(fixed = true))
    annotation(Placement(transformation(extent = {{0, -50}, {20, -30}})));
  Saltus.Rotational.Spring spring2(c = 10)
    annotation(Placement(transformation(extent = {{30, -50}, {50, -30}})));
  Saltus.Rotational.Fixed caliper2
    annotation(Placement(transformation(extent = {{60, -50}, {80, -30}})));
equation
  connect(disc.flange, stribeck.flange_a)
    annotation(Line(points = {{-50, 0}, {-40, 0}, {-40, 40}, {-30, 40}}, color = {95, 95, 95}));
  connect(stribeck.flange_b, pad1.flange_a)
    annotation(Line(points = {{-10, 40}, {0, 40}}, color = {95, 95, 95}));
  connect(pad1.flange_b, spring1.flange_a)
    annotation(Line(points = {{20, 40}, {30, 40}}, color = {95, 95, 95}));
  connect(spring1.flange_b, caliper1.flange)
    annotation(Line(points = {{50, 40}, {70, 40}}, color = {95, 95, 95}));
  connect(disc.flange, peak.flange_a)
    annotation(Line(points = {{-50, 0}, {-40, 0}, {-40, -40}, {-30, -40}}, color = {95, 95, 95}));
  connect(peak.flange_b, pad2.flange_a)
    annotation(Line(points = {{-10, -40}, {0, -40}}, color = {95, 95, 95}));
  connect(pad2.flange_b, spring2.flange_a)
    annotation(Line(points = {{20, -40}, {30, -40}}, color = {95, 95, 95}));
  connect(spring2.flange_b, caliper2.flange)
    annotation(Line(points = {{50, -40}, {70, -40}}, color = {95, 95, 95}));
  annotation(Documentation(info = "<html>
<p>Two pads hang on springs and touch a disc that turns slowly. The friction of one falls with the speed (Stribeck),
that of the other leaps as soon as it slides (peak).</p>
<p>What to look at: the disc drags a pad along until the spring is stronger than the largest torque at rest; the pad
slips back, is caught again, and so on. The angles of the pads are saw teeth with rounded corners. Each time a pad
sticks, its speed is that of the disc exactly, and it is no state.</p>
</html>"),
    experiment(StopTime = 4, Tolerance = 1e-8, Interval = 0.002));
end BrakeSqueal;
