within Saltus;
package PetriNets "Petri nets: places with tokens, and transitions that move them"
  annotation(Documentation(info = "<html>
<p>A transition takes tokens from the places before it and puts tokens at the places after it when it fires. It fires
as soon as it can: the places before it have the tokens, the places after it have room, and its condition is true.</p>
<p>The token game goes in rounds, which are the iterations of an event. What is given in a round can be taken in the
next one. Where several transitions want the same tokens, or the same room, the first one has them.</p>
<p>Petri nets can also be written as text, in files that end with <code>.pn</code>; these are made of
<code>Interfaces.Firing</code> and
<code>Interfaces.TimedFiring</code>.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20),
      Ellipse(extent = {{-70, 25}, {-20, -25}}, lineColor = {30, 30, 30}),
      Ellipse(extent = {{-53, 8}, {-37, -8}}, lineColor = {30, 30, 30}, fillColor = {30, 30, 30},
        fillPattern = FillPattern.Solid),
      Line(points = {{-20, 0}, {30, 0}, {15, 10}}, color = {30, 30, 30}),
      Rectangle(extent = {{30, 50}, {42, -50}}, lineColor = {30, 30, 30}, fillColor = {30, 30, 30},
        fillPattern = FillPattern.Solid)}));
end PetriNets;
