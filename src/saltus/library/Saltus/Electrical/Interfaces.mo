within Saltus.Electrical;
package Interfaces "Connectors and what parts have in common"
  extends Saltus.Icons.Package;

  connector Pin "One end of an electrical part"
    Saltus.Units.Voltage v "Potential";
    flow Saltus.Units.Current i "Current into the part";
    annotation(Documentation(info = "<html>
<p>Connected pins have one potential, and their currents sum to zero.</p>
</html>"),
      Icon(graphics = {
        Rectangle(extent = {{-60, 60}, {60, -60}}, lineColor = {0, 0, 255}, fillColor = {0, 0, 255},
          fillPattern = FillPattern.Solid)}));
  end Pin;

  connector NegativePin "The other end: an empty symbol"
    extends Pin;
    annotation(Documentation(info = "<html>
<p>The same as <code>Pin</code>; the symbol tells the ends apart.</p>
</html>"),
      Icon(graphics = {
        Rectangle(extent = {{-60, 60}, {60, -60}}, lineColor = {0, 0, 255}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid)}));
  end NegativePin;

  partial model TwoPin "A part with two pins: what flows in at one flows out at the other"
    Pin p "Positive pin" annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    NegativePin n "Negative pin" annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    Saltus.Units.Voltage v "Voltage from p to n";
    Saltus.Units.Current i "Current from p to n";
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
    annotation(Documentation(info = "<html>
<p>Extend it and add one equation for <code>v</code> and <code>i</code>.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
  end TwoPin;

  partial model FourPin "A part with two pairs of pins: what flows into a pair at one pin flows out at the other"
    Pin p1 "Positive pin of the first pair" annotation(Placement(transformation(extent = {{-110, 40}, {-90, 60}})));
    NegativePin n1 "Negative pin of the first pair"
      annotation(Placement(transformation(extent = {{-110, -60}, {-90, -40}})));
    Pin p2 "Positive pin of the second pair" annotation(Placement(transformation(extent = {{90, 40}, {110, 60}})));
    NegativePin n2 "Negative pin of the second pair"
      annotation(Placement(transformation(extent = {{90, -60}, {110, -40}})));
    Saltus.Units.Voltage v1 "Voltage from p1 to n1";
    Saltus.Units.Current i1 "Current from p1 to n1";
    Saltus.Units.Voltage v2 "Voltage from p2 to n2";
    Saltus.Units.Current i2 "Current from p2 to n2";
  equation
    v1 = p1.v - n1.v;
    i1 = p1.i;
    p1.i + n1.i = 0;
    v2 = p2.v - n2.v;
    i2 = p2.i;
    p2.i + n2.i = 0;
    annotation(Documentation(info = "<html><p>Extend it and add two equations for <code>v1</code>, <code>i1</code>,
<code>v2</code> and <code>i2</code>.</p></html>"),
      Icon(graphics = {Text(extent = {{-150, 150}, {150, 110}}, textString = "%name", textColor = {0, 0, 255})}));
  end FourPin;

  partial model VoltageSource "Two pins with a voltage that the part decides"
    extends TwoPin;
    annotation(Documentation(info = "<html><p>Extend it and say what <code>v</code> is.</p></html>"),
      Icon(graphics = {
        Ellipse(extent = {{-50, 50}, {50, -50}}, lineColor = {0, 0, 255}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-90, 0}, {90, 0}}, color = {0, 0, 255}),
        Line(points = {{-80, 25}, {-60, 25}}, color = {0, 0, 255}),
        Line(points = {{-70, 35}, {-70, 15}}, color = {0, 0, 255}),
        Line(points = {{60, 25}, {80, 25}}, color = {0, 0, 255})}));
  end VoltageSource;

  partial model CurrentSource "Two pins with a current that the part decides"
    extends TwoPin;
    annotation(Documentation(info = "<html><p>Extend it and say what <code>i</code> is: the current in the direction
of the arrow, in at <code>p</code> and out at <code>n</code>.</p></html>"),
      Icon(graphics = {
        Ellipse(extent = {{-50, 50}, {50, -50}}, lineColor = {0, 0, 255}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-90, 0}, {-50, 0}}, color = {0, 0, 255}),
        Line(points = {{50, 0}, {90, 0}}, color = {0, 0, 255}),
        Line(points = {{0, -50}, {0, 50}}, color = {0, 0, 255}),
        Polygon(points = {{90, 0}, {65, 10}, {65, -10}, {90, 0}}, lineColor = {0, 0, 255}, fillColor = {0, 0, 255},
          fillPattern = FillPattern.Solid)}));
  end CurrentSource;

  partial model Valve "Conducts or blocks: two straight lines that meet in a corner"
    extends TwoPin;
    parameter Saltus.Units.Resistance Ron = 0 "Resistance while it conducts; 0: ideal";
    parameter Saltus.Units.Conductance Goff = 0 "Conductance while it blocks; 0: ideal";
    Saltus.Units.Voltage corner "Voltage at which the lines meet";
    Saltus.Units.Ratio s(start = 0) "Place on the curve: volts from the corner while it blocks, else amperes";
    Boolean off "It blocks";
  protected
    constant Saltus.Units.Voltage volt = 1 "One volt";
    constant Saltus.Units.Current ampere = 1 "One ampere";
  equation
    v = corner + (if off then s*volt else Ron*s*ampere);
    i = Goff*corner + (if off then Goff*s*volt else s*ampere);
    annotation(Documentation(info = "<html>
<p>The curve of an ideal valve is a right angle: any voltage without current while it blocks, any current without
voltage while it conducts. Voltage and current are both functions of <code>s</code>, the place on the curve.</p>
<p>Extend it and say when it is <code>off</code> and where the <code>corner</code> is.</p>
</html>"));
  end Valve;

  annotation(Documentation(info = "<html>
<p>Connectors, and partial models to extend when you write a part of your own.</p>
</html>"));
end Interfaces;
