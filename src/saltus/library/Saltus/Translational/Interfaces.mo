within Saltus.Translational;
package Interfaces "Connectors and what parts have in common"
  extends Saltus.Icons.Package;

  connector Flange "A point that moves along a line"
    Saltus.Units.Position s "Position";
    flow Saltus.Units.Force f "Force on the part";
    annotation(Documentation(info = "<html>
<p>Connected flanges move together, and what acts on them sums to zero.</p>
</html>"),
      Icon(graphics = {
        Rectangle(extent = {{-60, 60}, {60, -60}}, lineColor = {0, 127, 0}, fillColor = {0, 127, 0},
          fillPattern = FillPattern.Solid)}));
  end Flange;

  connector OtherFlange "The other side: an empty symbol"
    extends Flange;
    annotation(Documentation(info = "<html>
<p>The same as <code>Flange</code>; the symbol tells the sides apart.</p>
</html>"),
      Icon(graphics = {
        Rectangle(extent = {{-60, 60}, {60, -60}}, lineColor = {0, 127, 0}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid)}));
  end OtherFlange;

  partial model TwoFlanges "A part with two flanges"
    Flange flange_a "Left flange" annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    OtherFlange flange_b "Right flange" annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    annotation(Documentation(info = "<html>
<p>Only the connectors: the law of the part is still to be said.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
  end TwoFlanges;

  partial model Compliant "Two flanges with one force between them; it stores no momentum"
    extends TwoFlanges;
    Saltus.Units.Position s_rel "Position of flange_b relative to flange_a";
    Saltus.Units.Force f "Force that draws the flanges together";
  equation
    s_rel = flange_b.s - flange_a.s;
    flange_b.f = f;
    flange_a.f = -f;
    annotation(Documentation(info = "<html>
<p>Extend it and add one equation for <code>s_rel</code> and <code>f</code>.</p>
</html>"));
  end Compliant;

  partial model CompliantWithVelocity "Two flanges with one force between them, and their relative velocity"
    extends Compliant;
    Saltus.Units.Velocity v_rel "Velocity of flange_b relative to flange_a";
  equation
    v_rel = der(s_rel);
    annotation(Documentation(info = "<html>
<p>Extend it and add one equation with <code>v_rel</code> and <code>f</code>.</p>
</html>"));
  end CompliantWithVelocity;

  partial model FrictionCurve "Two flanges that stick or slide upon each other"
    extends CompliantWithVelocity;
    parameter Saltus.Units.TranslationalDampingConstant d = 0 "Viscous part; 0: dry";
    Saltus.Units.Force f_stick "Largest force at rest";
    Saltus.Units.Force f_slide "Force against the sliding, without the viscous part";
    Saltus.Units.Force s "Place on the curve: the force at rest; where it slides, beyond f_stick by the velocity";
    Boolean forward "It slides, flange_b ahead of flange_a";
    Boolean backward "It slides, flange_b behind flange_a";
  protected
    constant Saltus.Units.TranslationalDampingConstant unit = 1 "How s counts velocities";
  equation
    forward = s > f_stick;
    backward = s < -f_stick;
    unit*v_rel = if forward then s - f_stick elseif backward then s + f_stick else 0;
    f = (if forward then f_slide elseif backward then -f_slide else s) + d*v_rel;
    annotation(Documentation(info = "<html>
<p>Dry friction is a curve of velocity and force: at rest any force up to <code>f_stick</code>, in motion the force
<code>f_slide</code> against it. Both are functions of <code>s</code>, the place on the curve. While it sticks the
relative velocity is no state: it is zero, and the force is what keeps it so.</p>
<p>Extend it and say what <code>f_stick</code> and <code>f_slide</code> are; they may be functions of time and of
<code>v_rel</code>.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-90, 0}, {-50, 0}, {-50, -10}}, color = {0, 127, 0}),
        Line(points = {{90, 0}, {50, 0}, {50, 10}}, color = {0, 127, 0}),
        Rectangle(extent = {{-70, -2}, {40, -20}}, lineColor = {0, 127, 0}, fillColor = {220, 190, 150},
          fillPattern = FillPattern.Solid),
        Rectangle(extent = {{-40, 16}, {70, -2}}, lineColor = {0, 127, 0}, fillColor = {220, 190, 150},
          fillPattern = FillPattern.Solid)}));
  end FrictionCurve;

  annotation(Documentation(info = "<html>
<p>Connectors, and partial models to extend when you write a part of your own.</p>
</html>"));
end Interfaces;
