within Saltus.Examples.Papers.Beek1998;
partial model Overflowing "A tank with a brim, and an inflow that is strong, weak and strong again"
  extends Tank(A = 2, h_0 = 0.25, k = 0.01);
  parameter Saltus.Units.Length h_max = 1 "Height of the brim";
  parameter Saltus.Units.VolumeFlowRate Q_strong = 1.5 "Inflow at first and at last";
  parameter Saltus.Units.VolumeFlowRate Q_weak = 0.4 "Inflow between 8 s and 11 s";
  Saltus.Units.VolumeFlowRate Q_i "Flow into the tank";
  Saltus.Units.VolumeFlowRate Q_x "What flows over the brim";
  Saltus.Units.Volume spilt(start = 0, fixed = true) "What has flowed over the brim";
equation
  Q_i = if time < 8 or time >= 11 then Q_strong else Q_weak;
  der(spilt) = Q_x;
  annotation(Documentation(info = "<html>
<p>What is missing is the law of the overflow. In the paper the inflow is a constant; it varies here, so that the
overflow ends and begins again.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{60, 80}, {80, 60}, {80, -80}}, color = {0, 90, 180})}));
end Overflowing;
