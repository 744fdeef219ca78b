"""The integrators, one a file, behind one protocol.

sundials        the SUNDIALS libraries through ctypes
linear_solvers  dense and sparse linear algebra, and the choice between them
multistep       what CVODE and IDA have in common
stateless       a right-hand side for models without states
cvode           the integrator of explicit systems
ida             the integrator of implicit systems
runge_kutta     the explicit integrator
step_watch      how long fixed steps take
fixed_step      steps of a fixed length, whose formula is a part of the equations
integrator      the protocol, and which integrator a run gets
"""
