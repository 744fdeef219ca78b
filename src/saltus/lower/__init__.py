"""Meaning: syntax to instances to the flat model to the hybrid DAE.

classes      class entries, where classes are found on disk
lookup       what a name means at a place (chapter 5 of the specification)
layout       the elements of a class with all its bases
context      scopes, and what all of lowering shares
modifiers    modifications, their merging and their values
instantiate  classes to the instance tree
values       arrays and records of expressions
references   dotted, subscripted names to nodes and values
expressions  syntax to values
builtins     the predefined functions
functions    user functions: calls, declarations
statements   their algorithms to imperative statements
interpret    user functions evaluated at translation
calls        the arguments of assert and terminate
conditions   when a when-clause is active
algorithms   algorithm sections of models, executed symbolically
equations    equation sections to clauses
connect      connection sets
flatten      the instance tree to the flat model
events       expressions of the hybrid DAE: relations, clocks, steps
clauses      when- and if-clauses to equations, jumps and checks: the flat model to the hybrid DAE
"""
