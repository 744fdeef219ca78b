within Saltus.Logic;
block Change "True for the instant in which the input changes"
  extends Saltus.Logic.Interfaces.SingleInput;
equation
  y = change(u) and not initial();
  annotation(Documentation(info = "<html>
<p>True only in the event in which <code>u</code> becomes true or false. A plot does not show it.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-70, -50}, {-35, -50}, {-35, 50}, {35, 50}, {35, -50}, {70, -50}}, color = {140, 0, 140},
        thickness = 0.5)}));
end Change;
