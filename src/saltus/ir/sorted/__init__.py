"""The nouns of sorted equations, of which a structure is made.

blocks    what solves equations for unknowns
modes     what a program takes for granted, and how a mode is entered
surfaces  surfaces on which a program keeps the model
jacobian  the derivatives of the state derivatives
"""
