within Saltus.Blocks;
package Math "Outputs that are computed from the present inputs"
  extends Saltus.Icons.Package;

  block Gain "A signal times a constant"
    extends Saltus.Blocks.Interfaces.SingleInput;
    parameter Real k = 1 "Factor";
  equation
    y = k*u;
    annotation(Documentation(info = "<html>
<p><code>y = k*u</code>. A factor of -1 turns the sign.</p>
</html>"),
      Icon(graphics = {
        Polygon(points = {{-60, 70}, {70, 0}, {-60, -70}, {-60, 70}}, lineColor = {0, 0, 127}),
        Text(extent = {{-60, 30}, {30, -30}}, textString = "%k")}));
  end Gain;

  block Add "Sum of two signals, with weights"
    extends Saltus.Blocks.Interfaces.TwoInputs;
    parameter Real k1 = 1 "Weight of the first input";
    parameter Real k2 = 1 "Weight of the second input";
  equation
    y = k1*u1 + k2*u2;
    annotation(Documentation(info = "<html>
<p><code>y = k1*u1 + k2*u2</code>. For more than two signals there is <code>Sum</code>.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{0, 50}, {0, -50}}, color = {0, 0, 127}, thickness = 0.5),
        Line(points = {{-50, 0}, {50, 0}}, color = {0, 0, 127}, thickness = 0.5)}));
  end Add;

  block Subtract "Difference of two signals"
    extends Saltus.Blocks.Interfaces.TwoInputs;
  equation
    y = u1 - u2;
    annotation(Documentation(info = "<html>
<p><code>y = u1 - u2</code>: what is wanted less what is there, at the beginning of most control loops.</p>
</html>"),
      Icon(graphics = {Line(points = {{-50, 0}, {50, 0}}, color = {0, 0, 127}, thickness = 0.5)}));
  end Subtract;

  block Feedback "Difference of two signals, drawn as a control loop has it"
    extends Saltus.Icons.Block;
    Saltus.Blocks.Interfaces.RealInput u1 "What is wanted"
      annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
    Saltus.Blocks.Interfaces.RealInput u2 "What is there"
      annotation(Placement(transformation(origin = {0, -120}, extent = {{-20, -20}, {20, 20}}, rotation = 90)));
    Saltus.Blocks.Interfaces.RealOutput y "The difference"
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  equation
    y = u1 - u2;
    annotation(Documentation(info = "<html>
<p><code>y = u1 - u2</code> as in <code>Subtract</code>, but the second input comes from below.</p>
</html>"),
      Icon(graphics = {
        Ellipse(extent = {{-60, 60}, {60, -60}}, lineColor = {0, 0, 127}),
        Line(points = {{-100, 0}, {-60, 0}}, color = {0, 0, 127}),
        Line(points = {{60, 0}, {100, 0}}, color = {0, 0, 127}),
        Line(points = {{0, -60}, {0, -100}}, color = {0, 0, 127}),
        Line(points = {{20, -80}, {50, -80}}, color = {0, 0, 127}, thickness = 0.5)}));
  end Feedback;

  block Sum "Sum of any number of signals, with weights"
    extends Saltus.Icons.Block;
    parameter Integer n(min = 1) = 2 "Number of inputs";
    parameter Real k[n] = ones(n) "Weights";
    Saltus.Blocks.Interfaces.RealInput u[n] "Inputs"
      annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
    Saltus.Blocks.Interfaces.RealOutput y "Sum"
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  equation
    y = k*u;
    annotation(Documentation(info = "<html>
<p>The sum of the <code>n</code> inputs, each times its weight. The input is a vector: connect to
<code>u[1]</code>, <code>u[2]</code> and so on.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{45, 40}, {45, 60}, {-45, 60}, {10, 0}, {-45, -60}, {45, -60}, {45, -40}},
          color = {0, 0, 127}, thickness = 0.5)}));
  end Sum;

  block Product "Product of two signals"
    extends Saltus.Blocks.Interfaces.TwoInputs;
  equation
    y = u1*u2;
    annotation(Documentation(info = "<html>
<p><code>y = u1*u2</code>.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-40, 40}, {40, -40}}, color = {0, 0, 127}, thickness = 0.5),
        Line(points = {{-40, -40}, {40, 40}}, color = {0, 0, 127}, thickness = 0.5)}));
  end Product;

  block Division "Quotient of two signals"
    extends Saltus.Blocks.Interfaces.TwoInputs;
  equation
    y = u1/u2;
    annotation(Documentation(info = "<html>
<p><code>y = u1/u2</code>. The second input must not become zero.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-50, 0}, {50, 0}}, color = {0, 0, 127}, thickness = 0.5),
        Ellipse(extent = {{-8, 48}, {8, 32}}, lineColor = {0, 0, 127}, fillColor = {0, 0, 127},
          fillPattern = FillPattern.Solid),
        Ellipse(extent = {{-8, -32}, {8, -48}}, lineColor = {0, 0, 127}, fillColor = {0, 0, 127},
          fillPattern = FillPattern.Solid)}));
  end Division;

  block Abs "Absolute value"
    extends Saltus.Blocks.Interfaces.SingleInput;
  equation
    y = if u < 0 then -u else u;
    annotation(Documentation(info = "<html>
<p>The input without its sign. The corner at zero is an event, so no step of the integrator goes over it.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{0, -80}, {0, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, -50}, {80, -50}}, color = {160, 160, 160}),
        Line(points = {{-70, 60}, {0, -50}, {70, 60}}, color = {0, 0, 127})}));
  end Abs;

  block Sign "Which side of zero the input is on"
    extends Saltus.Blocks.Interfaces.SingleInput;
  equation
    y = if u > 0 then 1 elseif u < 0 then -1 else 0;
    annotation(Documentation(info = "<html>
<p>1 for positive, -1 for negative inputs, 0 for zero. The output jumps at an event. Do not write dry friction with
it: a body never comes to rest then; the friction elements of the mechanical libraries do.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{0, -80}, {0, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, 0}, {80, 0}}, color = {160, 160, 160}),
        Line(points = {{-70, -50}, {0, -50}}, color = {0, 0, 127}),
        Line(points = {{0, 50}, {70, 50}}, color = {0, 0, 127})}));
  end Sign;

  block Sqrt "Square root"
    extends Saltus.Blocks.Interfaces.SingleInput;
  equation
    y = sqrt(u);
    annotation(Documentation(info = "<html>
<p>The root of the input, which must not be negative.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-60, 0}, {-40, 10}, {-15, -60}, {10, 60}, {70, 60}}, color = {0, 0, 127},
          thickness = 0.5)}));
  end Sqrt;

  block Sin "Sine of an angle"
    extends Saltus.Blocks.Interfaces.SingleInput;
  equation
    y = sin(u);
    annotation(Documentation(info = "<html>
<p><code>y = sin(u)</code>, with the input in radians.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "sin", textColor = {0, 0, 127})}));
  end Sin;

  block Cos "Cosine of an angle"
    extends Saltus.Blocks.Interfaces.SingleInput;
  equation
    y = cos(u);
    annotation(Documentation(info = "<html>
<p><code>y = cos(u)</code>, with the input in radians.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "cos", textColor = {0, 0, 127})}));
  end Cos;

  block Max "The larger of two signals"
    extends Saltus.Blocks.Interfaces.TwoInputs;
  equation
    y = if u1 > u2 then u1 else u2;
    annotation(Documentation(info = "<html>
<p>The larger input. Where they cross the output has a corner, which is an event.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "max", textColor = {0, 0, 127})}));
  end Max;

  block Min "The smaller of two signals"
    extends Saltus.Blocks.Interfaces.TwoInputs;
  equation
    y = if u1 < u2 then u1 else u2;
    annotation(Documentation(info = "<html>
<p>The smaller input. Where they cross the output has a corner, which is an event.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "min", textColor = {0, 0, 127})}));
  end Min;

  block Switch "One of two signals, chosen by a third"
    extends Saltus.Blocks.Interfaces.TwoInputs;
    parameter Real threshold = 0 "The first input is taken where the control is larger";
    Saltus.Blocks.Interfaces.RealInput control "What chooses"
      annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  equation
    y = if control > threshold then u1 else u2;
    annotation(Documentation(info = "<html>
<p>The output is <code>u1</code> where <code>control</code> is larger than <code>threshold</code>, and
<code>u2</code> elsewhere. Where a Boolean is to choose, take <code>Saltus.Logic.Switch</code>.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-100, 60}, {-40, 60}}, color = {0, 0, 127}),
        Line(points = {{-100, -60}, {-40, -60}}, color = {0, 0, 127}),
        Line(points = {{-40, 60}, {40, 0}, {100, 0}}, color = {0, 0, 127}),
        Line(points = {{-100, 0}, {-20, 0}}, color = {0, 0, 127}, pattern = LinePattern.Dot)}));
  end Switch;

  annotation(Documentation(info = "<html>
<p>Blocks without memory. Corners and jumps are events, so that they are exact.</p>
</html>"));
end Math;
