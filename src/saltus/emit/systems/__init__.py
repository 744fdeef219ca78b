"""Systems whose structure is found by numbers, to statements.

loop_code        routines in the making that consist of loops
leading_tables   what routines of such a system go through
leading_order    its matrix in block triangular form
leading_factors  the factors of that matrix, and solutions by them
leading_hidden   constraints that its equations have together
leading_open     what such a system leaves open
leading_leap     how its modes are entered
leading          the whole of it, as loops over coefficients
patterns         small parts of such a system: which coefficients may be there, and what follows from that
pattern_code     what is computed in a pattern, as assignments
pattern_loops    which pattern each part has, as loops
"""
