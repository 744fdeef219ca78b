"""The flat model: made from the instance tree, and checked as a whole.

exchanged_inputs  inputs of the model that get their values while it runs
open_inputs       inputs of components that nothing gives a value
given_inputs      inputs of the model itself, which are given to its runs
parameter_cycles  parameters that depend on each other in branches not taken
balance           variables that a component leaves to the model around it
flatten           the instance tree to the flat model
units             where units of the flat model disagree
"""
