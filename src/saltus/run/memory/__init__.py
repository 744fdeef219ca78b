"""A machine's numbers with the model's names on them.

notices       warnings that computations have for the result
trail         the modes that an event passes through
memory        the memory of a machine, by name and by slot
relations     where the numbers of relations are, and which truth belongs to which side
checks        assertions and terminations: is any of them active?
moves         which numbers go where when a run changes engines
named_values  everything that has a name, with its value
objects       external objects, kept as long as the memory
dependence    which numbers only events change, and the equations depend on
"""
