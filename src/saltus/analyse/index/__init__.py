"""Index reduction: which equations are differentiated, and which states are given up.

offsets       how often equations must be differentiated (integers only)
derivatives   derivatives of variables and equations, each made once
pivots        independent columns, the most wanted first (numbers only)
dependence    equations that depend on each other, found exactly
trial         values at which states are chosen
shared_work   what the modes of a model have in common
reduction     equations that constrain states are differentiated, some states given up
pivot_guards  positions in which the chosen states fail are watched
"""
