"""What the compiler makes symbols for, and how their names are spelled.

A name is for people, and no code takes one apart: what a symbol was made for is said by `Symbol.helper` and
`Symbol.derivative_of`. The one exception is a derivative that a person asks for by its name.
"""

from __future__ import annotations

from collections.abc import Container
from enum import Enum


class Helper(Enum):
    """What a symbol is for that the compiler has made. The value begins its name, as no identifier can."""

    # Members are singletons; hashing their names, as Enum does, is slower.
    __hash__ = object.__hash__

    # Of the hybrid model.
    WHEN = "$when"  # the condition of a when-clause
    RELATION = "$relation"  # the truth of a relation
    CLOCK = "$clock"  # whether a sample is due
    SAMPLED = "$sampled"  # the argument of an operator between clocks
    TICK = "$tick"  # whether a clock partition is due, and what it remembers of its ticks
    STEP = "$floor"  # floor, or one of its relatives
    EXISTENCE = "$exists"  # whether an equation exists
    DELAY = "$delay"
    TRANSPORT = "$transport"
    IN_STREAM = "$inStream"
    GIVEN = "$given"  # what asks for the curve of an input
    TOLD = "$told"  # the value of an input, told while the run is under way
    # Of inline integration.
    CARRIED = "$carried"  # what a formula needs of the time before the step
    LENGTH = "$step"  # how long a step is
    AHEAD = "$ahead"  # the weight of derivatives in its formulas, 0 at events
    # Of the structure.
    SIZE = "$size"  # how large a variable or a residue usually is, found when a run begins
    RATE = "$rate"  # the derivative of what becomes a state
    PIVOT = "$pivot"  # the relation of a pivot, and its floor
    WEIGHT = "$weight"  # of a side of the surface along which a model slides
    ONE_SIDED = "$side"  # the value of a variable on one side of such a surface
    REACTION = "$reaction"  # of a surface on which a model rests
    HELD = "$held"  # what a quantity was that a mode leaves open
    MULTIPLIER = "$multiplier"  # of an equation between such quantities
    SPARE = "$spare"  # nothing: it comes with a spare row of a system whose structure is found by numbers
    # Around an instant, when a mode is entered.
    EXACT = "$exact"
    LEFT = "left"
    JUMP = "jump"
    IMPULSE = "impulse"
    DEMAND = "demand"
    AFTER = "after"

    def numbered(self, number: int, part: str = "") -> str:
        """The name of the one with this number, or of a part of it: `$delay2`, `$delay2.input`."""
        return f"{self.value}{number}.{part}" if part else f"{self.value}{number}"

    def belonging_to(self, owner: str) -> str:
        """The name of the one that belongs to something: `$rate.x`."""
        return f"{self.value}.{owner}"

    def around(self, text: str) -> str:
        """The name of the one that looks like a function of something: `left(x)`."""
        return f"{self.value}({text})"


_DER, _END = "der(", ")"


def derivative_name(name: str, order: int = 1) -> str:
    """`der(x)`, `der(der(x))` and so on."""
    return _DER * order + name + _END * order


def asked_derivative(name: str, known: Container[str]) -> tuple[str, int]:
    """The known name of which a person asks for a derivative, and of which order: 0 where the name itself is
    known, or is none of a derivative."""
    order = 0
    while name not in known and name.startswith(_DER) and name.endswith(_END):
        name, order = name[len(_DER) : -len(_END)], order + 1
    return name, order


def offset_of(name: str) -> str:
    """The parameter by which the values that are given to an input are higher."""
    return f"{Helper.GIVEN.value}({name}).offset"
