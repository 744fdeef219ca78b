within Saltus.Blocks;
package Tables "Characteristics given by points"
  extends Saltus.Icons.Package;

  type Extrapolation = enumeration(
    hold "Stays at the last point",
    linear "Goes on in the direction of the last two points") "What a table says beyond its points";

  block Table1D "A curve through points, of straight lines"
    extends Saltus.Blocks.Interfaces.SingleInput;
    parameter Real table[:, 2] = [0, 0; 1, 1] "Points, one a row: input, output; the inputs rise";
    parameter Extrapolation extrapolation = Extrapolation.hold "What is beyond the points";
  protected
    parameter Integer n = size(table, 1) "Number of points, at least two";
    parameter Boolean hold = extrapolation == Extrapolation.hold "The ends are held";
    Integer k "The piece: from point k to point k + 1";
  equation
    k = 1 + sum(if u > table[i, 1] then 1 else 0 for i in 2:n - 1);
    y = if hold and u < table[1, 1] then table[1, 2]
      elseif hold and u > table[n, 1] then table[n, 2]
      else table[k, 2] + (u - table[k, 1])*(table[k + 1, 2] - table[k, 2])/(table[k + 1, 1] - table[k, 1]);
    annotation(Documentation(info = "<html>
<p>Straight lines from point to point. Each point is an event, so that no step of the integrator goes over a
corner: the curve is as exact as its points. The points are parameters and can be changed without translating
the model again; their number cannot.</p>
<p>Meant for characteristics of some dozens of points. Where a curve is measured with thousands of them, use a
table with an external object, without events.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -80}, {-70, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, -70}, {80, -70}}, color = {160, 160, 160}),
        Line(points = {{-70, -60}, {-30, 0}, {20, 10}, {60, 70}}, color = {0, 0, 127}, thickness = 0.5),
        Ellipse(extent = {{-36, 6}, {-24, -6}}, lineColor = {0, 0, 127}, fillColor = {0, 0, 127},
          fillPattern = FillPattern.Solid),
        Ellipse(extent = {{14, 16}, {26, 4}}, lineColor = {0, 0, 127}, fillColor = {0, 0, 127},
          fillPattern = FillPattern.Solid)}));
  end Table1D;

  block Table2D "A surface through points of a grid"
    extends Saltus.Blocks.Interfaces.TwoInputs;
    parameter Real table[:, :] = [0, 0, 1; 0, 0, 0; 1, 0, 1]
      "First column: values of u1; first row: values of u2; the number in the corner is not used";
    parameter Extrapolation extrapolation = Extrapolation.hold "What is beyond the grid";
  protected
    parameter Integer m = size(table, 1) "Last row";
    parameter Integer n = size(table, 2) "Last column";
    parameter Boolean hold = extrapolation == Extrapolation.hold "The edges are held";
    Integer i "Row before u1";
    Integer j "Column before u2";
    Real a "How far u1 is from row i to row i + 1";
    Real b "How far u2 is from column j to column j + 1";
  equation
    i = 2 + sum(if u1 > table[r, 1] then 1 else 0 for r in 3:m - 1);
    j = 2 + sum(if u2 > table[1, c] then 1 else 0 for c in 3:n - 1);
    a = if hold and u1 < table[2, 1] then 0 elseif hold and u1 > table[m, 1] then 1
      else (u1 - table[i, 1])/(table[i + 1, 1] - table[i, 1]);
    b = if hold and u2 < table[1, 2] then 0 elseif hold and u2 > table[1, n] then 1
      else (u2 - table[1, j])/(table[1, j + 1] - table[1, j]);
    y = (1 - a)*((1 - b)*table[i, j] + b*table[i, j + 1]) + a*((1 - b)*table[i + 1, j] + b*table[i + 1, j + 1]);
    annotation(Documentation(info = "<html>
<p>Between four neighbouring points of the grid the output is linear in each input. The matrix is written as it
would be printed: <code>u1</code> downwards, <code>u2</code> to the right. Lines of the grid are events. Maps of
engines and pumps are given like this.</p>
</html>"),
      Icon(graphics = {
        Rectangle(extent = {{-70, 70}, {70, -70}}, lineColor = {0, 0, 127}),
        Line(points = {{-70, 25}, {70, 25}}, color = {0, 0, 127}),
        Line(points = {{-70, -25}, {70, -25}}, color = {0, 0, 127}),
        Line(points = {{-25, 70}, {-25, -70}}, color = {0, 0, 127}),
        Line(points = {{25, 70}, {25, -70}}, color = {0, 0, 127})}));
  end Table2D;

  annotation(Documentation(info = "<html>
<p>Matrices of points, joined by straight lines. For tables over time see
<code>Saltus.Blocks.Sources.TimeTable</code>.</p>
</html>"));
end Tables;
