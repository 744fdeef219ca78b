within Saltus.Examples.Papers.Elmqvist1993;
model Sec6_TenSwitches "Ten switches in all their 1024 positions, and one model"
  extends Saltus.Icons.Example;
  constant Integer N = 10 "How many switches";
  parameter Saltus.Units.Time T = 1e-3 "Duration of one position";
  Parts.VSource U0(u0 = 10) "Feeds all"
    annotation(Placement(transformation(origin = {-60, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Resistor Ri(R = 1) "Inside the source"
    annotation(Placement(transformation(extent = {{-40, 20}, {-20, 40}})));
  Parts.Switch Sw[N](OpenSwitch = {mod(div(position, integer(2^(k - 1))), 2) == 0 for k in 1:N}) "In parallel
branches"
    annotation(Placement(transformation(extent = {{0, 20}, {20, 40}})));
  Parts.Resistor R[N](R = {2^k for k in 1:N}) "One behind each switch"
    annotation(Placement(transformation(extent = {{40, 20}, {60, 40}})));
  Parts.Common common "Ground"
    annotation(Placement(transformation(extent = {{-10, -60}, {10, -40}})));
  Integer position(start = 0, fixed = true) "Bits: which switches are closed";
equation
  when sample(T, T) then
    position = pre(position) + 1;
  end when;
  connect(U0.A, Ri.A) annotation(Line(points = {{-60, 10}, {-60, 30}, {-40, 30}}, color = {0, 0, 255}));
  connect(U0.B, common.P)
    annotation(Line(points = {{-60, -10}, {-60, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  for k in 1:N loop
    connect(Ri.B, Sw[k].A) annotation(Line(points = {{-20, 30}, {0, 30}}, color = {0, 0, 255}));
    connect(Sw[k].B, R[k].A) annotation(Line(points = {{20, 30}, {40, 30}}, color = {0, 0, 255}));
    connect(R[k].B, common.P)
      annotation(Line(points = {{60, 30}, {80, 30}, {80, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  end for;
  annotation(
    experiment(StopTime = 1.0235, Tolerance = 1e-6, Interval = 1e-3),
    Documentation(info = "<html>
<p>Ten branches with a switch each, and a counter that goes through all positions. The conductances are powers of two,
so that the current draws a staircase.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Elmqvist, Cellier, Otter 1993",
      place = "section 6, ten switches",
      passage = "To generate a model for each position of the switches is impractical: ten switches have 2^10 = 1024
of them. With the switch law in algebraic loops there is one program for all positions.",
      look = "1024 positions and one program in the statistics: no position needs equations of its own. Every closed
branch adds its conductance.",
      plot = {"Ri.i", "position"}, modes = false, log = false)));
end Sec6_TenSwitches;
