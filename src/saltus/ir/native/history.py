"""How the past of a delayed expression is kept: a contract between the run, which owns it, and native code.

A *history* is a list of segments, each a list of panels. A segment begins where the expression jumps or has a
kink. A *panel* is one step of the integrator, or a part of one: the expression there is the polynomial
through its values at the `NODES` Chebyshev points of the panel, ends included. The BDF formulas interpolate
with polynomials of degree five at most, so with six nodes a delayed state is exactly what the integrator says
it was; for anything else panels are halved until the polynomial is right.

Numbers of eight bytes throughout:

    panel      begin, end, values at the nodes
    segment    begin, right limit there, number of its first panel, order of what happened there
    header     the fields below

Segments are counted from the start of the run, 0 being the constant past before it, also when old ones have
been dropped. The *order* of a segment's begin is 0 for a jump of the value, 1 for a kink, and one more for
each integration that it has gone through since: x' = -delay(x, 1) has a kink at 0, so one in x' at 1, in x''
at 2.

A *book* has all histories of a run, and what native code needs to fill them.
"""

from __future__ import annotations

import math
from enum import IntEnum

#: Values per panel.
NODES = 6

#: Where they are, from 0 to 1, and their weights in the barycentric formula.
POSITIONS = tuple((1.0 - math.cos(j * math.pi / (NODES - 1))) / 2.0 for j in range(NODES))
WEIGHTS = tuple((-1.0) ** j * (0.5 if j in (0, NODES - 1) else 1.0) for j in range(NODES))

#: Points at which the polynomial of a panel is compared with the expression, none of them a node.
CHECKED = (0.5, 0.21)

#: Places of the numbers of a panel, and of those of a segment.
BEGIN, END, VALUES = 0, 1, 2
VALUE, FIRST_PANEL, ORDER = 1, 2, 3  # after BEGIN

#: How many there are.
PANEL = VALUES + NODES
SEGMENT = 4

#: The begin of the past before the start, and the end of a segment that has not ended: a large number, with
#: which one can calculate.
NEVER = 1e30

#: What is late by no more than this part of the time is so by rounding: it has passed.
LATE_BY_ROUNDING = 2.0**-50


class Header(IntEnum):
    """Fields of a history's header."""

    PANELS = 0  # address of the panels
    PANEL_COUNT = 1
    PANEL_ROOM = 2  # how many there is room for
    SEGMENTS = 3
    SEGMENT_COUNT = 4
    SEGMENT_ROOM = 5
    DROPPED = 6  # segments that are no longer there
    RELATIVE = 7  # accuracy of panels: part of the value,
    ABSOLUTE = 8  # and of its nominal value
    HIGHEST = 9  # up to which order begins of segments are worth an event
    # Slots that only events change and the expression depends on, and their values before the event.
    WATCHED = 10
    WATCHED_COUNT = 11
    WATCHED_BEFORE = 12
    # Other pasts that the expression depends on: the slot with the number of the segment that is asked, and
    # the number of the history; and the segments asked before the event.
    SOURCES = 13
    SOURCE_COUNT = 14
    SOURCES_BEFORE = 15


#: Numbers of a header.
HEADER = len(Header)


class Book(IntEnum):
    """Fields of a book."""

    MEMORY = 0  # of the model
    DELAYS = 1  # how many histories are of delays;
    TRANSPORTS = 2  # those of transports (`ir.transport`) come after them
    HEADERS = 3  # address of an array of addresses
    VALUES = 4  # address of what is remembered, in the memory: one number for a delay, some for a transport
    WIDTH = 5  # how many numbers that is
    REMEMBERED = 6  # the routines `remembered`
    RELATIONS = 7  # and `relations`
    SAMPLES = 8  # room for values at the nodes, node by node,
    TESTS = 9  # and at the points of comparison


#: Fields that are addresses, and those that are Reals, by class; all others are Integers.
ADDRESSES = frozenset(
    {
        *(Header.PANELS, Header.SEGMENTS, Header.WATCHED, Header.WATCHED_BEFORE),
        *(Header.SOURCES, Header.SOURCES_BEFORE),
    }
)
REALS = frozenset({Header.RELATIVE, Header.ABSOLUTE, Header.HIGHEST})

#: A run has to make room when there is less left: for one piece of a step, and the events that end it.
LEAST_PANELS = 2
LEAST_SEGMENTS = 4
