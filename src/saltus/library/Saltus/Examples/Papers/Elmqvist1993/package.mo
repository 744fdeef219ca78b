within Saltus.Examples.Papers;
package Elmqvist1993 "Elmqvist, Cellier, Otter: Object-oriented modeling of hybrid systems"
  annotation(Documentation(info = "<html>
<p>Models and figures of this paper (1993), with its parameters where it gives them.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20)}));
end Elmqvist1993;
