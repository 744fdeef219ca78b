within Saltus.Rotational;
package Interfaces "Connectors and what parts have in common"
  extends Saltus.Icons.Package;

  connector Flange "The end of a shaft"
    Saltus.Units.Angle phi "Angle";
    flow Saltus.Units.Torque tau "Torque on the part";
    annotation(Documentation(info = "<html>
<p>Connected flanges move together, and what acts on them sums to zero.</p>
</html>"),
      Icon(graphics = {
        Ellipse(extent = {{-60, 60}, {60, -60}}, lineColor = {95, 95, 95}, fillColor = {95, 95, 95},
          fillPattern = FillPattern.Solid)}));
  end Flange;

  connector OtherFlange "The other side: an empty symbol"
    extends Flange;
    annotation(Documentation(info = "<html>
<p>The same as <code>Flange</code>; the symbol tells the sides apart.</p>
</html>"),
      Icon(graphics = {
        Ellipse(extent = {{-60, 60}, {60, -60}}, lineColor = {95, 95, 95}, fillColor = {255, 255, 255},
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

  partial model Compliant "Two flanges with one torque between them; it stores no momentum"
    extends TwoFlanges;
    Saltus.Units.Angle phi_rel "Angle of flange_b relative to flange_a";
    Saltus.Units.Torque tau "Torque that draws the flanges together";
  equation
    phi_rel = flange_b.phi - flange_a.phi;
    flange_b.tau = tau;
    flange_a.tau = -tau;
    annotation(Documentation(info = "<html>
<p>Extend it and add one equation for <code>phi_rel</code> and <code>tau</code>.</p>
</html>"));
  end Compliant;

  partial model CompliantWithVelocity "Two flanges with one torque between them, and their relative velocity"
    extends Compliant;
    Saltus.Units.AngularVelocity w_rel "Velocity of flange_b relative to flange_a";
  equation
    w_rel = der(phi_rel);
    annotation(Documentation(info = "<html>
<p>Extend it and add one equation with <code>w_rel</code> and <code>tau</code>.</p>
</html>"));
  end CompliantWithVelocity;

  partial model FrictionCurve "Two flanges that stick or slide upon each other"
    extends CompliantWithVelocity;
    parameter Saltus.Units.RotationalDampingConstant d = 0 "Viscous part; 0: dry";
    Saltus.Units.Torque tau_stick "Largest torque at rest";
    Saltus.Units.Torque tau_slide "Torque against the sliding, without the viscous part";
    Saltus.Units.Torque s "Place on the curve: the torque at rest; where it slides, beyond tau_stick by the velocity";
    Boolean forward "It slides, flange_b ahead of flange_a";
    Boolean backward "It slides, flange_b behind flange_a";
  protected
    constant Saltus.Units.RotationalDampingConstant unit = 1 "How s counts velocities";
  equation
    forward = s > tau_stick;
    backward = s < -tau_stick;
    unit*w_rel = if forward then s - tau_stick elseif backward then s + tau_stick else 0;
    tau = (if forward then tau_slide elseif backward then -tau_slide else s) + d*w_rel;
    annotation(Documentation(info = "<html>
<p>Dry friction is a curve of velocity and torque: at rest any torque up to <code>tau_stick</code>, in motion the
torque <code>tau_slide</code> against it. Both are functions of <code>s</code>, the place on the curve. While it
sticks the relative velocity is no state: it is zero, and the torque is what keeps it so.</p>
<p>Extend it and say what <code>tau_stick</code> and <code>tau_slide</code> are; they may be functions of time and of
<code>w_rel</code>.</p>
</html>"));
  end FrictionCurve;

  annotation(Documentation(info = "<html>
<p>Connectors, and partial models to extend when you write a part of your own.</p>
</html>"));
end Interfaces;
