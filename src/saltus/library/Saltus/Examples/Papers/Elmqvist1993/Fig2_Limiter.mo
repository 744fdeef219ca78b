within Saltus.Examples.Papers.Elmqvist1993;
model Fig2_Limiter "A sine wave, limited by an if-expression"
  extends Saltus.Icons.Example;
  block Limiter "y follows x between two limits"
    input Saltus.Units.Ratio x "What is limited";
    output Saltus.Units.Ratio y "The limited value";
    parameter Saltus.Units.Ratio LowLimit = -1 "Smallest value";
    parameter Saltus.Units.Ratio HighLimit = 1 "Largest value";
  equation
    y = if x > HighLimit then HighLimit elseif x < LowLimit then LowLimit else x;
    annotation(Documentation(info = "<html><p>The class of section 4: an if-expression is all it takes.</p></html>"),
      Icon(graphics = {
        Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {0, 0, 127}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-80, -50}, {-40, -50}, {40, 50}, {80, 50}}, color = {0, 0, 127})}));
  end Limiter;
  Limiter limiter(LowLimit = -1, HighLimit = 1) "The limiter of figure 2"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  Saltus.Units.Ratio x "The wave";
  Saltus.Units.Ratio y "What is left of it";
  Real area(unit = "s", start = 0, fixed = true) "Integral of y: what an integrator sees of the corners";
equation
  x = 2*sin(time);
  limiter.x = x;
  y = limiter.y;
  der(area) = y;
  annotation(
    experiment(StopTime = 10, Tolerance = 1e-8, Interval = 0.02),
    Documentation(info = "<html>
<p>The test of the paper: <code>x = 2 sin(t)</code> for ten seconds, limited to -1 and 1. Each relation is watched,
and the integration is stopped where it changes.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Elmqvist, Cellier, Otter 1993",
      place = "section 4, figure 2, class Limiter",
      passage = "A limiter is one if-expression in Dymola. It looks like a macro of an older language, but the
compiler sees that the relations make it discontinuous and turns them into events, so that the integrator never steps
across a corner. The test limits x = 2 sin(t) to -1 and 1 during 10 seconds.",
      look = "Seven events in ten seconds, where the sine is 1/2 or -1/2: at pi/6, 5 pi/6, 7 pi/6 and so on. Flat tops
with sharp corners, as in the figure.",
      plot = {"x", "y"}, modes = true, log = true)));
end Fig2_Limiter;
