model Functions "A tank drained through a rough pipe: functions, a record, an enumeration, an algorithm"

  type Valve = enumeration(Closed "no flow", Half "half open", Open "fully open");

  record Pipe "A straight, rough pipe"
    Real L(unit = "m") "Length";
    Real D(unit = "m") "Inner diameter";
    Real roughness(unit = "m") "Height of the bumps of the wall";
  end Pipe;

  function polynomial "c[1] + c[2]*x + c[3]*x^2 + ..., by Horner's rule"
    input Real c[:] "Coefficients; a call decides how many there are";
    input Real x;
    output Real y = 0;
  algorithm
    for i in size(c, 1):-1:1 loop
      y := y*x + c[i];
    end for;
  end polynomial;

  function frictionFactor "Darcy's friction factor of turbulent flow, by Haaland's formula"
    input Real Re "Reynolds number";
    input Real relativeRoughness;
    output Real f;
  algorithm
    f := 1/(1.8*log10((relativeRoughness/3.7)^1.11 + 6.9/Re))^2;
  end frictionFactor;

  function velocity "Velocity in a pipe that is driven by a head: the friction depends on the result"
    input Real head(unit = "m");
    input Pipe pipe;
    output Real v(unit = "m/s");
  protected
    constant Real g = 9.81;
    constant Real nu = 1e-6 "Kinematic viscosity of water";
    Real last "Result of the last round";
    Real drop(unit = "m") = max(head, 0) "No head, no flow: an empty tank may be below zero by an error";
    Real f;
    Integer rounds = 0;
  algorithm
    v := sqrt(2*g*drop);
    last := 0;
    while abs(v - last) > 1e-12*v and rounds < 100 loop
      last := v;
      f := frictionFactor(v*pipe.D/nu, pipe.roughness/pipe.D);
      v := sqrt(2*g*drop/(1 + f*pipe.L/pipe.D));
      rounds := rounds + 1;
    end while;
  end velocity;

  constant Real pi = 3.141592653589793;
  parameter Pipe pipe(L = 10, D = 0.05, roughness = 1e-4);
  parameter Real shape[3] = {0.5, 0.1, 0.2} "Cross-section of the tank: a polynomial of the level";
  Real h(unit = "m", start = 2, fixed = true) "Level";
  Real A(unit = "m2") "Cross-section at the surface";
  Real Q(unit = "m3/s") "Flow through the pipe";
  Real drained(unit = "m3", start = 0, fixed = true) "What has left the tank";
  Real volume(unit = "m3") "What is still in it";
  Real opening "Opening of the valve, from 0 to 1";
  Valve valve;
equation
  valve = if time < 20 then Valve.Open elseif time < 50 then Valve.Half
    elseif time < 60 then Valve.Closed else Valve.Open;
  A = polynomial(shape, h);
  A*der(h) = -Q;
  der(drained) = Q;
  Q = opening*pi/4*pipe.D^2*velocity(h, pipe);
algorithm
  // Unlike equations, statements are executed one after the other.
  opening := 0;
  if valve == Valve.Half then
    opening := 0.5;
  elseif valve == Valve.Open then
    opening := 1;
  end if;
algorithm
  volume := 0;
  for i in 1:size(shape, 1) loop
    volume := volume + shape[i]*h^i/i;
  end for;
  annotation(experiment(StartTime = 0, StopTime = 100, Tolerance = 1e-8, Interval = 0.5));
end Functions;
