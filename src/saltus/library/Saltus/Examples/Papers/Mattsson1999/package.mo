within Saltus.Examples.Papers;
package Mattsson1999 "Mattsson, Otter, Elmqvist: Modelica hybrid modeling and efficient simulation"
  annotation(Documentation(info = "<html>
<p>Models and figures of this paper (1999), with its parameters where it gives them.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20)}));
end Mattsson1999;
