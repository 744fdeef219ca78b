"""Steps by number, if a run is asked for them: what its events have passed through, kept for the result.

footprints  what a trail has found at an event, as rows that tell something
keeper      all events of a run: Python sees its own when they happen, and goes through the others again
"""
