model TumblingBody "A rigid body that turns freely, its orientation as a quaternion"
  // About its middle axis a body does not turn steadily: again and again it tumbles over. The four numbers of the
  // quaternion have the length 1, so one of them follows from the others, and which one changes on the way.
  parameter Real J[3] = {1, 2, 3} "Moments of inertia";
  Real q[4](start = {1, 0, 0, 0}, fixed = {false, true, true, true}) "Orientation";
  Real w[3](start = {0.01, 2, 0.01}, each fixed = true) "Angular velocity, in the body";
  Real k "Keeps the length of the quaternion; zero but for rounding";
  Real axis[3] "The body's middle axis, seen from outside";
  Real energy, momentum "Both stay as they are";
equation
  q*q = 1;
  der(q[1]) = (-q[2]*w[1] - q[3]*w[2] - q[4]*w[3])/2 + k*q[1];
  der(q[2]) = (q[1]*w[1] - q[4]*w[2] + q[3]*w[3])/2 + k*q[2];
  der(q[3]) = (q[4]*w[1] + q[1]*w[2] - q[2]*w[3])/2 + k*q[3];
  der(q[4]) = (-q[3]*w[1] + q[2]*w[2] + q[1]*w[3])/2 + k*q[4];
  J[1]*der(w[1]) = (J[2] - J[3])*w[2]*w[3];
  J[2]*der(w[2]) = (J[3] - J[1])*w[3]*w[1];
  J[3]*der(w[3]) = (J[1] - J[2])*w[1]*w[2];
  axis = {2*(q[2]*q[3] - q[1]*q[4]), 1 - 2*(q[2]^2 + q[4]^2), 2*(q[3]*q[4] + q[1]*q[2])};
  energy = (J[1]*w[1]^2 + J[2]*w[2]^2 + J[3]*w[3]^2)/2;
  momentum = sqrt((J[1]*w[1])^2 + (J[2]*w[2])^2 + (J[3]*w[3])^2);
  annotation(experiment(StartTime = 0, StopTime = 30, Tolerance = 1e-8));
end TumblingBody;
