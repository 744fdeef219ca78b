within Saltus.Examples.Papers.Beek1998;
model Sec41_TCD2 "The same with a Boolean and guarded equations"
  extends Saltus.Icons.Example;
  extends Tank;
  parameter Saltus.Units.Length h_set = 0.8 "Level at which the valve closes";
  parameter Saltus.Units.Length h_hys = 0.2 "Hysteresis: the valve opens at h_set - h_hys";
  parameter Saltus.Units.VolumeFlowRate Q_set = 0.02 "Flow through the open valve";
  Boolean b "The valve is open";
initial equation
  b = h < h_set - h_hys;
equation
  if b then
    A*der(h) = Q_set - Q_o;
  else
    A*der(h) = -Q_o;
  end if;
  when h < h_set - h_hys then
    b = true;
  elsewhen h > h_set then
    b = false;
  end when;
  annotation(
    experiment(StopTime = 30, Tolerance = 1e-8, Interval = 0.05),
    Documentation(info = "<html>
<p>A Boolean chooses between two equations. The guarded equation of chi is an if-equation.</p>
<p>What to look at: the same as <code>Sec41_TCD1</code>, to the tolerance.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Van Beek, Rooda 1998",
      place = "section 4.1, process TCD_2",
      passage = "Since n has only two values, a Boolean may be used with a guarded equation: one equation of the
level for an open valve, one for a closed one. This is more flexible, because several equations may follow each
guard.",
      look = "The same curve and the same events as TCD_1.",
      plot = {"h", "Q_o", "b"}, modes = false, log = true)));
end Sec41_TCD2;
