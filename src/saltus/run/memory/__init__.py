"""A machine's numbers with the model's names on them.

memory      the memory of a machine, by name and by slot
moves       which numbers go where when a run changes engines
objects     external objects, kept as long as the memory
dependence  which numbers only events change, and the equations depend on
"""
