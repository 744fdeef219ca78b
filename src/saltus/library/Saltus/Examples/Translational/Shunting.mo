within Saltus.Examples.Translational;
model Shunting "A wagon rolls against another one, and they are coupled"
  extends Saltus.Icons.Example;
  Saltus.Translational.Mass first(m = 20e3, s(start = 0, fixed = true), v(start = 2, fixed = true))
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}})));
  Saltus.Translational.Contact buffer(s_min = 10, e = 0.3)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  Saltus.Translational.Coupling hook(closed = time > 4)
    annotation(Placement(transformation(extent = {{-10, -60}, {10, -40}})));
  Saltus.Translational.Mass second(m = 30e3, s(start = 14, fixed = true), v(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{50, -10}, {70, 10}})));
equation
  connect(first.flange_b, buffer.flange_a) annotation(Line(points = {{-50, 0}, {-10, 0}}, color = {0, 127, 0}));
  connect(buffer.flange_b, second.flange_a) annotation(Line(points = {{10, 0}, {50, 0}}, color = {0, 127, 0}));
  connect(first.flange_b, hook.flange_a)
    annotation(Line(points = {{-50, 0}, {-30, 0}, {-30, -50}, {-10, -50}}, color = {0, 127, 0}));
  connect(hook.flange_b, second.flange_a)
    annotation(Line(points = {{10, -50}, {30, -50}, {30, 0}, {50, 0}}, color = {0, 127, 0}));
  annotation(experiment(StopTime = 6, Tolerance = 1e-8, Interval = 0.01), Documentation(info = "<html>
<p>The first wagon, 10 m long from middle to middle of both, reaches the second one after 2 s. They part with 0.3 of
the speed at which they met; after 4 s the hook is closed.</p>
<p>Look at <code>first.v</code> and <code>second.v</code>: both jump twice, and the momentum stays 40 000 kg.m/s.
The hook takes what the buffers left of the energy in the middle; after it there is one pair of states.</p>
</html>"));
end Shunting;
