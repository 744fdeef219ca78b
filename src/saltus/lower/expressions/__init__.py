"""Expressions: syntax to values, with all predefined functions and operators.

expressions     operators, conditions, constructors, ranges
products        products of arrays
overloading     operators of operator records
texts           String variables
builtin_call    what a predefined function is given
array_builtins  the predefined functions of arrays
transport_call  the call of spatialDistribution
clocked         clocks and clocked operators
state_machines  what is said about states of a state machine
builtins        the other predefined functions and operators
semilinear      semiLinear where nothing flows
"""
