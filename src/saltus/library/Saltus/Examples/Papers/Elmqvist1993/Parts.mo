within Saltus.Examples.Papers.Elmqvist1993;
package Parts "The model classes of the paper, in Modelica"
  extends Saltus.Icons.Package;

  partial model TwoPort "What electrical elements with two ends share"
    Saltus.Electrical.Interfaces.Pin A "First end"
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    Saltus.Electrical.Interfaces.NegativePin B "Second end"
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    Saltus.Units.Voltage u "Voltage from A to B";
    Saltus.Units.Current i "Current from A to B";
  equation
    u = A.v - B.v;
    i = A.i;
    A.i + B.i = 0;
    annotation(Documentation(info = "<html><p>The super class of section 2. Cuts <code>A (Va / i)</code> and <code>B
(Vb / -i)</code> of the paper are two pins here: what stands before its slash is the potential, what stands behind it
flows.</p></html>"),
      Icon(graphics = {Text(extent = {{-150, 100}, {150, 60}}, textString = "%name", textColor = {0, 0, 255})}));
  end TwoPort;

  model Resistor "Ohm's law, equation (1)"
    extends TwoPort;
    parameter Saltus.Units.Resistance R = 1 "Resistance";
  equation
    u = R*i;
    annotation(Documentation(info = "<html><p>Figure 1. The equation is no assignment: what it is solved for depends
on the circuit.</p></html>"),
      Icon(graphics = {
        Line(points = {{-90, 0}, {-60, 0}}, color = {0, 0, 255}),
        Line(points = {{60, 0}, {90, 0}}, color = {0, 0, 255}),
        Rectangle(extent = {{-60, 25}, {60, -25}}, lineColor = {0, 0, 255})}));
  end Resistor;

  model Capacitor "Stores charge"
    extends TwoPort;
    parameter Saltus.Units.Capacitance C = 1 "Capacitance";
  equation
    C*der(u) = i;
    annotation(Documentation(info = "<html><p>Section 2: a specialisation of the two-port with one equation
more.</p></html>"),
      Icon(graphics = {
        Line(points = {{-90, 0}, {-12, 0}}, color = {0, 0, 255}),
        Line(points = {{12, 0}, {90, 0}}, color = {0, 0, 255}),
        Line(points = {{-12, 45}, {-12, -45}}, color = {0, 0, 255}),
        Line(points = {{12, 45}, {12, -45}}, color = {0, 0, 255})}));
  end Capacitor;

  model Inductor "Stores flux"
    extends TwoPort;
    parameter Saltus.Units.Inductance L = 1 "Inductance";
  equation
    L*der(i) = u;
    annotation(Documentation(info = "<html><p>Section 2: a specialisation of the two-port with one equation
more.</p></html>"),
      Icon(graphics = {
        Line(points = {{-90, 0}, {-60, 0}}, color = {0, 0, 255}),
        Line(points = {{60, 0}, {90, 0}}, color = {0, 0, 255}),
        Rectangle(extent = {{-60, 18}, {60, -18}}, lineColor = {0, 0, 255}, fillColor = {0, 0, 255},
          fillPattern = FillPattern.Solid)}));
  end Inductor;

  model VSource "A given voltage"
    extends TwoPort;
    input Saltus.Units.Voltage u0 "Voltage from A to B";
  equation
    u = u0;
    annotation(Documentation(info = "<html><p>The paper uses this class without printing it: the voltage is set from
outside.</p></html>"),
      Icon(graphics = {
        Line(points = {{-90, 0}, {90, 0}}, color = {0, 0, 255}),
        Ellipse(extent = {{-45, 45}, {45, -45}}, lineColor = {0, 0, 255})}));
  end VSource;

  model CSource "A given current"
    extends TwoPort;
    input Saltus.Units.Current I0 "Current that is driven out at A";
  equation
    i = -I0;
    annotation(Documentation(info = "<html><p>The paper uses this class without printing it: the current is set from
outside.</p></html>"),
      Icon(graphics = {
        Line(points = {{-90, 0}, {-45, 0}}, color = {0, 0, 255}),
        Line(points = {{45, 0}, {90, 0}}, color = {0, 0, 255}),
        Line(points = {{0, 45}, {0, -45}}, color = {0, 0, 255}),
        Ellipse(extent = {{-45, 45}, {45, -45}}, lineColor = {0, 0, 255})}));
  end CSource;

  model Common "The node with the potential zero"
    Saltus.Electrical.Interfaces.Pin P "What is connected to it"
      annotation(Placement(transformation(extent = {{-10, 90}, {10, 110}})));
  equation
    P.v = 0;
    annotation(Documentation(info = "<html><p>Every circuit has one.</p></html>"),
      Icon(graphics = {
        Line(points = {{0, 90}, {0, 40}}, color = {0, 0, 255}),
        Line(points = {{-50, 40}, {50, 40}}, color = {0, 0, 255}),
        Line(points = {{-30, 20}, {30, 20}}, color = {0, 0, 255}),
        Line(points = {{-10, 0}, {10, 0}}, color = {0, 0, 255})}));
  end Common;

  model Switch "No current while it is open, no voltage while it is closed"
    extends TwoPort;
    input Boolean OpenSwitch "True: open";
  equation
    0 = if OpenSwitch then i else u;
    annotation(Documentation(info = "<html><p>Section 6: one equation for both positions. It determines the current in
one of them and the voltage in the other.</p></html>"),
      Icon(graphics = {
        Line(points = {{-90, 0}, {-40, 0}}, color = {0, 0, 255}),
        Line(points = {{40, 0}, {90, 0}}, color = {0, 0, 255}),
        Line(points = {{-40, 0}, {35, 40}}, color = {0, 0, 255})}));
  end Switch;

  model FactorSwitch "The switch with a number in place of the Boolean"
    extends TwoPort;
    input Integer OpenSw "1: open, 0: closed";
    constant Saltus.Units.Conductance G = 1 "Makes currents of both terms";
  equation
    0 = OpenSw*i + (1 - OpenSw)*G*u;
    annotation(Documentation(info = "<html><p>Section 6: the second form of the switch, with a factor that is 0 or
1.</p></html>"),
      Icon(graphics = {
        Line(points = {{-90, 0}, {-40, 0}}, color = {0, 0, 255}),
        Line(points = {{40, 0}, {90, 0}}, color = {0, 0, 255}),
        Line(points = {{-40, 0}, {35, 40}}, color = {0, 0, 255}),
        Text(extent = {{-40, -10}, {40, -60}}, textString = "0 1", textColor = {0, 0, 255})}));
  end FactorSwitch;

  model Diode "A switch that its own voltage closes and its own current opens"
    extends TwoPort;
    Boolean OpenSwitch(start = true, fixed = true) "True: it blocks";
  equation
    0 = if pre(OpenSwitch) then i else u;
    OpenSwitch = u <= 0 and not i > 0;
    annotation(Documentation(info = "<html><p>Section 7. The paper writes <code>new(OpenSwitch)</code> on the left,
which makes
<code>OpenSwitch</code> a discrete state; in Modelica the new value has the plain name and the old one is
<code>pre(OpenSwitch)</code>.</p></html>"),
      Icon(graphics = {
        Line(points = {{-90, 0}, {90, 0}}, color = {0, 0, 255}),
        Polygon(points = {{-35, 40}, {35, 0}, {-35, -40}, {-35, 40}}, lineColor = {0, 0, 255}, fillColor = {255, 255,
          255},
          fillPattern = FillPattern.Solid),
        Line(points = {{35, 40}, {35, -40}}, color = {0, 0, 255})}));
  end Diode;

  model TransBody "A body: Newton's law"
    Saltus.Translational.Interfaces.Flange c "Its place"
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    parameter Saltus.Units.Mass m = 1 "Mass";
    Saltus.Units.Velocity v "Velocity";
    Saltus.Units.Acceleration a "Acceleration";
  equation
    v = der(c.s);
    a = der(v);
    m*a = c.f;
    annotation(Documentation(info = "<html><p>Section 8. The cut of the paper has position, velocity and acceleration
<code>(p v a / f)</code>; a connector of Modelica has as many potentials as flows, so that the body says itself what
the derivatives are.</p></html>"),
      Icon(graphics = {
        Rectangle(extent = {{-90, 50}, {90, -50}}, lineColor = {0, 127, 0}, fillColor = {225, 240, 225}, fillPattern =
          FillPattern.Solid),
        Text(extent = {{-150, 100}, {150, 60}}, textString = "%name", textColor = {0, 0, 255})}));
  end TransBody;

  model Inertial "The environment, which does not move"
    Saltus.Translational.Interfaces.Flange c "Its place"
      annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  equation
    c.s = 0;
    annotation(Documentation(info = "<html><p>Section 8: its position is zero, whatever force that takes. Velocity and
acceleration follow from it.</p></html>"),
      Icon(graphics = {Line(points = {{-80, 0}, {80, 0}}, color = {0, 127, 0}),
        Line(points = {{-60, 0}, {-80, -30}}, color = {0, 127, 0}), Line(points = {{0, 0}, {-20, -30}}, color = {0,
          127, 0}),
        Line(points = {{60, 0}, {40, -30}}, color = {0, 127, 0})}));
  end Inertial;

  model ExtForce "A force from outside"
    Saltus.Translational.Interfaces.Flange c "Where it acts"
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    input Saltus.Units.Force f "On what it is connected to";
  equation
    c.f = -f;
    annotation(Documentation(info = "<html><p>Section 8. The paper sets the flow of a bare cut from outside, which
gives the body the opposite force; here it is set with its sign.</p></html>"),
      Icon(graphics = {Line(points = {{-80, 0}, {80, 0}}, color = {0, 127, 0}),
        Polygon(points = {{50, 20}, {90, 0}, {50, -20}, {50, 20}}, lineColor = {0, 127, 0}, fillColor = {0, 127, 0},
          fillPattern = FillPattern.Solid),
        Text(extent = {{-150, 100}, {150, 60}}, textString = "%name", textColor = {0, 0, 255})}));
  end ExtForce;

  partial model TransForce "A force between two places, with its relative motion"
    Saltus.Translational.Interfaces.Flange c1 "First place"
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    Saltus.Translational.Interfaces.Flange c2 "Second place"
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    Saltus.Units.Force f "Force on the element at c1";
    Saltus.Units.Position p(stateSelect = StateSelect.prefer) "Position of c2 relative to c1";
    Saltus.Units.Velocity v(stateSelect = StateSelect.prefer) "Velocity of c2 relative to c1";
    Saltus.Units.Acceleration a "Acceleration of c2 relative to c1";
  equation
    f = c1.f;
    c1.f + c2.f = 0;
    p = c2.s - c1.s;
    v = der(p);
    a = der(v);
    annotation(Documentation(info = "<html><p>Section 8: the super class of the friction element.</p></html>"),
      Icon(graphics = {Text(extent = {{-150, 100}, {150, 60}}, textString = "%name", textColor = {0, 0, 255})}));
  end TransForce;

  model Friction "Dry friction as a state machine with six states"
    extends TransForce;
    parameter Saltus.Units.Force R0 = 1 "Largest force while it sticks";
    parameter Saltus.Units.Force Rm = 1 "Force at the beginning of a slide";
    parameter Saltus.Units.TranslationalDampingConstant Rv = 0 "Viscous part";
    Saltus.Units.Force fr "Friction force";
    Saltus.Units.Force fc(start = 0) "Force of constraint while it sticks";
    Boolean Start(start = true, fixed = true) "Before the first decision";
    Boolean Forward(start = false, fixed = true) "v > 0";
    Boolean Backward(start = false, fixed = true) "v < 0";
    Boolean StartForward(start = false, fixed = true) "About to slide forward";
    Boolean StartBackward(start = false, fixed = true) "About to slide backward";
    Boolean Stuck(start = false, fixed = true) "Sticks";
  equation
    fr = if pre(Forward) then Rv*v + Rm elseif pre(Backward) then Rv*v - Rm
      elseif pre(StartForward) then Rm elseif pre(StartBackward) then -Rm else fc;
    f = -fr;
    if pre(Stuck) or pre(Start) then
      a = 0;
    else
      fc = 0;
    end if;
    Stuck = not (Start or Forward or StartForward or Backward or StartBackward);
    Forward = pre(Start) and v > 0 or pre(StartForward) and v > 0 or pre(Forward) and not v <= 0;
    Backward = pre(Start) and v < 0 or pre(StartBackward) and v < 0 or pre(Backward) and not v >= 0;
    StartForward = pre(Stuck) and fc > R0 or pre(StartForward) and not (v > 0 or a < 0 and not v > 0);
    StartBackward = pre(Stuck) and fc < -R0 or pre(StartBackward) and not (v < 0 or a > 0 and not v < 0);
    Start = false;
    when Stuck and not Start then
      reinit(v, 0);
    end when;
    annotation(Documentation(info = "<html><p>Section 8, figures 8 and 9: five regions and a start, one Boolean for
each, and one equation for the next value of each Boolean. Two things differ from the print: what it calls
<code>new(x)</code> is the plain
<code>x</code> here, old values being
<code>pre(x)</code>, and <code>a &lt;= 0</code> has become <code>a &lt; 0</code>. At break-away the acceleration is
exactly zero if <code>R0 = Rm</code>, and that must not lead back.</p></html>"),
      Icon(graphics = {
        Line(points = {{-90, 0}, {-50, 0}}, color = {0, 127, 0}),
        Line(points = {{50, 0}, {90, 0}}, color = {0, 127, 0}),
        Rectangle(extent = {{-50, 20}, {50, 0}}, lineColor = {0, 127, 0}),
        Rectangle(extent = {{-50, 0}, {50, -20}}, lineColor = {0, 127, 0})}));
  end Friction;

  annotation(Documentation(info = "<html>
<p>The paper prints most of these classes in the Dymola language of 1993; sources and ground it only uses. Models of
the gallery are built of them.</p>
</html>"));
end Parts;
