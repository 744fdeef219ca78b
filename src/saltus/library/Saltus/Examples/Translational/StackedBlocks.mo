within Saltus.Examples.Translational;
model StackedBlocks "Blocks on top of each other, each pushed to and fro"
  extends Saltus.Icons.Example;
  Saltus.Translational.Fixed table
    annotation(Placement(transformation(extent = {{-90, -70}, {-70, -50}})));
  Saltus.Translational.Friction below(f_c = 1, d = 0.3)
    annotation(Placement(transformation(extent = {{-50, -70}, {-30, -50}})));
  Saltus.Translational.Mass lower(m = 1, s(start = 0, fixed = true), v(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{-10, -70}, {10, -50}})));
  Saltus.Translational.Sources.SignalForce push1(f = 2.2*sin(time))
    annotation(Placement(transformation(extent = {{70, -70}, {50, -50}})));
  Saltus.Translational.Friction between(f_c = 0.6, d = 0.1)
    annotation(Placement(transformation(extent = {{-50, -10}, {-30, 10}})));
  Saltus.Translational.Mass upper(m = 0.5, s(start = 0, fixed = true), v(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  Saltus.Translational.Sources.SignalForce push2(f = 1.3*sin(2.3*time))
    annotation(Placement(transformation(extent = {{70, -10}, {50, 10}})));
equation
  connect(table.flange, below.flange_a) annotation(Line(points = {{-80, -60}, {-50, -60}}, color = {0, 127, 0}));
  connect(below.flange_b, lower.flange_a) annotation(Line(points = {{-30, -60}, {-10, -60}}, color = {0, 127, 0}));
  connect(lower.flange_b, push1.flange) annotation(Line(points = {{10, -60}, {50, -60}}, color = {0, 127, 0}));
  connect(lower.flange_b, between.flange_a)
    annotation(Line(points = {{10, -60}, {20, -60}, {20, -30}, {-60, -30}, {-60, 0}, {-50, 0}}, color = {0, 127, 0}));
  connect(between.flange_b, upper.flange_a) annotation(Line(points = {{-30, 0}, {-10, 0}}, color = {0, 127, 0}));
  connect(upper.flange_b, push2.flange) annotation(Line(points = {{10, 0}, {50, 0}}, color = {0, 127, 0}));
  annotation(experiment(StopTime = 20, Tolerance = 1e-8, Interval = 0.02), Documentation(info = "<html>
<p>The lower block rubs on the table, the upper one on the lower one. Each contact sticks, slides forward or slides
backward: nine modes, with two, three or four states.</p>
<p>Look at <code>lower.v</code> and <code>upper.v</code>: where they are equal the blocks move as one. <code>saltus
explain --modes</code> shows which modes were visited and what was a state in them.</p>
</html>"));
end StackedBlocks;
