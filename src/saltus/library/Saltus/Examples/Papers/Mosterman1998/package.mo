within Saltus.Examples.Papers;
package Mosterman1998 "Mosterman, Biswas, Otter: Simulation of discontinuities in physical system models based on conservation principles"
  annotation(Documentation(info = "<html>
<p>Models and figures of this paper (1998), with its parameters where it gives them.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20)}));
end Mosterman1998;
