"""Rewrites of automata, each of them to an automaton that behaves alike and can be printed.

relations    conditions as single relations joined by or and and, and which of them exclude each other
flattening   a machine with hierarchy to one without: a state for each set of states that are active together
to_net       a machine without hierarchy to a net with one token
splitting    conditions of such a net to single relations, by places that are added
reachability all markings that a net can come to
"""
