"""Expressions to straight-line statements.

sharing    shared subexpressions, calls, lazy branches
domains    relations that guard a domain
functions  user functions made ready for the back ends
"""
