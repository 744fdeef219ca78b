within Dymola1993;
connector Cut "A cut with one across and one through variable"
  Real across "Equal in all cuts that meet";
  flow Real through "Adds up to zero where cuts meet; what comes in counts as positive";
  annotation(
    __Saltus(Cut = true),
    Documentation(info = "<html>
<p>Variables of cuts meet by their position, not by their name. So a cut can be connected with any connector that has as
many potentials and as many flow variables, such as an electrical pin.</p>
</html>"),
    Icon(graphics = {Ellipse(extent = {{-80, 80}, {80, -80}}, lineColor = {60, 60, 60}, fillColor = {220, 220, 220},
      fillPattern = FillPattern.Solid)}));
end Cut;
