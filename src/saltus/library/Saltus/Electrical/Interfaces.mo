within Saltus.Electrical;
package Interfaces "Connectors and what parts have in common"
  extends Saltus.Icons.Package;

  connector Pin "One end of an electrical part"
    Saltus.Units.Voltage v "Potential";
    flow Saltus.Units.Current i "Current into the part";
    annotation(Documentation(info = "<html><p>Connected pins have one potential, and their currents sum to zero.</p></html>"),
      Icon(graphics = {
        Rectangle(extent = {{-60, 60}, {60, -60}}, lineColor = {0, 0, 255}, fillColor = {0, 0, 255},
          fillPattern = FillPattern.Solid)}));
  end Pin;

  connector NegativePin "The other end: an empty symbol"
    extends Pin;
    annotation(Documentation(info = "<html><p>The same as <code>Pin</code>; the symbol tells the ends apart.</p></html>"),
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
    annotation(Documentation(info = "<html><p>Extend it and add one equation for <code>v</code> and <code>i</code>.</p></html>"),
      Icon(graphics = {Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
  end TwoPin;

  partial model Valve "Conducts or blocks: two straight lines that meet in a corner"
    extends TwoPin;
    parameter Saltus.Units.Resistance Ron = 0 "Resistance while it conducts; 0: ideal";
    parameter Saltus.Units.Conductance Goff = 0 "Conductance while it blocks; 0: ideal";
    Saltus.Units.Voltage corner "Voltage at which the lines meet";
    Saltus.Units.Ratio s(start = 0) "Place on the curve: volts from the corner while it blocks, amperes while it conducts";
    Boolean off "It blocks";
  protected
    constant Saltus.Units.Voltage volt = 1 "One volt";
    constant Saltus.Units.Current ampere = 1 "One ampere";
  equation
    v = corner + (if off then s*volt else Ron*s*ampere);
    i = Goff*corner + (if off then Goff*s*volt else s*ampere);
    annotation(Documentation(info = "<html>
<p>The curve of an ideal valve is a right angle: any voltage without current while it blocks, any current without voltage while it
conducts. Voltage and current are both functions of <code>s</code>, the place on the curve.</p>
<p>Extend it and say when it is <code>off</code> and where the <code>corner</code> is.</p>
</html>"));
  end Valve;

  annotation(Documentation(info = "<html><p>Connectors, and partial models to extend when you write a part of your own.</p></html>"));
end Interfaces;
