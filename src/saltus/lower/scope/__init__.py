"""What all of lowering shares: scopes, types, values, and where errors belong.

limits   how large a model may be
types    types of scalars, enumerations included
values   arrays and records of expressions
parts    the parts of the context, divided by who uses them
context  scopes, and the context that ties instances and expressions together
chain    the components that led to an error
hints    what may have been meant by a text that is refused
calls    the arguments of assert, terminate and reinit
"""
