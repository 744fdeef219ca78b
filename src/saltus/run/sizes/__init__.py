"""How large variables are, where nobody says it.

magnitude  the sizes of expressions, from those of variables
incidence  which variables stand where in the equations
told       what each equation says of a variable
lowering   sizes that only hold each other up
balance    sizes by which the terms of each equation balance
sizes      the sizes of a run, written into its memory
unsized    W407: what turns out to be far smaller than anything has told
"""
