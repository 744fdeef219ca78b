"""Sizes of variables without a nominal value.

magnitude  the sizes of expressions, from those of variables
incidence  which variables occur where in the equations
told       the bound of a variable by each equation
lowering   sizes that are bounded only by each other
balance    sizes by which the terms of each equation balance
sizes      the sizes of a run, written into its memory
unsized    W407: what turns out to be far smaller than its size
"""
