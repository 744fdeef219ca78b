"""How the content of a `spatialDistribution` is kept: a contract between the run and native code.

What moves keeps its *label*, its position minus the displacement `x`: at any time the labels from `-x` to
`1 - x` are inside. So nothing is moved when `x` changes: what enters at 0 is put before the first label, what
enters at 1 after the last, and what is outside is forgotten when the flow turns round.

The content is a list of panels in the order of their labels, with room at both ends. A *panel* is a step of
the integrator, or a part of one. Label and value are both polynomials of time there, so a panel is exact even
where the flow comes to rest and the value is no smooth function of the label. A *segment* is a row of panels
between two labels at which the value jumps or has a kink. Both are numbered along the list; numbers go on at
both ends.

    panel      first label, last label (where it has been cut), labels at the nodes, values at the nodes
    segment    label at which it begins (-NEVER for the first), value while it has no panels, number of its
               first panel, order of what happens where it begins

The fields of a header that `ir.history.Header` has too are in the same places: PANELS is the address of panel
number 0 (which need not exist), SEGMENTS that of the first segment, DROPPED the number of that.
"""

from __future__ import annotations

from enum import IntEnum

from saltus.ir.native.history import HEADER, NODES

#: Numbers of a panel.
CARRIED_PANEL = 2 + 2 * NODES

#: What is remembered of a transport at each instant: displacement, inflow at 0, inflow at 1.
CARRIED_VALUES = 3

#: The number of a segment that stands for the whole content.
ANYWHERE = 1e9


class Carrier(IntEnum):
    """Fields of a header that a history has not."""

    FIRST = HEADER  # number of the first panel
    LAST = HEADER + 1  # number after the last panel
    ROOM_BEFORE = HEADER + 2  # numbers at which the room for panels ends
    ROOM_AFTER = HEADER + 3
    SEGMENTS_BEFORE = HEADER + 4  # how many segments can be put before the first
    POSITION = HEADER + 5  # displacement and inflows when last looked at
    INFLOW0 = HEADER + 6
    INFLOW1 = HEADER + 7
    END0 = HEADER + 8  # values at the ends of the content
    END1 = HEADER + 9
    DIRECTION = HEADER + 10  # 1 if something entered at 0 last, -1 if at 1, 0 at first
    STARTED = HEADER + 11  # displacement at the begin of a step
    LARGEST_STEP = HEADER + 12  # that the run allows


#: Numbers of a header.
CARRIER = HEADER + len(Carrier)

#: Fields from here on are Reals.
FIRST_REAL = Carrier.POSITION
