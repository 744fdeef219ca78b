"""Checkpoints: a run that resumes after it was killed.

snapshot    a run between two stretches, as plain data and back
checkpoint  the checkpoint file
"""
