"""Numbers: the integrator, initialisation, events, and the loop that ties them together."""
