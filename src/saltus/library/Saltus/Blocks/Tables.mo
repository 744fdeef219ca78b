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

    function line "On the straight line from point k to point k + 1"
      input Real table[:, 2] "Points";
      input Integer k "Which line";
      input Real u "Place";
      output Real y "Value";
    algorithm
      y := table[k, 2] + (u - table[k, 1])*(table[k + 1, 2] - table[k, 2])/(table[k + 1, 1] - table[k, 1]);
    end line;
  equation
    k = 1 + sum(if u > table[i, 1] then 1 else 0 for i in 2:n - 1);
    y = if hold and u < table[1, 1] then table[1, 2]
      elseif hold and u > table[n, 1] then table[n, 2]
      else line(table, k, u);
    annotation(Documentation(info = "<html>
<p>Straight lines from point to point. Each point is an event, so that no step of the integrator goes over a
corner: the curve is as exact as its points. The points are parameters and can be changed without translating
the model again; their number cannot.</p>
<p>Meant for characteristics of some dozens of points. Where a curve is measured with thousands of them, take
<code>Curve1D</code>, which has no events.</p>
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

  type Interpolation = enumeration(
    lines "Straight lines from point to point",
    Akima "A smooth curve that does not swing, through each point with the slope of its neighbours",
    monotone "A smooth curve that rises and falls only where the points do") "How points are joined";

  block Curve1D "A smooth curve through points, however many"
    extends Saltus.Blocks.Interfaces.SingleInput;
    parameter Real table[:, 2] = [0, 0; 1, 1] "Points, one a row: input, output; the inputs rise";
    parameter Interpolation interpolation = Interpolation.monotone "How the points are joined";
    parameter Extrapolation extrapolation = Extrapolation.hold "What is beyond the points";
  protected
    class Curve "The pieces of a curve, made from its points before a run begins"
      extends ExternalObject;

      function constructor "Makes the pieces"
        input Real table[:, 2] "Points";
        input Integer smoothness "How they are joined, as a number";
        input Integer beyond "How the curve goes on, as a number";
        output Curve curve "The pieces";
        external "C" curve = ModelicaStandardTables_CombiTable1D_init2("NoName", "NoName", table,
          size(table, 1), 2, {2}, 1, smoothness, beyond, false);
      end constructor;

      function destructor "Forgets the pieces"
        input Curve curve "The pieces";
        external "C" ModelicaStandardTables_CombiTable1D_close(curve);
      end destructor;
    end Curve;

    function value "The curve at a place"
      input Curve curve "The pieces";
      input Real u "Place";
      output Real y "Value";
      external "C" y = ModelicaStandardTables_CombiTable1D_getValue(curve, 1, u);
      annotation(derivative = rate);
    end value;

    function rate "How fast the curve changes if its input does"
      input Curve curve "The pieces";
      input Real u "Place";
      input Real der_u "Derivative of the place";
      output Real der_y "Derivative of the value";
      external "C" der_y = ModelicaStandardTables_CombiTable1D_getDerValue(curve, 1, u, der_u);
    end rate;

    parameter Curve curve = Curve(table, if interpolation == Interpolation.lines then 1
      elseif interpolation == Interpolation.Akima then 2 else 4,
      if extrapolation == Extrapolation.hold then 1 else 2) "The pieces";
  equation
    y = value(curve, u);
    annotation(Documentation(info = "<html>
<p>The curve is made of cubic pieces, found quickly however many points there are, and has a derivative. There are
no events: if the points are joined by lines, the integrator only feels the corners. Where these matter, take
<code>Table1D</code>.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -80}, {-70, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, -70}, {80, -70}}, color = {160, 160, 160}),
        Line(points = {{-70, -60}, {-45, -10}, {-30, 0}, {0, 5}, {20, 10}, {40, 30}, {60, 70}}, color = {0, 0, 127},
          thickness = 0.5, smooth = Smooth.Bezier)}));
  end Curve1D;

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

    function part "How far a place is from one number to the next"
      input Real x[:] "Numbers that rise";
      input Integer k "From number k to number k + 1";
      input Real u "Place";
      output Real y "From 0 to 1";
    algorithm
      y := (u - x[k])/(x[k + 1] - x[k]);
    end part;

    function patch "On the surface between four points"
      input Real table[:, :] "The grid";
      input Integer i "Row before";
      input Integer j "Column before";
      input Real a "How far it is to the next row";
      input Real b "How far it is to the next column";
      output Real y "Value";
    algorithm
      y := (1 - a)*((1 - b)*table[i, j] + b*table[i, j + 1])
        + a*((1 - b)*table[i + 1, j] + b*table[i + 1, j + 1]);
    end patch;
  equation
    i = 2 + sum(if u1 > table[r, 1] then 1 else 0 for r in 3:m - 1);
    j = 2 + sum(if u2 > table[1, c] then 1 else 0 for c in 3:n - 1);
    a = if hold and u1 < table[2, 1] then 0 elseif hold and u1 > table[m, 1] then 1 else part(table[:, 1], i, u1);
    b = if hold and u2 < table[1, 2] then 0 elseif hold and u2 > table[1, n] then 1 else part(table[1, :], j, u2);
    y = patch(table, i, j, a, b);
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
