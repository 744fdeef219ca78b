"""Curves that are given to a run from outside: what the inputs of a model are over time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from saltus.functions.external.objects import ExternalError, ExternalObject
from saltus.functions.external.pieces import Extrapolation, Numbers, Smoothness
from saltus.functions.external.tables import AT_JUMPS, NO_EVENTS, ON_POINTS, made_time_table

#: Before which no curve is zero: they hold their first value.
_ALWAYS = -1e300

#: Kinds of curves, as people name them: how they go from point to point, and where there are events.
KINDS: Mapping[str, tuple[Smoothness, int]] = {
    "linear": (Smoothness.LINEAR, ON_POINTS),
    "hold": (Smoothness.CONSTANT, ON_POINTS),
    "smooth": (Smoothness.AKIMA, NO_EVENTS),
    "sampled": (Smoothness.LINEAR, AT_JUMPS),  # of a function: its corners are no events
}


@dataclass(frozen=True, eq=False)
class Curve:
    """Points, one a row: time and value; two rows with one time are a jump."""

    points: Numbers
    kind: str


_CURVES: ContextVar[Mapping[str, Curve]] = ContextVar("curves", default={})  # noqa: B039  # which nobody changes


@contextmanager
def given_curves(curves: Mapping[str, Curve]) -> Iterator[None]:
    """A run in which inputs have these curves, by name."""
    before = _CURVES.set(curves)
    try:
        yield
    finally:
        _CURVES.reset(before)


def given_curve(name: str) -> list[ExternalObject]:
    """The curve of an input, as a time table."""
    curve = _CURVES.get().get(name)
    if curve is None:
        raise ExternalError(f"the input `{name}` has no value", "E210")
    smoothness, events = KINDS[curve.kind]
    table = made_time_table(
        curve.points, f"the curve of `{name}`", _ALWAYS, [2], smoothness, Extrapolation.HOLD, 0.0, events
    )
    return [table]
