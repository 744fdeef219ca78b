"""The hybrid DAE: every discontinuity of the flat model gets a name.

event_tables  relations, clocks and helper variables, as they are found
delays        delay
transports    spatialDistribution
events        expressions of the hybrid DAE: relations, clocks, steps
branches      if-equations whose condition varies
clauses       when- and if-clauses to equations, jumps and checks
start_values  start values that are parameters, since they are given from outside
"""
