"""Positions at which a model is at rest.

newton  a position at which all derivatives of one mode are zero
search  the same for a run, with the modes to which it leads
"""
