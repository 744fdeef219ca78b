within Saltus.Examples.Papers;
package Mosterman1998
  "Mosterman, Biswas, Otter: Simulation of discontinuities in physical system models based on conservation principles"
  annotation(
    __Saltus(Omitted(items = {
      "Figures 1 to 11, the drawings: pictures are not in the text that we have; as bond graphs the figures are in
docs/bondgraphs.md and examples/bondgraphs, the systems they stand for are here",
      "Figure 8: the curves of Fig7_FreewheelingClutch",
      "Figure 10: the curves of Fig9_ElasticCollision and Fig11_CollisionModel",
      "Algorithm 1: the event iteration of the simulator HYBRSIM, not a model; docs/modes.md tells ours",
      "section The Simulation Approach: propagation in graphs with forward Euler, a property of HYBRSIM",
      "the chapter Hybrid Modeling, the nine elements of bond graphs: notation"})),
    Documentation(info = "<html>
<p>Models and figures of this paper (1998), with its parameters where it gives them.</p>
<p>Gravity is 9.8 as in the paper; times of switching are the paper's. Where a figure has no data they are ours.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20)}));
end Mosterman1998;
