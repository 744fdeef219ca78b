model DryFriction "A block that sticks, breaks away, slides and sticks again (papers 001 and 003)"

  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");

  connector Flange "A point of a body that moves along a line"
    Velocity v;
    flow Force f "Force on the element";
  end Flange;

  model Mass "Newton's law"
    parameter Real m(unit = "kg") = 1;
    Flange flange;
    Real x(unit = "m", start = 0, fixed = true) "Position";
    Velocity v(start = 0, fixed = true);
  equation
    der(x) = v;
    v = flange.v;
    m*der(v) = flange.f;
  end Mass;

  model Table "Does not move"
    Flange flange;
  equation
    flange.v = 0;
  end Table;

  model Push "A force from outside"
    input Force force;
    Flange flange;
  equation
    flange.f = -force;
  end Push;

  model Friction "A curve of velocity and force, with the parameter s"
    Flange a;
    Flange b;
    parameter Force f0 = 1 "Largest force while it sticks; force at the beginning of a slide";
    parameter Real f1(unit = "N.s/m") = 0.5 "Viscous part";
    Velocity v "Velocity of b relative to a";
    Force f "Force that brakes b and drags a";
    Real s "Along the curve: beyond 1 forward, below -1 backward, between them at rest";
    Boolean forward;
    Boolean backward;
  equation
    v = b.v - a.v;
    f = b.f;
    a.f + b.f = 0;

    // All there is to say. While it sticks v is no state any more, f follows from the constraint v = 0.
    // Papers 001 and 003 report that no tool can simulate this, and replace it by a state machine.
    forward = s > 1;
    backward = s < -1;
    v = if forward then s - 1 elseif backward then s + 1 else 0;
    f = if forward then f0 + f1*(s - 1) elseif backward then -f0 + f1*(s + 1) else f0*s;
  end Friction;

  Table table;
  Mass body(m = 1);
  Friction friction(f0 = 1, f1 = 0.5);
  Push push(force = 2*sin(time));
equation
  connect(table.flange, friction.a);
  connect(friction.b, body.flange);
  connect(push.flange, body.flange);
  annotation(experiment(StartTime = 0, StopTime = 12, Tolerance = 1e-8, Interval = 0.02));
end DryFriction;
