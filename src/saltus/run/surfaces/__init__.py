"""Surfaces: runs that chatter, slide, or come to rest after infinitely many events.

host          what a run lends to those who decide for it where it goes on
chatter       a relation that changes back and forth without end
zeno          intervals between events that shrink geometrically
accumulation  where a series of events leads to
event_notes   when each relation changed lately
wearing       what infinitely many impacts wear off
limits        the motion that is left where events accumulate
contacts      surfaces off which a run bounces, and which it never goes through
places        where a program has the model, on its surfaces and with its states
corners       where surfaces meet while a mode is sought
motion        motions along surfaces: begun, kept at events, left
sliding       when a run goes on along surfaces
"""
