"""Events and impulses, decoded when they are asked for.

impulses  what a variable adds up to in an instant in which it is infinite
at_rows   expressions at rows of a run, and how relations are watched there
events    `result.events`: what happened at each event
"""
