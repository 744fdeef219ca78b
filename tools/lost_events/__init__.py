"""Counts events that a run loses, against closed forms: `python -m tools.lost_events --models 10000`.

Random models whose residues are known as formulas are run with random methods and tolerances. The formulas
are sampled densely, without any part of Saltus, and every excursion that is found there must be in the run.
`python -m tools.lost_events --help` tells the options; `resolution.py` says what is too short to count.
"""
