"""Expressions to straight-line statements.

sharing    shared subexpressions, calls, lazy branches
functions  user functions made ready for the back ends
"""
