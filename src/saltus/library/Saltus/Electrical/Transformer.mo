within Saltus.Electrical;
model Transformer "Ideal: voltages in the ratio of the turns"
  extends Saltus.Electrical.Interfaces.FourPin;
  parameter Saltus.Units.Ratio n = 1 "Turns of the first coil per turn of the second";
equation
  v1 = n*v2;
  i2 = -n*i1;
  annotation(Documentation(info = "<html>
<p><code>v1 = n*v2</code> and <code>i2 = -n*i1</code>: what goes in at one side comes out at the other, and nothing is
stored. It has no magnetising current, so it transforms direct current as well. For magnetising put an
<code>Inductor</code> across the first side, for leakage one in series; or take <code>CoupledInductors</code>.</p>
<p>The sides are separate circuits: each needs a <code>Ground</code>.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 50}, {-30, 50}, {-30, 40}, {-14, 36}, {-8, 30}, {-14, 24}, {-30, 20}, {-14, 16}, {-8, 10},
        {-14, 4}, {-30, 0}, {-14, -4}, {-8, -10}, {-14, -16}, {-30, -20}, {-14, -24}, {-8, -30}, {-14, -36}, {-30, -40},
        {-30, -50}, {-90, -50}}, color = {0, 0, 255}),
      Line(points = {{90, 50}, {30, 50}, {30, 40}, {14, 36}, {8, 30}, {14, 24}, {30, 20}, {14, 16}, {8, 10}, {14, 4},
        {30, 0}, {14, -4}, {8, -10}, {14, -16}, {30, -20}, {14, -24}, {8, -30}, {14, -36}, {30, -40}, {30, -50},
        {90, -50}}, color = {0, 0, 255}),
      Line(points = {{-3, 45}, {-3, -45}}, color = {0, 0, 255}),
      Line(points = {{3, 45}, {3, -45}}, color = {0, 0, 255}),
      Text(extent = {{-100, -65}, {100, -100}}, textString = "%n : 1")}));
end Transformer;
