"""The interned expression kernel. Imports nothing of Saltus but itself.

helpers        what the compiler makes symbols for, and how their names are spelled
nodes          the node kinds and their constructors
traversal      expressions gone through and rewritten; substitution
evaluate       value of an expression in Python numbers: the reference meaning of every operator
simplify       constant folding and rewrite rules
differentiate  with respect to a leaf, and to time
linear         coefficients of an unknown; solving an equation for it
closed_form    small linear systems solved by formulas
show           as Modelica text
"""
