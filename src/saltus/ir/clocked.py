"""Clock partitions (chapter 16 of the Modelica specification): which equations are due at which ticks.

A base partition has one base clock; each of its sub-partitions ticks at a rational multiple of it. Equations
of a sub-partition hold at its ticks, and its variables keep their values in between.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from saltus.core.source import Span
from saltus.expr.nodes import Expr


class BaseClock(Enum):
    """What a base partition ticks by."""

    RATIONAL = "rational interval"
    REAL = "Real interval"
    VARYING = "varying interval"
    EVENT = "event"
    DEFAULT = "default"


@dataclass(frozen=True)
class Rate:
    """When a sub-partition ticks: first at `shift` after the first tick of the base clock, then every
    `factor`, in units of the base: seconds, intervals of a Real interval clock, ticks of an event clock."""

    factor: Fraction
    shift: Fraction


@dataclass(frozen=True, eq=False)
class SubPartition:
    """Equations that are due together. `tick` is the Boolean variable that is true when they are. `method` is
    that of the solver of what is continuous in them ('' without one)."""

    rate: Rate
    tick: Expr
    variables: tuple[str, ...]
    equations: int
    method: str
    discretised: bool


@dataclass(frozen=True, eq=False)
class BasePartition:
    """Sub-partitions with one base clock, which is said by `clock` in the text of the model, at `span`. For
    the default this is the place of one of the equations."""

    kind: BaseClock
    clock: str
    span: Span | None
    subs: tuple[SubPartition, ...]
