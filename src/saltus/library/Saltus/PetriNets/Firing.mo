within Saltus.PetriNets;
model Firing "What is seen of a transition: whether it fires"
  input Boolean fires "It fires in this round" annotation(__Saltus(Log = "Transition %owner fires at time = %time"));
  annotation(
    Documentation(info = "<html>
<p>One Boolean, to which an equation outside gives its value. It is true in the rounds of an event in which the
transition fires, and false between events.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-15, 80}, {15, -80}}, lineColor = {0, 0, 0}, fillColor = {0, 0, 0},
        fillPattern = FillPattern.Solid),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Firing;
