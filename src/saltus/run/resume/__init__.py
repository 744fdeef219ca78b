"""Checkpoints: a run that goes on after it was killed.

snapshot    a run between two stretches, as plain data and back
checkpoint  the checkpoint file
"""
