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

  annotation(Documentation(info = "<html><p>Connectors, and partial models to extend when you write a part of your own.</p></html>"));
end Interfaces;
