"""How long it takes to compile.

parsing      text to syntax trees, and from the cache
flattening   a chain of equal components to its flat model
translation  text to the first step of a run
growth       how the time of translation grows with the model
new_mode     the program of one more mode, during a run
"""
