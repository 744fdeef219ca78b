within Saltus.Examples.Translational;
model Seesaw "A heavy child close to the fulcrum balances a light one further out"
  extends Saltus.Icons.Example;
  Saltus.Translational.Mass heavy(m = 41, s(start = 0, fixed = true), v(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{-60, -10}, {-40, 10}})));
  Saltus.Translational.Gravity heavyWeight(m = 41)
    annotation(Placement(transformation(extent = {{-90, -50}, {-70, -30}})));
  Saltus.Translational.Lever board(ratio = 2)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  Saltus.Translational.Mass light(m = 20)
    annotation(Placement(transformation(extent = {{40, -10}, {60, 10}})));
  Saltus.Translational.Gravity lightWeight(m = 20)
    annotation(Placement(transformation(extent = {{70, -50}, {90, -30}})));
equation
  connect(heavyWeight.flange, heavy.flange_a)
    annotation(Line(points = {{-80, -30}, {-80, 0}, {-60, 0}}, color = {0, 127, 0}));
  connect(heavy.flange_b, board.flange_a) annotation(Line(points = {{-40, 0}, {-10, 0}}, color = {0, 127, 0}));
  connect(board.flange_b, light.flange_a) annotation(Line(points = {{10, 0}, {40, 0}}, color = {0, 127, 0}));
  connect(light.flange_b, lightWeight.flange)
    annotation(Line(points = {{60, 0}, {80, 0}, {80, -30}}, color = {0, 127, 0}));
  annotation(experiment(StopTime = 1, Tolerance = 1e-8, Interval = 0.01), Documentation(info = "<html>
<p>41 kg on an arm half as long as that of 20 kg: 1 kg too much. It goes down with <code>g/121</code>, because seen
from there all that moves is 41 kg and four times 20 kg.</p>
<p>Look at <code>heavy.s</code> and <code>light.s</code>: opposite, and one twice the other. Both masses share one
pair of states.</p>
</html>"));
end Seesaw;
