"""Blocks: how each component of the sorted system is solved, and the integrator's Jacobian.

tearing      which unknowns of a loop the others follow from
elimination  in which order those are eliminated (numbers only)
blocks       a component becomes explicit, linear or nonlinear
colouring    columns that are found at once (integers only)
fill         the order in which a sparse matrix is eliminated, and what fills up (integers only)
tangent      the integrator's Jacobian: the tangents of the blocks, its pattern
"""
