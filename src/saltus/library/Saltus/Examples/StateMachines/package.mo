within Saltus.Examples;
package StateMachines "States and transitions"
  annotation(Documentation(info = "<html>
<p>Examples for the parts of <code>Saltus.StateMachines</code>, and of the clocked machines of the language.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20)}));
end StateMachines;
