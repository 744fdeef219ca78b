"""What is too short, or too shallow, to count: the one place for these numbers.

An excursion is the time between two crossings of a residue. One that is shorter than `shortest` says may be
found or not; neither is a fault.
"""

from __future__ import annotations

from dataclasses import dataclass

#: Residues within this much of zero count as zero (docs/events.md, "The zero band"). A copy of the number in
#: `saltus.ir.native.contract` on purpose: what judges a run must not follow it when it changes.
BAND = 1e-10

#: How much larger the error of a residue may be between the points of a result than at them.
BETWEEN_POINTS = 3.0

#: Crossings of the same residue may be placed wrongly by this part of its shortest time scale, in addition
#: to what the error of its states explains.
PLACING = 1e-6


@dataclass(frozen=True)
class Resolution:
    """The shortest excursion that must be found: as a part of the shortest time scale that the residue has
    around it, and as a part of the whole run (whichever of the two is longer)."""

    of_scale: float = 1e-3
    of_run: float = 0.0


#: By the name of the family of models; others have the default. What a function does inside is not known:
#: there only rows of the result, 500 in a run, tell for certain that something has happened (docs/events.md).
RESOLUTIONS: dict[str, Resolution] = {
    "functions": Resolution(of_run=1 / 500),
    "handmade": Resolution(of_run=1 / 500),
}


def resolution_of(family: str) -> Resolution:
    return RESOLUTIONS.get(family, Resolution())
