"""Chattering: a relation that changes its truth back and forth without end, seen from the events alone.

Where both sides of a surface push towards it, a run that locates every crossing makes one after the other:
the residue is never further from zero than the band within which it counts as zero, 1e-10 of its nominal
value, so the crossings follow each other at about that part of the run. Genuine oscillations are slower by
many powers of ten: ten thousand periods in a run have half-periods of 5e-5 of it.

The rate only says where to look. What decides is the dynamics (`saltus.run.surfaces.sliding`): how fast the
residue moves with the truths of one side and of the other, at one and the same position. Only if both move it
towards zero is sliding the solution (Filippov), and then it is so whatever the rate was. A relay with
hysteresis or delay, and pulse width modulation, never pass that test: there the other truth alone does not
turn the motion round.
"""

from __future__ import annotations

from collections.abc import Sequence

from saltus.core.diagnostics import Diagnostic, ModelError, Note, RunError
from saltus.ir.hybrid import Relation

#: The number of changes of one relation within this part of the run after which it is tested.
FLIPS = 8
FLIPS_SPAN = 1e-5

#: So many changes in such a time are too many where no sliding is possible. What counts them may end fewer: a
#: machine that is switched off at the fifth attempt.
MOST_FLIPS = 200


def is_fast(times: Sequence[float], span: float, flips: int = FLIPS) -> bool:
    """Whether a relation that has changed at these times may be chattering, in a run of this length; by the
    latest of them, so many as are `flips`."""
    return len(times) >= flips and times[-1] - times[-flips] <= FLIPS_SPAN * span


def mean_interval(times: Sequence[float]) -> float:
    """The mean time between the latest changes."""
    return (times[-1] - times[-FLIPS]) / (FLIPS - 1)


def frequency(interval: float) -> str:
    """`5 GHz`: periods of two changes, in words."""
    if interval <= 0.0:
        return "any frequency"
    hertz = 0.5 / interval
    for size, unit in ((1e9, "GHz"), (1e6, "MHz"), (1e3, "kHz")):
        if hertz >= size:
            return f"{hertz / size:.3g} {unit}"
    return f"{hertz:.3g} Hz"


def chattering(relation: Relation, time: float, interval: float, reason: ModelError) -> RunError:
    """E404: both sides push towards a surface, but there is no motion along it."""
    notes = [Note(d.message, d.span) for d in reason.diagnostics]
    return RunError(
        Diagnostic(
            "E404",
            f"`{relation.text}` is chattering at time {time:.9g}, at about {frequency(interval)}: "
            "both sides push towards each other",
            relation.span,
            tuple(notes),
            "so the run cannot slide along the surface in between; give the relation hysteresis, or let "
            "nothing with a memory depend on it",
            origin=relation.origin,
        )
    )
