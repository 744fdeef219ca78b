"""Steps by number, if requested: the modes that events pass through, kept for the result.

footprints  the informative rows of a trail at an event
keeper      all events of a run: Python sees its own when they happen, and goes through the others again
"""
