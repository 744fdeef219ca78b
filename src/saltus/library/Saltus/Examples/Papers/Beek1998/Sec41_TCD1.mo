within Saltus.Examples.Papers.Beek1998;
model Sec41_TCD1 "Level control with an on/off valve: a discrete variable in an equation"
  extends Saltus.Icons.Example;
  extends Tank;
  parameter Saltus.Units.Length h_set = 0.8 "Level at which the valve closes";
  parameter Saltus.Units.Length h_hys = 0.2 "Hysteresis: the valve opens at h_set - h_hys";
  parameter Saltus.Units.VolumeFlowRate Q_set = 0.02 "Flow through the open valve";
  Integer n "Valve: 1 open, 0 closed";
initial equation
  n = if h < h_set - h_hys then 1 else 0;
equation
  A*der(h) = n*Q_set - Q_o;
  when h < h_set - h_hys then
    n = 1;
  elsewhen h > h_set then
    n = 0;
  end when;
  annotation(
    experiment(StopTime = 30, Tolerance = 1e-8, Interval = 0.05),
    Documentation(info = "<html>
<p>The valve is switched with hysteresis: on below 0.6 m, off above 0.8 m. The variable <code>n</code> changes by
assignments, and with it the derivative of the level.</p>
<p>What to look at: the level has corners, it never leaps. Two statements of the process wait in turn; here one
when-clause has a branch for each of them. A state event of the process succeeds at once if its relation holds
already, a when-clause waits for a change: the initial equation opens the valve of a tank that begins too low.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Van Beek, Rooda 1998",
      place = "section 4.1, process TCD_1, and Figure 1",
      passage = "A discrete variable n becomes 1 when the level falls below h_set - h_hys and 0 when it rises
above h_set. It multiplies the inflow in the equation of the level, whose derivative therefore jumps: the level is
D'-continuous, and hysteresis is easy to write. No data are given.",
      look = "Events where the level crosses 0.6 m downwards and 0.8 m upwards; der(h) leaps by Q_set/A = 0.2 m/s
there. The data are ours.",
      plot = {"h", "Q_o", "n"}, modes = false, log = true)));
end Sec41_TCD1;
