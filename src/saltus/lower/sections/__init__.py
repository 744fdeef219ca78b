"""Sections: equations and algorithms of models to clauses of the flat model.

conditions  when a when-clause is active
branches    if-equations as equations with if-expressions
equations   equation sections to clauses
algorithms  algorithm sections of models, executed symbolically
"""
