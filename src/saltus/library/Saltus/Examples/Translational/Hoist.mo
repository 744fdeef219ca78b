within Saltus.Examples.Translational;
model Hoist "A motor winds up a rope and lifts a load off the ground"
  extends Saltus.Icons.Example;
  Saltus.Rotational.Sources.ConstantTorque motor(tau = 60)
    annotation(Placement(transformation(extent = {{-94, 30}, {-74, 50}})));
  Saltus.Rotational.Inertia rotor(J = 1, phi(start = 0, fixed = true), w(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{-60, 30}, {-40, 50}})));
  Saltus.Rotational.Damper losses(d = 2)
    annotation(Placement(transformation(origin = {-50, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 180)));
  Saltus.Rotational.Fixed frame
    annotation(Placement(transformation(extent = {{-94, -10}, {-74, 10}})));
  Saltus.Translational.RackAndPinion drum(r = 0.1)
    annotation(Placement(transformation(extent = {{-26, 30}, {-6, 50}})));
  Saltus.Translational.Rope rope(L = 10)
    annotation(Placement(transformation(extent = {{28, 30}, {8, 50}})));
  Saltus.Translational.Mass load(m = 50, s(start = -9.8, fixed = true), v(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{46, 30}, {66, 50}})));
  Saltus.Translational.Gravity weight(m = 50)
    annotation(Placement(transformation(extent = {{74, -10}, {94, 10}})));
  Saltus.Translational.Contact floor
    annotation(Placement(transformation(extent = {{10, -30}, {30, -10}})));
  Saltus.Translational.Fixed ground(s0 = -9.8)
    annotation(Placement(transformation(extent = {{-30, -30}, {-10, -10}})));
equation
  connect(motor.flange, rotor.flange_a) annotation(Line(points = {{-74, 40}, {-60, 40}}, color = {95, 95, 95}));
  connect(rotor.flange_b, drum.pinion) annotation(Line(points = {{-40, 40}, {-26, 40}}, color = {95, 95, 95}));
  connect(rotor.flange_b, losses.flange_a)
    annotation(Line(points = {{-40, 40}, {-33, 40}, {-33, 0}, {-40, 0}}, color = {95, 95, 95}));
  connect(losses.flange_b, frame.flange) annotation(Line(points = {{-60, 0}, {-84, 0}}, color = {95, 95, 95}));
  connect(drum.rack, rope.flange_b) annotation(Line(points = {{-6, 40}, {8, 40}}, color = {0, 127, 0}));
  connect(rope.flange_a, load.flange_a) annotation(Line(points = {{28, 40}, {46, 40}}, color = {0, 127, 0}));
  connect(load.flange_b, weight.flange) annotation(Line(points = {{66, 40}, {84, 40}, {84, 10}}, color = {0, 127, 0}));
  connect(ground.flange, floor.flange_a) annotation(Line(points = {{-20, -20}, {10, -20}}, color = {0, 127, 0}));
  connect(floor.flange_b, load.flange_a)
    annotation(Line(points = {{30, -20}, {37, -20}, {37, 40}, {46, 40}}, color = {0, 127, 0}));
  annotation(experiment(StopTime = 3, Tolerance = 1e-8, Interval = 0.005), Documentation(info = "<html>
<p>The drum is 9.8 m above a load, and the rope is 10 m long: it hangs loose at first, and the motor speeds up
quickly.</p>
<p>Look at <code>rope.slack</code>, <code>floor.touching</code>, <code>load.v</code> and <code>rotor.w</code>: when
the rope goes taut, the load is torn off the ground and the rotor is slowed down, both in that instant. Before it
the load has no states: it lies on the ground; after it load and rotor share theirs.</p>
</html>"));
end Hoist;
