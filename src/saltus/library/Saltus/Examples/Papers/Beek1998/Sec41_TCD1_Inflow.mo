within Saltus.Examples.Papers.Beek1998;
model Sec41_TCD1_Inflow "TCD_1 with the inflow as a variable, which leaps"
  extends Saltus.Icons.Example;
  extends Tank;
  parameter Saltus.Units.Length h_set = 0.8 "Level at which the valve closes";
  parameter Saltus.Units.Length h_hys = 0.2 "Hysteresis: the valve opens at h_set - h_hys";
  parameter Saltus.Units.VolumeFlowRate Q_set = 0.02 "Flow through the open valve";
  Integer n "Valve: 1 open, 0 closed";
  Saltus.Units.VolumeFlowRate Q_i "Flow into the tank";
initial equation
  n = if h < h_set - h_hys then 1 else 0;
equation
  A*der(h) = Q_i - Q_o;
  Q_i = n*Q_set;
  when h < h_set - h_hys then
    n = 1;
  elsewhen h > h_set then
    n = 0;
  end when;
  annotation(
    experiment(StopTime = 30, Tolerance = 1e-8, Interval = 0.05),
    Documentation(info = "<html>
<p>With a name for the inflow there is a variable that leaps, where there was only an equation that changed.</p>
<p>What to look at: <code>Q_i</code> leaps at each event, while the level and the outflow stay continuous.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Van Beek, Rooda 1998",
      place = "section 4.1, D discontinuities, TCD_1",
      passage = "A continuous variable Q_i for the inflow is introduced, with Q_i = n Q_set. It changes from 0 to
Q_set when n does: it is D-continuous.",
      look = "At each event Q_i has two values, 0 and 0.02 m3/s, at the same time; the level has one.",
      plot = {"h", "Q_i", "Q_o"}, modes = false, log = true)));
end Sec41_TCD1_Inflow;
