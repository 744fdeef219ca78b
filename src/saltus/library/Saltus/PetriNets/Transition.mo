within Saltus.PetriNets;
model Transition "Takes tokens from the places before it and puts tokens at the places after it, as soon as it can"
  extends Interfaces.Rule;
equation
  fires = quiet[nInhibitors + 1] and free[nOut + 1];
  annotation(
    Documentation(info = "<html>
<p>It fires if its condition holds, no inhibitor holds it back, each place before it still has as many tokens as the
weight says, and each place after it still has room.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-15, 80}, {15, -80}}, lineColor = {0, 0, 0}, fillColor = {0, 0, 0},
        fillPattern = FillPattern.Solid)}));
end Transition;
