"""Modes: events that lead from one program to another.

engines       the engines of a run: one for each choice of states and each surface
vanishing     divisors that a parameter makes zero
entering      an instant: left limits frozen while modes are entered tentatively
mode_search   the search for a mode, across programs
singular      equations that depend on each other in a mode, and whether they contradict each other
native_gates  what the native driver knows about other programs
modes         the mode in which a run goes on after an event, and in which it starts
"""
