within Saltus.Rotational;
package Interfaces "Connectors and what parts have in common"
  extends Saltus.Icons.Package;

  connector Flange "The end of a shaft"
    Saltus.Units.Angle phi "Angle";
    flow Saltus.Units.Torque tau "Torque on the part";
    annotation(Documentation(info = "<html><p>Connected flanges move together, and what acts on them sums to zero.</p></html>"),
      Icon(graphics = {
        Ellipse(extent = {{-60, 60}, {60, -60}}, lineColor = {95, 95, 95}, fillColor = {95, 95, 95},
          fillPattern = FillPattern.Solid)}));
  end Flange;

  connector OtherFlange "The other side: an empty symbol"
    extends Flange;
    annotation(Documentation(info = "<html><p>The same as <code>Flange</code>; the symbol tells the sides apart.</p></html>"),
      Icon(graphics = {
        Ellipse(extent = {{-60, 60}, {60, -60}}, lineColor = {95, 95, 95}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid)}));
  end OtherFlange;

  partial model TwoFlanges "A part with two flanges"
    Flange flange_a "Left flange" annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    OtherFlange flange_b "Right flange" annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    annotation(Documentation(info = "<html><p>Only the connectors: the law of the part is still to be said.</p></html>"),
      Icon(graphics = {Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
  end TwoFlanges;

  partial model Compliant "Two flanges with one torque between them; it stores no momentum"
    extends TwoFlanges;
    Saltus.Units.Angle phi_rel "Angle of flange_b relative to flange_a";
    Saltus.Units.Torque tau "Torque that draws the flanges together";
  equation
    phi_rel = flange_b.phi - flange_a.phi;
    flange_b.tau = tau;
    flange_a.tau = -tau;
    annotation(Documentation(info = "<html><p>Extend it and add one equation for <code>phi_rel</code> and <code>tau</code>.</p></html>"));
  end Compliant;

  partial model CompliantWithVelocity "Two flanges with one torque between them, and their relative velocity"
    extends Compliant;
    Saltus.Units.AngularVelocity w_rel "Velocity of flange_b relative to flange_a";
  equation
    w_rel = der(phi_rel);
    annotation(Documentation(info = "<html><p>Extend it and add one equation with <code>w_rel</code> and <code>tau</code>.</p></html>"));
  end CompliantWithVelocity;

  annotation(Documentation(info = "<html><p>Connectors, and partial models to extend when you write a part of your own.</p></html>"));
end Interfaces;
