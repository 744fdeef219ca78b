"""What several stages ask of a user function: its values and its derivative.

A function is a noun of `ir.program`. What is done with one stands here, below the stages and above `ir`,
since no stage owns it: lowering evaluates functions for sizes and differentiates them for `der`, analysis
asks for values to choose states and for derivatives to reduce the index, code generation takes tangents for
Jacobians, and a run makes external objects before it begins.

external   functions that are provided in Python in place of C
interpret  values
tangent    derivatives
"""
