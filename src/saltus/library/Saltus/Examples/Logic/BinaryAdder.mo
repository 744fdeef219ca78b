within Saltus.Examples.Logic;
model BinaryAdder "Two digits and a carry, added by gates"
  extends Saltus.Icons.Example;
  Saltus.Logic.Sources.BooleanPulse x(period = 1)
    annotation(Placement(transformation(extent = {{-100, 50}, {-80, 70}})));
  Saltus.Logic.Sources.BooleanPulse y(period = 2)
    annotation(Placement(transformation(extent = {{-100, 10}, {-80, 30}})));
  Saltus.Logic.Sources.BooleanPulse carryIn(period = 4)
    annotation(Placement(transformation(extent = {{-100, -50}, {-80, -30}})));
  Saltus.Logic.Xor half
    annotation(Placement(transformation(extent = {{-60, 40}, {-40, 60}})));
  Saltus.Logic.Xor sum "The sum"
    annotation(Placement(transformation(extent = {{-20, 34}, {0, 54}})));
  Saltus.Logic.And both
    annotation(Placement(transformation(extent = {{-60, -10}, {-40, 10}})));
  Saltus.Logic.And through
    annotation(Placement(transformation(extent = {{-20, -10}, {0, 10}})));
  Saltus.Logic.Or carry "The carry"
    annotation(Placement(transformation(extent = {{15, -16}, {35, 4}})));
  Saltus.Logic.BooleanToReal ones
    annotation(Placement(transformation(extent = {{25, 34}, {45, 54}})));
  Saltus.Logic.BooleanToReal twos(whenTrue = 2)
    annotation(Placement(transformation(extent = {{47, -16}, {67, 4}})));
  Saltus.Blocks.Math.Add total
    annotation(Placement(transformation(extent = {{75, 10}, {95, 30}})));
  Saltus.Logic.Nand nand1
    annotation(Placement(transformation(extent = {{-60, -60}, {-40, -40}})));
  Saltus.Logic.Nand nand2
    annotation(Placement(transformation(extent = {{-60, -95}, {-40, -75}})));
  Saltus.Logic.AndN none(n = 2)
    annotation(Placement(transformation(extent = {{-20, -80}, {0, -60}})));
  Saltus.Logic.Not carry2
    annotation(Placement(transformation(extent = {{15, -80}, {35, -60}})));
  Saltus.Logic.Xor differ
    annotation(Placement(transformation(extent = {{60, -70}, {80, -50}})));
equation
  connect(x.y, half.u1)
    annotation(Line(points = {{-79, 60}, {-72, 60}, {-72, 56}, {-62, 56}}, color = {255, 0, 255}));
  connect(y.y, half.u2)
    annotation(Line(points = {{-79, 20}, {-70, 20}, {-70, 44}, {-62, 44}}, color = {255, 0, 255}));
  connect(half.y, sum.u1)
    annotation(Line(points = {{-39, 50}, {-33, 50}, {-22, 50}}, color = {255, 0, 255}));
  connect(carryIn.y, sum.u2)
    annotation(Line(points = {{-79, -40}, {-68, -40}, {-68, 28}, {-28, 28}, {-28, 38}, {-22, 38}},
      color = {255, 0, 255}));
  connect(x.y, both.u1)
    annotation(Line(points = {{-79, 60}, {-72, 60}, {-72, 6}, {-62, 6}}, color = {255, 0, 255}));
  connect(y.y, both.u2)
    annotation(Line(points = {{-79, 20}, {-70, 20}, {-70, -6}, {-62, -6}}, color = {255, 0, 255}));
  connect(half.y, through.u1)
    annotation(Line(points = {{-39, 50}, {-33, 50}, {-33, 6}, {-22, 6}}, color = {255, 0, 255}));
  connect(carryIn.y, through.u2)
    annotation(Line(points = {{-79, -40}, {-68, -40}, {-68, -20}, {-28, -20}, {-28, -6}, {-22, -6}},
      color = {255, 0, 255}));
  connect(both.y, carry.u2)
    annotation(Line(points = {{-39, 0}, {-36, 0}, {-36, -14}, {8, -14}, {8, -12}, {13, -12}}, color = {255, 0, 255}));
  connect(through.y, carry.u1)
    annotation(Line(points = {{1, 0}, {6, 0}, {13, 0}}, color = {255, 0, 255}));
  connect(sum.y, ones.u)
    annotation(Line(points = {{1, 44}, {23, 44}}, color = {255, 0, 255}));
  connect(carry.y, twos.u)
    annotation(Line(points = {{36, -6}, {45, -6}}, color = {255, 0, 255}));
  connect(ones.y, total.u1)
    annotation(Line(points = {{46, 44}, {60, 44}, {60, 26}, {73, 26}}, color = {0, 0, 127}));
  connect(twos.y, total.u2)
    annotation(Line(points = {{68, -6}, {69.5, -6}, {69.5, 14}, {73, 14}}, color = {0, 0, 127}));
  connect(x.y, nand1.u1)
    annotation(Line(points = {{-79, 60}, {-72, 60}, {-72, -44}, {-62, -44}}, color = {255, 0, 255}));
  connect(y.y, nand1.u2)
    annotation(Line(points = {{-79, 20}, {-70, 20}, {-70, -56}, {-62, -56}}, color = {255, 0, 255}));
  connect(half.y, nand2.u1)
    annotation(Line(points = {{-39, 50}, {-33, 50}, {-33, -66}, {-66, -66}, {-66, -79}, {-62, -79}},
      color = {255, 0, 255}));
  connect(carryIn.y, nand2.u2)
    annotation(Line(points = {{-79, -40}, {-76, -40}, {-76, -91}, {-62, -91}}, color = {255, 0, 255}));
  connect(nand1.y, none.u[1])
    annotation(Line(points = {{-39, -50}, {-30, -50}, {-30, -70}, {-22, -70}}, color = {255, 0, 255}));
  connect(nand2.y, none.u[2])
    annotation(Line(points = {{-39, -85}, {-30, -85}, {-30, -70}, {-22, -70}}, color = {255, 0, 255}));
  connect(none.y, carry2.u)
    annotation(Line(points = {{1, -70}, {13, -70}}, color = {255, 0, 255}));
  connect(carry.y, differ.u1)
    annotation(Line(points = {{36, -6}, {42, -6}, {42, -54}, {58, -54}}, color = {255, 0, 255}));
  connect(carry2.y, differ.u2)
    annotation(Line(points = {{36, -70}, {50, -70}, {50, -66}, {58, -66}}, color = {255, 0, 255}));
  annotation(Documentation(info = "<html>
<p>A full adder: two gates of the kind one-or-the-other make the sum, and the carry is true if at least two inputs
are. The three inputs run through all eight combinations. A second carry, made of three gates with vector inputs
and nands, has to be the same.</p>
<p><b>What to look at:</b> <code>total.y</code> is the number of inputs that are true, twice the carry plus the
sum; <code>differ.y</code> is never true.</p>
</html>"),
    experiment(StopTime = 8, Tolerance = 1e-6));
end BinaryAdder;
