"""The nouns of automata: what is somewhere, and goes elsewhere when a condition holds.

lines      what may be declared in every language that has one statement a line
automaton  state machines: locations and transitions
machine    state machines with hierarchy: states in states, parallel ones, histories
net        Petri nets: places with tokens, and transitions that move them
reachable  where an automaton can come to
"""
