within Saltus.Examples.Papers.Mattsson1999;
package Parts "The classes of the paper"
  extends Saltus.Icons.Package;

  partial model Curve "A valve: no voltage while it is on, no current while it is off"
    extends Saltus.Electrical.Interfaces.TwoPin;
    constant Saltus.Units.Voltage V1 = 1 "Unit of s as a voltage";
    constant Saltus.Units.Current I1 = 1 "Unit of s as a current";
    Saltus.Units.Ratio s "Along the curve: a current in A where it is positive, a voltage in V where it is negative";
    Boolean off "It blocks";
  equation
    v = (if off then s else 0)*V1;
    i = (if off then 0 else s)*I1;
    annotation(Documentation(info = "<html><p>Both half axes of the characteristic are one curve with the parameter
<code>s</code>. What turns it off is still to be said. The paper has <code>u</code> for <code>v</code>.</p></html>"),
      Icon(graphics = {
        Line(points = {{-90, 0}, {90, 0}}, color = {0, 0, 255}),
        Polygon(points = {{-35, 40}, {35, 0}, {-35, -40}, {-35, 40}}, lineColor = {0, 0, 255}, fillColor = {255, 255,
          255},
          fillPattern = FillPattern.Solid),
        Line(points = {{35, 40}, {35, -40}}, color = {0, 0, 255})}));
  end Curve;

  model IdealDiode "Figure 2"
    extends Curve;
  equation
    off = s < 0;
    annotation(Documentation(info = "<html><p>Unique, declarative and without an algorithm: three
equations.</p></html>"));
  end IdealDiode;

  model IdealGTO "A thyristor that can be turned off"
    extends Curve;
    input Boolean fire "On while this is true, if the voltage allows it";
  equation
    off = s < 0 or not fire;
    annotation(Documentation(info = "<html><p>Section 2: one word more than the diode.</p></html>"),
      Icon(graphics = {Line(points = {{35, 0}, {60, 40}}, color = {255, 0, 255})}));
  end IdealGTO;

  model IdealThyristor "Once fired it stays on until its current ends"
    extends Curve(off(start = true, fixed = true));
    input Boolean fire "Turns it on, if the voltage allows it";
  equation
    off = s < 0 or pre(off) and not fire;
    annotation(Documentation(info = "<html><p>Section 2: the left limit <code>pre(off)</code> is its
memory.</p></html>"),
      Icon(graphics = {Line(points = {{35, 0}, {60, 40}}, color = {255, 0, 255})}));
  end IdealThyristor;

  model RealDiode "The exponential characteristic"
    extends Saltus.Electrical.Interfaces.TwoPin;
    parameter Saltus.Units.Current Is = 1e-9 "Saturation current";
    parameter Saltus.Units.Voltage Ut = 0.04 "Voltage of the exponential";
  equation
    i = Is*(exp(v/Ut) - 1);
    annotation(Documentation(info = "<html><p>Left part of figure 1: the current is a function of the
voltage.</p></html>"),
      Icon(graphics = {
        Line(points = {{-90, 0}, {90, 0}}, color = {0, 0, 255}),
        Polygon(points = {{-35, 40}, {35, 0}, {-35, -40}, {-35, 40}}, lineColor = {0, 0, 255}, fillColor = {200, 215,
          255},
          fillPattern = FillPattern.Solid),
        Line(points = {{35, 40}, {35, -40}}, color = {0, 0, 255})}));
  end RealDiode;

  annotation(Documentation(info = "<html>
<p>Valves with a curve parameter, as section 2 writes them. Everything else that models of the gallery need is in the
library.</p>
</html>"));
end Parts;
