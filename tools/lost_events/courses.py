"""Models that switch: their instants come one from another, and errors go from each to the next.

A course computes all instants from closed forms, one phase after the other. It is computed three times: as
it is, and with the states disturbed at every switch, one way and the other, by what a phase of integration
may add. What differs between the three is not known.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from tools.lost_events.cases import Instants

#: What the integration of one phase may add to a state of size 1, in tolerances: a hundred steps, two each.
PHASE = 200.0

#: An instant that is known less well than to this part of the time scale tells nothing, nor do later ones.
VAGUE = 0.02

#: The instants for a disturbance, in the order of time.
Course = Callable[[float], list[float]]


def instants(course: Course, disturbance: float, scale: float, stop: float, first: bool = False) -> Instants:
    """The instants of a course with their errors, as far as they are known."""
    exact, *others = (np.array(course(d)) for d in (0.0, disturbance, -disturbance))
    count = min(len(exact), *(len(o) for o in others))
    ends = [float(c[count]) for c in (exact, *others) if len(c) > count]
    errors = 2 * np.max([np.abs(o[:count] - exact[:count]) for o in others], axis=0) if count else np.empty(0)
    errors = np.maximum.accumulate(errors) + 1e-12 * exact[:count]
    until = min([stop, *ends])  # a course without this instant would be right, too
    if ends:
        until -= VAGUE * scale
    vague = np.flatnonzero(errors > VAGUE * scale)
    if len(vague):
        until = min(until, float(exact[vague[0]] - errors[vague[0]]))
    # The last instant must be certain to be inside the run; it is known up to the first that is not.
    times = exact[:count]
    kept = times + errors < until
    left_out = np.flatnonzero(~kept)
    if len(left_out):
        until = min(until, float(times[left_out[0]] - errors[left_out[0]]))
    return Instants(first, times[kept], errors[kept], scale, until)
