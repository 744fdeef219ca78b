"""Clocks (chapter 16 of the specification): clock partitions of a flat model to discrete equations.

constants     numbers that clocks are related by, at translation
machines      state machines (chapter 17) as clocked equations
rows          clauses as rows of a graph
partitioning  base partitions and sub-partitions, and what must not be in one
rates         when each sub-partition ticks, exactly
dues          ticks as Boolean variables
matching      which equation determines which unknown
ticking       equations of a sub-partition as discrete equations
solvers       continuous equations as steps of a method
methods       which method a sub-partition has
clocks        all of it: a flat model with clocks to one without
"""
