within Saltus.Logic;
block Counter "Counts rising edges"
  extends Saltus.Logic.Interfaces.Block;
  parameter Integer y0 = 0 "Where counting begins";
  parameter Boolean useReset = false "Is there an input that sets it back?";
  Saltus.Blocks.Interfaces.BooleanInput u "Its rising edges are counted"
    annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  Saltus.Blocks.Interfaces.BooleanInput reset if useReset "Sets it back"
    annotation(Placement(transformation(origin = {0, -120}, extent = {{-20, -20}, {20, 20}}, rotation = 90)));
  Saltus.Blocks.Interfaces.IntegerOutput y "The number"
    annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
protected
  Saltus.Blocks.Interfaces.BooleanInput back "Set back now"
    annotation(Placement(transformation(origin = {0, -80}, extent = {{-10, -10}, {10, 10}}, rotation = 90)));
initial equation
  pre(y) = y0;
equation
  connect(reset, back);
  if not useReset then
    back = false;
  end if;
  when {u, back} then
    y = if back then y0 else pre(y) + 1;
  end when;
  annotation(Documentation(info = "<html>
<p>Begins with <code>y0</code> and adds one whenever <code>u</code> becomes true. With <code>useReset</code> there
is a second input: when it becomes true, and as long as it is, the number is <code>y0</code>.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-70, -60}, {-30, -60}, {-30, -20}, {10, -20}, {10, 20}, {50, 20}, {50, 60}, {75, 60}},
        color = {140, 0, 140}, thickness = 0.5)}));
end Counter;
