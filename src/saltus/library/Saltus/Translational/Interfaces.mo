within Saltus.Translational;
package Interfaces "Connectors and what parts have in common"
  extends Saltus.Icons.Package;

  connector Flange "A point that moves along a line"
    Saltus.Units.Position s "Position";
    flow Saltus.Units.Force f "Force on the part";
    annotation(Documentation(info = "<html><p>Connected flanges move together, and what acts on them sums to zero.</p></html>"),
      Icon(graphics = {
        Rectangle(extent = {{-60, 60}, {60, -60}}, lineColor = {0, 127, 0}, fillColor = {0, 127, 0},
          fillPattern = FillPattern.Solid)}));
  end Flange;

  connector OtherFlange "The other side: an empty symbol"
    extends Flange;
    annotation(Documentation(info = "<html><p>The same as <code>Flange</code>; the symbol tells the sides apart.</p></html>"),
      Icon(graphics = {
        Rectangle(extent = {{-60, 60}, {60, -60}}, lineColor = {0, 127, 0}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid)}));
  end OtherFlange;

  partial model TwoFlanges "A part with two flanges"
    Flange flange_a "Left flange" annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    OtherFlange flange_b "Right flange" annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    annotation(Documentation(info = "<html><p>Only the connectors: the law of the part is still to be said.</p></html>"),
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
    annotation(Documentation(info = "<html><p>Extend it and add one equation for <code>s_rel</code> and <code>f</code>.</p></html>"));
  end Compliant;

  partial model CompliantWithVelocity "Two flanges with one force between them, and their relative velocity"
    extends Compliant;
    Saltus.Units.Velocity v_rel "Velocity of flange_b relative to flange_a";
  equation
    v_rel = der(s_rel);
    annotation(Documentation(info = "<html><p>Extend it and add one equation with <code>v_rel</code> and <code>f</code>.</p></html>"));
  end CompliantWithVelocity;

  annotation(Documentation(info = "<html><p>Connectors, and partial models to extend when you write a part of your own.</p></html>"));
end Interfaces;
