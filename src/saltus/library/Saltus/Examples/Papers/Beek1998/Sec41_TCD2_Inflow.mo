within Saltus.Examples.Papers.Beek1998;
model Sec41_TCD2_Inflow "TCD_2 with the inflow as a variable, which leaps"
  extends Saltus.Icons.Example;
  extends Tank;
  parameter Saltus.Units.Length h_set = 0.8 "Level at which the valve closes";
  parameter Saltus.Units.Length h_hys = 0.2 "Hysteresis: the valve opens at h_set - h_hys";
  parameter Saltus.Units.VolumeFlowRate Q_set = 0.02 "Flow through the open valve";
  Boolean b "The valve is open";
  Saltus.Units.VolumeFlowRate Q_i "Flow into the tank";
initial equation
  b = h < h_set - h_hys;
equation
  A*der(h) = Q_i - Q_o;
  if b then
    Q_i = Q_set;
  else
    Q_i = 0;
  end if;
  when h < h_set - h_hys then
    b = true;
  elsewhen h > h_set then
    b = false;
  end when;
  annotation(
    experiment(StopTime = 30, Tolerance = 1e-8, Interval = 0.05),
    Documentation(info = "<html>
<p>The guarded equation has moved from the level to the inflow.</p>
<p>What to look at: the same as <code>Sec41_TCD1_Inflow</code>.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Van Beek, Rooda 1998",
      place = "section 4.1, D discontinuities, TCD_2",
      passage = "The process TCD_2 is changed in the same way: the balance of the level is one equation again, and
the guards choose between Q_i = Q_set and Q_i = 0.",
      look = "The same curves as with the discrete variable that multiplies.",
      plot = {"h", "Q_i", "Q_o"}, modes = false, log = true)));
end Sec41_TCD2_Inflow;
