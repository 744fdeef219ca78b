within Saltus.Rotational;
model Gear "A pair of wheels without losses"
  extends Saltus.Rotational.Interfaces.TwoFlanges;
  parameter Saltus.Units.Ratio ratio = 1 "Turns of flange_a for one of flange_b";
equation
  flange_a.phi = ratio*flange_b.phi;
  0 = ratio*flange_a.tau + flange_b.tau;
  annotation(Documentation(info = "<html>
<p>Flange <code>a</code> turns <code>ratio</code> times as fast as flange <code>b</code>, which has <code>ratio</code>
times the torque: what goes in at one side comes out at the other. A negative ratio turns the direction round.</p>
<p>The wheels have no inertia; connect an <code>Inertia</code> on either side. Two inertias on the sides of a gear are
one body: the tool finds that only one of their speeds is a state. Losses: <code>LossyGear</code>.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, 6}, {-20, -6}}, lineColor = {95, 95, 95}, fillColor = {220, 220, 220},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{20, 6}, {90, -6}}, lineColor = {95, 95, 95}, fillColor = {220, 220, 220},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{-40, 30}, {-20, -30}}, lineColor = {95, 95, 95}, fillColor = {200, 205, 215},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{20, 50}, {40, -50}}, lineColor = {95, 95, 95}, fillColor = {200, 205, 215},
        fillPattern = FillPattern.Solid),
      Line(points = {{-20, 20}, {20, 20}}, color = {95, 95, 95}, pattern = LinePattern.Dash),
      Line(points = {{-20, -20}, {20, -20}}, color = {95, 95, 95}, pattern = LinePattern.Dash),
      Text(extent = {{-150, -60}, {150, -90}}, textString = "%ratio : 1")}));
end Gear;
