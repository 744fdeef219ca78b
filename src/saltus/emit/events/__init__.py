"""The routines of an event, as statements.

section_loops  what is done to every relation, discrete variable and state
events         depart, approach, presume, fire, settle, commit
detours        passes that come to guards of another program
"""
