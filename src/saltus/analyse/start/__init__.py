"""The system that is solved at the start.

excess   initial conditions that are one too many
initial  the initial system, and which start values complete it
"""
