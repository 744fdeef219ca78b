within Saltus.Examples.Papers;
package Cellier2013 "Cellier: Numerical Simulation of Dynamic Systems XXIII"
  annotation(Documentation(info = "<html>
<p>Models and figures of this paper (2013), with its parameters where it gives them.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20)}));
end Cellier2013;
