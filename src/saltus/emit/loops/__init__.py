"""Loops: linear and nonlinear blocks to statements.

elimination      linear systems as statements
torn             torn linear systems, eliminated in a fixed order
quadratic        one quadratic equation, solved without iteration
newton           the nonlinear solver as statements
continuation     the way to a solution that Newton's method does not find
"""
