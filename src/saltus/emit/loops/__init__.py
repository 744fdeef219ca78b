"""Loops: linear and nonlinear blocks to statements.

elimination      linear systems as statements
torn             torn linear systems, eliminated in a fixed order
quadratic        one quadratic equation, solved without iteration
newton           the nonlinear solver as statements
loop_code        routines in the making that consist of loops
leading_tables   what routines of a system whose structure is found by numbers go through
leading_order    its matrix in block triangular form
leading_factors  the factors of that matrix, and solutions by them
leading_open     what such a system leaves open
leading_leap     how its modes are entered
leading          systems whose structure is found by numbers, as loops over their coefficients
patterns         small parts of such a system: which coefficients may be there, and what follows from that
pattern_code     what is computed in a pattern, as assignments
pattern_loops    which pattern each part has, as loops
continuation     the way to a solution that Newton's method does not find
"""
