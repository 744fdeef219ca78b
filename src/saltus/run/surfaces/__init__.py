"""Surfaces: runs that chatter, slide, or come to rest after infinitely many events.

host          the interface of a run for the parts that decide where it continues
chatter       a relation that changes back and forth without end
zeno          geometrically shrinking intervals between events
accumulation  the limit of a series of events
hops          how what bounces off surfaces moves
event_notes   when each relation changed lately
wearing       what infinitely many impacts wear off
limits        the motion in the limit where events accumulate
contacts      surfaces that a run bounces off and must not penetrate
places        where a program has the model, on its surfaces and with its states
corners       where surfaces meet while a mode is sought
motion        motions along surfaces: begun, kept at events, left
sliding       when a run continues along surfaces
"""
