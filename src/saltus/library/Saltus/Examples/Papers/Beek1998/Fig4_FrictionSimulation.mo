within Saltus.Examples.Papers.Beek1998;
model Fig4_FrictionSimulation "Both friction processes side by side for ten seconds"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Force drive = 2 "Amplitude of the driving force; the paper prints 1, with which nothing moves";
  Sec44_Friction1 friction_1(drive = drive, mu = 0.1, mu_0 = 0.18, m = 1, epsilon = 1e-5, g = 10) "With three states"
    annotation(Placement(transformation(extent = {{-60, -10}, {-40, 10}})));
  Sec44_Friction2 friction_2(drive = drive, mu = 0.1, mu_0 = 0.18, m = 1, epsilon = 1e-5, g = 10) "With four states"
    annotation(Placement(transformation(extent = {{40, -10}, {60, 10}})));
  Saltus.Units.Length difference "Of the positions";
equation
  difference = friction_2.x - friction_1.x;
  annotation(
    experiment(StopTime = 10, Tolerance = 1e-8, Interval = 0.02),
    Documentation(info = "<html>
<p>The run of the figure: mu = 0.1, mu_0 = 0.18, m = 1, epsilon = 1e-5, g = 10, ten seconds.</p>
<p>What to look at: <code>difference</code> is 14 mm at most, in a motion of metres.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Van Beek, Rooda 1998",
      place = "Figure 4",
      passage = "The figure shows a run of ten seconds of both processes with mu = 0.1, mu_0 = 0.18, m = 1,
epsilon = 1e-5 and g = 10. The difference between their results is too small to be shown.",
      look = "With the printed drive of amplitude 1 neither moves; with 2 both do, and their curves lie upon each
other. The picture itself is lost.",
      plot = {"friction_1.x", "friction_2.x", "friction_1.v", "friction_1.F_f"}, modes = false, log = true)));
end Fig4_FrictionSimulation;
