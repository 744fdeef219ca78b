"""How large variables are, where nobody says it.

balance    sizes by which the terms of each equation balance
magnitude  the sizes of expressions, from those of variables
sizes      the sizes of a run, written into its memory
unsized    W407: what turns out to be tiny, though nothing tells how large it is
"""
