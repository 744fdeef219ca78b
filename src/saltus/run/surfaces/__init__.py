"""Surfaces: runs that chatter, slide, or come to rest after infinitely many events.

host          what a run lends to those who decide for it where it goes on
chatter       a relation that changes back and forth without end
zeno          intervals between events that shrink geometrically
accumulation  where a series of events leads to
event_notes   when each relation changed lately
limits        the motion that is left where events accumulate
contacts      surfaces off which a run bounces, and which it never goes through
sliding       a run that comes to a surface and stays there
"""
