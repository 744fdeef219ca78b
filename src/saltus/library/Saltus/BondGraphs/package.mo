within Saltus;
package BondGraphs "Bond graphs: effort and flow, storage, dissipation, junctions, and junctions that are switched"
  annotation(Documentation(info = "<html>
<p>A bond carries an effort <code>e</code> and a flow <code>f</code>; their product is a power. Storage and dissipation
take power in, sources give it, transformers and gyrators hand it on, and junctions share it out: all bonds of a
0-junction have one effort, all bonds of a 1-junction one flow.</p>
<p>A half arrow says which way power counts as positive. One-ports need none: <code>I</code>, <code>C</code> and
<code>R</code> count what comes in, sources what they give. Junctions and two-ports have connectors <code>into</code>
for bonds whose half arrow points to them and <code>out</code> for the others.</p>
<p><code>X0</code> and <code>X1</code> are the controlled junctions of hybrid bond graphs. Signals come from and go to
<code>Saltus.Blocks</code>. Bond graphs can also be written as text, in files that end with <code>.bg</code>.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20),
      Line(points = {{-60, -10}, {60, -10}, {30, 20}}, color = {30, 30, 30}, thickness = 1),
      Line(points = {{60, -40}, {60, 20}}, color = {30, 30, 30}, thickness = 1)}));
end BondGraphs;
