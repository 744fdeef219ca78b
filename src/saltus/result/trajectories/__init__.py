"""Trajectories: the rows of a run, and every variable by name.

rows          recorded rows: copies of parts of the memory
kept          rows that stay when a run gives all others away
recording     all rows in the order of time, although their layout may change
trajectories  every variable by name, aliases included
csv           trajectories as comma-separated values
"""
